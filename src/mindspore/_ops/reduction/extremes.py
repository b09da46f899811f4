"""Maxima and minima along axes, and their indices.

Equal elements: a reduction without indices shares the gradient evenly, one with indices gives all to the first.
NaN: skipped as in MindSpore, which compares each element with the best before it; only a leading NaN stays.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array, Axis, DType
from mindspore._engine.operator.registry import op
from mindspore._kernels.reductions import extreme
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import normal_axes, normal_axis
from mindspore._ops.declaring.requirements import require, require_elements

_KEEP = ("keepdim", "keep_dims")
_COUNTED_BY_FLOATS = 1 << 24


def _masked(x: Any, initial: Any, where: Any) -> Any:
    """``x`` with ``initial`` where the mask is False."""
    number = initial is None or isinstance(initial, (int, float))
    require(number, f"the 'initial' must be a number, but got {initial!r} of type {type(initial).__name__}.", TypeError)
    if where is None:
        return x
    if initial is None:
        raise ValueError("the 'initial' must be a number when 'where' is given, but got None.")
    return jnp.where(where, x, jnp.asarray(initial, x.dtype))


def _first_extreme(numbers: Any, axis: int, largest: bool) -> Any:
    """Where the first of the largest or smallest numbers is: two passes of vectors, while XLA's own goes one by one."""
    value = extreme(numbers, (axis,), True, largest)
    length = numbers.shape[axis]
    counted = jnp.float32 if length <= _COUNTED_BY_FLOATS else jnp.int32 if length < 2**31 else jnp.int64
    indices = lax.broadcasted_iota(counted, numbers.shape, axis)
    return jnp.where(numbers == value, indices, length).min(axis, keepdims=True).astype(jnp.int64)


def _of_numbers(function: Any, x: Any, axes: tuple[int, ...], keepdims: bool, **bound: Any) -> Any:
    """A maximum or minimum, or its index. XLA's own may or may not skip NaN, depending on how it vectorizes."""
    position = function in (jnp.argmax, jnp.argmin)
    if 0 in x.shape or (bound and x.dtype.kind not in "fV"):
        return function(x, axes[0] if position else axes, keepdims=keepdims, **bound)
    if not position and not bound:
        return extreme(x, axes, keepdims, function is jnp.max)
    if x.dtype.kind not in "fV":
        found = _first_extreme(x, axes[0], function is jnp.argmax)
        return found if keepdims else jnp.squeeze(found, axes)
    largest = function in (jnp.max, jnp.argmax)
    numbers = jnp.where(jnp.isnan(x), jnp.asarray(-jnp.inf if largest else jnp.inf, x.dtype), x)
    found = _first_extreme(numbers, axes[0], largest) if position else function(numbers, axes, keepdims=True, **bound)
    first = lax.stop_gradient(lax.slice(x, (0,) * x.ndim, [1 if i in axes else n for i, n in enumerate(x.shape)]))
    found = jnp.where(jnp.isnan(first), jnp.zeros_like(found) if position else first, found)
    return found if keepdims else jnp.squeeze(found, axes)


def _reduced(function: Any, x: Any, axis: Any, keepdims: bool, initial: Any = None, where: Any = None) -> Any:
    axes = normal_axes(axis, x.ndim)
    if initial is None:
        require_elements("input", x, axes)
    require(not isinstance(initial, str), f"the 'initial' must be a number, but got {initial!r}.", TypeError)
    bound = {} if initial is None else {"initial": jnp.asarray(initial, x.dtype)}
    return _of_numbers(function, _masked(x, initial, where), axes, keepdims, **bound)


def value_and_position(x: Any, position: Any, axis: int, keepdims: bool) -> tuple[Any, Any]:
    """The elements at ``position``, which has length 1 along ``axis``, and the position as int64."""
    value = jnp.take_along_axis(x, position, axis)
    if not keepdims:
        value, position = jnp.squeeze(value, axis), jnp.squeeze(position, axis)
    return value, position.astype(jnp.int64)


def with_position(largest: bool, x: Any, axis: int, keepdims: bool) -> tuple[Any, Any]:
    """The extreme value along an axis and its first position."""
    axis = normal_axis(axis, x.ndim)
    if x.ndim == 0:
        return x, jnp.zeros((), jnp.int64)
    require_elements("input", x, (axis,))
    position = _of_numbers(jnp.argmax if largest else jnp.argmin, x, (axis,), True)
    return value_and_position(x, position, axis, keepdims)


# -- values -----------------------------------------------------------------------------------------------------------
@op(method="amax", old={"axis": ("dim",), "keepdims": _KEEP},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.max), t.case(t.normal(2, 3), 1, expect=np.max),
                    t.case(t.normal(2, 3), 1, initial=0.1, where=t.bools(2, 3),
                           expect=lambda x, axis, **options: np.max(x, axis, **options))])  # fmt: skip
@accepts("bif", "input")
def amax(input: Array, axis: Axis = None, keepdims: bool = False, initial: Any = None, where: Array | None = None):
    """The largest element along ``axis``, by default of all.

    Args:
        initial: the smallest possible result; needed with ``where``.
        where: which elements take part.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.amax(Tensor([[1.0, 5.0], [3.0, 4.0]]), axis=1))
        [5. 4.]
    """
    return _reduced(jnp.max, input, axis, keepdims, initial, where)


@op(method="amin", old={"axis": ("dim",), "keepdims": _KEEP},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.min), t.case(t.normal(2, 3), 1, expect=np.min),
                    t.case(t.normal(2, 3), 1, initial=0.1, where=t.bools(2, 3),
                           expect=lambda x, axis, **options: np.min(x, axis, **options))])  # fmt: skip
@accepts("bif", "input")
def amin(input: Array, axis: Axis = None, keepdims: bool = False, initial: Any = None, where: Array | None = None):
    """The smallest element along ``axis``, by default of all.

    Args:
        initial: the largest possible result; needed with ``where``.
        where: which elements take part.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.amin(Tensor([[1.0, 5.0], [3.0, 4.0]]), axis=1))
        [1. 3.]
    """
    return _reduced(jnp.min, input, axis, keepdims, initial, where)


@op(primitive="ReduceMax", init=("keep_dims",), old={"x": ("input",)},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.max), t.case(t.normal(2, 3), 1, expect=np.max)])  # fmt: skip
@accepts("bif", "x")
def reduce_max(x: Array, axis: Axis = (), keep_dims: bool = False):
    """The largest element along ``axis``; () means all axes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ReduceMax()(Tensor([[1.0, 5.0], [3.0, 4.0]]), 1))
        [5. 4.]
    """
    return _reduced(jnp.max, x, axis, keep_dims)


@op(primitive="ReduceMin", init=("keep_dims",), old={"x": ("input",)},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.min), t.case(t.normal(2, 3), 1, expect=np.min)])  # fmt: skip
@accepts("bif", "x")
def reduce_min(x: Array, axis: Axis = (), keep_dims: bool = False):
    """The smallest element along ``axis``; () means all axes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ReduceMin()(Tensor([[1.0, 5.0], [3.0, 4.0]]), 1))
        [1. 3.]
    """
    return _reduced(jnp.min, x, axis, keep_dims)


@op(method="aminmax", old={"keepdims": _KEEP},
    test=lambda t: [t.case(t.normal(2, 3), axis=1, expect=lambda x, axis: (x.min(axis), x.max(axis)))])  # fmt: skip
@accepts("bif", "input")
def aminmax(input: Array, axis: Axis = 0, keepdims: bool = False):
    """The smallest and the largest element along ``axis``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> smallest, largest = ops.aminmax(Tensor([4.0, 1.0, 3.0]))
        >>> print(smallest, largest)
        1.0 4.0
    """
    return _reduced(jnp.min, input, axis, keepdims), _reduced(jnp.max, input, axis, keepdims)


# -- values with positions --------------------------------------------------------------------------------------------
def _value_and_index(largest: bool, x: Any, axis: int | None, keepdims: bool, initial: Any, where: Any) -> tuple:
    if axis is None:  # MindSpore then returns index 0, wherever the value is
        value = _reduced(jnp.max if largest else jnp.min, x, None, False, initial, where)
        return value, jnp.zeros((), jnp.int64)
    masked = _masked(x, initial, where)
    if (
        initial is not None
    ):  # before the search: where it is the result, the position is the first that does not exceed it
        masked = (jnp.maximum if largest else jnp.minimum)(masked, jnp.asarray(initial, x.dtype))
    return with_position(largest, masked, axis, keepdims)


@op(old={"axis": ("dim",), "keepdims": _KEEP},
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=lambda x, axis: (x.max(axis), x.argmax(axis))),
                    t.case(t.normal(2, 3), expect=lambda x: (x.max(), np.int64(0)))])  # fmt: skip
@accepts("bif", "input")
def max(input: Array, axis: int | None = None, keepdims: bool = False, initial: Any = None, where: Array | None = None):
    """The largest element along ``axis`` and its position; without an axis the largest of all and 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> value, position = ops.max(Tensor([[1.0, 5.0], [4.0, 3.0]]), axis=1)
        >>> print(value, position)
        [5. 4.] [1 0]
    """
    return _value_and_index(True, input, axis, keepdims, initial, where)


@op(old={"axis": ("dim",), "keepdims": _KEEP},
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=lambda x, axis: (x.min(axis), x.argmin(axis))),
                    t.case(t.normal(2, 3), expect=lambda x: (x.min(), np.int64(0)))])  # fmt: skip
@accepts("bif", "input")
def min(input: Array, axis: int | None = None, keepdims: bool = False, initial: Any = None, where: Array | None = None):
    """The smallest element along ``axis`` and its position; without an axis the smallest of all and 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> value, position = ops.min(Tensor([[1.0, 5.0], [4.0, 3.0]]), axis=1)
        >>> print(value, position)
        [1. 3.] [0 1]
    """
    return _value_and_index(False, input, axis, keepdims, initial, where)


@op(primitive="ArgMaxWithValue", init=("axis", "keep_dims"), public=False, old={"x": ("input",)},
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=lambda x, axis: (x.argmax(axis), x.max(axis)))])  # fmt: skip
def arg_max_with_value(x: Array, axis: int = 0, keep_dims: bool = False):
    """The position of the largest element along ``axis``, and the element.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> index, value = ops.ArgMaxWithValue(axis=1)(Tensor([[1.0, 3.0], [5.0, 2.0]]))
        >>> print(index, value)
        [1 0] [3. 5.]
    """
    value, position = with_position(True, x, axis, keep_dims)
    return position, value


@op(primitive="ArgMinWithValue", init=("axis", "keep_dims"), public=False, old={"x": ("input",)},
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=lambda x, axis: (x.argmin(axis), x.min(axis)))])  # fmt: skip
@accepts("bif", "x")
def arg_min_with_value(x: Array, axis: int = 0, keep_dims: bool = False):
    """The position of the smallest element along ``axis``, and the element.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> index, value = ops.ArgMinWithValue(axis=1)(Tensor([[1.0, 3.0], [5.0, 2.0]]))
        >>> print(index, value)
        [0 1] [1. 2.]
    """
    value, position = with_position(False, x, axis, keep_dims)
    return position, value


# -- positions --------------------------------------------------------------------------------------------------------
def _position(largest: bool, x: Any, axis: int | None, keepdims: bool, dtype: Any) -> Any:
    if axis is None:
        require_elements("input", x, range(x.ndim))
        return _of_numbers(jnp.argmax if largest else jnp.argmin, x.reshape(-1), (0,), False).astype(dtype)
    return with_position(largest, x, axis, keepdims)[1].astype(dtype)


@op(method="argmax", old={"input": ("x",), "dim": ("axis",), "keepdim": ("keepdims", "keep_dims")},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.argmax, grad=False),
                    t.case(t.normal(2, 3), 1, expect=np.argmax, grad=False)])  # fmt: skip
@accepts("bif", "input")
def argmax(input: Array, dim: int | None = None, keepdim: bool = False):
    """The position of the largest element along ``dim`` as int64; without ``dim``, in the flattened tensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.argmax(Tensor([[1.0, 5.0], [4.0, 3.0]]), dim=1))
        [1 0]
    """
    return _position(True, input, dim, keepdim, jnp.int64)


@op(method="argmin", old={"input": ("x",), "axis": ("dim",), "keepdims": _KEEP},
    test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: np.int32(x.argmin()), grad=False),
                    t.case(t.normal(2, 3), 1, grad=False,
                           expect=lambda x, axis: x.argmin(axis).astype(np.int32))])  # fmt: skip
@accepts("bif", "input")
def argmin(input: Array, axis: int | None = None, keepdims: bool = False):
    """The position of the smallest element along ``axis`` as int32; without an axis, in the flattened tensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.argmin(Tensor([[1.0, 5.0], [4.0, 3.0]]), axis=1))
        [0 1]
    """
    return _position(False, input, axis, keepdims, jnp.int32)


@op(primitive="Argmax", init=("axis", "output_type"), public=False, old={"x": ("input_x", "input")},
    test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: x.argmax(-1).astype(np.int32), grad=False)])  # fmt: skip
@accepts("bif", "x")
def argmax_of_axis(x: Array, axis: int = -1, output_type: DType = dtypes.int32):
    """The position of the largest element along ``axis``, as int32 unless ``output_type`` is int64.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Argmax(axis=1)(Tensor([[1.0, 3.0], [5.0, 2.0]])))
        [1 0]
    """
    return _position(True, x, axis, False, output_type.np_dtype)


@op(primitive="Argmin", init=("axis", "output_type"), public=False, old={"x": ("input",)},
    test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: x.argmin(-1).astype(np.int32), grad=False)])  # fmt: skip
@accepts("bif", "x")
def argmin_of_axis(x: Array, axis: int = -1, output_type: DType = dtypes.int32):
    """The position of the smallest element along ``axis``, as int32 unless ``output_type`` is int64.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Argmin()(Tensor([[3.0, 1.0], [0.0, 2.0]])))
        [1 0]
    """
    return _position(False, x, axis, False, output_type.np_dtype)
