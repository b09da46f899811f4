"""TFRecord files and the tf.train.Example messages in them, without TensorFlow."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator

import numpy as np

from mindspore._utils.files import tf_example_reader
from mindspore._utils.files.crc32c import masked_crc32c
from mindspore._utils.files.wire import fields, read_varint

_LENGTH = struct.Struct("<QI")
_HEAD, _TAIL = 12, 4  # bytes before and after the data of a record

BYTES, FLOATS, INTEGERS = 1, 2, 3  # kinds of features


def record_positions(data: memoryview) -> np.ndarray:
    """Where the data of the records of a file stand, <N,2>."""
    size, offset, found = len(data), 0, []
    if size >= _HEAD and masked_crc32c(bytes(data[:8])) != _LENGTH.unpack_from(data, 0)[1]:
        raise ValueError("the checksum of the first record's length is wrong")
    if (whole := tf_example_reader.record_positions(data)) is not None:
        return whole
    while offset < size:
        if offset + _HEAD > size:
            raise ValueError("it is cut off")
        start = offset + _HEAD
        stop = start + _LENGTH.unpack_from(data, offset)[0]
        offset = stop + _TAIL
        if offset > size:
            raise ValueError(f"it is cut off: a record reaches to byte {offset}, the file has {size}")
        found.append((start, stop))
    return np.array(found, np.int64).reshape(-1, 2)


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
    """The features of an Example: lists of bytes, or arrays of float32 or int64."""
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
    length, offset = read_varint(data, 1)
    if data[0] != _FIRST or offset + length != size:
        raise ValueError("not the usual form")
    while offset < size:
        if data[offset] != _FIRST:
            raise ValueError("not the usual form")
        length, offset = read_varint(data, offset + 1)
        end = offset + length
        length, start = read_varint(data, offset + 1)
        value = start + length
        key = data[value]
        length, inner = read_varint(data, value + 1)
        kind = data[inner] >> 3
        content_length, content = read_varint(data, inner + 1)
        if key != _SECOND or data[offset] != _FIRST or inner + length != end or content + content_length != end:
            raise ValueError("not the usual form")
        found[data[start:value].decode("utf-8")] = (kind, data[content:end])
        offset = end
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
    only = _packed(content)
    return [bytes(value) for _, value in fields(content)] if only is None else [only]


def _packed(content: bytes) -> bytes | None:
    """The bytes of a list that is one field; None for other lists."""
    if not content or content[0] != _FIRST:
        return None
    length, offset = read_varint(content, 1)
    return content[offset:] if offset + length == len(content) else None


def floats(content: bytes) -> np.ndarray:
    """A FloatList, packed or not."""
    return np.frombuffer(b"".join(bytes(value) for _, value in fields(content)), "<f4")


def packed_floats(lists: list[bytes]) -> np.ndarray | list[np.ndarray]:
    """Several FloatLists, without their headers: one array where they are equally long."""
    return packed_bytes(lists, "<f4")


def packed_bytes(lists: list[bytes], dtype: str = "u1") -> np.ndarray | list[np.ndarray]:
    """Several pieces of memory as arrays: one array where they are equally long.

    >>> packed_bytes([b"ab", b"cd"])
    array([[ 97,  98], [ 99, 100]], dtype=uint8)
    """
    size = len(lists[0])
    if any(len(row) != size for row in lists):
        return [np.frombuffer(row, dtype) for row in lists]
    return np.frombuffer(b"".join(lists), dtype).reshape(len(lists), -1)


def packed_integers(lists: list[bytes]) -> np.ndarray | list[np.ndarray]:
    """Several Int64Lists, without their headers, decoded together: one array where they are equally long.

    >>> packed_integers([bytes([1, 0xAC, 2]), bytes([5, 6])])
    array([[  1, 300], [  5,   6]])
    """
    data = np.frombuffer(b"".join(lists), np.uint8)
    values, ends = _varints(data)
    bounds = np.searchsorted(ends, np.cumsum([*map(len, lists)]))
    counts = np.diff(bounds, prepend=0)
    if (counts == counts[0]).all():
        return values.reshape(len(lists), -1)
    return np.split(values, bounds[:-1])


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
    return _varints(data)[0]


def _varints(data: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The integers, and where the last byte of each stands."""
    ends = np.flatnonzero(data < 0x80)
    if len(ends) == data.size:
        return data.astype(np.int64), ends
    starts = np.empty_like(ends)
    starts[0], starts[1:] = 0, ends[:-1] + 1
    longest = int((ends - starts).max()) + 1
    return (_short if longest <= 4 else _any_length)(data, starts, ends).view(np.int64), ends


_KEPT = np.array([0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF], np.uint32)  # of a word that holds so many bytes of a number


def _short(data: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Numbers of at most four bytes: each is taken out of the word that starts where it does."""
    padded = np.concatenate([data, np.zeros(3, np.uint8)])
    words = np.ndarray(data.size, "<u4", padded, strides=(1,))[starts] & _KEPT[ends - starts]
    values = words & 0x7F | words >> 1 & 0x3F80 | words >> 2 & 0x1FC000 | words >> 3 & 0xFE00000
    return values.astype(np.uint64)


def _any_length(data: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    values = (data[starts] & 0x7F).astype(np.uint64)
    longer, offset = np.flatnonzero(ends > starts), 1
    while len(longer):  # next byte of the varints that continue
        byte = (data[starts[longer] + offset] & 0x7F).astype(np.uint64)
        values[longer] |= byte << np.uint64(7 * offset)
        longer, offset = longer[ends[longer] - starts[longer] > offset], offset + 1
    return values
