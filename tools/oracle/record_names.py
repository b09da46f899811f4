"""Ask real MindSpore for the names of Parameters. Run in the project folder with the Python that has it:

GLOG_v=4 python -m tools.oracle.record_names tests/data/parameter_names.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tools.oracle.name_execute import describe, execute, programs
from tools.oracle.name_networks import networks
from tools.oracle.name_programs_cells import CELLS
from tools.oracle.name_programs_random import program
from tools.oracle.name_programs_rows import ROWS

RANDOM = 250  # programs made at random


def sources() -> dict[str, str]:
    """All programs by title."""
    return {**programs(ROWS), **programs(CELLS), **{f"random {seed}": program(seed) for seed in range(RANDOM)}}


def recorded() -> dict[str, Any]:
    """What each program and each network of the examples gives."""
    found: dict[str, Any] = {title: execute(source) for title, source in sources().items()}
    return {**found, **{f"network {name}": describe(make()) for name, make in networks().items()}}


if __name__ == "__main__":
    answers = recorded()
    rows = [f"{json.dumps(title)}: {json.dumps(answers[title])}" for title in answers]
    Path(sys.argv[1]).write_text("{\n" + ",\n".join(rows) + "\n}\n")
