"""``mindspore.numpy.utils``: what the functions of :mod:`mindspore.numpy` do with their inputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as mstype
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.promotion import promote_dtypes
from mindspore.numpy._inputs import as_tensor

__all__: list[str] = []


def _to_tensor(*args: Any) -> Any:
    """Numbers and lists as Tensors: one by itself, several as a tuple."""
    made = tuple(as_tensor(value, "_to_tensor") for value in args)
    return made[0] if len(made) == 1 else made


def _to_tensor_origin_dtype(*args: Any) -> Any:
    """The same; dtypes stay what they are."""
    return _to_tensor(*args)


def _check_input_tensor(*tensors: Any) -> bool:
    """An error if one of the inputs is no Tensor."""
    for one in tensors:
        if not isinstance(one, Tensor):
            raise TypeError(f"expect Tensor, but got {type(one).__name__}")
    return True


def _broadcast_to_shape(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A Tensor repeated to a shape."""
    return ops.broadcast_to(x, tuple(shape))


def _broadcast_to(x: Tensor, shape_cur: tuple[int, ...], shape_to: tuple[int, ...], ndim_to: int) -> Tensor:
    """A Tensor of shape ``shape_cur`` repeated to ``shape_to``."""
    return ops.broadcast_to(x, tuple(shape_to)[-ndim_to:] if ndim_to else ())


def _expand(x: Tensor, ndim: int, axis: int = 0) -> Tensor:
    """A Tensor with axes of length 1 added at ``axis`` until it has ``ndim``."""
    while x.ndim < ndim:
        x = x.expand_dims(axis)
    return x


def _get_size(x: Tensor, axis: Any = None) -> int:
    """How many elements there are, or how many along some axes."""
    axes = range(x.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    return int(np.prod([x.shape[one] for one in axes], dtype=np.int64))


def _is_scalar(shape: tuple[int, ...]) -> bool:
    return len(shape) == 0


def _isnan(x: Tensor) -> Tensor:
    return ops.isnan(x)


def _convert_64_to_32(tensor: Tensor) -> Tensor:
    """int64 and float64 in half the bits."""
    narrow = {mstype.int64: mstype.int32, mstype.float64: mstype.float32}
    return tensor.astype(narrow.get(tensor.dtype, tensor.dtype))


def _convert_bool_to_int(tensor: Tensor) -> Tensor:
    return tensor.astype(mstype.int32) if tensor.dtype == mstype.bool_ else tensor


def _deep_list(array_like: Any) -> Any:
    """Nested tuples as nested lists."""
    return [_deep_list(one) for one in array_like] if isinstance(array_like, (list, tuple)) else array_like


def _deep_tensor_to_nparray(array_like: Any) -> Any:
    """Nested Tensors as nested arrays."""
    if isinstance(array_like, (list, tuple)):
        return [_deep_tensor_to_nparray(one) for one in array_like]
    return array_like.asnumpy() if isinstance(array_like, Tensor) else array_like


def _check_input_for_asarray(array_like: Any) -> bool:
    """An error if this cannot become an array."""
    if not isinstance(array_like, (Tensor, list, tuple, int, float, bool, np.ndarray)):
        raise TypeError(
            f"Input data must be `int`, `float`, `bool`, `Tensor`, `list`, `tuple` or numpy.ndarray, but got {type(array_like).__name__}."
        )
    return True


def _convert_list_tensor_to_tuple_tensor(list_of_tensor: Any) -> Any:
    return tuple(list_of_tensor) if isinstance(list_of_tensor, list) else list_of_tensor


def _get_dtype_from_scalar(*input_numbers: Any) -> Any:
    """The dtype that numbers have together."""
    kinds = {bool: mstype.bool_, int: mstype.int32, float: mstype.float32}
    found = [kinds[type(number)] for number in input_numbers]
    result = found[0]
    for one in found[1:]:
        result = mstype.from_numpy(promote_dtypes(result.np_dtype, one.np_dtype)) if one != result else result
    return result


def _callable(tensor: Any, obj: Any) -> bool:
    return callable(obj)
