"""How MindRecord files store arrays of integers: each element in 1, 2, 4 or 8 bytes, after a map of two bits per element.

>>> import numpy as np
>>> data = shrink(np.array([1, -300, 70000], np.int32))
>>> len(data), expand(data, np.dtype("int32")).tolist()
(12, [1, -300, 70000])
"""

from __future__ import annotations

import numpy as np

# The codes of four neighbours share a byte, the first in its highest bits; this table has the four codes of every byte.
_CODES = (np.arange(256)[:, None] >> np.array([6, 4, 2, 0]) & 3).astype(np.uint8)
_SHIFTS = np.array([64, 16, 4, 1], np.uint8)
_WIDTHS = np.array([1, 2, 4, 8])
_LIMITS = [(np.iinfo(kind).min, np.iinfo(kind).max) for kind in (np.int8, np.int16, np.int32)]
_BYTE_INDICES = np.arange(8)


def shrink(values: np.ndarray) -> bytes:
    """The count (4 bytes, big endian), the map, and every element in as few bytes as hold it."""
    values = values.reshape(-1).astype("<i8")
    count = values.size
    codes = np.zeros(count + -count % 4, np.uint8)
    for low, high in _LIMITS:
        codes[:count] += (values < low) | (values > high)
    bitmap = codes.reshape(-1, 4) @ _SHIFTS
    kept = _WIDTHS[codes[:count]][:, None] > _BYTE_INDICES
    return count.to_bytes(4, "big") + bitmap.tobytes() + values.view(np.uint8).reshape(-1, 8)[kept].tobytes()


def expand(data: bytes | memoryview, dtype: np.dtype) -> np.ndarray:
    """The array behind the bytes that ``shrink`` gave."""
    count = int.from_bytes(data[:4], "big")
    map_end = 4 + (count + 3) // 4
    codes = _CODES[np.frombuffer(data, np.uint8, map_end - 4, 4)].reshape(-1)[:count]
    widths = _WIDTHS[codes]
    ends = np.cumsum(widths)
    if count and ends[-1] != len(data) - map_end:
        raise ValueError(f"{count} integers need {ends[-1]} bytes, but there are {len(data) - map_end}")
    # Eight bytes are read wherever an element starts; shifting up and down again leaves those that belong to it.
    content = bytes(data[map_end:]) + bytes(8)
    everywhere = np.ndarray(len(content) - 7, "<i8", content, strides=(1,))
    unused = 64 - 8 * widths
    return (everywhere[ends - widths] << unused >> unused).astype(dtype)
