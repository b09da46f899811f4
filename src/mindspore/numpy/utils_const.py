"""``mindspore.numpy.utils_const``: shapes, axes and dtypes at the time a graph is made."""

from __future__ import annotations

import itertools
import math
import operator
from typing import Any, NoReturn

import numpy as np

from mindspore._engine.base import dtype as mstype
from mindspore._engine.tensor.tensor import Tensor
from mindspore.numpy._inputs import as_dtype

__all__: list[str] = []


def _raise_value_error(info: str, param: Any = "") -> NoReturn:
    """A ValueError with a text and what it is about."""
    raise ValueError(f"{info}{param}")


def _raise_type_error(info: str, param: Any = "") -> NoReturn:
    raise TypeError(f"{info}{param}")


def _raise_runtime_error(info: str, param: Any = "") -> NoReturn:
    raise RuntimeError(f"{info}{param}")


def _raise_unimplemented_error(info: str, param: Any = "") -> NoReturn:
    raise NotImplementedError(f"{info}{param}")


# -- shapes and axes --------------------------------------------------------------------------------------------------------
def _infer_out_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that shapes broadcast to."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(f"operands could not be broadcast together with shapes {' '.join(map(str, shapes))}") from None


def _can_broadcast(*shapes: tuple[int, ...]) -> bool:
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return False
    return True


def _check_shape(shape: Any) -> tuple[int, ...]:
    """A shape as a tuple."""
    if isinstance(shape, bool) or not isinstance(shape, (int, tuple, list)):
        raise TypeError(f"only int, tuple and list are allowed for shape, but got {type(shape).__name__}")
    found = (shape,) if isinstance(shape, int) else tuple(shape)
    for size in found:
        if not isinstance(size, int) or size < 0:
            raise TypeError(f"shape must hold integers of at least 0, but got {size!r}")
    return found


def _canonicalize_axis(axis: Any, ndim: int) -> Any:
    """An axis, or axes, counted from the first."""
    axes = [axis] if isinstance(axis, int) else list(axis)
    for one in axes:
        if not -max(ndim, 1) <= one < max(ndim, 1):
            raise ValueError(f"axis {one} is out of bounds for array of dimension {ndim}")
    found = tuple(one % max(ndim, 1) for one in axes)
    if len(set(found)) != len(found):
        raise ValueError(f"duplicate axes in {axis}")
    return found[0] if isinstance(axis, int) else tuple(sorted(found))


def _check_axis_in_range(axis: int, ndim: int) -> int:
    if not isinstance(axis, int):
        raise TypeError(f"axes should be integers, not {type(axis).__name__}")
    return _canonicalize_axis(axis, ndim)


def _check_axis_valid(axes: Any, ndim: int) -> tuple[int, ...]:
    """Axes as a sorted tuple; None for all."""
    if axes is None:
        return tuple(range(ndim))
    found = _canonicalize_axis(axes, ndim)
    return (found,) if isinstance(found, int) else found


_check_axes_range = _check_axis_valid


def _check_axis_type(axis: Any, type_int: bool = True, type_tuple: bool = True, type_list: bool = True) -> bool:
    allowed = tuple(kind for kind, wanted in ((int, type_int), (tuple, type_tuple), (list, type_list)) if wanted)
    if not isinstance(axis, allowed) or isinstance(axis, bool):
        raise TypeError(f"axis must be one of {[kind.__name__ for kind in allowed]}, but got {type(axis).__name__}.")
    return True


def _check_start_normalize(start: int, ndim: int) -> int:
    """A start between 0 and the number of axes."""
    if not -ndim <= start <= ndim:
        raise ValueError(f"For rollaxis, start {start} is out of bounds. Ranging from {-ndim} to {ndim} is allowed.")
    return start + ndim if start < 0 else start


def _add_unit_axes(shape: tuple[int, ...], ndim: int, append: bool = False) -> tuple[int, ...]:
    """A shape with ones added in front, or behind."""
    ones = (1,) * max(ndim - len(shape), 0)
    return (*shape, *ones) if append else (*ones, *shape)


def _expanded_shape(ndim: int, axis_size: int, axis: int) -> tuple[int, ...]:
    return tuple(axis_size if one == axis % ndim else 1 for one in range(ndim))


def _tile_size(shape: tuple[int, ...], out_shape: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    """How often each axis is repeated to get from one shape to the other."""
    return tuple(out if size == 1 else 1 for size, out in zip(_add_unit_axes(shape, ndim), out_shape, strict=True))


def _broadcast_tuples(tup1: Any, tup2: Any) -> Any:
    """Two tuples, the one of length 1 repeated."""
    first, second = ((one,) if isinstance(one, int) else tuple(one) for one in (tup1, tup2))
    length = max(len(first), len(second))
    return tuple(one * length if len(one) == 1 else one for one in (first, second))


# -- dtypes -------------------------------------------------------------------------------------------------------------------
def _check_dtype(dtype: Any) -> Any:
    """A dtype by any of its names."""
    return as_dtype(dtype, "_check_dtype")


def _promote(dtype1: Any, dtype2: Any) -> Any:
    """The dtype of the result of two: a float stays as it is beside an integer."""
    if dtype1 == dtype2:
        return dtype1
    floats = [one for one in (dtype1, dtype2) if one.is_floating or one.is_complex]
    if len(floats) == 1:
        return floats[0]
    return mstype.from_numpy(np.promote_types(dtype1.np_dtype, dtype2.np_dtype))


def _check_is_float(dtype: Any) -> bool:
    return dtype in mstype.float_type


def _check_is_int(dtype: Any) -> bool:
    return dtype in (*mstype.int_type, *mstype.uint_type)


# -- values -------------------------------------------------------------------------------------------------------------------
_max, _min, _abs, _ceil, _in = max, min, abs, math.ceil, lambda value, values: value in values


def _cumprod(x: Any) -> tuple:
    """Products of the first numbers of a sequence."""
    return tuple(itertools.accumulate(x, operator.mul))


def _type_convert(force: Any, obj: Any) -> Any:
    return force(obj)


def _tuple_setitem(tup: tuple, idx: int, value: Any) -> tuple:
    changed = list(tup)
    changed[idx] = value
    return tuple(changed)


def _tuple_slice(tup: tuple, start: int | None, end: int | None) -> tuple:
    return tup[start:end]


def _list_comprehensions(obj: Any, item: Any = None, return_tuple: bool = False, make_none: bool = False) -> Any:
    """``item`` (or the numbers from 0) as often as ``obj`` says, or for each of its members."""
    members = range(obj) if isinstance(obj, int) else obj
    found = [None if make_none else one if item is None else item for one in members]
    return tuple(found) if return_tuple else found


def _empty(dtype: Any, shape: tuple[int, ...]) -> Tensor:
    return Tensor(np.zeros(shape, mstype.dtype_to_nptype(dtype)))


def _callable_const(x: Any) -> bool:
    """Whether something is the type of functions."""
    return x == mstype.function
