"""Many tf.train.Example messages at once: where the features of all of them stand, found by a single vectorized pass.

Libraries write messages in the same form, only the order of the features may differ. Messages of another form are left to
`tf_example.features`, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

_FEWEST = 8  # messages worth the walk over arrays
_FIRST, _SECOND = 0x0A, 0x12  # keys of the fields 1 and 2 that hold bytes
_LONGEST = 5  # bytes of a length
_SPREAD = np.arange(_LONGEST)
_SHIFTS = 7 * np.arange(_LONGEST)


class _UnusualForm(Exception):
    """Messages that must be read one by one."""


class FeatureTable:
    """The features of several Examples: the kind of each, and its list, not decoded yet."""

    def __init__(self, data: bytes, columns: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]):
        self._data = data
        self._columns = columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def column(self, name: str) -> tuple[list[int], list[bytes]]:
        """The kind of a feature in each message, and its lists."""
        kinds, starts, ends = self._columns[name]
        return kinds.tolist(), self._slices(starts, ends)

    def packed(self, name: str) -> tuple[int, list[bytes]] | None:
        """The kind of a feature, and the bytes of its lists, where each list is one field; None for other features."""
        kinds, starts, ends = self._columns[name]
        data = np.frombuffer(self._data, np.uint8)
        try:
            _require((kinds == kinds[0]) & (starts < ends) & (data[starts] == _FIRST))
            length, starts = _lengths(data, starts + 1)
            _require(starts + length == ends)
        except _UnusualForm:
            return None
        return int(kinds[0]), self._slices(starts, ends)

    def _slices(self, starts: np.ndarray, ends: np.ndarray) -> list[bytes]:
        data = self._data
        return [data[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def feature_table(records: Sequence[Any]) -> FeatureTable | None:
    """The features of messages with identical feature names; None for others, for few, and for an unusual form.

    >>> record = bytes([10, 13, 10, 11, 10, 1]) + b"x" + bytes([18, 6, 26, 4, 10, 2, 5, 6])  # x: [5, 6]
    >>> kind, lists = feature_table([record] * 10).packed("x")
    >>> kind, lists[9]
    (3, b'\\x05\\x06')
    """
    if len(records) < _FEWEST:
        return None
    data = b"".join(records) + bytes(_LONGEST + 1)  # a length may be looked for behind the last byte
    bounds = np.cumsum([0, *map(len, records)])
    try:
        found = _walk(np.frombuffer(data, np.uint8), bounds[:-1], bounds[1:])
        return FeatureTable(data, _by_name(data, found))
    except (_UnusualForm, UnicodeDecodeError):
        return None


def _require(holds: np.ndarray) -> None:
    if not holds.all():
        raise _UnusualForm


def _lengths(data: np.ndarray, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Decode the varint lengths at ``offsets``; return them and the offsets behind them."""
    first = data[offsets]
    if (first < 0x80).all():
        return first.astype(np.int64), offsets + 1
    bytes_ = data[offsets[:, None] + _SPREAD]
    goes_on = np.logical_and.accumulate(bytes_ >= 0x80, axis=1)
    count = goes_on.sum(axis=1)
    _require(count < _LONGEST)
    bytes_ = np.where(count[:, None] >= _SPREAD, bytes_ & 0x7F, 0).astype(np.int64)
    return (bytes_ << _SHIFTS).sum(axis=1), offsets + count + 1


def _walk(data: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Start and end of the name, kind, and start and end of the list of every feature, <5, features, messages>."""
    _require(ends > starts)
    _require(data[starts] == _FIRST)
    length, starts = _lengths(data, starts + 1)
    _require(starts + length == ends)
    found = []
    while (starts < ends).any():
        _require(starts < ends)
        _require(data[starts] == _FIRST)
        length, entry = _lengths(data, starts + 1)
        stop = entry + length
        _require((stop <= ends) & (data[entry] == _FIRST))
        length, name = _lengths(data, entry + 1)
        value = name + length
        _require(value < stop)
        _require(data[value] == _SECOND)
        length, inner = _lengths(data, value + 1)
        _require((length > 0) & (inner + length == stop))
        content_length, content = _lengths(data, inner + 1)
        _require(content + content_length == stop)
        found.append((name, value, data[inner] >> 3, content, stop))
        starts = stop
    if not found:
        raise _UnusualForm
    return np.array(found, np.int64).transpose(1, 0, 2)


def _by_name(data: bytes, found: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Kind, start and end of the lists of every feature, message by message."""
    names, values, kinds, starts, ends = found
    characters = np.frombuffer(data, np.uint8)
    lengths = values - names
    unknown = np.ones(names.shape, bool)
    columns = {}
    while unknown.any():
        index = np.argmax(unknown)
        start, length = names.flat[index], lengths.flat[index]
        text = characters[start : start + length]
        alike = unknown & (lengths == length)
        alike[alike] = (characters[names[alike][:, None] + np.arange(length)] == text).all(axis=1)
        _require(alike.sum(axis=0) == 1)  # in every message once
        order = np.argmax(alike, axis=0)[None]
        kind, first, last = (np.take_along_axis(column, order, axis=0)[0] for column in (kinds, starts, ends))
        columns[text.tobytes().decode("utf-8")] = (kind, first, last)
        unknown &= ~alike
    return columns
