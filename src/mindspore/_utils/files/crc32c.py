"""CRC-32C, the checksum of TFRecord and event files, at a speed that suits images.

>>> hex(crc32c(b"123456789"))
'0xe3069283'
"""

from __future__ import annotations

import numpy as np

_POLYNOMIAL = 0x82F63B78
_ALL = 0xFFFFFFFF
_LONG = 4096  # bytes from which on the columns of a table are worth their set-up
_ROW = 512  # bytes that follow each other in one column


def _table() -> list[int]:
    entries = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
        entries.append(value)
    return entries


_TABLE = _table()
_ARRAY = np.array(_TABLE, np.uint32)


def _shift_tables(length: int) -> list[list[int]]:
    """What ``length`` zero bytes make of a register, by its four bytes: the operation is linear."""
    bits = []
    for bit in range(32):
        value = 1 << bit
        for _ in range(length):
            value = _TABLE[value & 0xFF] ^ value >> 8
        bits.append(value)
    tables = []
    for first in range(0, 32, 8):
        entries = [0]
        for value in bits[first : first + 8]:
            entries += [entry ^ value for entry in entries]
        tables.append(entries)
    return tables


_SHIFT = _shift_tables(_ROW)


def crc32c(data: bytes) -> int:
    """The checksum of some bytes."""
    register = _ALL
    if len(data) >= _LONG:
        whole = len(data) // _ROW * _ROW
        register = _rows(register, np.frombuffer(data, np.uint8, whole).reshape(-1, _ROW))
        data = data[whole:]
    for byte in data:
        register = _TABLE[(register ^ byte) & 0xFF] ^ register >> 8
    return register ^ _ALL


def _rows(register: int, rows: np.ndarray) -> int:
    """All rows side by side from an empty register, then joined: each shifts what stands before it by its length."""
    columns = np.zeros(len(rows), np.uint32)
    for column in np.ascontiguousarray(rows.T):
        columns = _ARRAY[(columns ^ column) & 0xFF] ^ columns >> 8
    first, second, third, fourth = _SHIFT
    for value in columns.tolist():
        shifted = first[register & 0xFF] ^ second[register >> 8 & 0xFF] ^ third[register >> 16 & 0xFF]
        register = shifted ^ fourth[register >> 24] ^ value
    return register


def masked_crc32c(data: bytes) -> int:
    """The checksum as record files store it: rotated, with a constant added.

    >>> masked_crc32c(b"123456789")
    3347755237
    """
    value = crc32c(data)
    return ((value >> 15 | value << 17) + 0xA282EAD8) & _ALL
