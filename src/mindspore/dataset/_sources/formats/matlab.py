"""Read MATLAB files of version 5: numbers, text, cells, structures and sparse matrices."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore._utils.files.file_limit import check_unfolded, decompressed

_TYPES = {
    1: "i1",
    2: "u1",
    3: "i2",
    4: "u2",
    5: "i4",
    6: "u4",
    7: "f4",
    9: "f8",
    12: "i8",
    13: "u8",
    16: "u1",
    17: "u2",
}
_CLASSES = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}
_MATRIX, _COMPRESSED = 14, 15
_CELL, _STRUCT, _CHARACTERS, _SPARSE = 1, 2, 4, 5
_HEADER = 128


def read_matlab(path: str) -> dict[str, Any]:
    """The variables of a file: arrays, sparse matrices as dense arrays, structures as arrays of dicts."""
    with open(path, "rb") as stream:
        data = stream.read()
    order = {b"IM": "<", b"MI": ">"}.get(data[126:128])
    if order is None:
        raise ValueError(f"{path} is no MATLAB file of version 5.")
    try:
        return dict(_matrix(content, order) for kind, content in _elements(data[_HEADER:], order) if kind == _MATRIX)
    except (struct.error, zlib.error, LookupError, StopIteration, ValueError, TypeError, ArithmeticError) as error:
        raise ValueError(f"{path} is damaged or of an unknown kind: {error!r}.") from error
    except RecursionError:
        raise ValueError(f"{path} is damaged: its structures are nested too deeply.") from None


def _elements(data: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    offset = 0
    while offset + 8 <= len(data):
        kind, size = struct.unpack_from(order + "II", data, offset)
        if kind >> 16:  # a small element: everything in eight bytes
            yield kind & 0xFFFF, data[offset + 4 : offset + 4 + (kind >> 16)]
            offset += 8
            continue
        content = data[offset + 8 : offset + 8 + size]
        offset += 8 + size
        if kind == _COMPRESSED:
            yield from _elements(decompressed(content, wbits=15), order)
        else:
            offset += -size % 8
            yield kind, content


def _array(element: tuple[int, bytes], order: str) -> np.ndarray:
    kind, content = element
    return np.frombuffer(content, order + _TYPES[kind])


def _matrix(data: bytes, order: str) -> tuple[str, Any]:
    """The name and the value of a matrix."""
    parts = _elements(data, order)
    flags = int(_array(next(parts, (6, b"\0" * 8)), order)[0])
    shape = tuple(_array(next(parts, (5, b"\0" * 8)), order).tolist())
    name = next(parts, (1, b""))[1].decode("ascii")
    kind = flags & 0xFF
    if kind in _CLASSES:
        values = _array(next(parts), order).astype(_CLASSES[kind])
        return name, values.reshape(shape, order="F")
    if kind == _CELL:
        cells = _objects(shape)
        cells[:] = [_matrix(content, order)[1] for _, content in parts]
        return name, cells.reshape(shape, order="F")
    if kind == _STRUCT:
        return name, _structure(parts, shape, order)
    if kind == _SPARSE:
        return name, _sparse(parts, shape, order)
    if kind == _CHARACTERS:
        return name, "".join(map(chr, _array(next(parts), order).tolist()))
    raise KeyError(f"a variable of class {kind}")


def _objects(shape: tuple[int, ...]) -> np.ndarray:
    count = math.prod(shape)
    check_unfolded("an array of structures", 8 * count, 0)
    return np.empty(count, object)


def _structure(parts: Iterator[tuple[int, bytes]], shape: tuple[int, ...], order: str) -> np.ndarray:
    width = int(_array(next(parts), order)[0])
    text = next(parts)[1]
    names = [text[start : start + width].split(b"\0")[0].decode("ascii") for start in range(0, len(text), width)]
    rows = _objects(shape)
    for row in range(len(rows)):
        rows[row] = {name: _matrix(next(parts)[1], order)[1] for name in names}
    return rows.reshape(shape, order="F")


def _sparse(parts: Iterator[tuple[int, bytes]], shape: tuple[int, ...], order: str) -> np.ndarray:
    rows, starts, values = (_array(next(parts), order) for _ in range(3))
    check_unfolded("a sparse matrix", 8 * math.prod(shape), 0)
    dense = np.zeros(shape, np.float64)
    columns = np.repeat(np.arange(shape[1]), np.diff(starts))
    dense[rows[: len(columns)], columns] = values[: len(columns)]
    return dense
