"""The recorded answers of real MindSpore: one JSON file (structure) and one NPZ file (numbers) per family.

An NPZ member costs some 300 bytes, so the values of all cases of one dtype are joined into one long array and read
back in the order in which the JSON file mentions them.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from tools.oracle.execute import is_tensor

Structure = Any


class Writer:
    """Collects the records of one family."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.records: dict[str, dict[str, Any]] = {}
        self.values: dict[str, list[np.ndarray]] = {}

    def describe(self, output: Any, ms: Any) -> Structure:
        """The structure of a result; Tensor values go to the arrays.

        A Tensor becomes "Float32[2,3]", a tuple or list a list, anything else its type name and `repr`.
        """
        if isinstance(output, (tuple, list)):
            return [self.describe(item, ms) for item in output]
        if not is_tensor(output, ms):
            return {"type": type(output).__name__, "repr": repr(output)}
        dtype = str(output.dtype)
        self.values.setdefault(dtype, []).append(to_stored(output).reshape(-1))
        return f"{dtype}[{','.join(map(str, output.shape))}]"

    def save(self, path: Path) -> None:
        lines = [f"  {json.dumps(name)}: {json.dumps(record)}" for name, record in self.records.items()]
        text = f'{{"mindspore": {json.dumps(self.version)}, "cases": {{\n' + ",\n".join(lines) + "\n}}\n"
        path.with_suffix(".json").write_text(text)
        np.savez_compressed(path.with_suffix(".npz"), **{name: np.concatenate(v) for name, v in self.values.items()})


def to_stored(tensor: Any) -> np.ndarray:
    """NumPy form of a Tensor; bfloat16 as the upper half of the float32 bits."""
    values = np.asarray(tensor.asnumpy())
    if str(tensor.dtype) != "BFloat16":
        return values
    wide = np.ascontiguousarray(values.astype("float32"))
    return (wide.view("uint32").reshape(wide.shape) >> 16).astype("uint16")


def from_stored(dtype: str, values: np.ndarray) -> np.ndarray:
    if dtype != "BFloat16":
        return values
    return (values.astype("uint32") << 16).view("float32")


class Leaf:
    """A recorded Tensor."""

    def __init__(self, dtype: str, values: np.ndarray) -> None:
        self.dtype = dtype
        self.values = values

    def __repr__(self) -> str:
        return f"{self.dtype}{list(self.values.shape)} {self.values.tolist()}"


def load(path: Path) -> dict[str, dict[str, Any]]:
    """The records of a family by case name, with `Leaf` in place of every described Tensor."""
    with np.load(path.with_suffix(".npz")) as stored:
        arrays = {name: stored[name] for name in stored.files}
    positions = dict.fromkeys(arrays, 0)

    def restore(structure: Structure) -> Any:
        if isinstance(structure, list):
            return [restore(item) for item in structure]
        if isinstance(structure, dict):
            return structure
        dtype, _, dimensions = structure.rstrip("]").partition("[")
        shape = tuple(int(size) for size in dimensions.split(",") if size)
        start = positions[dtype]
        positions[dtype] = start + math.prod(shape)
        values = arrays[dtype][start : positions[dtype]]
        return Leaf(dtype, from_stored(dtype, values).reshape(shape))

    records = json.loads(path.with_suffix(".json").read_text())["cases"]
    for record in records.values():
        for key in ("output", "gradient", "state"):
            if key in record:
                record[key] = restore(record[key])
    return records
