"""Samples put together to a batch.

Batches are made of arrays first, marked as :class:`Collated`, and of Tensors in the program's own process: worker processes
do without XLA.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

__all__ = ["default_collate", "default_convert"]


class Collated(NamedTuple):
    """An array that becomes a Tensor."""

    array: np.ndarray


def default_collate(batch: list[Any]) -> Any:
    """Samples as one batch: numbers and arrays are stacked to Tensors, texts stay a list, containers keep their form.

    Examples:
        >>> from mindspore.dataset.dataloader import default_collate
        >>> default_collate([(1, "a"), (2, "b")])
        [Tensor(shape=[2], dtype=Int64, value= [1, 2]), ('a', 'b')]
    """
    return to_tensors(collate_arrays(batch))


def default_convert(data: Any) -> Any:
    """A sample with its arrays as Tensors; everything else stays as it is.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset.dataloader import default_convert
        >>> default_convert({"x": np.array([1, 2]), "name": "a"})
        {'x': Tensor(shape=[2], dtype=Int64, value= [1, 2]), 'name': 'a'}
    """
    return to_tensors(convert_arrays(data))


def collate_arrays(batch: Sequence[Any]) -> Any:
    """The batch with arrays that are marked."""
    first = batch[0]
    if _is_tensor(first):
        return Collated(np.stack([one.asnumpy() for one in batch]))
    if isinstance(first, (np.ndarray, np.generic)) and not isinstance(first, (str, bytes)):
        if first.dtype.kind in "SUO":
            raise TypeError(f"NumPy arrays with dtype {first.dtype} are not supported for collation.")
        return Collated(np.stack([np.asarray(one) for one in batch]))
    if isinstance(first, (bool, int, float)):
        return Collated(np.array(batch))
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return _like(first, {key: collate_arrays([one[key] for one in batch]) for key in first})
    if isinstance(first, Sequence):
        if any(len(one) != len(first) for one in batch):
            raise RuntimeError("Each element in list of batch must be of equal size.")
        return _sequence_like(first, [collate_arrays(column) for column in zip(*batch, strict=True)], as_list=True)
    raise TypeError(f"Cannot find the appropriate collate function for type {type(first)} in collate_fn_map.")


def convert_arrays(data: Any) -> Any:
    """A sample with arrays that are marked."""
    if isinstance(data, (np.ndarray, np.generic)) and data.dtype.kind not in "SUO":
        return Collated(np.asarray(data))
    return _each(data, convert_arrays)


def to_tensors(value: Any) -> Any:
    """Marked arrays as Tensors."""
    if isinstance(value, Collated):
        return import_module("mindspore.common.tensor").Tensor(value.array)
    return _each(value, to_tensors)


def _each(value: Any, change: Any) -> Any:
    if isinstance(value, Mapping):
        return _like(value, {key: change(one) for key, one in value.items()})
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return _sequence_like(value, [change(one) for one in value], as_list=change is convert_arrays)
    return value


def _like(example: Mapping, values: dict[Any, Any]) -> Any:
    try:
        return type(example)(values)  # type: ignore[call-arg]
    except TypeError:  # a mapping that is made otherwise
        return values


def _sequence_like(example: Sequence, values: list[Any], as_list: bool) -> Any:
    if isinstance(example, tuple) and hasattr(example, "_fields"):
        return type(example)(*values)
    if isinstance(example, tuple):
        return values if as_list else tuple(values)
    try:
        return type(example)(values)  # type: ignore[call-arg]
    except TypeError:  # a sequence that is made otherwise, such as a range
        return values


def _is_tensor(value: Any) -> bool:
    loaded = sys.modules.get("mindspore.common.tensor")  # without it there is no Tensor
    return loaded is not None and isinstance(value, loaded.Tensor)
