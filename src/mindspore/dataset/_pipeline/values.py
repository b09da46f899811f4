"""Values of rows: what users return becomes arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from mindspore._utils.files.file_limit import TooLarge, check_unfolded
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.rows import each


def to_array(value: Any, name: str = "") -> np.ndarray:
    """An array of what a source or a Python function returned, for the column ``name`` if it is known.

    >>> to_array(3).dtype, to_array(2.5).dtype, to_array("a").shape
    (dtype('int64'), dtype('float64'), ())
    """
    if isinstance(value, np.ndarray) and (not value.dtype.hasobject or _is_dict(value)):
        return with_known_type(value, name)
    if isinstance(value, dict):
        return np.array(value, dtype=object)  # passed on as it is
    if not isinstance(value, np.ndarray) and hasattr(value, "asnumpy"):
        return value.asnumpy()
    try:
        array = np.asarray(value)
    except ValueError:  # lists of different lengths
        array = np.array(None)
    if array.dtype.hasobject:
        where = f" in column '{name}'" if name else ""
        raise pipeline_error(
            f"Invalid data type: a row holds {value!r:.80} of type {type(value).__name__}{where}; rows hold NumPy arrays, "
            "numbers, bytes and text, and lists of them with equal lengths."
        )
    return with_known_type(array, name)


def with_known_type(array: np.ndarray, name: str = "") -> np.ndarray:
    """The array, if MindSpore has a type for it: complex numbers, dates and bytes in foreign order have none."""
    dtype = array.dtype
    if dtype.kind in "iufbSUO" and dtype.isnative and dtype.name not in ("float128", "longdouble"):
        return array
    where = f" in column '{name}'" if name else ""
    raise pipeline_error(
        f"Failed to create tensor from numpy array, data type is unknown: {dtype!r}{where}. Convert the values with "
        "'astype' to integers, floats of at most 64 bits, bools or text."
    )


def columns_of(row: Any) -> tuple[Any, ...]:
    """The values of a row of a source, one per column: what a tuple, a list or another collection holds, or a single value.

    >>> columns_of([1, "a"]), columns_of("a"), len(columns_of(np.zeros((2, 3))))
    ((1, 'a'), ('a',), 1)
    """
    if isinstance(row, tuple):
        return row
    single = (np.ndarray, np.generic, str, bytes, dict)
    if isinstance(row, Iterable) and not isinstance(row, single) and not hasattr(row, "asnumpy"):
        return tuple(row)
    return (row,)


def _is_dict(array: np.ndarray) -> bool:
    """Whether it is what `to_array` makes of a dict."""
    return array.dtype == object and array.shape == () and isinstance(array[()], dict)


def given(column: Any) -> Iterable[Any]:
    """The rows of a column as the program's functions get them: dicts come out of the arrays that carry them."""
    rows = each(column)
    if isinstance(column, list) and column and isinstance(column[0], np.ndarray) and column[0].dtype.kind == "O":
        return [row[()] if _is_dict(row) else row for row in rows]
    return rows


def stack(column: Any, name: str, describe: Callable[[int], str] = "row {}".format) -> np.ndarray:
    """Stack the values of several rows into an array; ``describe`` names a row in error messages."""
    if isinstance(column, np.ndarray):
        return column
    first = column[0]
    if _is_dict(first):
        return np.array(_stacked_dicts(list(given(column)), name, describe), dtype=object)
    for position, value in enumerate(column):
        if value.shape != first.shape:
            raise pipeline_error(
                f"Inconsistent batch shapes: cannot batch tensors with different shapes in column '{name}'. Expected shape "
                f"{list(first.shape)} as of {describe(0)}, got {list(value.shape)} of {describe(position)}. Make them equal "
                f"(vision.Resize), or write padded_batch(batch_size, pad_info={{'{name}': None}})."
            )
        if value.dtype != first.dtype and not (value.dtype.kind in "SU" and first.dtype.kind in "SU"):
            raise pipeline_error(
                f"Inconsistent batch type: cannot batch values of different types in column '{name}': {first.dtype} of "
                f"{describe(0)} and {value.dtype} of {describe(position)}. Convert them with transforms.TypeCast."
            )
    if first.dtype.kind in "SU":  # each gets the length of the longest
        longest = max(value.dtype.itemsize for value in column)
        try:
            check_unfolded("it", len(column) * first.size * longest, sum(value.nbytes for value in column))
        except TooLarge as error:
            raise pipeline_error(f"Invalid data, cannot batch the texts of column '{name}': {error}") from None
    return np.stack(column)


def _stacked_dicts(rows: list[Any], name: str, describe: Callable[[int], str]) -> dict[Any, Any]:
    """A dict of stacked values made of dicts with the same keys."""
    keys = list(rows[0])
    for position, row in enumerate(rows):
        if not isinstance(row, dict) or set(row) != set(keys):
            found = list(row) if isinstance(row, dict) else type(row).__name__
            raise pipeline_error(
                f"Python dictionary keys do not match when creating a batch of column '{name}': {describe(0)} has {keys}, "
                f"{describe(position)} {found}."
            )
    batch = {}
    for key in keys:
        where = f"{name}', key: '{key}"
        try:
            values = [to_array(row[key], where) for row in rows]
        except RuntimeError:
            raise pipeline_error(
                f"Batch: failed to create a NumPy array of the values in column '{where}': {rows[0][key]!r:.80}. They must be "
                "arrays, numbers or text; write a 'per_batch_map' for others."
            ) from None
        made = stack(values, where, describe)
        batch[key] = made[()] if _is_dict(made) else made
    return batch
