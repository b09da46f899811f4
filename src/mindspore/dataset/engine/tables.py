"""Transforms of single values, put together: on bytes, a row of them is one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np


def joinable(operations: Sequence[Callable], start: int, column: Any) -> int:
    """How many operations, from ``start`` on, one table can stand for; 0 when it is not worth one."""
    if not isinstance(column, np.ndarray) or column.dtype != np.uint8 or column.ndim != 4 or column.shape[3] > 4:
        return 0
    stop = start
    while stop < len(operations) and getattr(operations[stop], "elementwise", False):
        stop += 1
    return stop - start if stop - start > 1 else 0


def apply_joined(operations: Sequence[Callable], stack: np.ndarray, tables: dict[Any, np.ndarray]) -> np.ndarray:
    """What the operations make of images, by looking every byte up; ``tables`` keeps those made so far."""
    channels = stack.shape[3]
    key = (*map(id, operations), channels)
    table = tables.get(key)
    if table is None:
        values = np.repeat(np.arange(256, dtype=np.uint8), channels).reshape(256, 1, 1, channels)
        for operation in operations:
            values = operation.block(values)  # type: ignore[attr-defined]
        table = tables[key] = np.ascontiguousarray(values.reshape(256, 1, channels))
    images = np.ascontiguousarray(stack).reshape(-1, stack.shape[2], channels)
    return cv2.LUT(images, table).reshape(stack.shape)
