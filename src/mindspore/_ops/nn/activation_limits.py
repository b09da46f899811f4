"""Activation functions with thresholds, gates, and softmax over an axis."""

from __future__ import annotations

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Axis, DType
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import accepts, halves_as_float32
from mindspore._ops.declaring.promotion import HALF_PRECISION, as_float, normal_axes, normal_axis
from mindspore._ops.declaring.requirements import FOUND_BY_KERNEL, require, require_form, require_rank_from
from mindspore._ops.nn.activation import in_kind


def _softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """NumPy's softmax, for the tests."""
    raised = np.exp(x - x.max(axis, keepdims=True))
    return raised / raised.sum(axis, keepdims=True)


# -- softmax ---------------------------------------------------------------------------------------------------------
def _over(function: Any, x: Any, axis: Any) -> Any:
    """``function`` along one or several axes."""
    require_rank_from("input", x, 1)
    require_form(axis is not None and axis != (), f"the 'axis' must be an int or a tuple of ints, but got {axis!r}.")
    x, axes = as_float(x), normal_axes(axis, x.ndim)
    if len(axes) != 1 or x.ndim < 3 or not all(isinstance(size, int) for size in x.shape):
        return function(x, axis=axes)
    # XLA reads a reduced array element by element where the first axis has length 1
    before, behind = math.prod(x.shape[: axes[0]]), math.prod(x.shape[axes[0] + 1 :])
    rows = x.reshape((before, x.shape[axes[0]], behind) if behind > 1 else (before, x.shape[axes[0]]))
    return function(rows, axis=(1,)).reshape(x.shape)


def _softmax_over(x: Any, axis: Any) -> Any:
    return _half_softmax(x, axis) if x.dtype in HALF_PRECISION else jax.nn.softmax(x, axis)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _half_softmax(x: Any, axis: Any) -> Any:
    """Computed in float32; gradients need no more than the result, which is as small as the input."""
    return jax.nn.softmax(x.astype(jnp.float32), axis).astype(x.dtype)


@_half_softmax.defjvp
def _half_softmax_along(axis: Any, primals: tuple, tangents: tuple) -> tuple:
    shares = _half_softmax(primals[0], axis)
    wide, tangent = shares.astype(jnp.float32), tangents[0].astype(jnp.float32)
    along = wide * tangent
    return shares, (along - wide * along.sum(axis, keepdims=True)).astype(shares.dtype)


@at_construction(lambda axis: {"axis": (axis,) if isinstance(axis, int) else axis})
@op(primitive="Softmax", init=("axis",), method="softmax", old={"input": ("x", "logits")}, call_order=("input",),
    test=lambda t: [t.case(t.normal(2, 3), expect=_softmax), t.case(t.normal(2, 3), 0, expect=_softmax)])  # fmt: skip
@accepts("f", "input")
def softmax(input: Array, axis: Axis | tuple = -1, dtype: DType | None = None):
    """Exponentials along an axis, scaled to sum 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.softmax(Tensor([1.0, 1.0])))
        [0.5 0.5]
    """
    return _over(_softmax_over, input if dtype is None else input.astype(dtype.np_dtype), axis)


@op(primitive="LogSoftmax", init=("axis",), old={"logits": ("x", "input")},
    test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: np.log(_softmax(x))),
                    t.case(t.normal(2, 3), 0, expect=lambda x, a: np.log(_softmax(x, a)))])  # fmt: skip
@halves_as_float32
def log_softmax(logits: Array, axis: Axis | tuple = -1):
    """The logarithm of the softmax along an axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.log_softmax(Tensor([1.0, 1.0])))
        [-0.6931472 -0.6931472]
    """
    return _over(jax.nn.log_softmax, logits, axis)


@op(test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: _softmax(-x))])
@accepts("f", "x")
@halves_as_float32
def softmin(x: Array, axis: Axis | tuple = -1, dtype: DType | None = None):
    """The softmax of the negated input.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.softmin(Tensor([1.0, 1.0])))
        [0.5 0.5]
    """
    return _over(jax.nn.softmax, -(x if dtype is None else x.astype(dtype.np_dtype)), axis)


# -- gates -----------------------------------------------------------------------------------------------------------
def _halves(x: Any, axis: int) -> Any:
    positive_axis = normal_axis(axis, x.ndim)
    even = x.ndim > 0 and x.shape[positive_axis] % 2 == 0
    require(even, f"the 'axis' must have an even length, but axis {axis} of shape {x.shape} has not.")
    return jnp.split(as_float(x), 2, positive_axis)


@op(test=lambda t: [t.case(t.normal(2, 4), expect=lambda x: x[:, :2] / (1 + np.exp(-x[:, 2:])))])
@halves_as_float32
def glu(x: Array, axis: int = -1):
    """The first half of an axis times the sigmoid of the second half.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.glu(Tensor([1.0, 2.0, 0.0, 0.0])))
        [0.5 1. ]
    """
    values, gates = _halves(x, axis)
    return values * jax.nn.sigmoid(gates)


@op(test=lambda t: [t.case(t.normal(2, 4), expect=lambda x: x[:, :2] / (1 + np.exp(-x[:, :2])) * x[:, 2:])])
@halves_as_float32
def swiglu(input: Array, dim: int = -1):
    """The SiLU of the first half of an axis times the second half.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.swiglu(Tensor([0.0, 100.0, 2.0, 2.0])))
        [  0. 200.]
    """
    gates, values = _halves(input, dim)
    return jax.nn.silu(gates) * values


# -- thresholds ------------------------------------------------------------------------------------------------------
@op(primitive="HSigmoid", aliases="hsigmoid", old={"input": ("x", "input_x")},
    test=lambda t: [t.case(t.normal(3, 4) * 3, expect=lambda x: np.clip((x + 3) / 6, 0, 1))])  # fmt: skip
@accepts("if", "input")
@halves_as_float32
def hardsigmoid(input: Array):
    """``(x + 3) / 6`` limited to the interval from 0 to 1; the gradient at the limits is 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.hardsigmoid(Tensor([-5.0, 0.0, 5.0])))
        [0.  0.5 1. ]
    """
    return in_kind(lambda x: jnp.where(x <= -3, 0, jnp.where(x >= 3, 1, x / 6 + 0.5)).astype(x.dtype), input)


@op(primitive="HSwish", aliases="hswish", old={"input": ("x", "input_x")},
    test=lambda t: [t.case(t.normal(3, 4) * 3, expect=lambda x: x * np.clip((x + 3) / 6, 0, 1))])  # fmt: skip
@accepts("bif", "input")
@halves_as_float32
def hardswish(input: Array):
    """The input times its hard sigmoid.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.hardswish(Tensor([-5.0, 0.0, 5.0])))
        [0. 0. 5.]
    """
    return in_kind(lambda x: jnp.where(x < -3, 0, jnp.where(x > 3, x, x * (x + 3) / 6)).astype(x.dtype), input)


@op(test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: np.clip(x, -1, 1)),
                    t.case(t.normal(3, 4), -0.5, 0.25, expect=np.clip)])  # fmt: skip
@accepts("bif", "input")
def hardtanh(input: Array, min_val: float = -1.0, max_val: float = 1.0):
    """The input limited to an interval; the gradient at the limits is 0.5.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.hardtanh(Tensor([-5.0, 0.5, 5.0])))
        [-1.   0.5  1. ]
    """
    low, high = (_within(limit, input.dtype) for limit in (min_val, max_val))
    if input.dtype == jnp.bool_:  # XLA makes a clamp of minimum and maximum, which it lacks for truth values
        return (input | low) & high
    return jnp.minimum(jnp.maximum(input, low), high)


def _within(limit: float, dtype: Any) -> Any:
    """The limit as a number of this dtype: -1 is 0 where there are no negative numbers."""
    if jnp.issubdtype(dtype, jnp.inexact):
        return jnp.asarray(limit, dtype)
    least, most = (0, 1) if dtype == jnp.bool_ else (jnp.iinfo(dtype).min, jnp.iinfo(dtype).max)
    return jnp.asarray(int(min(max(limit, least), most)), dtype)


@op(primitive="HShrink", init=("lambd",), method="hardshrink", old={"input": "x"},
    test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: np.where(abs(x) > 0.5, x, 0))])  # fmt: skip
@accepts("f", "input")
def hardshrink(input: Array, lambd: float = 0.5):
    """0 where the absolute value is at most ``lambd``, the input elsewhere.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.hardshrink(Tensor([-5.0, 0.5, 5.0])))
        [-5.  0.  5.]
    """
    limit = max(lambd, 0.0)
    return jnp.where(jnp.abs(input) > limit, input, jnp.zeros((), input.dtype))


@op(primitive="SoftShrink", init=("lambd",), aliases="soft_shrink", method="soft_shrink",
    old={"input": ("x", "input_x")},
    test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: np.sign(x) * np.maximum(abs(x) - 0.5, 0))])  # fmt: skip
@accepts("f", "input")
@halves_as_float32
def softshrink(input: Array, lambd: float = 0.5):
    """The input moved towards 0 by ``lambd``, at most to 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.softshrink(Tensor([-5.0, 0.5, 5.0])))
        [-4.5  0.   4.5]
    """
    require(lambd >= 0, f"the 'lambd' must not be negative, but got {lambd}.", FOUND_BY_KERNEL)
    x = as_float(input)
    return jnp.where(x > lambd, x - lambd, jnp.where(x < -lambd, x + lambd, 0)).astype(x.dtype)


@op(test=lambda t: [t.case(t.normal(3, 4), 0.5, 9, expect=lambda x, thr, value: np.where(x > thr, x, value))])
@accepts("bif", "input")
def threshold(input: Array, thr: float, value: float):
    """The input where it exceeds ``thr``, ``value`` elsewhere.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.threshold(Tensor([1.0, 2.0, 3.0]), 1.5, 0))
        [0. 2. 3.]
    """
    return jnp.where(input > thr, input, jnp.asarray(value).astype(input.dtype))


@op(primitive="Softsign", test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: x / (1 + abs(x)))])
@accepts("f", "x")
def softsign(x: Array):
    """``x / (1 + abs(x))``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.softsign(Tensor([-1.0, 0.0, 3.0])))
        [-0.5   0.    0.75]
    """
    x = as_float(x)
    return x / (1 + jnp.abs(x))
