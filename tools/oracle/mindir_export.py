"""Let real MindSpore export the Cells and operators of the cases as MINDIR, with what they give: ``mindir_compare`` reads the files here.

    python -m tools.oracle.mindir_export FOLDER [FIRST LAST]

A crash of real MindSpore ends the process; start again with FIRST behind the last number that was printed.
"""

from __future__ import annotations

import ast
import importlib
import json
import linecache
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np

from tools.oracle import execute, layer_execute
from tools.oracle.case import Case
from tools.oracle.families import FAMILIES, LAYER_FAMILIES
from tools.oracle.layer_case import LayerCase


def cases() -> list[Any]:
    """One case of every text: the first, whose inputs are float32 mostly; none that raise."""
    found: dict[str, Any] = {}
    for family in (*FAMILIES.values(), *LAYER_FAMILIES.values()):
        for one in family:
            if isinstance(one, (Case, LayerCase)) and not one.raises and not one.oracle_crash and one.inputs:
                found.setdefault(one.source + (getattr(one, "call", "") or "") + str(getattr(one, "train", "")), one)
    return list(found.values())


def cell_of(case: Any, ms: Any) -> tuple[Any, list[Any]]:
    """The case as a Cell, and its inputs."""
    names = execute.public_names(ms)
    if isinstance(case, LayerCase):
        net = layer_execute.make_net(case, ms, names)
        layer_execute.add_noise(net, case, ms)
        return net, layer_execute.make_tensors(case, ms)
    tensors, parameters = execute.make_inputs(case, ms)
    statements = [ast.unparse(statement) for statement in ast.parse(case.source).body]
    statements[-1] = f"return {statements[-1]}"
    arguments = ", ".join(["self", *(name for name, array in case.inputs.items() if not array.parameter)])
    body = "".join(f"        {line}\n" for line in statements)
    source = f"class Net(nn.Cell):\n    def construct({arguments}):\n{body}"
    for name in parameters:
        source = source.replace("class Net(nn.Cell):\n", f"class Net(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.{name} = {name}\n", 1)  # fmt: skip
    return defined(source, {**names, **parameters}).Net(), tensors


def defined(source: str, names: dict[str, Any]) -> types.ModuleType:
    """A module of this text: classes of graphs are looked up in theirs."""
    module = types.ModuleType(f"mindir_case_{len(sys.modules)}")
    module.__dict__.update(names, __file__=module.__name__)
    sys.modules[module.__name__] = module
    linecache.cache[module.__name__] = (len(source), None, source.splitlines(keepends=True), module.__name__)
    exec(compile(source, module.__name__, "exec"), module.__dict__)
    return module


def flat(value: Any) -> list[np.ndarray]:
    if isinstance(value, (tuple, list)):
        return [leaf for one in value for leaf in flat(one)]
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in flat(one)]
    if hasattr(value, "asnumpy"):
        return [value.float().asnumpy() if "BFloat16" in str(value.dtype) else value.asnumpy()]
    return [np.asarray(value)] if value is not None else []


def export_all(folder: Path, first: int, last: int) -> None:
    ms = importlib.import_module("mindspore")
    ms.set_context(mode=ms.GRAPH_MODE)
    for number, case in list(enumerate(cases()))[first:last]:
        print(number, flush=True)
        name = str(folder / f"{number}")
        try:
            net, tensors = cell_of(case, ms)
            if getattr(case, "call", "") and case.call_source != f"net({', '.join(case.inputs)})":
                continue
            ms.export(net, *tensors, file_name=name, file_format="MINDIR")
            results = flat(net(*tensors))
        except Exception as error:
            (folder / f"{number}.txt").write_text(f"{type(error).__name__}: {error}"[:500])
            Path(f"{name}.mindir").unlink(missing_ok=True)
            continue
        inputs = {f"input_{i}": flat(t)[0] for i, t in enumerate(tensors)}
        outputs = {f"output_{i}": r for i, r in enumerate(results)}
        np.savez(folder / f"{number}.npz", **inputs, **outputs)  # pyright: ignore[reportArgumentType]
        kinds = [str(t.dtype) for t in tensors]
        (folder / f"{number}.json").write_text(json.dumps({"case": case.name, "dtypes": kinds}))


if __name__ == "__main__":
    chosen = Path(sys.argv[1])
    chosen.mkdir(parents=True, exist_ok=True)
    export_all(chosen, *(int(text) for text in (sys.argv[2:4] or ["0", "1000000"])))
