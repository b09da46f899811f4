"""Write the names of real MindSpore's `mindspore.numpy` and their signatures. Run with the Python that has it:

GLOG_v=4 python tools/oracle/record_numpy.py tests/data/numpy_signatures.json
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path

import mindspore.numpy
import mindspore.numpy.fft


def signatures() -> dict[str, list[list[str]]]:
    """Of every function: name, kind and default of each parameter."""
    found = {}
    for module, prefix in ((mindspore.numpy, ""), (mindspore.numpy.fft, "fft.")):
        for name, function in sorted(vars(module).items()):
            if inspect.isfunction(function) and function.__module__.startswith("mindspore.numpy."):
                parameters = inspect.signature(function).parameters.values()
                found[prefix + name] = [[one.name, one.kind.name, repr(one.default)] for one in parameters]
    return found


if __name__ == "__main__":
    rows = [f"  {json.dumps(name)}: {json.dumps(parameters)}" for name, parameters in signatures().items()]
    Path(sys.argv[1]).write_text("{\n" + ",\n".join(rows) + "\n}\n")
