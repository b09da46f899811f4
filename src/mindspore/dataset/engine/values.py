"""Values of rows: what users return becomes arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset.engine.failures import pipeline_error


def to_array(value: Any) -> np.ndarray:
    """An array of what a source or a Python function returned.

    >>> to_array(3).dtype, to_array(2.5).dtype, to_array("a").shape
    (dtype('int64'), dtype('float64'), ())
    """
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, dict):
        return np.array(value, dtype=object)  # passed on as it is
    if hasattr(value, "asnumpy"):
        return value.asnumpy()
    array = np.asarray(value)
    if array.dtype == object:
        raise pipeline_error(
            f"Invalid data type: a row holds {value!r:.80} of type {type(value).__name__}; rows hold NumPy arrays, numbers, "
            "bytes and text."
        )
    return array


def stack(column: Any, name: str) -> np.ndarray:
    """One array of the values of several rows."""
    if isinstance(column, np.ndarray):
        return column
    first = column[0]
    for value in column:
        if value.shape != first.shape:
            raise pipeline_error(
                f"Inconsistent batch shapes: cannot batch tensors with different shapes in column {name}. Expected shape "
                f"{list(first.shape)}, got {list(value.shape)}. Make them equal (vision.Resize), or use padded_batch."
            )
        if value.dtype != first.dtype and value.dtype.kind not in "SU":
            raise pipeline_error(
                f"Inconsistent batch type: cannot batch values of different types in column {name}: {first.dtype} and "
                f"{value.dtype}."
            )
    return np.stack(column)
