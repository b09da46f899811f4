"""Rows of a pipeline written to MindRecord files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from mindspore._utils.progress import progress
from mindspore.dataset._pipeline.arguments import number
from mindspore.mindrecord import FileWriter

# NumPy dtype -> type of a MindRecord field; smaller integers become int32 as in MindSpore.
_TYPES = {
    "int32": "int32",
    "int64": "int64",
    "float32": "float32",
    "float64": "float64",
    "bool": "int32",
    "int8": "int32",
    "int16": "int32",
    "uint8": "int32",
    "uint16": "int32",
    "uint32": "int64",
    "uint64": "int64",
    "float16": "float32",
}
_ROWS = 1000  # written at a time


def save_rows(rows: Iterable[dict[str, np.ndarray]], file_name: str, num_files: int) -> None:
    """Write rows; the first row decides the schema."""
    writer: FileWriter | None = None
    waiting: list[dict[str, Any]] = []
    for row in progress(rows, "saving rows"):
        if writer is None:
            writer = FileWriter(file_name, number("save", "num_files", num_files, low=1, high=1000))
            writer.add_schema({name: _field(name, value) for name, value in row.items()}, "rows of a dataset")
        waiting.append({name: _value(value) for name, value in row.items()})
        if len(waiting) == _ROWS:
            writer.write_raw_data(waiting)
            waiting = []
    if writer is None:
        raise RuntimeError(f"There are no rows to save in {file_name}.")
    if waiting:
        writer.write_raw_data(waiting)
    writer.commit()


def _field(name: str, value: np.ndarray) -> dict[str, Any]:
    if value.dtype.kind == "U":
        return {"type": "string"}
    if value.dtype.kind == "S":
        return {"type": "bytes"}
    if value.dtype.name not in _TYPES:
        raise RuntimeError(f"Column '{name}' of dtype {value.dtype} cannot be saved: MindRecord has no such type.")
    field: dict[str, Any] = {"type": _TYPES[value.dtype.name]}
    if value.ndim:
        field["shape"] = [-1, *value.shape[1:]]
    return field


def _value(value: np.ndarray) -> Any:
    if value.dtype.kind in "US":
        return value.item() if value.size == 1 else value.tolist()
    converted = value.astype(_TYPES[value.dtype.name])
    return converted if converted.ndim else converted.item()
