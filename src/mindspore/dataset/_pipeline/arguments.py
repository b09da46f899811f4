"""Checks of what users pass to datasets, in the words of MindSpore."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from mindspore._utils.refusals import WrongType
from mindspore.dataset.core.checks import check_callable, check_type, check_workers, searchable, shown, type_words
from mindspore.dataset.core.operation import refuse_class

LARGEST = 2**31 - 1


def number(owner: str, name: str, value: Any, low: int = 0, high: int = LARGEST) -> int:
    """An int in a range."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise WrongType(f"Argument {name} with value {value!r} is not of type [<class 'int'>], but got {type(value)}.")
    if not low <= value <= high:
        raise ValueError(f"Input {name} is not within the required interval of [{low}, {high}].")
    return int(value)


def flag(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise WrongType(f"Argument {name} with value {value!r} is not of type [<class 'bool'>], but got {type(value)}.")
    return value


def text(name: str, value: Any) -> str:
    """A str."""
    if not isinstance(value, str):
        raise WrongType(f"Argument {name} with value {value!r} is not of type [<class 'str'>], but got {type(value)}.")
    return value


def of_type(name: str, value: Any, *kinds: type) -> Any:
    """A value of one of some types."""
    if not isinstance(value, kinds):
        raise WrongType(f"Argument {name} with value {value!r} is not of type {list(kinds)}, but got {type(value)}.")
    return value


def workers(value: Any) -> int | None:
    """A number of workers, or None for the setting of all pipelines."""
    return None if value is None else check_workers("dataset", "num_parallel_workers", value)


def names(value: Any, name: str = "columns", owner: str = "dataset") -> list[str] | None:
    """Column names: a string, a list, or None."""
    if value is None:
        return None
    if not isinstance(value, Iterable):
        raise searchable(
            TypeError(f"For '{owner}', the '{name}' must be a str or a list of str, but got {shown(value)}."),
            type_words(name, value, (list, str)),
        )
    if value == "":
        raise ValueError(f"{name} should not be an empty str.")
    listed = [value] if isinstance(value, str) else list(value)
    for position, item in enumerate(listed):
        if not isinstance(item, str):
            refusal = TypeError(
                f"For '{owner}', the '{name}' must be a str or a list of str, but got {shown(value)} with {shown(item)}."
            )
            raise searchable(refusal, type_words(f"{name}[{position}]", item, (str,)))
        if not item:
            raise ValueError(f"For '{owner}', the '{name}[{position}]' should not be empty: a column needs a name.")
    if len(set(listed)) != len(listed):
        raise ValueError(
            f"Every column name should not be same with others in column_names. But got {listed} for {name}."
        )
    if not listed and isinstance(value, tuple):
        raise WrongType(
            f"Argument {name} with value () is not of type [<class 'list'>, <class 'str'>], but got {tuple}."
        )
    return listed or None


def some_names(value: Any, name: str, owner: str) -> list[str] | None:
    """Column names, at least one, or None."""
    listed = names(value, name, owner)
    if value is not None and not listed:
        raise ValueError(f"For '{owner}', the '{name}' should not be empty; leave it out for all columns.")
    return listed


def needed_names(value: Any, name: str, owner: str) -> list[str]:
    """Column names; None is refused."""
    if value is None:
        raise searchable(
            TypeError(f"For '{owner}', the '{name}' must be a str or a list of str, but got {shown(value)}."),
            type_words(name, value, (list, str)),
        )
    return names(value, name, owner) or []


def padding(value: Any, owner: str) -> dict | None:
    """How columns are padded, by name: a shape and a value, each may be None; None for not at all."""
    if value is None:
        return None
    for name, entry in check_type(owner, "pad_info", value, dict).items():
        if entry is None:
            continue
        of_type("key in pad_info", name, str)
        of_type("value in pad_info", entry, tuple)
        if len(entry) != 2:
            raise ValueError(f"value of pad_info should be a tuple of size 2, (shape, pad value), but got {entry!r}.")
        shape, filling = entry
        for length in () if shape is None else of_type("shape in pad_info", shape, list):
            if length is not None:
                number(owner, "dim of shape in pad_info", length, low=1)
        if isinstance(filling, bool) or not isinstance(filling, (int, float, str, bytes, type(None))):
            kinds = (int, float, str, bytes)
            raise WrongType(
                f"Argument pad_value with value {filling!r} is not of type {kinds}, but got {type(filling)}."
            )
    return value


def function(value: Any, name: str, owner: str) -> Callable | None:
    """Something to call, or None."""
    return None if value is None else check_callable(owner, name, value)


def takes(function: Callable, count: int, name: str, what: str) -> None:
    """Refuse a function that cannot be called with this number of arguments."""
    try:
        parameters = inspect.signature(function)
    except ValueError:  # a function of C has none
        return
    try:
        parameters.bind(*range(count))
    except TypeError:
        raise ValueError(
            f"The signature of {name} should match with input columns: it is called with {count} arguments, {what}, but it takes "
            f"{parameters}."
        ) from None


def operations(value: Any) -> list[Callable]:
    """Operations of a map: a callable, or a list of callables; nested lists in it (from Compose of old programs) are opened."""
    listed = list(value) if isinstance(value, (list, tuple)) else [value]
    if value is None or not listed:
        raise RuntimeError("Map: No 'operations' are specified: give a function, a transform, or a list of them.")
    for item in listed:
        refuse_class(item, "Parameter operations's element of method map")
        if not callable(item):
            raise ValueError(
                "Parameter operations's element of method map should be a python function or class method which should be "
                f"callable, but got: {shown(item)}. It doesn't need parentheses for python function or class method."
            )
    return listed


def callbacks(value: Any, kind: type) -> list[Any]:
    """Callbacks of a map: one, or a list of them."""
    listed = [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]
    for position, item in enumerate(listed):
        of_type(f"callbacks[{position}]" if isinstance(value, (list, tuple)) else "callbacks", item, kind)
    return listed


def datasets(owner: str, value: Sequence[Any]) -> list[Any]:
    """Datasets only."""
    for element in value:
        if not hasattr(element, "_stage"):
            raise TypeError(
                f"Invalid dataset, expected Dataset object, but got {type(element)}! The parameter of {owner} must be datasets."
            )
    return list(value)


def batch_size(value: Any) -> Any:
    """A number, -1, or a function; True is 1."""
    if callable(value):
        return _function_of_info(value)
    if not isinstance(value, (int, np.integer)):
        raise TypeError("batch_size should either be an int or a callable.")
    if value != -1 and not 1 <= value <= LARGEST:
        raise ValueError(f"Input batch_size is not within the required interval of [1, {LARGEST}].")
    return int(value)


def _function_of_info(function: Any) -> Any:
    """A function that can be called with one argument, as far as its signature is known."""
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        raise ValueError("callable batch_size should take one parameter (BatchInfo).") from None
    except ValueError:  # a function of a library without a signature
        pass
    return function


def row_size(value: Any) -> Any:
    """Memory for rows in MB: a number, -1, or a list of two; accepted, and needed for nothing here."""
    if value is None:
        return None
    several = isinstance(value, (list, tuple))
    for size in value if several else [value]:
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(
                f"Argument max_rowsize with value {value!r} is not of type [<class 'int'>, <class 'list'>], but got {type(size)}."
            )
        if not -1 <= size <= LARGEST:
            raise ValueError(f"Input max_rowsize is not within the required interval of [-1, {LARGEST}].")
    if several and len(value) != 2:
        raise TypeError("max_rowsize should be a single integer or a list[in_rowsize, out_rowsize] of length 2.")
    return value


def repeat_count(value: Any) -> int:
    """A number of passes; -1 for no end."""
    if value is None:
        return -1
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(type_words("repeat", value, (int, type(None))))
    if value != -1 and not 0 < value <= LARGEST:
        raise ValueError("count should be either -1 or positive integer, range[1, INT32_MAX].")
    return value


def take_count(value: Any) -> int:
    """A number of rows; -1 for all."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(type_words("count", value, (int,)))
    if value != -1 and not 0 < value <= LARGEST:
        raise ValueError(f"count should be either -1 or within the required interval of (0, {LARGEST}], got {value}.")
    return value


def epochs(value: Any) -> int | None:
    """A number of epochs; None for any number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(
            f"Argument num_epochs with value {value!r} is not of type [<class 'int'>], but got {type(value)}."
        )
    if not -1 <= value <= LARGEST:
        raise ValueError(
            f"Input num_epochs is not within the required interval of [-1, {LARGEST}]. Got {value}; -1 is for any number."
        )
    return None if value == -1 else value


def split_sizes(sizes: Any, total: int) -> list[int]:
    """The numbers of rows of the parts of a split."""
    of_type("sizes", sizes, list)
    if not sizes:
        raise ValueError("sizes cannot be empty.")
    if all(isinstance(size, int) and not isinstance(size, bool) for size in sizes):
        if any(size <= 0 for size in sizes):
            raise ValueError("sizes is a list of int, but there should be no negative or zero numbers.")
        if sum(sizes) != total:
            raise RuntimeError(f"Sum of split sizes {sum(sizes)} is not equal to dataset size {total}.")
        return list(sizes)
    if not all(isinstance(size, float) for size in sizes):
        raise ValueError("sizes should be list of int or list of float.")
    if any(not 0 < size <= 1 for size in sizes):
        raise ValueError("sizes is a list of float, but there should be no numbers outside the range (0, 1].")
    if abs(sum(sizes) - 1.0) > 1e-8:
        raise ValueError("sizes is a list of float, but the percentages do not sum up to 1.")
    counts = [round(size * total) for size in sizes]
    if any(count == 0 for count in counts):
        least = sizes[counts.index(0)]
        raise RuntimeError(
            f"Split percentage {least} is too small. The dataset has {total} rows, so that part would be empty."
        )
    counts[max(range(len(counts)), key=counts.__getitem__)] += total - sum(counts)
    return counts


def buckets(boundaries: Sequence[int], sizes: Sequence[int]) -> None:
    """Increasing boundaries, and a batch size per bucket (boundaries + 1)."""
    for name, listed in (("bucket_boundaries", boundaries), ("bucket_batch_sizes", sizes)):
        of_type(name, listed, list)
        for index, size in enumerate(listed):
            if isinstance(size, bool) or not isinstance(size, int):
                raise WrongType(f"{name} should be a list of int, but got {shown(size)} at index {index}.")
    if not boundaries:
        raise ValueError("bucket_boundaries cannot be empty.")
    if any(boundary <= 0 for boundary in boundaries):
        raise ValueError(f"bucket_boundaries must only contain positive numbers, but got {boundaries}.")
    if list(boundaries) != sorted(set(boundaries)):
        raise ValueError(f"bucket_boundaries should be strictly increasing, but got {boundaries}.")
    if len(sizes) != len(boundaries) + 1:
        raise ValueError("bucket_batch_sizes must contain one element more than bucket_boundaries.")
    if any(size <= 0 for size in sizes):
        raise ValueError(f"bucket_batch_sizes should be a list of positive numbers, but got {sizes}.")


class Gate:
    """Lets as many rows through as it was opened for."""

    PATIENCE = 600  # seconds

    def __init__(self, first: int):
        self._left = first
        self._changed = threading.Condition()

    def open(self, count: int) -> None:
        """Let more rows through."""
        with self._changed:
            self._left += count
            self._changed.notify_all()

    def wait(self) -> None:
        """Wait for a row's turn."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._left > 0, self.PATIENCE):
                raise RuntimeError(
                    "sync_wait: no sync_update came for ten minutes. Call it after every num_batch rows."
                )
            self._left -= 1
