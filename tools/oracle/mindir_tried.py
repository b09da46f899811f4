"""Operators of the registry as MINDIR files: those whose primitives no file has had yet, or all; ``mindir_compare`` runs them in real MindSpore.

python -m tools.oracle.mindir_tried FOLDER [new|all] [NAME ...]

`new` takes every primitive for one that MindSpore runs: what it then runs with equal results can be recorded.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn
from mindspore._engine.export.mindir import builder, operators
from mindspore._engine.export.mindir.known_primitives import FUNCTIONS, WITH_ATTRIBUTES
from mindspore._engine.operator.registry import OPS
from mindspore.train._mindir import writing
from tests.ops.samples import Samples, to_tensors
from tools.oracle.mindir_export import flat


class Called(nn.Cell):
    """A call of an operator, whose arrays are the inputs."""

    def __init__(self, function: Any, values: list[Any], keywords: dict[str, Any]):
        super().__init__()
        self.function, self.values, self.keywords = function, values, keywords

    def construct(self, *inputs):
        given = iter(inputs)
        values = [next(given) if isinstance(one, Tensor) else one for one in self.values]
        return self.function(*values, **self.keywords)


def take_all_primitives(generated: set[str]) -> None:
    """Every primitive counts as known, of the kind it has in MindSpore."""
    names = {kind.__name__ for op in OPS.values() for kind in op.primitives}
    functions = FUNCTIONS | (names & generated)
    attributes = WITH_ATTRIBUTES | (names - functions)
    for module in (builder, operators, writing):
        module.__dict__["FUNCTIONS"] = functions
        module.__dict__["WITH_ATTRIBUTES"] = attributes


def written(folder: Path, which: str, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    ms.set_context(mode=ms.GRAPH_MODE)
    known = FUNCTIONS | WITH_ATTRIBUTES
    number = -1
    for name in sorted(OPS):
        op = OPS[name]
        kinds = [kind.__name__ for kind in op.primitives]
        fresh = kinds and not any(kind in known for kind in kinds)
        for case in op.test(Samples(op.name)) if op.test is not None else ():
            number += 1
            if (names and name not in names) or (which == "new" and not fresh):
                continue
            _write(folder, number, f"{name} {'/'.join(kinds)}", op, case)


def _write(folder: Path, number: int, title: str, op: Any, case: Any) -> None:
    try:
        values = [to_tensors(one) for one in case.args]
        net = Called(op.function, values, dict(case.kwargs))
        inputs = [one for one in values if isinstance(one, Tensor)]
        results = flat(net(*inputs))
        ms.export(net, *inputs, file_name=str(folder / str(number)), file_format="MINDIR")
    except Exception as error:
        (folder / f"{number}.txt").write_text(f"{title} {type(error).__name__}: {error}"[:800])
        return
    arrays = {f"input_{i}": flat(one)[0] for i, one in enumerate(inputs)} | {
        f"output_{i}": one for i, one in enumerate(results)
    }
    np.savez(folder / f"{number}.npz", **arrays)  # pyright: ignore[reportArgumentType]
    kinds = [str(one.dtype) for one in inputs]
    (folder / f"{number}.json").write_text(json.dumps({"case": title, "dtypes": kinds}))


if __name__ == "__main__":
    target, which, *rest = [*sys.argv[1:], *(["all"] if len(sys.argv) < 3 else [])]
    if which == "new":
        take_all_primitives(set(json.loads(Path(target, "kinds.json").read_text())))
    written(Path(target), which, rest)
