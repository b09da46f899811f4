"""Write the kinds of results of real MindSpore's overloaded functions. Run with the Python that has it:

GLOG_v=4 python -m tools.oracle.record_forms tests/data/forms.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mindspore
from tools.oracle.form_cases import calls
from tools.oracle.form_kinds import kinds

if __name__ == "__main__":
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    rows = [f"{json.dumps(call)}: {json.dumps(kinds(mindspore, call))}" for call in calls()]
    Path(sys.argv[1]).write_text("{\n" + ",\n".join(rows) + "\n}\n")
