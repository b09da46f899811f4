"""What ``ms::Tensor`` of the headers for ``ops.CustomOpBuilder`` asks of Python (``include/ms_extension/tensor.h``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor

_Described = tuple[Any, np.ndarray, str, tuple[int, ...]]  # what is kept alive, its bytes, the dtype's name, the shape


def exposed(tensor: Any) -> _Described:
    """The memory of a Tensor, for reading."""
    return tensor, *_described(np.asarray(tensor.asnumpy()))


def empty(name: str, shape: tuple[int, ...]) -> _Described:
    """New memory for an output."""
    array = np.empty(shape, dtypes.to_dtype(name, "CustomOpBuilder", "dtype").np_dtype)
    return array, *_described(array)


def returned(kept: Any) -> Tensor:
    """What goes back to the program: the Tensor it gave, or a new one."""
    return kept if isinstance(kept, Tensor) else Tensor(kept)


def _described(array: np.ndarray) -> tuple[np.ndarray, str, tuple[int, ...]]:
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(np.uint8), array.dtype.name, array.shape


# -- methods of ms::Tensor ---------------------------------------------------------------------------------------------
def cast(tensor: Tensor, name: str) -> Tensor:
    return tensor.astype(dtypes.to_dtype(name, "CustomOpBuilder", "dtype"))


def flatten(tensor: Tensor, start: int, end: int) -> Tensor:
    return tensor.flatten(start_dim=start, end_dim=end)


def index_select(tensor: Tensor, axis: int, index: Tensor) -> Tensor:
    return tensor.index_select(axis, index)


def reshape(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    return tensor.reshape(shape)


def repeat(tensor: Tensor, repeats: tuple[int, ...]) -> Tensor:
    return tensor.tile(repeats)


def repeat_interleave(tensor: Tensor, repeats: Any, axis: int | None) -> Tensor:
    return tensor.repeat_interleave(repeats, axis)


def chunk(tensor: Tensor, chunks: int, axis: int) -> tuple[Tensor, ...]:
    return tuple(tensor.chunk(chunks, axis))
