"""Trigonometric and hyperbolic functions and their inverses."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.registry import op
from mindspore._kernels.waves import wave
from mindspore._ops.declaring.dtype_checks import accepts, halves_as_float32
from mindspore._ops.declaring.promotion import as_float, promote
from mindspore._ops.math import angles

_X = {"input": ("x", "input_x")}  # the names of 1.x


@op(primitive="Sin", method="sin", old=_X, test=lambda t: [t.case(t.normal(2, 3), expect=np.sin)])
@halves_as_float32
def sin(input: Array):
    """The sine of angles in radians.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.sin(Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.     0.8415]
    """
    return wave("sine", as_float(input))


@op(primitive="Cos", method="cos", old=_X, test=lambda t: [t.case(t.normal(2, 3), expect=np.cos)])
@halves_as_float32
def cos(input: Array):
    """The cosine of angles in radians.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cos(Tensor([0.0, 1.0])).asnumpy().round(4))
        [1.     0.5403]
    """
    return wave("cosine", as_float(input))


@op(primitive="Tan", method="tan", old=_X, test=lambda t: [t.case(t.uniform(-1, 1, 2, 3), expect=np.tan)])
@halves_as_float32
def tan(input: Array):
    """The tangent of angles in radians.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.tan(Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.     1.5574]
    """
    return wave("tangent", as_float(input))


@op(primitive="Asin", aliases="arcsin", method=("asin", "arcsin"), old=_X,
    test=lambda t: [t.case(t.uniform(-0.9, 0.9, 2, 3), expect=np.arcsin)])  # fmt: skip
@halves_as_float32
def asin(input: Array):
    """The angle in [-pi/2, pi/2] whose sine is given.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.asin(Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.     1.5708]
    """
    return angles.asin(as_float(input))


@op(primitive="ACos", aliases="arccos", method=("acos", "arccos"), old=_X,
    test=lambda t: [t.case(t.uniform(-0.9, 0.9, 2, 3), expect=np.arccos)])  # fmt: skip
@halves_as_float32
def acos(input: Array):
    """The angle in [0, pi] whose cosine is given.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.acos(Tensor([0.0, 1.0])).asnumpy().round(4))
        [1.5708 0.    ]
    """
    return angles.acos(as_float(input))


@op(primitive="Atan", aliases="arctan", method=("atan", "arctan"), old=_X,
    test=lambda t: [t.case(t.normal(2, 3), expect=np.arctan)])  # fmt: skip
@halves_as_float32
def atan(input: Array):
    """The angle in (-pi/2, pi/2) whose tangent is given.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.atan(Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.     0.7854]
    """
    return angles.atan(as_float(input))


@op(primitive="Atan2", aliases="arctan2", method=("atan2", "arctan2"), old={"input": ("x",), "other": ("y",)},
    test=lambda t: [t.case(t.positive(2, 3), t.normal(3), expect=np.arctan2)])  # fmt: skip
@halves_as_float32
def atan2(input: Operand, other: Operand):
    """The angle of the point with ordinate ``input`` and abscissa ``other``, in [-pi, pi].

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.atan2(Tensor([0.0, 1.0]), Tensor([1.0, 1.0])).asnumpy().round(4))
        [0.     0.7854]
    """
    return angles.atan2(*map(as_float, promote(input, other)))


@op(primitive="Sinh", method="sinh", old=_X, test=lambda t: [t.case(t.normal(2, 3), expect=np.sinh)])
@halves_as_float32
def sinh(input: Array):
    """The hyperbolic sine.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.sinh(Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.     1.1752]
    """
    return jnp.sinh(as_float(input))


@op(primitive="Cosh", method="cosh", old=_X, test=lambda t: [t.case(t.normal(2, 3), expect=np.cosh)])
@halves_as_float32
def cosh(input: Array):
    """The hyperbolic cosine.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cosh(Tensor([0.0, 1.0])).asnumpy().round(4))
        [1.     1.5431]
    """
    return jnp.cosh(as_float(input))


@op(primitive="Asinh", aliases="arcsinh", method=("asinh", "arcsinh"), old=_X,
    test=lambda t: [t.case(t.normal(2, 3), expect=np.arcsinh)])  # fmt: skip
@halves_as_float32
def asinh(input: Array):
    """The inverse of the hyperbolic sine.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.asinh(Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.     0.8814]
    """
    return jnp.arcsinh(as_float(input))


@op(primitive="Acosh", aliases="arccosh", method=("acosh", "arccosh"), old=_X,
    test=lambda t: [t.case(t.uniform(1.5, 3, 2, 3), expect=np.arccosh)])  # fmt: skip
@halves_as_float32
def acosh(input: Array):
    """The inverse of the hyperbolic cosine.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.acosh(Tensor([1.0, 2.0])).asnumpy().round(4))
        [0.    1.317]
    """
    return jnp.arccosh(as_float(input))


@op(primitive="Atanh", aliases="arctanh", method=("atanh", "arctanh"), old=_X,
    test=lambda t: [t.case(t.uniform(-0.9, 0.9, 2, 3), expect=np.arctanh)])  # fmt: skip
@halves_as_float32
def atanh(input: Array):
    """The inverse of the hyperbolic tangent.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.atanh(Tensor([0.0, 0.5])).asnumpy().round(4))
        [0.     0.5493]
    """
    return jnp.arctanh(as_float(input))


@op(primitive="Sinc", method="sinc", test=lambda t: [t.case(t.positive(2, 3), expect=np.sinc)])
@halves_as_float32
def sinc(input: Array):
    """``sin(pi x) / (pi x)``, and 1 at 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.sinc(Tensor([0.0, 0.5])).asnumpy().round(4))
        [1.     0.6366]
    """
    x = as_float(input)
    is_small = abs(x) < 1e-3  # there the series, whose slope does not divide by x
    angle = np.pi * jnp.where(is_small, 1, x)
    square = (np.pi * jnp.where(is_small, x, 0)) ** 2
    return jnp.where(is_small, 1 - square / 6 + square**2 / 120, jnp.sin(angle) / angle).astype(x.dtype)


@op(method="deg2rad", old={"x": ("input",)}, test=lambda t: [t.case(t.normal(2, 3), expect=np.deg2rad)])
@accepts("f", "x")
def deg2rad(x: Array):
    """Degrees as radians.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.deg2rad(Tensor([180.0])).asnumpy().round(4))
        [3.1416]
    """
    return jnp.deg2rad(as_float(x))


@op(method="rad2deg", old={"x": ("input",)}, test=lambda t: [t.case(t.normal(2, 3), expect=np.rad2deg)])
@accepts("f", "x")
def rad2deg(x: Array):
    """Radians as degrees.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.rad2deg(Tensor([0.0, 1.0])).asnumpy().round(4))
        [ 0.     57.2958]
    """
    return jnp.rad2deg(as_float(x))
