"""Spread and order statistics: variance, standard deviation, median."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.arguments import Array, Axis
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.sorting import sort
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import as_float, normal_axes, normal_axis
from mindspore._ops.declaring.value_rules import endless
from mindspore._ops.reduction.extremes import value_and_position
from mindspore._utils.refusals import type_or_value

_NAMES = {"axis": ("dim",), "ddof": ("correction", "unbiased"), "keepdims": ("keepdim", "keep_dims")}


def _variance(x: Any, axis: Any, ddof: int, keepdims: bool) -> Any:
    """The squared deviation from the mean, summed and divided by the count less ``ddof``."""
    if not isinstance(ddof, int):
        raise TypeError(f"the 'ddof' must be an int or a bool, but got {ddof!r} of type {type(ddof).__name__}.")
    x = as_float(x)
    return jnp.var(x, normal_axes(axis, x.ndim), ddof=int(ddof), keepdims=keepdims)


def _mean(x: Any, axis: Any, keepdims: bool) -> Any:
    x = as_float(x)
    return jnp.mean(x, normal_axes(axis, x.ndim), keepdims=keepdims)


@op(method="var", old=_NAMES,
    test=lambda t: [t.case(t.normal(2, 3), expect=np.var),
                    t.case(t.normal(2, 3), 1, 1, True,
                           expect=lambda x, a, d, k: np.var(x, a, ddof=d, keepdims=k))])  # fmt: skip
def var(input: Array, axis: Axis | tuple = None, ddof: Any = 0, keepdims: bool = False):
    """The variance over ``axis``, by default over all.

    Args:
        ddof: the sum of squares is divided by the count of elements less this; 1 (or True) gives the unbiased estimate.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.var(Tensor([[1.0, 3.0], [2.0, 6.0]]), axis=1))
        [1. 4.]
    """
    return _variance(input, axis, ddof, keepdims)


@op(method="std", old=_NAMES,
    test=lambda t: [t.case(t.normal(2, 3), expect=np.std),
                    t.case(t.normal(2, 3), 1, 1, True,
                           expect=lambda x, a, d, k: np.std(x, a, ddof=d, keepdims=k))])  # fmt: skip
def std(input: Array, axis: Axis | tuple = None, ddof: Any = 0, keepdims: bool = False):
    """The standard deviation over ``axis``, by default over all; see :func:`var`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.std(Tensor([[1.0, 3.0], [2.0, 6.0]]), axis=1))
        [1. 2.]
    """
    return jnp.sqrt(_variance(input, axis, ddof, keepdims))


@op(old=_NAMES, test=lambda t: [t.case(t.normal(2, 3), 1, expect=lambda x, axis: (x.var(axis), x.mean(axis)))])
def var_mean(input: Array, axis: Axis | tuple = None, ddof: Any = 0, keepdims: bool = False):
    """The variance and the mean over ``axis``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> variance, mean = ops.var_mean(Tensor([1.0, 3.0]))
        >>> print(variance, mean)
        1.0 2.0
    """
    return _variance(input, axis, ddof, keepdims), _mean(input, axis, keepdims)


@op(old=_NAMES, test=lambda t: [t.case(t.normal(2, 3), 1, expect=lambda x, axis: (x.std(axis), x.mean(axis)))])
def std_mean(input: Array, axis: Axis | tuple = None, ddof: Any = 0, keepdims: bool = False):
    """The standard deviation and the mean over ``axis``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> deviation, mean = ops.std_mean(Tensor([2.0, 6.0]))
        >>> print(deviation, mean)
        2.0 4.0
    """
    return jnp.sqrt(_variance(input, axis, ddof, keepdims)), _mean(input, axis, keepdims)


@op(primitive="ReduceStd", init=("axis", "unbiased", "keep_dims"), public=False,
    test=lambda t: [t.case(t.normal(2, 3), 1, expect=lambda x, axis: (x.std(axis, ddof=1), x.mean(axis)))])  # fmt: skip
def reduce_std(x: Array, axis: Axis = (), unbiased: bool = True, keep_dims: bool = False):
    """The standard deviation and the mean over ``axis``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ReduceStd(unbiased=False)(Tensor([1.0, 3.0])))
        (Tensor(shape=[], dtype=Float32, value= 1), Tensor(shape=[], dtype=Float32, value= 2))
    """
    return jnp.sqrt(_variance(x, axis, unbiased, keep_dims)), _mean(x, axis, keep_dims)


# -- medians: of an even count of elements the lower of the middle two -------------------------------------------------
def _middle(x: Any, axis: int, keepdims: bool, ignore_nan: bool) -> tuple[Any, Any]:
    axis = normal_axis(axis, x.ndim)
    if x.ndim == 0:
        return x, jnp.zeros((), jnp.int64)
    _, order = sort(x, axis)
    if ignore_nan:  # NaN is sorted to the end
        count = jnp.sum(~jnp.isnan(x), axis, keepdims=True)
        middle = jnp.maximum(count - 1, 0) // 2
    else:
        middle = jnp.full([1 if a == axis else n for a, n in enumerate(x.shape)], (x.shape[axis] - 1) // 2)
    position = jnp.take_along_axis(order, middle, axis)
    # Where there is a NaN, the first NaN is the median.
    if not ignore_nan and x.shape[axis] and jnp.issubdtype(x.dtype, jnp.inexact):
        missing = jnp.isnan(x)
        first = jnp.argmax(missing, axis, keepdims=True)
        position = jnp.where(missing.any(axis, keepdims=True), first, position)
    return value_and_position(x, position, axis, keepdims)


@op(method="median", old={"axis": ("dim",), "keepdims": ("keepdim", "keep_dims")},
    test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: (np.median(x, -1), np.argsort(x)[:, 1])),
                    t.case(t.normal(4, 3), 0, True,
                           expect=lambda x, a, k: (np.sort(x, 0)[1:2], np.argsort(x, 0)[1:2]))])  # fmt: skip
@accepts("if", "input")
def median(input: Array, axis: int = -1, keepdims: bool = False):
    """The middle element along ``axis`` and its position; of an even count the lower of the two middle ones.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> value, position = ops.median(Tensor([5.0, 1.0, 3.0]))
        >>> print(value, position)
        3.0 2
    """
    return _middle(input, axis, keepdims, False)


@op(method="nanmedian", old={"axis": ("dim",), "keepdims": ("keepdim", "keep_dims")},
    test=lambda t: [t.case(np.array([[3, np.nan, 1, 2]], np.float32),
                           expect=lambda x: (np.array([2.0], np.float32), np.array([3])))])  # fmt: skip
@accepts("if", "input")
def nanmedian(input: Array, axis: int = -1, keepdims: bool = False):
    """The median of the elements along ``axis`` that are not NaN, and its position.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> value, position = ops.nanmedian(Tensor([5.0, float("nan"), 3.0, 4.0]))
        >>> print(value, position)
        4.0 3
    """
    return _middle(input, axis, keepdims, True)


@op(primitive="Median", init=("global_median", "axis", "keep_dims", "ignore_nan"), public=False,
    test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: (np.median(x, 0), np.argsort(x, 0)[1])),
                    t.case(t.normal(3, 3), True, expect=lambda x, every: (np.median(x), np.int64(0)))])  # fmt: skip
@accepts("if", "x")
def median_of_axis(x: Array, global_median: bool = False, axis: int = 0, keep_dims: bool = False,
                   ignore_nan: bool = False):  # fmt: skip
    """The median along ``axis`` and its position; with ``global_median`` that of all elements and 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Median(axis=0)(Tensor([3.0, 1.0, 2.0])))
        (Tensor(shape=[], dtype=Float32, value= 2), Tensor(shape=[], dtype=Int64, value= 2))
    """
    if global_median:
        return _middle(x.reshape(-1), 0, False, ignore_nan)[0], jnp.zeros((), jnp.int64)
    return _middle(x, axis, keep_dims, ignore_nan)


def _counts_of_parts(x: Any, bins: int, low: Any, high: Any) -> Any:
    """How many numbers lie in each of equal parts: each part is computed, then corrected by its edges, as NumPy does."""
    low, high = (jnp.asarray(bound, x.dtype) for bound in (low, high))
    low, high = jnp.where(low == high, low - 0.5, low), jnp.where(low == high, high + 0.5, high)
    edges = jnp.linspace(low, high, bins + 1, dtype=x.dtype)
    inside = (x >= low) & (x <= high)
    part = jnp.clip(jnp.floor((x - low) * (bins / (high - low))), 0, bins - 1).astype(jnp.int32)
    part = part - (x < edges[part])
    part = part + ((x >= edges[part + 1]) & (part < bins - 1))
    return jnp.zeros(bins, jnp.int32).at[jnp.where(inside, part, bins)].add(1, mode="drop")


def finite_range(x: Tensor, bins: int, min: float, max: float) -> None:
    """Parts of equal width need ends that are finite."""
    text = "the range of [min, max] must be finite, but got {}."
    if min == max == 0 and isinstance(x, Tensor) and x.dtype.is_floating:
        require_values("Histogram", text, endless, x, kind=ValueError)
    elif math.isinf(min) or math.isinf(max):
        raise ValueError(f"For 'Histogram', {text.format(min if math.isinf(min) else max)}")


@op(method="histc", bounds=finite_range,
    test=lambda t: [t.case(t.uniform(-2, 2, 20), 4, -2.0, 2.0, grad=False,
                           expect=lambda x, bins, low, high: np.histogram(x, bins, (low, high))[0].astype(x.dtype)),
                    t.case(t.normal(20), 5, grad=False,
                           expect=lambda x, bins: np.histogram(x, bins)[0].astype(x.dtype))])  # fmt: skip
@accepts("if", "input")
def histc(input: Array, bins: int = 100, min: float = 0.0, max: float = 0.0):
    """How many elements fall into each of ``bins`` equal parts of [min, max]; when both are 0, of the input's range.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.histc(Tensor([1.0, 2.0, 1.0]), 4, 0.0, 3.0))
        [0. 2. 1. 0.]
    """
    if bins < 1:
        raise ValueError(f"the 'bins' must be at least 1, but got {bins}.")
    if not min <= max:  # written so that NaN is refused too
        raise type_or_value(ValueError)(f"the 'min' must not be larger than 'max', but got {min} and {max}.")
    x = as_float(input).reshape(-1)
    low, high = (x.min(), x.max()) if min == max == 0 else (min, max)
    return _counts_of_parts(x, bins, low, high).astype(jnp.float32 if input.dtype == jnp.float16 else input.dtype)
