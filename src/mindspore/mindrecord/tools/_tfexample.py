"""Read files of tf.train.Example without TensorFlow."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


def records(path: str) -> Iterator[bytes]:
    """The records of a TFRecord file: 8 bytes of length, 4 of checksum, the data, 4 of checksum."""
    if not os.path.isfile(path):
        raise ValueError(f"The TFRecord file {path} does not exist.")
    with open(path, "rb") as stream:
        while head := stream.read(12):
            size = int.from_bytes(head[:8], "little")
            data = stream.read(size)
            if len(head) < 12 or len(data) < size or len(stream.read(4)) < 4:
                raise ValueError(f"The TFRecord file {path} is cut off or no TFRecord file.")
            yield data


def _varint(data: memoryview, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, place


def _fields(data: memoryview) -> Iterator[tuple[int, Any]]:
    """The numbered fields of a protobuf message: integers, or the bytes of anything else."""
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, place = _varint(data, place)
            yield number, value
            continue
        if kind == _BYTES:
            size, place = _varint(data, place)
        elif kind in (_FOUR_BYTES, _EIGHT_BYTES):
            size = 4 if kind == _FOUR_BYTES else 8
        else:
            raise ValueError(f"field {number} has the unknown wire type {kind}")
        yield number, data[place : place + size]
        place += size


def _floats(data: memoryview) -> np.ndarray:
    return np.frombuffer(b"".join(bytes(value) for _, value in _fields(data)), "<f4")


def _integers(data: memoryview) -> np.ndarray:
    values: list[int] = []
    for _, value in _fields(data):
        if isinstance(value, int):
            values.append(value)
            continue
        place = 0
        while place < len(value):
            one, place = _varint(value, place)
            values.append(one)
    return np.array(values, np.uint64).view(np.int64)


def example(data: bytes) -> dict[str, list[bytes] | np.ndarray]:
    """The features of one tf.train.Example: lists of bytes, or arrays of float32 or int64."""
    found: dict[str, list[bytes] | np.ndarray] = {}
    for _, features in _fields(memoryview(data)):
        for _, entry in _fields(features):
            parts = dict(_fields(entry))
            name = bytes(parts[1]).decode("utf-8")
            for kind, content in _fields(parts.get(2, memoryview(b""))):
                if kind == 1:
                    found[name] = [bytes(value) for _, value in _fields(content)]
                else:
                    found[name] = _floats(content) if kind == 2 else _integers(content)
    return found
