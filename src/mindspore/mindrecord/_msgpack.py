"""The part of MessagePack that MindRecord files use for the plain fields of a row.

>>> unpack(pack({"label": 3, "name": "x"}))
{'label': 3, 'name': 'x'}
"""

from __future__ import annotations

import struct
from typing import Any

_FLOAT32_MAX = 3.4028234663852886e38
_UNSIGNED = ((0x7F, "B", b""), (0xFF, "B", b"\xcc"), (0xFFFF, "H", b"\xcd"), (0xFFFFFFFF, "I", b"\xce"))
_SIGNED = ((-32, "b", b""), (-0x80, "b", b"\xd0"), (-0x8000, "h", b"\xd1"), (-0x80000000, "i", b"\xd2"))


def _pack_int(value: int) -> bytes:
    if value >= 0:
        for largest, code, tag in _UNSIGNED:
            if value <= largest:
                return tag + struct.pack(">" + code, value)
        return b"\xcf" + struct.pack(">Q", value)
    for smallest, code, tag in _SIGNED:
        if value >= smallest:
            return tag + struct.pack(">" + code, value)
    return b"\xd3" + struct.pack(">q", value)


def _pack_float(value: float) -> bytes:
    if abs(value) <= _FLOAT32_MAX:
        short = struct.pack(">f", value)
        if struct.unpack(">f", short)[0] == value:
            return b"\xca" + short
    return b"\xcb" + struct.pack(">d", value)


def _pack_str(value: str) -> bytes:
    data = value.encode("utf-8")
    size = len(data)
    if size < 32:
        return bytes([0xA0 | size]) + data
    if size < 0x100:
        return b"\xd9" + bytes([size]) + data
    if size < 0x10000:
        return b"\xda" + struct.pack(">H", size) + data
    return b"\xdb" + struct.pack(">I", size) + data


_PACKERS = {int: _pack_int, float: _pack_float, str: _pack_str}


def pack(row: dict[str, Any]) -> bytes:
    """A dict of numbers and strings as bytes, keys in alphabetical order, every number as short as it gets."""
    size = len(row)
    parts = [bytes([0x80 | size]) if size < 16 else b"\xde" + struct.pack(">H", size)]
    for key in sorted(row):
        parts.append(_pack_str(key))
        parts.append(_PACKERS[type(row[key])](row[key]))
    return b"".join(parts)


# For each tag of fixed size: how to read the number that follows, and its length.
_NUMBERS = {
    0xCA: (struct.Struct(">f"), 4),
    0xCB: (struct.Struct(">d"), 8),
    0xCC: (struct.Struct(">B"), 1),
    0xCD: (struct.Struct(">H"), 2),
    0xCE: (struct.Struct(">I"), 4),
    0xCF: (struct.Struct(">Q"), 8),
    0xD0: (struct.Struct(">b"), 1),
    0xD1: (struct.Struct(">h"), 2),
    0xD2: (struct.Struct(">i"), 4),
    0xD3: (struct.Struct(">q"), 8),
}
_LENGTHS = {0xD9: 1, 0xDA: 2, 0xDB: 4}
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}


def _unpack_one(data: bytes, position: int) -> tuple[Any, int]:
    tag = data[position]
    position += 1
    if tag < 0x80:
        return tag, position
    if 0xA0 <= tag < 0xC0:
        end = position + (tag & 0x1F)
        return data[position:end].decode("utf-8"), end
    if tag >= 0xE0:
        return tag - 0x100, position
    if tag in _NUMBERS:
        reader, size = _NUMBERS[tag]
        return reader.unpack_from(data, position)[0], position + size
    if tag in _LENGTHS:
        start = position + _LENGTHS[tag]
        end = start + int.from_bytes(data[position:start], "big")
        return data[start:end].decode("utf-8"), end
    if tag in _CONSTANTS:
        return _CONSTANTS[tag], position
    raise ValueError(f"the byte 0x{tag:02x} starts no number and no string")


def unpack(data: bytes) -> dict[str, Any]:
    """The dict that these bytes hold."""
    if data[0] == 0xDE:
        count, position = int.from_bytes(data[1:3], "big"), 3
    elif data[0] & 0xF0 == 0x80:
        count, position = data[0] & 0x0F, 1
    else:
        raise ValueError(f"the byte 0x{data[0]:02x} does not start a table of fields")
    row = {}
    for _ in range(count):
        key, position = _unpack_one(data, position)
        row[key], position = _unpack_one(data, position)
    return row
