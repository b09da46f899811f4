"""What a row of a MindRecord file consists of, and how it becomes bytes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from mindspore.mindrecord import _integers, _msgpack
from mindspore.mindrecord.common.exceptions import MRMBuildSchemaError, MRMInvalidSchemaError

PLAIN_TYPES = ("int32", "int64", "float32", "float64", "string", "bytes")
ARRAY_TYPES = PLAIN_TYPES[:4]
# Which field types a value may be written to, by the name of its own type.
_ACCEPTED = {
    "int": ("int32", "int64"),
    "float": ("float32", "float64"),
    "str": ("string",),
    "bytes": ("bytes",),
    "str_": ("string",),
    "bytes_": ("bytes",),
    "ndarray": ARRAY_TYPES,
} | {name: (name,) for name in ARRAY_TYPES}
_NO_RAW_FIELDS = {"id": 0}  # what real files hold when every field is a blob
_NO_BLOB_FIELDS = bytes(4)


def check_content(content: Any) -> None:
    """Check a schema as users write it: ``{"label": {"type": "int32"}, "data": {"type": "float32", "shape": [-1, 2]}}``."""
    if not content:
        raise MRMInvalidSchemaError("Schema content is empty.")
    if not isinstance(content, dict):
        raise MRMInvalidSchemaError(f"Schema content should be dict, but got {type(content).__name__}.")
    for name, field in content.items():
        if not isinstance(name, str) or not re.fullmatch(r"\w+", name, re.ASCII):
            raise MRMInvalidSchemaError(f"Field '{name}' should be composed of '0-9' or 'a-z' or 'A-Z' or '_'.")
        if not field or not isinstance(field, dict):
            raise MRMInvalidSchemaError(f"Field '{name}' should be dict, such as {{'type': 'int32'}}.")
        _check_field(name, field)


def _check_field(name: str, field: dict) -> None:
    if set(field) not in ({"type"}, {"type", "shape"}):
        raise MRMInvalidSchemaError(
            f"Field '{field}' contains illegal attributes: only 'type' and 'shape' are known, and 'type' is required."
        )
    allowed = ARRAY_TYPES if "shape" in field else PLAIN_TYPES
    if field["type"] not in allowed:
        raise MRMInvalidSchemaError(
            f"Field '{name}' contain illegal attribute '{field['type']}'. The type must be one of {list(allowed)}."
        )
    shape = field.get("shape", [])
    if not isinstance(shape, list):
        raise MRMInvalidSchemaError(f"Field '{name}' contain illegal attribute '{shape}'. The shape must be a list.")
    if any(type(length) is not int or length == 0 or length < -1 for length in shape) or shape.count(-1) > 1:
        raise MRMBuildSchemaError(
            f"The shape {shape} of field '{name}' must consist of positive int, with -1 at most once."
        )


class RecordSchema:
    """The fields of a file; those in ``blob_fields`` are stored as bytes, the others as a small table per row."""

    def __init__(self, content: dict[str, dict], description: str = "", shrinks: bool = True):
        self.fields = {name: dict(sorted(content[name].items())) for name in sorted(content)}
        self.description = description
        self.blob_fields = [name for name, field in self.fields.items() if field["type"] == "bytes" or "shape" in field]
        self.raw_fields = [name for name in self.fields if name not in self.blob_fields]
        self.dtypes = {
            name: np.dtype({"string": "U", "bytes": "S"}.get(field["type"], field["type"]))
            for name, field in self.fields.items()
        }
        integers = [name for name in self.blob_fields if self.fields[name]["type"] in ("int32", "int64")]
        self.shrinks = shrinks  # files of version 2.0 hold integers as they are
        self.shrunk = set(integers if shrinks else ())

    def header(self) -> dict[str, Any]:
        """The schema as the header of a file holds it."""
        return {"blob_fields": self.blob_fields, "desc": self.description, "schema": self.fields}

    def fault(self, row: dict[str, Any]) -> str | None:
        """What is wrong with a row, or None."""
        for name, field in self.fields.items():
            if name not in row:
                return f"there is not field: '{name}' in the raw data"
            value = row[name]
            if field["type"] not in _ACCEPTED.get(type(value).__name__, ()) or isinstance(value, np.ndarray) != (
                "shape" in field
            ):
                return (
                    f"data type: '{type(value).__name__}' for field: '{name}' is not matched, the schema says {field}"
                )
            if isinstance(value, np.ndarray):
                if value.dtype.name != field["type"]:
                    return f"data type: '{value.dtype}' for field: '{name}' is not matched, the schema says {field}"
                if not _fits(value.shape, field["shape"]):
                    return f"data shape: '{value.shape}' for field: '{name}' is not matched, the schema says {field}"
            elif field["type"] == "int32" and not -(2**31) <= value < 2**31:
                return f"the value {value} for field: '{name}' is too large for int32"
            elif field["type"] == "int64" and not -(2**63) <= value < 2**63:
                return f"the value {value} for field: '{name}' is too large for int64"
        return None

    def raw_bytes(self, row: dict[str, Any]) -> bytes:
        """The plain fields of a row."""
        values = {name: row[name] for name in self.raw_fields} or _NO_RAW_FIELDS
        plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in values.items()}
        return _msgpack.pack(plain)

    def blob_bytes(self, row: dict[str, Any]) -> tuple[bytes, int]:
        """The blob fields of a row, and how many bytes shrinking its integers saved."""
        if not self.blob_fields:
            return _NO_BLOB_FIELDS, 0
        saved = 0
        parts = []
        for name in self.blob_fields:
            value = row[name]
            if name in self.shrunk:
                data = _integers.shrink(value)
                saved += value.nbytes - len(data)
            else:
                data = value if isinstance(value, bytes) else np.ascontiguousarray(value).tobytes()
            parts.append(data)
        if len(parts) == 1:
            return parts[0], saved
        return b"".join(len(part).to_bytes(8, "big") + part for part in parts), saved

    def blob_parts(self, blob: memoryview) -> dict[str, memoryview]:
        """The bytes of a row cut into its blob fields."""
        if len(self.blob_fields) == 1:
            return {self.blob_fields[0]: blob}
        parts = {}
        start = 0
        for name in self.blob_fields:
            end = start + 8 + int.from_bytes(blob[start : start + 8], "big")
            if end > len(blob):
                raise ValueError(f"field '{name}' is said to end at byte {end}, the row has {len(blob)}")
            parts[name] = blob[start + 8 : end]
            start = end
        return parts

    def array(self, name: str, data: memoryview) -> np.ndarray:
        """The array that a blob field holds, free to be changed."""
        dtype = self.dtypes[name]
        values = _integers.expand(data, dtype) if name in self.shrunk else np.frombuffer(data, dtype).copy()
        return values.reshape(self.fields[name]["shape"])


def _fits(shape: tuple[int, ...], wanted: list[int]) -> bool:
    """Whether an array can be reshaped to the shape a schema asks for, as real MindSpore checks it."""
    size = int(np.prod(shape, dtype=np.int64))
    known = int(np.prod([length for length in wanted if length != -1], dtype=np.int64))
    return size % known == 0 if -1 in wanted else size == known
