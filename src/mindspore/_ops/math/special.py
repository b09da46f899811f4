"""Error functions, the gamma function and its relatives, Bessel functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.dtype_checks import accepts, alike, halves_as_float32
from mindspore._ops.declaring.promotion import as_float, promote
from mindspore._ops.declaring.value_rules import above
from mindspore._ops.math import gamma_slopes

_X = {"input": ("x", "input_x")}  # the names of 1.x


# References for the tests, where NumPy has none.
def _slope(function: Callable[..., Any], step: float = 1e-5) -> Callable[..., np.ndarray]:
    """The derivative of a function, by differences."""
    return np.vectorize(lambda x: (function(float(x) + step) - function(float(x) - step)) / (2 * step))


def _inverse(function: Callable[[float], float], low: float, high: float) -> Callable[..., np.ndarray]:
    """The inverse of a rising function, by interpolation."""
    points = np.linspace(low, high, 20_001)
    return lambda y: np.interp(y, [function(p) for p in points], points)


def _series(power: float, start: np.ndarray) -> np.ndarray:
    """The sum of ``(start + k)**-power`` over k = 0, 1, 2, ..., the far end by its integral."""
    terms = (start.astype(np.float64)[..., None] + np.arange(2000)) ** -power
    return terms.sum(-1) + (start + 1999.5) ** (1 - power) / (power - 1)


@op(primitive="Erf", method="erf", old=_X, test=lambda t: [t.case(t.normal(2, 3), expect=np.vectorize(math.erf))])
@halves_as_float32
def erf(input: Array):
    """The error function.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.erf(Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.     0.8427]
    """
    return lax.erf(as_float(input))


@op(primitive="Erfc", method="erfc", old=_X, test=lambda t: [t.case(t.normal(2, 3), expect=np.vectorize(math.erfc))])
@halves_as_float32
def erfc(input: Array):
    """``1 - erf(input)``, exact for large values too.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.erfc(Tensor([0.0])).asnumpy().round(4))
        [1.]
    """
    return lax.erfc(as_float(input))


@op(primitive="Erfinv", method="erfinv", old=_X,
    test=lambda t: [t.case(t.uniform(-0.9, 0.9, 2, 3), expect=_inverse(math.erf, -2, 2))])  # fmt: skip
@halves_as_float32
def erfinv(input: Array):
    """The inverse of the error function.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.erfinv(Tensor([0.0, 0.5])).asnumpy().round(4))
        [0.     0.4769]
    """
    return lax.erf_inv(as_float(input))


@op(primitive="Lgamma", method="lgamma", old=_X,
    test=lambda t: [t.case(t.positive(2, 3), expect=np.vectorize(math.lgamma), tolerance=1e-4)])  # fmt: skip
@accepts("if", "input")
@halves_as_float32
def lgamma(input: Array):
    """The logarithm of the absolute value of the gamma function.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.lgamma(Tensor([1.0, 4.0])).asnumpy().round(4))
        [0.     1.7918]
    """
    x = as_float(input)
    is_pole = x == 0  # where lgamma behaves as -log|x|, also its slope
    found = jnp.where(is_pole, -jnp.log(abs(jnp.where(is_pole, x, 1))), gamma_slopes.lgamma(jnp.where(is_pole, 1, x)))
    return jnp.where(jnp.isneginf(x), jnp.inf, found).astype(x.dtype)


@op(primitive="Digamma", method="digamma", old=_X,
    test=lambda t: [t.case(t.positive(2, 3), expect=_slope(math.lgamma), tolerance=1e-4)])  # fmt: skip
@accepts("f", "input")
@halves_as_float32
def digamma(input: Array):
    """The derivative of ``lgamma``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.digamma(Tensor([1.0])).asnumpy().round(4))
        [-0.5772]
    """
    x = as_float(input)
    is_pole = x == 0  # seen from either side, as -1/x
    found = jnp.where(is_pole, -1 / jnp.where(is_pole, x, 1), gamma_slopes.digamma(jnp.where(is_pole, 1, x)))
    return found.astype(x.dtype)


@op(primitive="Polygamma", old={"n": ("a",), "input": ("x",)},
    test=lambda t: [t.case(np.array(1, np.int32), t.positive(2, 3), grad=(1,), tolerance=1e-4,
                           expect=lambda n, x: _series(2, x))])  # fmt: skip
@accepts("i", "n")
@accepts("f", "input")
def polygamma(n: Operand, input: Array):
    """The derivative of order ``n`` of ``digamma``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.polygamma(Tensor(1), Tensor([1.0])).asnumpy().round(4))
        [1.6449]
    """
    x = as_float(input)
    order = jnp.broadcast_to(jnp.asarray(n).astype(x.dtype), x.shape)
    return lax.polygamma(order, x)


@op(primitive="Igamma", method="igamma", old={"input": ("a",), "other": ("x",)},
    test=lambda t: [t.case(np.ones(3, np.float32), t.positive(3), grad=(1,),
                           expect=lambda a, x: 1 - np.exp(-x))])  # fmt: skip
@accepts("f", "input", "other")
@alike("input", "other")
def igamma(input: Operand, other: Operand):
    """The regularized lower incomplete gamma function P(input, other).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.igamma(Tensor([1.0]), Tensor([1.0])).asnumpy().round(4))
        [0.6321]
    """
    return lax.igamma(*jnp.broadcast_arrays(*map(as_float, promote(input, other))))


@op(primitive="Igammac", method="igammac", old={"input": ("a",), "other": ("x",)},
    test=lambda t: [t.case(np.ones(3, np.float32), t.positive(3), grad=(1,),
                           expect=lambda a, x: np.exp(-x))])  # fmt: skip
@accepts("f", "input", "other")
@alike("input", "other")
def igammac(input: Operand, other: Operand):
    """The regularized upper incomplete gamma function, ``1 - igamma(input, other)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.igammac(Tensor([1.0]), Tensor([1.0])).asnumpy().round(4))
        [0.3679]
    """
    return lax.igammac(*jnp.broadcast_arrays(*map(as_float, promote(input, other))))


def _large_enough(input: Tensor, p: int) -> None:
    text = f"the 'x' must be greater than (p - 1) / 2 = {(p - 1) / 2}, but got {{}}."
    require_values("Mvlgamma", text, above((p - 1) / 2), input, kind=ValueError)


@op(primitive="Mvlgamma", init=("p",), method="mvlgamma", old=_X, bounds=_large_enough,
    test=lambda t: [t.case(t.uniform(2, 4, 3), 2, tolerance=1e-4,
                           expect=lambda x, p: np.log(np.pi) / 2 + np.vectorize(math.lgamma)(x)
                           + np.vectorize(math.lgamma)(x - 0.5))])  # fmt: skip
@accepts("f", "input")
def mvlgamma(input: Array, p: int):
    """The logarithm of the multivariate gamma function of dimension ``p``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.mvlgamma(Tensor([3.0]), 2).asnumpy().round(4))
        [1.5502]
    """
    if p < 1:
        raise ValueError(f"the 'p' must be at least 1, but got {p}.")
    x = as_float(input)
    steps = jnp.arange(p, dtype=x.dtype) / 2
    return gamma_slopes.lgamma(x[..., None] - steps).sum(-1) + p * (p - 1) / 4 * math.log(math.pi)


@jax.custom_jvp
def _zeta(s: Any, q: Any) -> Any:
    """``lax.zeta``, which has no derivative of its own; as in MindSpore there is none by the exponent."""
    return lax.zeta(s, q)


@_zeta.defjvp
def _zeta_slope(primals: tuple, tangents: tuple) -> tuple:
    s, q = primals
    return _zeta(s, q), -s * _zeta(s + 1, q) * tangents[1]


@op(primitive="Zeta", old={"input": ("x",), "other": ("q",)},
    test=lambda t: [t.case(np.full(3, 2, np.float32), t.positive(3), grad=(1,), tolerance=1e-4,
                           expect=lambda s, q: _series(2, q))])  # fmt: skip
@accepts("f", "input", "other")
@alike("input", "other")
def zeta(input: Operand, other: Operand):
    """The Hurwitz zeta function: the sum of ``(other + k)**-input`` over k = 0, 1, 2, ...

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.zeta(Tensor([2.0]), Tensor([1.0])).asnumpy().round(4))
        [1.6449]
    """
    return _zeta(*jnp.broadcast_arrays(*map(as_float, promote(input, other))))


@op(primitive="BesselI0", aliases="i0", method="i0", old={"x": ("input",)},
    test=lambda t: [t.case(t.normal(2, 3), expect=np.i0)])  # fmt: skip
@accepts("f", "x")
def bessel_i0(x: Array):
    """The modified Bessel function of the first kind of order 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_i0(Tensor([0.0, 1.0])).asnumpy().round(4))
        [1.     1.2661]
    """
    x = as_float(x)
    return jnp.exp(jnp.abs(x)) * lax.bessel_i0e(x)


@op(primitive="BesselI0e", test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: np.exp(-np.abs(x)) * np.i0(x))])
@accepts("f", "x")
def bessel_i0e(x: Array):
    """``exp(-abs(x)) * bessel_i0(x)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_i0e(Tensor([0.0, 1.0])).asnumpy().round(4))
        [1.     0.4658]
    """
    return lax.bessel_i0e(as_float(x))


@op(primitive="BesselI1", test=lambda t: [t.case(t.normal(2, 3), expect=_slope(np.i0), tolerance=1e-4)])
@accepts("f", "x")
def bessel_i1(x: Array):
    """The modified Bessel function of the first kind of order 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_i1(Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.     0.5652]
    """
    x = as_float(x)
    return jnp.exp(jnp.abs(x)) * lax.bessel_i1e(x)


@op(primitive="BesselI1e",
    test=lambda t: [t.case(t.normal(2, 3), tolerance=1e-4,
                           expect=lambda x: np.exp(-np.abs(x)) * _slope(np.i0)(x))])  # fmt: skip
@accepts("if", "x")
def bessel_i1e(x: Array):
    """``exp(-abs(x)) * bessel_i1(x)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_i1e(Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.     0.2079]
    """
    return lax.bessel_i1e(as_float(x))
