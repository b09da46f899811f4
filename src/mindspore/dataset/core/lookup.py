"""Bytes replaced by the entries of a table: any elementwise transform of byte images in a single pass."""

from __future__ import annotations

import cv2
import numpy as np


def looked_up(pixels: np.ndarray, table: np.ndarray) -> np.ndarray:
    """The entry of a table for every byte; a table of several columns has a column per channel.

    >>> looked_up(np.array([[0, 2]], np.uint8), np.arange(256, dtype=np.float32) / 2)
    array([[0., 1.]], dtype=float32)
    """
    columns = 1 if table.ndim == 1 else table.shape[1]
    rows = np.ascontiguousarray(pixels).reshape(-1, max(pixels.shape[-1] // columns, 1), columns)
    found = cv2.LUT(rows, table.reshape(1, 256, columns))
    return found.reshape(pixels.shape)


def looked_up_planes(stack: np.ndarray, table: np.ndarray, result: np.ndarray | None = None) -> np.ndarray:
    """The same for images <N,H,W,C>, with the channels in front: <N,C,H,W>.

    table: <256,C>; result: a contiguous array to fill.

    >>> looked_up_planes(np.array([[[[1, 2]]]], np.uint8), np.eye(256, 2, dtype=np.float32)).shape
    (1, 2, 1, 1)
    """
    count, height, width, channels = stack.shape
    if result is None:
        result = np.empty((count, channels, height, width), table.dtype)
    pixels = np.ascontiguousarray(stack).reshape(count, height * width, channels)
    planes = cv2.split(pixels) if channels > 1 else [pixels[:, :, 0]]
    targets = result.reshape(count, channels, height * width)
    for channel, plane in enumerate(planes):
        target = targets[:, channel]
        found = cv2.LUT(plane, np.ascontiguousarray(table[:, channel]).reshape(1, 256), target)
        if found is not target:
            target[...] = found
    return result
