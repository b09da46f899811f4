"""The wire format of protobuf messages, as far as files of MindSpore and TensorFlow need it.

>>> message = field(1, b"name") + number(2, 300)
>>> [(key, value if isinstance(value, int) else bytes(value)) for key, value in fields(memoryview(message))]
[(1, b'name'), (2, 300)]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
_LONGEST_VARINT = 10  # bytes


class WireError(ValueError):
    """Bytes that are not a valid protobuf message."""


def fields(data: Any) -> Iterator[tuple[int, Any]]:
    """Number and value of every field: an int, or the bytes of anything else."""
    offset, size = 0, len(data)
    while offset < size:
        key, offset = read_varint(data, offset)
        kind = key & 7
        if kind == _VARINT:
            value, offset = read_varint(data, offset)
            yield key >> 3, value
            continue
        if kind == _BYTES:
            length, offset = read_varint(data, offset)
        elif kind in (_FOUR_BYTES, _EIGHT_BYTES):
            length = 4 if kind == _FOUR_BYTES else 8
        else:
            raise WireError(f"field {key >> 3} has the unknown wire type {kind}")
        if offset + length > size:
            raise WireError("a field is longer than its message")
        yield key >> 3, data[offset : offset + length]
        offset += length


def read_varint(data: Any, offset: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    if offset < len(data) and data[offset] < 0x80:  # most are this short
        return data[offset], offset + 1
    value = shift = 0
    for position in range(offset, min(offset + _LONGEST_VARINT, len(data))):
        byte = data[position]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position + 1
        shift += 7
    raise WireError("it ends too early")


def text(value: Any) -> str:
    """A field's bytes as text."""
    if isinstance(value, int):
        raise WireError("a number stands where a text belongs")
    return str(value, "utf-8")


def varint(value: int) -> bytes:
    """A number of variable length."""
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)
    return bytes(data)


def field(number_: int, data: bytes | memoryview) -> bytes:
    """A field of bytes: text, data or another message."""
    return b"".join((varint(number_ << 3 | _BYTES), varint(len(data)), data))


def number(number_: int, value: int) -> bytes:
    """A field that is a number."""
    return varint(number_ << 3) + varint(value)
