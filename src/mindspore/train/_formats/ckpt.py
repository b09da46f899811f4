"""MindSpore's checkpoint files: reading and writing them byte for byte.

A file is a row of protobuf messages, one for each Parameter (or slice of a large Parameter): tag, dims, type, raw data.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from mindspore._utils import log
from mindspore._utils.files import wire
from mindspore._utils.files.atomic_file import Chunk

SLICE_BYTES = 512 * 2**20  # larger data are written in several messages
_MOST_AXES, _MOST_ELEMENTS = 32, 2**48
_CRC_MARK = b"crc_num"
_CRC_BYTES = len(_CRC_MARK) + 10

DTYPES: dict[str, Any] = {
    "Float16": np.float16,
    "Float32": np.float32,
    "Float64": np.float64,
    "BFloat16": ml_dtypes.bfloat16,
    "Float8E4M3FN": ml_dtypes.float8_e4m3fn,
    "Float8E5M2": ml_dtypes.float8_e5m2,
    "Int8": np.int8,
    "Int16": np.int16,
    "Int32": np.int32,
    "Int64": np.int64,
    "UInt8": np.uint8,
    "UInt16": np.uint16,
    "UInt32": np.uint32,
    "UInt64": np.uint64,
    "Bool": np.bool_,
    "Complex64": np.complex64,
    "Complex128": np.complex128,
}
_NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}


class CorruptFile(ValueError):
    """Not a checkpoint file, or a damaged file."""


class Entry(NamedTuple):
    """A named value: an array, or text."""

    name: str
    value: np.ndarray | str


# -- writing ----------------------------------------------------------------------------------------------------------
def encode(entries: Iterable[Entry], crc_check: bool = False) -> Iterator[Chunk]:
    """The bytes of a file; large data are not copied."""
    crc = 0
    for entry in entries:
        for chunk in _messages(entry):
            crc = zlib.crc32(chunk, crc) if crc_check else crc
            yield chunk
    if crc_check:
        yield _CRC_MARK + crc.to_bytes(10, "big")


def _messages(entry: Entry) -> Iterator[Chunk]:
    name, value = entry
    if isinstance(value, str):
        yield from _message(name, [0], "str", memoryview(np.array([value]).tobytes()))
        return
    kind = _NAMES[value.dtype]
    data = raw(value)
    for start in range(0, max(len(data), 1), SLICE_BYTES):
        yield from _message(name, value.shape, kind, data[start : start + SLICE_BYTES])


def raw(value: np.ndarray) -> memoryview:
    """The bytes of an array, in the order of its elements."""
    return np.ascontiguousarray(value).reshape(-1).view(np.uint8).data


def _message(name: str, dims: Iterable[int], kind: str, data: memoryview) -> tuple[bytes, memoryview]:
    """Everything before the data, and the data."""
    tag = wire.field(1, name.encode())
    described = b"".join(wire.number(1, size) for size in dims) + wire.field(2, kind.encode()) + _opening(3, len(data))
    tensor = _opening(2, len(described) + len(data))
    size = len(tag) + len(tensor) + len(described) + len(data)
    return _opening(1, size) + tag + tensor + described, data


def _opening(number: int, size: int) -> bytes:
    """The protobuf header of a length-delimited field of ``size`` bytes."""
    return wire.varint(number << 3 | 2) + wire.varint(size)


# -- reading ----------------------------------------------------------------------------------------------------------
def checked(data: memoryview, crc_check: bool) -> memoryview:
    """A file without its checksum, which is compared when asked."""
    if bytes(data[-_CRC_BYTES:-10]) != _CRC_MARK:
        if crc_check:
            log.warning("For 'load_checkpoint', the file has no checksum: 'crc_check' has nothing to compare.")
        return data
    content, crc = data[:-_CRC_BYTES], int.from_bytes(data[-10:], "big")
    if crc_check and zlib.crc32(content) != crc:
        raise CorruptFile("the crc check is failed: its content does not match its checksum")
    return content


def decode(data: memoryview) -> Iterator[Entry]:
    """The entries in the bytes of a file; those that are in several messages are put together one at a time."""
    try:
        pieces = _pieces(data)
    except wire.WireError as error:
        raise CorruptFile(str(error)) from None
    return (Entry(name, _value(name, dims, kind, contents)) for name, dims, kind, contents in pieces)


def _pieces(data: memoryview) -> list[tuple[str, list[int], str, list[memoryview]]]:
    """Name, dims, type and data of every value; the data of a large value in slices."""
    pieces: list[tuple[str, list[int], str, list[memoryview]]] = []
    unknown = 0
    for number, value in wire.fields(data):
        if number != 1:
            unknown += 1  # of a newer version: skipped, as protobuf means it
            continue
        if isinstance(value, int):
            raise CorruptFile("it does not consist of checkpoint messages")
        name, dims, kind, content = parsed(value)
        if pieces and pieces[-1][0] == name and pieces[-1][2] == kind:
            pieces[-1][3].append(content)
        else:
            pieces.append((name, dims, kind, [content]))
    if unknown and not pieces:
        raise CorruptFile("it does not consist of checkpoint messages")
    return pieces


def parsed(message: memoryview) -> tuple[str, list[int], str, memoryview]:
    """Name, dims, type and data of a message."""
    parts = dict(wire.fields(message))
    if isinstance(parts.get(1, 0), int) or isinstance(parts.get(2, 0), int):
        raise CorruptFile("a message has no name or no value")
    dims, kind, content = [], "", memoryview(b"")
    for number, value in wire.fields(parts[2]):
        if number in (1, 2, 3) and isinstance(value, int) != (number == 1):
            raise CorruptFile("a value is not described as values are")
        if number == 1:
            dims.append(value)
        elif number == 2:
            kind = _text(value)
        elif number == 3:
            content = value
    return _text(parts[1]), dims, kind, content


def _text(data: memoryview) -> str:
    try:
        return bytes(data).decode()
    except UnicodeDecodeError:
        raise CorruptFile("a name is not text") from None


def _value(name: str, dims: list[int], kind: str, contents: list[memoryview]) -> np.ndarray | str:
    data = contents[0] if len(contents) == 1 else memoryview(b"".join(contents))  # the slices of a large value
    if kind == "str":
        if len(data) % 4:
            raise CorruptFile(f"the text of '{name}' is cut off")
        return _characters(name, data)
    if kind not in DTYPES:
        raise CorruptFile(f"'{name}' has an unknown type, {kind!r:.40}")
    dtype = np.dtype(DTYPES[kind])
    if len(data) % dtype.itemsize:
        raise CorruptFile(f"the data of '{name}' are cut off")
    array = np.frombuffer(data, dtype)
    shape = () if dims == [0] and array.size == 1 else tuple(dims)  # older versions write [0] for a scalar
    return shaped(name, array, shape)


def _characters(name: str, data: memoryview) -> str:
    try:
        return bytes(data).decode("utf-32-le", "surrogatepass").rstrip("\0")
    except UnicodeDecodeError:
        raise CorruptFile(f"the text of '{name}' is no text") from None


def shaped(name: str, array: np.ndarray, shape: Sequence[int]) -> np.ndarray:
    """The array in the shape that a file says it has."""
    if len(shape) > _MOST_AXES or math.prod(size or 1 for size in shape) >= _MOST_ELEMENTS:
        raise CorruptFile(f"'{name:.80}' has a shape that cannot be")
    if math.prod(shape) != array.size:
        raise CorruptFile(f"'{name:.80}' has {array.size} elements, which are not the shape {tuple(shape)}")
    return array.reshape(shape)
