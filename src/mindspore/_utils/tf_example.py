"""TFRecord files and the tf.train.Example messages in them, without TensorFlow."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator

import numpy as np

from mindspore._utils.wire import fields, read_varint

_LENGTH = struct.Struct("<QI")
_HEAD, _TAIL = 12, 4  # bytes before and after the data of a record

BYTES, FLOATS, INTEGERS = 1, 2, 3  # kinds of features


def record_positions(data: memoryview) -> np.ndarray:
    """Where the data of the records of a file stand, <N,2>."""
    size, place, found = len(data), 0, []
    if size >= _HEAD and checksum(bytes(data[:8])) != _LENGTH.unpack_from(data, 0)[1]:
        raise ValueError("the checksum of the first record's length is wrong")
    while place < size:
        if place + _HEAD > size:
            raise ValueError("it is cut off")
        start = place + _HEAD
        stop = start + _LENGTH.unpack_from(data, place)[0]
        place = stop + _TAIL
        if place > size:
            raise ValueError(f"it is cut off: a record reaches to byte {place}, the file has {size}")
        found.append((start, stop))
    return np.array(found, np.int64).reshape(-1, 2)


def _crc_table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_TABLE = _crc_table()


def checksum(data: bytes) -> int:
    """The masked CRC-32C of TFRecord files.

    >>> checksum(b"123456789")  # its CRC-32C is 0xE3069283
    3347755237
    """
    value = 0xFFFFFFFF
    for byte in data:
        value = _TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    value ^= 0xFFFFFFFF
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


_FIRST, _SECOND = 0x0A, 0x12  # keys of the fields 1 and 2 that hold bytes


def records(path: str) -> Iterator[memoryview]:
    """The data of the records of a file, one after the other."""
    if not os.path.isfile(path):
        raise ValueError(f"The TFRecord file {path} does not exist.")
    with open(path, "rb") as stream:
        data = memoryview(stream.read())
    try:
        positions = record_positions(data)
    except ValueError as error:
        raise ValueError(f"The TFRecord file {path} is cut off or no TFRecord file: {error}.") from None
    for start, stop in positions.tolist():
        yield data[start:stop]


def example(data: memoryview) -> dict[str, list[bytes] | np.ndarray]:
    """The features of one Example: lists of bytes, or arrays of float32 or int64."""
    readers = {BYTES: byte_values, FLOATS: floats, INTEGERS: integers}
    return {name: readers[kind](content) for name, (kind, content) in features(data).items() if kind in readers}


def features(record: memoryview) -> dict[str, tuple[int, bytes]]:
    """The features of an Example: the kind of each, and its list, not decoded yet."""
    data = bytes(record)
    try:
        return _usual_features(data)
    except (ValueError, IndexError):
        return _any_features(data)


def _usual_features(data: bytes) -> dict[str, tuple[int, bytes]]:
    """The same for messages as all libraries write them: fields in order, none twice. Others raise ValueError."""
    found: dict[str, tuple[int, bytes]] = {}
    size = len(data)
    if not size:
        return found
    length, place = read_varint(data, 1)
    if data[0] != _FIRST or place + length != size:
        raise ValueError("not the usual form")
    while place < size:
        if data[place] != _FIRST:
            raise ValueError("not the usual form")
        length, place = read_varint(data, place + 1)
        end = place + length
        length, start = read_varint(data, place + 1)
        value = start + length
        key = data[value]
        length, inner = read_varint(data, value + 1)
        kind = data[inner] >> 3
        content_length, content = read_varint(data, inner + 1)
        if key != _SECOND or data[place] != _FIRST or inner + length != end or content + content_length != end:
            raise ValueError("not the usual form")
        found[data[start:value].decode("utf-8")] = (kind, data[content:end])
        place = end
    return found


def _any_features(data: bytes) -> dict[str, tuple[int, bytes]]:
    found: dict[str, tuple[int, bytes]] = {}
    for _, entries in fields(data):
        for _, entry in fields(entries):
            name, kind, content = "", 0, b""
            for number, value in fields(entry):
                if number == 1:
                    name = str(value, "utf-8")
                else:
                    kind, content = next(fields(value), (0, content))
            if kind:
                found[name] = (kind, content)
    return found


def byte_values(content: bytes) -> list[bytes]:
    """A BytesList."""
    return [bytes(value) for _, value in fields(content)]


def _packed(content: bytes) -> bytes | None:
    """The values of a list that is packed into one field; None for other lists."""
    if not content or content[0] != _FIRST:
        return None
    length, place = read_varint(content, 1)
    return content[place:] if place + length == len(content) else None


def floats(content: bytes) -> np.ndarray:
    """A FloatList, packed or not."""
    return np.frombuffer(b"".join(bytes(value) for _, value in fields(content)), "<f4")


def float_rows(contents: list[bytes]) -> list[np.ndarray]:
    """Several FloatLists."""
    return [floats(one) for one in contents]


def integer_rows(contents: list[bytes]) -> list[np.ndarray]:
    """Several Int64Lists, decoded together where they are packed."""
    packed = [_packed(one) for one in contents]
    if any(one is None or not one for one in packed):
        return [integers(one) for one in contents]
    data = np.frombuffer(b"".join(packed), np.uint8)  # type: ignore[arg-type]
    starts = np.cumsum([0, *map(len, packed)])[:-1]  # type: ignore[arg-type]
    counts = np.add.reduceat(data < 0x80, starts, dtype=np.int64)
    values, ends = varints(data), np.cumsum(counts).tolist()
    return [values[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def integers(content: bytes) -> np.ndarray:
    """An Int64List, packed or not."""
    if not content:
        return np.empty(0, np.int64)
    packed = _packed(content)
    if packed is not None:
        return varints(np.frombuffer(packed, np.uint8))
    if content[0] == 0x08:  # a tag before each value
        return varints(np.frombuffer(content, np.uint8))[1::2].copy()
    parts = [np.array([value], np.uint64).view(np.int64) if isinstance(value, int) else varints(np.frombuffer(value, np.uint8))
             for _, value in fields(content)]  # fmt: skip
    return np.concatenate(parts)


def varints(data: np.ndarray) -> np.ndarray:
    """All variable-length integers of an array of bytes.

    >>> varints(np.array([1, 0xAC, 2, 5], np.uint8))
    array([  1, 300,   5])
    """
    is_last = data < 0x80
    if is_last.all():
        return data.astype(np.int64)
    starts = np.concatenate([[0], np.flatnonzero(is_last)[:-1] + 1])
    lengths = np.diff(starts, append=data.size)
    shifts = 7 * (np.arange(data.size) - np.repeat(starts, lengths))
    parts = (data & 0x7F).astype(np.uint64) << shifts.astype(np.uint64)
    return np.bitwise_or.reduceat(parts, starts).view(np.int64)
