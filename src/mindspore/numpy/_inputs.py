"""Converting arguments: Tensors, numbers and lists of them to Tensors, names of dtypes to dtypes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as mstype
from mindspore._engine.base.dtype import DType
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.promotion import promote_dtypes
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, WrongType, refused

ArrayLike = Any  # a Tensor, a number, or nested lists and tuples of them

_PYTHON = {
    bool: mstype.bool_,
    int: mstype.int32,
    float: mstype.float32,
    mstype.int_: mstype.int32,
    mstype.float_: mstype.float32,
}
_NAMED = {"int": np.int32, "float": np.float32, "uint": np.uint32}  # half as wide as NumPy's of these names
_SMALL = (mstype.bool_, mstype.int8, mstype.uint8)


def as_tensor(value: ArrayLike, owner: str, name: str = "x", dtype: Any = None) -> Tensor:
    """The value as a Tensor: ints are int32 and floats float32, however they arrive; numbers are in ``dtype`` at once."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, (list, tuple)):
        if _holds_tensors(value):
            return ops.stack(same_dtype([as_tensor(item, owner, name) for item in value]))
        numbers = _numbers(value, owner, name)
        return Tensor(numbers, dtype) if dtype is not None else Tensor(_narrow(numbers))
    if isinstance(value, (bool, int, float, np.number, np.bool_)):
        number = np.asarray(value)
        return Tensor(number, dtype) if dtype is not None else Tensor(_narrow(number))
    raise refused(
        WrongObject,
        f"For '{owner}', the '{name}' must be a Tensor, a number, or a list or tuple of them, but got {shown(value)}."
        f"{' Write Tensor(array) to make a Tensor of it.' if isinstance(value, np.ndarray) else ''}",
    )


def as_tensors(values: Any, owner: str, name: str = "arrays") -> list[Tensor]:
    """A sequence of arrays; a Tensor is taken as the sequence of its rows."""
    if not isinstance(values, (list, tuple, Tensor)):
        raise refused(
            WrongType, f"For '{owner}', the '{name}' must be a list or tuple of Tensors, but got {shown(values)}."
        )
    if len(values) == 0:
        raise refused(ValueError, f"For '{owner}', the '{name}' must hold at least one Tensor, but got none.")
    return [as_tensor(value, owner, name) for value in values]


def _holds_tensors(values: Sequence[Any]) -> bool:
    return any(isinstance(x, Tensor) or (isinstance(x, (list, tuple)) and _holds_tensors(x)) for x in values)


def _numbers(values: Any, owner: str, name: str) -> np.ndarray:
    try:
        array = np.array(values)
    except ValueError:
        raise refused(
            ValueError,
            f"For '{owner}', the '{name}' must have rows of the same length at each level, but got {shown(values)}.",
        ) from None
    if array.dtype.kind not in "biufc":
        raise refused(TypeError, f"For '{owner}', the '{name}' must hold numbers only, but got {shown(values)}.")
    return array


def _narrow(array: np.ndarray) -> np.ndarray:
    """float64 as float32, int64 as int32 unless a number does not fit."""
    if array.dtype == np.float64:
        return array.astype(np.float32)
    if array.dtype == np.int64 and (array == array.astype(np.int32)).all():
        return array.astype(np.int32)
    return array


def as_dtype(dtype: Any, owner: str) -> Any:
    """A dtype by any name (MindSpore's, NumPy's, Python's int, float and bool); None stays None."""
    if dtype is None or (isinstance(dtype, DType) and dtype.np_dtype is not None):
        return dtype
    if isinstance(dtype, str):
        dtype = _NAMED.get(dtype.lower(), dtype.lower())
    if isinstance(dtype, (type, DType)) and dtype in _PYTHON:
        return _PYTHON[dtype]
    try:
        return mstype.from_numpy(np.dtype(dtype))  # pyright: ignore[reportCallIssue, reportArgumentType]
    except (TypeError, ValueError):
        raise refused(
            TypeError,
            f"For '{owner}', the 'dtype' must be a dtype such as mindspore.float32 or its name, but got {shown(dtype)}.",
        ) from None


def cast(result: Tensor, dtype: Any, owner: str) -> Tensor:
    """The result in the dtype that was asked for, if any."""
    dtype = as_dtype(dtype, owner)
    return result if dtype is None or result.dtype == dtype else result.astype(dtype)


def floating(value: ArrayLike, owner: str, name: str = "x", small: Any = mstype.float32) -> Tensor:
    """The value in floating point; integers of 8 bits and bool in ``small``, others in float32."""
    tensor = as_tensor(value, owner, name)
    if tensor.dtype.is_floating or tensor.dtype.is_complex:
        return tensor
    return tensor.astype(small if tensor.dtype in _SMALL else mstype.float32)


def same_dtype(tensors: Sequence[Tensor]) -> list[Tensor]:
    """The Tensors in the dtype that holds them all."""
    kinds = {tensor.dtype for tensor in tensors}
    if len(kinds) < 2:
        return list(tensors)
    common = result_dtype([tensor.dtype for tensor in tensors])
    return [tensor if tensor.dtype == common else tensor.astype(common) for tensor in tensors]


def result_dtype(kinds: Sequence[Any]) -> Any:
    """The dtype in which values of these dtypes are combined."""
    return mstype.from_numpy(functools.reduce(promote_dtypes, [kind.np_dtype for kind in kinds]))


def as_axis(axis: int, ndim: int, owner: str, name: str = "axis") -> int:
    """A non-negative axis."""
    if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)):
        raise refused(WrongType, f"For '{owner}', the '{name}' must be an int, but got {shown(axis)}.")
    if not -ndim <= axis < ndim:
        raise refused(
            ValueError,
            f"For '{owner}', the '{name}' must be in [{-ndim}, {ndim}) for {ndim} dimensions, but got {axis}.",
        )
    return int(axis) % ndim


def as_axes(axes: Any, ndim: int, owner: str, name: str = "axis") -> tuple[int, ...]:
    """Non-negative axes; None means all of them."""
    if axes is None:
        return tuple(range(ndim))
    listed = axes if isinstance(axes, (list, tuple)) else (axes,)
    found = tuple(as_axis(axis, ndim, owner, name) for axis in listed)
    if len(set(found)) != len(found):
        raise refused(ValueError, f"For '{owner}', the '{name}' must name each axis once, but got {axes}.")
    return found


def as_shape(shape: Any, owner: str, name: str = "shape") -> tuple[int, ...]:
    """A shape as a tuple of lengths."""
    if isinstance(shape, Tensor):
        shape = shape.tolist()
    listed = tuple(shape) if isinstance(shape, (list, tuple)) else (shape,)
    if any(isinstance(n, bool) or not isinstance(n, (int, np.integer)) for n in listed):
        raise refused(
            WrongType,
            f"For '{owner}', the '{name}' must be an int, or a list or tuple of ints, but got {shown(shape)}.",
        )
    if min(listed, default=0) < 0:
        raise refused(ValueError, f"For '{owner}', the '{name}' must hold lengths >= 0, but got {shape}.")
    return tuple(int(n) for n in listed)


def combined(function: Callable[..., Any], x1: ArrayLike, x2: ArrayLike, dtype: Any, owner: str) -> Tensor:
    """``function(x1, x2)``, cast to ``dtype`` where given."""
    return cast(function(as_tensor(x1, owner, "x1"), as_tensor(x2, owner, "x2")), dtype, owner)
