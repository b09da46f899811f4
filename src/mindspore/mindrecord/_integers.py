"""How MindRecord files store arrays of integers: each element in 1, 2, 4 or 8 bytes, after a map of two bits per element.

>>> import numpy as np
>>> data = shrink(np.array([1, -300, 70000], np.int32))
>>> len(data), expand(data, np.dtype("int32")).tolist()
(12, [1, -300, 70000])
"""

from __future__ import annotations

import numpy as np

_TYPES = [np.dtype("<i1"), np.dtype("<i2"), np.dtype("<i4"), np.dtype("<i8")]
# The codes of four neighbours share a byte, the first in its highest bits.
_SHIFTS = np.array([6, 4, 2, 0], np.uint8)


def _positions(codes: np.ndarray) -> np.ndarray:
    """Where each element starts among the bytes behind the map."""
    widths = np.left_shift(1, codes.astype(np.int64))
    return np.cumsum(widths) - widths


def shrink(values: np.ndarray) -> bytes:
    """The count (4 bytes, big endian), the map, and every element in as few bytes as hold it."""
    values = values.reshape(-1)
    count = values.size
    codes = np.zeros(count, np.uint8)
    for narrow in _TYPES[: 2 if values.itemsize == 4 else 3]:
        limits = np.iinfo(narrow)
        codes += (values < limits.min) | (values > limits.max)
    quads = np.zeros(-(-count // 4) * 4, np.uint8)
    quads[:count] = codes
    bitmap = (quads.reshape(-1, 4) << _SHIFTS).sum(1, dtype=np.uint8)
    return count.to_bytes(4, "big") + bitmap.tobytes() + _gather(values, codes)


def _gather(values: np.ndarray, codes: np.ndarray) -> bytes:
    if not values.size or codes.min() == codes.max():
        return values.astype(_TYPES[codes[0]] if values.size else values.dtype).tobytes()
    starts = _positions(codes)
    data = np.empty(starts[-1] + (1 << int(codes[-1])), np.uint8)
    for code in np.unique(codes):
        chosen = codes == code
        width = 1 << int(code)
        places = starts[chosen][:, None] + np.arange(width)
        data[places] = values[chosen].astype(_TYPES[code]).view(np.uint8).reshape(-1, width)
    return data.tobytes()


def expand(data: bytes | memoryview, dtype: np.dtype) -> np.ndarray:
    """The array behind the bytes that ``shrink`` gave."""
    count = int.from_bytes(data[:4], "big")
    map_end = 4 + (count + 3) // 4
    bitmap = np.frombuffer(data, np.uint8, map_end - 4, 4)
    codes = ((bitmap[:, None] >> _SHIFTS) & 3).reshape(-1)[:count]
    if not count or codes.min() == codes.max():
        return np.frombuffer(data, _TYPES[codes[0]] if count else dtype, count, map_end).astype(dtype)
    content = np.frombuffer(data, np.uint8, offset=map_end)
    starts = _positions(codes)
    values = np.empty(count, dtype)
    for code in np.unique(codes):
        chosen = codes == code
        places = starts[chosen][:, None] + np.arange(1 << int(code))
        values[chosen] = content[places].view(_TYPES[code])[:, 0]
    return values
