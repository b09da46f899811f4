"""MindSpore's checkpoint files: reading and writing them byte for byte.

A file is a row of protobuf messages, one for each Parameter (or slice of a large one): tag, dims, type, raw data.
"""

from __future__ import annotations

import math
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from mindspore._utils import wire

SLICE_BYTES = 512 * 2**20  # larger data are written in several messages
_CRC_MARK = b"crc_num"
_CRC_BYTES = len(_CRC_MARK) + 10

_DTYPES: dict[str, Any] = {
    "Float16": np.float16,
    "Float32": np.float32,
    "Float64": np.float64,
    "BFloat16": ml_dtypes.bfloat16,
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
_NAMES = {np.dtype(dtype): name for name, dtype in _DTYPES.items()}


class CorruptFile(ValueError):
    """A file that is no checkpoint, or a damaged one."""


class Entry(NamedTuple):
    """One named value: an array, or text."""

    name: str
    value: np.ndarray | str


# -- writing ----------------------------------------------------------------------------------------------------------
def encode(entries: Iterable[Entry]) -> Iterator[bytes]:
    """The bytes of a file, message by message."""
    for name, value in entries:
        if isinstance(value, str):
            yield _message(name, [0], "str", np.array([value]).tobytes())
            continue
        kind = _NAMES[value.dtype]
        data = np.ascontiguousarray(value).reshape(-1).view(np.uint8).data
        for start in range(0, max(len(data), 1), SLICE_BYTES):
            yield _message(name, value.shape, kind, data[start : start + SLICE_BYTES])


def _message(name: str, dims: Iterable[int], kind: str, data: bytes | memoryview) -> bytes:
    sizes = b"".join(wire.number(1, size) for size in dims)
    tensor = b"".join((sizes, wire.field(2, kind.encode()), wire.field(3, data)))
    return wire.field(1, wire.field(1, name.encode()) + wire.field(2, tensor))


def write(path: str, entries: Iterable[Entry], crc_check: bool) -> None:
    """Write a file so that the old one, if there is one, stays until the new one is whole."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as stream:
            crc = 0
            for message in encode(entries):
                stream.write(message)
                crc = zlib.crc32(message, crc)
            if crc_check:
                stream.write(_CRC_MARK + crc.to_bytes(10, "big"))
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o400)
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise


# -- reading ----------------------------------------------------------------------------------------------------------
def read(path: str, crc_check: bool = False) -> list[Entry]:
    """All entries of a file, in its order."""
    with open(path, "rb") as stream:
        data = stream.read()
    end = len(data)
    if data[-_CRC_BYTES:].startswith(_CRC_MARK):
        end -= _CRC_BYTES
        if crc_check and zlib.crc32(data[:end]) != int.from_bytes(data[end + len(_CRC_MARK) :], "big"):
            raise CorruptFile("its content does not match its checksum")
    return decode(memoryview(data)[:end])


def decode(data: memoryview) -> list[Entry]:
    """The entries in the bytes of a file."""
    try:
        pieces = _pieces(data)
    except wire.WireError as error:
        raise CorruptFile(str(error)) from None
    return [Entry(name, _value(name, dims, kind, contents)) for name, dims, kind, contents in pieces]


def _pieces(data: memoryview) -> list[tuple[str, list[int], str, list[memoryview]]]:
    """Name, dims, type and data of every value; the data of a large one in slices."""
    pieces: list[tuple[str, list[int], str, list[memoryview]]] = []
    for number, value in wire.fields(data):
        if number != 1 or isinstance(value, int):
            raise CorruptFile("it does not consist of checkpoint messages")
        name, dims, kind, content = _parsed(value)
        if pieces and pieces[-1][0] == name and pieces[-1][2] == kind:
            pieces[-1][3].append(content)
        else:
            pieces.append((name, dims, kind, [content]))
    return pieces


def _parsed(message: memoryview) -> tuple[str, list[int], str, memoryview]:
    parts = dict(wire.fields(message))
    if isinstance(parts.get(1, 0), int) or isinstance(parts.get(2, 0), int):
        raise CorruptFile("a message has no name or no value")
    dims, kind, content = [], "", memoryview(b"")
    for number, value in wire.fields(parts[2]):
        if isinstance(value, int) != (number == 1):
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
    data = contents[0] if len(contents) == 1 else memoryview(b"".join(contents))
    if kind == "str":
        if len(data) % 4:
            raise CorruptFile(f"the text of '{name}' is cut off")
        return "".join(np.frombuffer(data, "<U1").tolist())
    if kind not in _DTYPES:
        raise CorruptFile(f"'{name}' has an unknown type, {kind!r:.40}")
    dtype = np.dtype(_DTYPES[kind])
    if len(data) % dtype.itemsize:
        raise CorruptFile(f"the data of '{name}' are cut off")
    array = np.frombuffer(data, dtype).copy()
    shape = () if dims == [0] and array.size == 1 else tuple(dims)  # older versions write [0] for a scalar
    if math.prod(shape) != array.size:
        raise CorruptFile(f"'{name}' has {array.size} elements, which are not the shape {shape}")
    return array.reshape(shape)
