"""Fused elementwise transforms: on bytes, a chain of them is a lookup table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np

from mindspore.dataset.core.lookup import looked_up_planes

_MOST_CHANNELS = 4  # of images for which OpenCV's look-up is fast


def joinable(operations: Sequence[Callable], start: int, column: Any) -> int:
    """How many operations, from ``start`` on, one table can stand for; 0 when a table does not pay.

    The last of them may move the channels to the front: the results are written where they belong.
    """
    stop = start
    while stop < len(operations) and getattr(operations[stop], "elementwise", False):
        stop += 1
    stop += stop > start and stop < len(operations) and getattr(operations[stop], "channels_first", False)
    return stop - start if stop - start > 1 and _are_images(column) else 0


def _are_images(column: Any) -> bool:
    """Whether a column holds images <H,W,C> of bytes, all of one shape."""
    if isinstance(column, np.ndarray):
        return column.dtype == np.uint8 and column.ndim == 4 and 0 < column.shape[3] <= _MOST_CHANNELS
    shape = getattr(column[0], "shape", ())
    return (
        len(shape) == 3
        and 0 < shape[2] <= _MOST_CHANNELS
        and all(isinstance(value, np.ndarray) and value.dtype == np.uint8 and value.shape == shape for value in column)
    )


def apply_joined(operations: Sequence[Any], column: Any, tables: dict[Any, np.ndarray]) -> np.ndarray:
    """What the operations make of images, by looking every byte up; ``tables`` keeps those made so far."""
    channels = column[0].shape[2]
    moves = getattr(operations[-1], "channels_first", False)
    key = (*map(id, operations), channels)
    table = tables.get(key)
    if table is None:
        table = tables[key] = _table(operations[:-1] if moves else operations, channels)
    if moves:
        return _in_front(column, table)
    if isinstance(column, np.ndarray):
        images = np.ascontiguousarray(column).reshape(-1, column.shape[2], channels)
        return cv2.LUT(images, table[:, None]).reshape(column.shape)
    return np.stack([cv2.LUT(image, table[:, None]).reshape(image.shape) for image in column])


def _table(operations: Sequence[Any], channels: int) -> np.ndarray:
    """What the operations make of every byte, <256,C>."""
    values = np.repeat(np.arange(256, dtype=np.uint8), channels).reshape(256, 1, 1, channels)
    for operation in operations:
        values = operation.block(values)
    return np.ascontiguousarray(values.reshape(256, channels))


def _in_front(column: Any, table: np.ndarray) -> np.ndarray:
    """Images with the channels in front; single images are written straight into the array of the batch."""
    if isinstance(column, np.ndarray):
        return looked_up_planes(column, table)
    height, width, channels = column[0].shape
    result = np.empty((len(column), channels, height, width), table.dtype)
    for position, image in enumerate(column):
        looked_up_planes(image[None], table, result[position : position + 1])
    return result
