"""Bessel functions of the first and second kind, and modified ones of the second kind.

Near 0 by quadrature of their integrals, where the trapezoidal rule converges faster than any power; far away by their
asymptotic series. All in float64, since oscillating sums lose digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from scipy import special

from mindspore._engine.arguments import Array
from mindspore._engine.registry import op
from mindspore._ops.requirements import require_float

_FAR = 25.0  # from here on the asymptotic series is exact to the last digit
_POINTS = 64
_SINES = np.sin(2 * np.pi * np.arange(_POINTS) / _POINTS)
_TERMS = 14
_EULER = 0.5772156649015329


def _logarithmic_weights() -> np.ndarray:
    """Weights of cos(x sin t) whose sum is Neumann's series of J_2, J_4, ... in Y_0, J_2k being trapezoidal sums."""
    angles = 2 * np.pi * np.arange(_POINTS) / _POINTS
    orders = np.arange(1, _POINTS // 4 + 8)
    return ((-1.0) ** orders / orders) @ np.cos(2 * orders[:, None] * angles) / _POINTS


_LOGARITHMIC = _logarithmic_weights()


def _oscillation(x: Any, order: int) -> tuple[Any, Any]:
    """Amplitudes P and Q of Hankel's asymptotic series; ``x`` is far from 0."""
    p, q, factor = 0.0, 0.0, jnp.ones_like(x)
    for k in range(_TERMS):
        sign = (-1) ** (k // 2)
        p, q = (p + sign * factor, q) if k % 2 == 0 else (p, q + sign * factor)
        factor = factor * (4 * order**2 - (2 * k + 1) ** 2) / ((k + 1) * 8 * x)
    return p, q


def _far(x: Any, order: int, second: bool) -> Any:
    p, q = _oscillation(x, order)
    phase = x - (2 * order + 1) * math.pi / 4
    wave = p * jnp.sin(phase) + q * jnp.cos(phase) if second else p * jnp.cos(phase) - q * jnp.sin(phase)
    return jnp.sqrt(2 / (math.pi * x)) * wave


def _near_first(x: Any, order: int) -> Any:
    turns = x[..., None] * _SINES
    return jnp.mean(jnp.cos(turns) if order == 0 else jnp.sin(turns) * _SINES, -1)


def _near_second(x: Any, order: int) -> Any:
    turns = x[..., None] * _SINES
    logarithm = jnp.log(x / 2) + _EULER
    if order == 0:
        return 2 / math.pi * logarithm * _near_first(x, 0) - 4 / math.pi * jnp.cos(turns) @ _LOGARITHMIC
    series = (jnp.sin(turns) * _SINES) @ _LOGARITHMIC
    return 2 / math.pi * (logarithm * _near_first(x, 1) - _near_first(x, 0) / x) - 4 / math.pi * series


def _oscillating(x: Any, order: int, second: bool) -> Any:
    """J or Y; both branches get harmless values where the other one counts, so that gradients stay finite."""
    require_float("x", x)
    wide = x.astype(jnp.float64)
    size = jnp.abs(wide)
    is_far = size > _FAR
    far = _far(jnp.where(is_far, size, _FAR), order, second)
    if second:
        positive = wide > 0
        near = _near_second(jnp.where(is_far | ~positive, 1.0, wide), order)
        limit = jnp.where(wide == 0, -jnp.inf, jnp.nan)
        return jnp.where(positive, jnp.where(is_far, far, near), limit).astype(x.dtype)
    far = far * jnp.sign(wide) if order else far
    return jnp.where(is_far, far, _near_first(jnp.where(is_far, 1.0, wide), order)).astype(x.dtype)


_STEP = 0.2
_TIMES = _STEP * np.arange(1, 120)
_LOWEST = 1e-8  # below, the first term of the series is exact


def _decaying(x: Any, order: int, scaled: bool) -> Any:
    """K, or K times exp(x): the integral of exp(-x (cosh t - 1)) cosh(order t) over positive t."""
    require_float("x", x)
    wide = x.astype(jnp.float64)
    usual = wide >= _LOWEST
    safe = jnp.where(usual, wide, 1.0)
    terms = jnp.exp(-safe[..., None] * (np.cosh(_TIMES) - 1)) * np.cosh(order * _TIMES)
    result = _STEP * (0.5 + terms.sum(-1))
    result = result if scaled else result * jnp.exp(-safe)
    tiny = jnp.where((wide > 0) & ~usual, wide, _LOWEST)
    first = 1 / tiny if order else -jnp.log(tiny / 2) - _EULER
    limit = jnp.where(wide == 0, jnp.inf, jnp.nan)
    return jnp.where(usual, result, jnp.where(wide > 0, first, limit)).astype(x.dtype)


def _cases(reference: Callable[..., Any], lowest: float) -> Callable[..., Any]:
    """Values near 0, far away and in between, against SciPy."""

    def cases(t: Any) -> list:
        wide = np.array([max(lowest, 1e-3), 0.5, 3.0, 24.0, 26.0, 80.0], np.float32)
        return [t.case(t.uniform(max(lowest, 0.2), 6, 5), expect=reference),
                t.case(wide, expect=reference, grad=False)]  # fmt: skip

    return cases


@op(primitive="BesselJ0", test=_cases(special.j0, -5))
def bessel_j0(x: Array):
    """The Bessel function of the first kind of order 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_j0(Tensor([0.0, 1.0])).asnumpy().round(4))
        [1.     0.7652]
    """
    return _oscillating(x, 0, False)


@op(primitive="BesselJ1", test=_cases(special.j1, -5))
def bessel_j1(x: Array):
    """The Bessel function of the first kind of order 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_j1(Tensor([1.0, -1.0])).asnumpy().round(4))
        [ 0.4401 -0.4401]
    """
    return _oscillating(x, 1, False)


@op(primitive="BesselY0", test=_cases(special.y0, 0))
def bessel_y0(x: Array):
    """The Bessel function of the second kind of order 0; NaN for negative numbers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_y0(Tensor([1.0])).asnumpy().round(4))
        [0.0883]
    """
    return _oscillating(x, 0, True)


@op(primitive="BesselY1", test=_cases(special.y1, 0))
def bessel_y1(x: Array):
    """The Bessel function of the second kind of order 1; NaN for negative numbers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_y1(Tensor([1.0])).asnumpy().round(4))
        [-0.7812]
    """
    return _oscillating(x, 1, True)


@op(primitive="BesselK0", test=_cases(special.k0, 0))
def bessel_k0(x: Array):
    """The modified Bessel function of the second kind of order 0; NaN for negative numbers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_k0(Tensor([1.0])).asnumpy().round(4))
        [0.421]
    """
    return _decaying(x, 0, False)


@op(primitive="BesselK0e", test=_cases(special.k0e, 0))
def bessel_k0e(x: Array):
    """``exp(x) * bessel_k0(x)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_k0e(Tensor([1.0])).asnumpy().round(4))
        [1.1445]
    """
    return _decaying(x, 0, True)


@op(primitive="BesselK1", test=_cases(special.k1, 0))
def bessel_k1(x: Array):
    """The modified Bessel function of the second kind of order 1; NaN for negative numbers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_k1(Tensor([1.0])).asnumpy().round(4))
        [0.6019]
    """
    return _decaying(x, 1, False)


@op(primitive="BesselK1e", test=_cases(special.k1e, 0))
def bessel_k1e(x: Array):
    """``exp(x) * bessel_k1(x)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_k1e(Tensor([1.0])).asnumpy().round(4))
        [1.6362]
    """
    return _decaying(x, 1, True)
