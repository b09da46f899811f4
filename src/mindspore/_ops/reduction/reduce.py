"""Reductions over axes: sums, means, products, extremes, truth."""

from __future__ import annotations

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array, Axis, DType
from mindspore._engine.operator.registry import op
from mindspore._kernels.reductions import total
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import (
    WIDE_UNSIGNED,
    as_float,
    kind_of,
    normal_axes,
    upcast_half,
    upcast_integer,
)

_COLUMNS, _MANY = 64, 1024  # of a product of many elements
_DIM = ("dim",)
_KEEP = ("keepdim", "keepdims", "keep_dims")


def _keep(shown: str) -> tuple[str, ...]:
    """The other spellings of ``keep_dims``."""
    return tuple(name for name in _KEEP if name != shown)


def in_dtype(x: Any, dtype: DType | None) -> Any:
    return x if dtype is None else x.astype(dtype.np_dtype)


# -- sums -------------------------------------------------------------------------------------------------------------
@op(old={"input": ("x",), "dim": ("axis",), "keepdim": _keep("keepdim")},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.sum),
                    t.case(t.normal(2, 3, 4), (0, 2), True, expect=lambda x, axis, keep: x.sum(axis, keepdims=keep)),
                    t.case(t.ints(2, 3), 1, expect=lambda x, axis: x.sum(axis, dtype=np.int64))])  # fmt: skip
def sum(input: Array, dim: Axis = None, keepdim: bool = False, dtype: DType | None = None):
    """The sum over the axes ``dim``, by default over all. Bool and integers are summed as int64, uint16 to uint64 as such.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1))
        [3. 7.]
    """
    x = in_dtype(input, dtype)
    found = total(x, normal_axes(dim, x.ndim), keepdim)
    return found.astype(x.dtype) if dtype is not None or x.dtype in WIDE_UNSIGNED else found


@op(primitive="ReduceSum", init=("keep_dims", "skip_mode"), old={"x": ("input", "input_x")},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.sum),
                    t.case(t.normal(2, 3), 1, True, expect=lambda x, axis, keep: x.sum(axis, keepdims=keep)),
                    t.case(t.ints(2, 3), 0, expect=lambda x, axis: x.sum(axis, dtype=x.dtype))])  # fmt: skip
def reduce_sum(x: Array, axis: Axis = (), keep_dims: bool = False, skip_mode: bool = False):
    """The sum over ``axis`` in the dtype of the input; () means all axes, or with ``skip_mode`` none.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ReduceSum(keep_dims=True)(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [[3.]
         [7.]]
    """
    if skip_mode and axis in ((), None):
        return x
    axes = normal_axes(axis, x.ndim)
    if x.dtype == jnp.bool_:
        return jnp.any(x, axes, keepdims=keep_dims)
    return total(x, axes, keep_dims).astype(x.dtype)


@op(method="nansum", old={"input": ("x",), "axis": _DIM, "keepdims": _keep("keepdims")},
    test=lambda t: [t.case(np.array([[1, np.nan], [3, 4]], np.float32), 1, expect=np.nansum)])  # fmt: skip
def nansum(input: Array, axis: Axis = None, keepdims: bool = False, dtype: DType | None = None):
    """The sum over ``axis``; NaN counts as 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.nansum(Tensor([1.0, float("nan"), 2.0])))
        3.0
    """
    x = in_dtype(input, dtype)
    numbers = jnp.where(jnp.isnan(x), jnp.zeros_like(x), x)
    axes = normal_axes(axis, x.ndim)
    if kind_of(x.dtype) == "f":
        return total(numbers, axes, keepdims)
    return jnp.sum(numbers, axes, keepdims=keepdims, dtype=jnp.int64 if x.dtype == jnp.bool_ else x.dtype)


@op(primitive="CountNonZero", init=("axis", "keep_dims", "dtype"), method="count_nonzero",
    old={"x": ("input",), "axis": ("dim", "dims"), "keep_dims": _keep("keep_dims")},
    test=lambda t: [t.case(t.ints(2, 3, high=3), expect=lambda x: np.int32(np.count_nonzero(x)), grad=False),
                    t.case(t.ints(2, 3, high=3), 1, grad=False,
                           expect=lambda x, axis: np.count_nonzero(x, axis).astype(np.int32))])  # fmt: skip
def count_nonzero(x: Array, axis: Axis = (), keep_dims: bool = False, dtype: DType | None = None):
    """How many elements along ``axis`` are not zero, as int32 unless ``dtype`` says otherwise.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.count_nonzero(Tensor([[0, 2], [3, 4]]), axis=0))
        [1 2]
    """
    number = np.dtype(np.int32) if dtype is None else dtype.np_dtype
    return total(x != 0, normal_axes(axis, x.ndim), keep_dims).astype(number)


# -- means ------------------------------------------------------------------------------------------------------------
@op(primitive="ReduceMean", init=("keep_dims",), call_order=("x", "axis"), aliases="reduce_mean", method="mean",
    old={"x": ("input",), "axis": _DIM, "keep_dims": _keep("keep_dims")},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.mean),
                    t.case(t.normal(2, 3, 4), (0, -1), True, expect=lambda x, axis, keep: x.mean(axis, keepdims=keep)),
                    t.case(t.ints(2, 3), 1, grad=False, expect=lambda x, axis: x.sum(axis) // 3)])  # fmt: skip
def mean(x: Array, axis: Axis = None, keep_dims: bool = False, dtype: DType | None = None):
    """The mean over ``axis``, by default over all; integers stay integers, rounded towards zero.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.mean(Tensor([[1.0, 2.0], [3.0, 6.0]]), axis=0))
        [2. 4.]
    """
    x, axes = in_dtype(x, dtype), normal_axes(axis, x.ndim)
    if x.dtype == jnp.bool_:
        raise TypeError("the 'x' must be a Tensor of numbers, but got Bool. Convert it: x.astype(mindspore.float32).")
    if kind_of(x.dtype) == "i":
        found = total(x, axes, keep_dims)
        count = np.prod([x.shape[a] for a in axes], dtype=np.int64)
        return lax.div(found, jnp.full_like(found, np.maximum(count, 1))).astype(x.dtype)
    return jnp.mean(x, axes, keepdims=keep_dims)


@op(method="nanmean", old={"input": ("x",), "axis": _DIM, "keepdims": _keep("keepdims")},
    test=lambda t: [t.case(np.array([[1, np.nan], [3, 4]], np.float32), 1, expect=np.nanmean)])  # fmt: skip
@accepts("f", "input")
def nanmean(input: Array, axis: Axis = None, keepdims: bool = False, dtype: DType | None = None):
    """The mean over ``axis`` of the elements that are not NaN.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.nanmean(Tensor([1.0, float("nan"), 2.0])))
        1.5
    """
    x = as_float(in_dtype(input, dtype))
    axes = normal_axes(axis, x.ndim)
    present = ~jnp.isnan(x)
    found = jnp.sum(jnp.where(present, x, 0), axes, keepdims=keepdims)
    return (found / jnp.sum(present, axes, keepdims=keepdims)).astype(x.dtype)


@op(method="logsumexp", old={"input": ("x",), "dim": ("axis",), "keepdim": _keep("keepdim")},
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=lambda x, axis: np.log(np.exp(x).sum(axis))),
                    t.case(t.normal(2, 3), (0, 1), True,
                           expect=lambda x, axis, keep: np.log(np.exp(x).sum(axis, keepdims=keep)))])  # fmt: skip
def logsumexp(input: Array, dim: Axis, keepdim: bool = False):
    """The logarithm of the sum of exponentials over the axes ``dim``, without overflow.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.logsumexp(Tensor([[1.0, 1.0]]), 1).asnumpy().round(4))
        [1.6931]
    """
    x = as_float(input)
    axes = normal_axes(dim, x.ndim)
    largest = lax.stop_gradient(jnp.max(x, axes, keepdims=True, initial=-jnp.inf))
    shift = jnp.where(jnp.isfinite(largest), largest, jnp.zeros_like(largest))
    found = jnp.log(jnp.sum(jnp.exp(x - shift), axes, keepdims=True)) + shift
    return found if keepdim else jnp.squeeze(found, axes)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 2))
def _product(x: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    return _multiplied(x, axes, keepdims)


def _multiplied(x: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    """Of many elements first in columns, which XLA multiplies in vectors; it would join both steps to one that goes one by one."""
    wide = upcast_half(x)
    fixed = {type(size) for size in x.shape} <= {int}
    last = bool(axes) and list(axes) == list(range(axes[0], x.ndim))
    count = math.prod(x.shape[axes[0] :]) if fixed and last else 0
    if count < _MANY or count % _COLUMNS:
        return jnp.prod(wide, axes, keepdims=keepdims, dtype=wide.dtype).astype(x.dtype)
    leading = x.shape[: axes[0]]
    columns = jnp.prod(wide.reshape(*leading, count // _COLUMNS, _COLUMNS), -2, dtype=wide.dtype)
    found = jnp.prod(lax.optimization_barrier(columns), -1, dtype=wide.dtype)
    return found.reshape(*leading, *((1,) * len(axes) if keepdims else ())).astype(x.dtype)


@_product.defjvp
def _product_jvp(axes: tuple[int, ...], keepdims: bool, primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (tangent,) = primals, tangents
    return _product(x, axes, keepdims), jnp.sum(_others(x, axes) * tangent, axes, keepdims=keepdims)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _others(x: Any, axes: tuple[int, ...]) -> Any:
    """For every element the product of the others: a division, where at most one of them is 0."""
    zero = x == 0
    rest = _multiplied(jnp.where(zero, 1, x), axes, True)
    zeros = jnp.sum(zero, axes, keepdims=True)
    return jnp.where(zeros == 0, rest / jnp.where(zero, 1, x), jnp.where((zeros == 1) & zero, rest, 0))


@_others.defjvp
def _others_jvp(axes: tuple[int, ...], primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    """Further derivatives without a division."""
    gradient = jax.grad(lambda x: jnp.prod(x, axes).sum())
    return _others(primals[0], axes), jax.jvp(gradient, primals, tangents)[1]


# -- products ---------------------------------------------------------------------------------------------------------
@op(method="prod", old={"input": ("x",), "axis": _DIM, "keep_dims": _keep("keep_dims")},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.prod), t.case(t.normal(2, 3), 1, expect=np.prod),
                    t.case(t.ints(2, 3), 1, expect=lambda x, axis: x.prod(axis, dtype=np.int64))])  # fmt: skip
def prod(input: Array, axis: Axis = None, keep_dims: bool = False, dtype: DType | None = None):
    """The product over ``axis``, by default over all. Bool and integers are multiplied as int64, uint16 to uint64 as such.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.prod(Tensor([[1.0, 2.0], [3.0, 4.0]]), axis=1))
        [ 2. 12.]
    """
    x = upcast_integer(input) if dtype is None else in_dtype(input, dtype)
    return _product(x, normal_axes(axis, x.ndim), keep_dims)


@op(primitive="ReduceProd", init=("keep_dims",), public=False,
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=np.prod),
                    t.case(t.ints(2, 3), 1, expect=lambda x, axis: x.prod(axis, dtype=x.dtype))])  # fmt: skip
def reduce_prod(x: Array, axis: Axis = (), keep_dims: bool = False):
    """The product over ``axis`` in the dtype of the input; () means all axes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ReduceProd()(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [ 2. 12.]
    """
    return _product(x, normal_axes(axis, x.ndim), keep_dims)


# -- truth ------------------------------------------------------------------------------------------------------------
@op(primitive="ReduceAll", init=("keep_dims",), method="all",
    old={"input": ("x",), "axis": _DIM, "keep_dims": _keep("keep_dims")},
    test=lambda t: [t.case(t.bools(2, 3), 1, expect=np.all, grad=False),
                    t.case(t.bools(2), expect=np.all, grad=False)])  # fmt: skip
def all(input: Array, axis: Axis = None, keep_dims: bool = False):
    """Whether all elements along ``axis`` are true (not zero).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.all(Tensor([[True, False], [True, True]]), axis=1))
        [False  True]
    """
    return jnp.all(input, normal_axes(axis, input.ndim), keepdims=keep_dims)


@op(primitive="ReduceAny", init=("keep_dims",), method="any",
    old={"input": ("x",), "axis": _DIM, "keep_dims": _keep("keep_dims")},
    test=lambda t: [t.case(t.bools(2, 3), 1, expect=np.any, grad=False),
                    t.case(t.bools(2), expect=np.any, grad=False)])  # fmt: skip
def any(input: Array, axis: Axis = None, keep_dims: bool = False):
    """Whether some element along ``axis`` is true (not zero).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.any(Tensor([[True, False], [False, False]]), axis=1))
        [ True False]
    """
    found = jnp.any(input, normal_axes(axis, input.ndim), keepdims=keep_dims)
    return found.astype(jnp.uint8) if input.dtype == jnp.uint8 else found  # bytes were truth values once
