"""The C++ reader of TFRecord files: messages in the usual form, without a Python object for each. Absent where it was not built."""

from __future__ import annotations

import ctypes
import functools
import importlib.machinery
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np


class Lists(NamedTuple):
    """A feature of several messages, all of one kind: addresses and sizes of its lists. The memory belongs to the file."""

    kind: int
    addresses: np.ndarray
    sizes: np.ndarray


@functools.cache
def library() -> Any:
    """The C++ part, or None: not built, or built from other sources."""
    if sys.byteorder != "little":
        return None
    folder = Path(__file__).parent
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        if (folder / f"_native{suffix}").exists():
            try:
                return _declared(ctypes.CDLL(str(folder / f"_native{suffix}")))
            except (OSError, AttributeError):
                return None
    return None


def _declared(loaded: Any) -> Any:
    size, pointer = ctypes.c_int64, ctypes.c_void_p
    loaded.mycelium_tf_records.argtypes = [pointer, size, pointer]
    loaded.mycelium_tf_features.argtypes = [pointer, pointer, size, pointer, pointer, size, pointer, pointer, pointer]
    loaded.mycelium_tf_count.argtypes = [pointer, pointer, size, pointer]
    loaded.mycelium_tf_integers.argtypes = [pointer, pointer, size, pointer]
    loaded.mycelium_tf_bytes.argtypes = [pointer, pointer, size, pointer]
    for name in ("records", "features", "count", "integers"):
        getattr(loaded, f"mycelium_tf_{name}").restype = size
    return loaded


def address(data: memoryview) -> int:
    """Where some memory begins."""
    return np.frombuffer(data, np.uint8).ctypes.data


def record_positions(data: memoryview) -> np.ndarray | None:
    """First byte of the data of every record and the byte behind it, <N,2>; None where the file is not whole."""
    native = library()
    if native is None or not len(data):
        return None
    start = address(data)
    count = native.mycelium_tf_records(start, len(data), None)
    if count < 0:
        return None
    found = np.empty((count, 2), np.int64)
    native.mycelium_tf_records(start, len(data), found.ctypes.data)
    return found


def features(addresses: np.ndarray, sizes: np.ndarray, names: Sequence[str]) -> list[Lists] | None:
    """The named features of messages at these addresses; None for messages of another form, or without a feature."""
    native, count, columns = library(), len(addresses), len(names)
    if native is None or not count or not columns or not all(map(str.isascii, names)):
        return None
    encoded = [name.encode() for name in names]
    texts = (ctypes.c_char_p * columns)(*encoded)
    lengths = np.array([*map(len, encoded)], np.int64)
    found = np.zeros((3, columns, count), np.int64)
    kinds, starts, ends = (part.ctypes.data for part in found)
    if native.mycelium_tf_features(
        addresses.ctypes.data, sizes.ctypes.data, count, texts, lengths.ctypes.data, columns, kinds, starts, ends
    ):
        return None
    if (found[0] != found[0, :, :1]).any():
        return None
    return [Lists(int(kind[0]), start, size) for kind, start, size in zip(*found, strict=True)]


def integers(lists: Lists) -> np.ndarray | list[np.ndarray] | None:
    """Int64Lists decoded: one array where they are equally long."""
    native, count = library(), len(lists.sizes)
    counts = np.empty(count, np.int64)
    total = native.mycelium_tf_count(lists.addresses.ctypes.data, lists.sizes.ctypes.data, count, counts.ctypes.data)
    if total < 0:
        return None
    values = np.empty(total, np.int64)
    if native.mycelium_tf_integers(lists.addresses.ctypes.data, lists.sizes.ctypes.data, count, values.ctypes.data):
        return None
    return _divided(values, counts)


def raw(lists: Lists, dtype: str) -> np.ndarray | list[np.ndarray] | None:
    """Lists of floats or bytes as they are: one array where they are equally long."""
    size = np.dtype(dtype).itemsize
    if size > 1 and (lists.sizes % size).any():
        return None
    data = np.empty(int(lists.sizes.sum()), np.uint8)
    library().mycelium_tf_bytes(
        lists.addresses.ctypes.data, lists.sizes.ctypes.data, len(lists.sizes), data.ctypes.data
    )
    return _divided(data.view(dtype), lists.sizes // size)


def _divided(values: np.ndarray, counts: np.ndarray) -> np.ndarray | list[np.ndarray]:
    if (counts == counts[0]).all():
        return values.reshape(len(counts), int(counts[0]))
    return np.split(values, np.cumsum(counts)[:-1])
