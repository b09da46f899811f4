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

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.requirements import require_float

_FAR = 25.0  # from here on the asymptotic series is exact to the last digit
_POINTS = 64
_ANGLES = np.pi * np.arange(_POINTS) / _POINTS  # the integrands have period pi
_SINES = np.sin(_ANGLES)
_TERMS = 14
_EULER = 0.5772156649015329


def _logarithmic_weights() -> np.ndarray:
    """Weights of cos(x sin t) whose sum is Neumann's series of J_2, J_4, ... in Y_0, J_2k being trapezoidal sums."""
    orders = np.arange(1, 31)  # J_62 of what is near is 0, and 64 points tell all of these apart
    return ((-1.0) ** orders / orders) @ np.cos(2 * orders[:, None] * _ANGLES) / _POINTS


_LOGARITHMIC = _logarithmic_weights()


def _oscillation(x: Any, order: int) -> tuple[Any, Any]:
    """Amplitudes P and Q of Hankel's asymptotic series; ``x`` is far from 0."""
    terms = _series(x, order)
    signs = [(-1) ** (k // 2) for k in range(_TERMS)]
    signed = [sign * term for sign, term in zip(signs, terms, strict=True)]
    return sum(signed[::2]), sum(signed[1::2])


def _series(x: Any, order: int) -> list[Any]:
    """The terms of Hankel's series."""
    terms = [jnp.ones_like(x)]
    for k in range(_TERMS - 1):
        terms.append(terms[-1] * (4 * order**2 - (2 * k + 1) ** 2) / ((k + 1) * 8 * x))
    return terms


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
    """J or Y; both branches get harmless values where the other branch is selected, so that gradients stay finite."""
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


_STEP = 0.14
_TIMES = _STEP * np.arange(1, 170)
_LOWEST = 1e-8  # below, the first term of the series is exact


def _decaying(x: Any, order: int, scaled: bool) -> Any:
    """K, or K times exp(x): the integral of exp(-x (cosh t - 1)) cosh(order t) over positive t."""
    require_float("x", x)
    wide = x.astype(jnp.float64)
    is_near, is_far = wide >= _LOWEST, wide > _FAR
    safe = jnp.where(is_near & ~is_far, wide, 1.0)
    terms = jnp.exp(-safe[..., None] * (np.cosh(_TIMES) - 1)) * np.cosh(order * _TIMES)
    distant = jnp.where(is_far, wide, _FAR)
    far = jnp.sqrt(math.pi / (2 * distant)) * sum(_series(distant, order))
    result = jnp.where(is_far, far, _STEP * (0.5 + terms.sum(-1)))
    result = result if scaled else result * jnp.exp(-jnp.where(is_near, wide, 1.0))
    tiny = jnp.where((wide > 0) & ~is_near, wide, _LOWEST)
    first = 1 / tiny if order else -jnp.log(tiny / 2) - _EULER
    limit = jnp.where(wide == 0, jnp.inf, jnp.nan)
    return jnp.where(is_near, result, jnp.where(wide > 0, first, limit)).astype(x.dtype)


# References for the tests: SciPy's values, since importing its functions takes a third of a second.
_PLACES = np.array([0.001, 0.5, 3.0, 24.0, 26.0, 80.0])


def _cases(*expected: float) -> Callable[..., Any]:
    """Values near 0, far away and in between."""
    return lambda t: [t.case(_PLACES, expect=lambda x: np.array(expected), tolerance=1e-11, grad=False),
                      t.case(t.uniform(0.2, 6, 5))]  # fmt: skip


@op(
    primitive="BesselJ0",
    test=_cases(
        0.999999750000016,
        0.938469807240813,
        -0.260051954901934,
        -0.0562302741668594,
        0.155999315522421,
        -0.0697421655122099,
    ),
)
@accepts("f", "x")
def bessel_j0(x: Array):
    """The Bessel function of the first kind of order 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_j0(Tensor([0.0, 1.0])).asnumpy().round(4))
        [1.     0.7652]
    """
    return _oscillating(x, 0, False)


@op(
    primitive="BesselJ1",
    test=_cases(
        0.000499999937500003,
        0.242268457674874,
        0.339058958525937,
        -0.154038065183121,
        0.015045730586916,
        -0.0560572966757122,
    ),
)
@accepts("f", "x")
def bessel_j1(x: Array):
    """The Bessel function of the first kind of order 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_j1(Tensor([1.0, -1.0])).asnumpy().round(4))
        [ 0.4401 -0.4401]
    """
    return _oscillating(x, 1, False)


@op(
    primitive="BesselY0",
    test=_cases(
        -4.47141661137592,
        -0.444518733506707,
        0.376850010012791,
        -0.152834028797588,
        0.0120446258607555,
        -0.0556203390897702,
    ),
)
@accepts("f", "x")
def bessel_y0(x: Array):
    """The Bessel function of the second kind of order 0; NaN for negative numbers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_y0(Tensor([1.0])).asnumpy().round(4))
        [0.0883]
    """
    return _oscillating(x, 0, True)


@op(
    primitive="BesselY1",
    test=_cases(
        -636.62216723114, -1.47147239267024, 0.3246744247918, 0.053059776121202, -0.155796553229603, 0.0693959137845884
    ),
)
@accepts("f", "x")
def bessel_y1(x: Array):
    """The Bessel function of the second kind of order 1; NaN for negative numbers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_y1(Tensor([1.0])).asnumpy().round(4))
        [-0.7812]
    """
    return _oscillating(x, 1, True)


@op(
    primitive="BesselK0",
    test=_cases(
        7.02368880056238,
        0.924419071227666,
        0.0347395043862792,
        9.60881878083311e-12,
        1.24987739798507e-12,
        2.52511984250547e-36,
    ),
)
@accepts("f", "x")
def bessel_k0(x: Array):
    """The modified Bessel function of the second kind of order 0; NaN for negative numbers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_k0(Tensor([1.0])).asnumpy().round(4))
        [0.421]
    """
    return _decaying(x, 0, False)


@op(
    primitive="BesselK0e",
    test=_cases(
        7.03071600237825, 1.52410938577391, 0.697761598043852, 0.254529174209022, 0.244638014941552, 0.13990735522662
    ),
)
@accepts("f", "x")
def bessel_k0e(x: Array):
    """``exp(x) * bessel_k0(x)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_k0e(Tensor([1.0])).asnumpy().round(4))
        [1.1445]
    """
    return _decaying(x, 0, True)


@op(
    primitive="BesselK1",
    test=_cases(
        999.996238156085,
        1.6564411200033,
        0.0401564311281942,
        9.80699893044115e-12,
        1.27369077923892e-12,
        2.54085312752117e-36,
    ),
)
@accepts("f", "x")
def bessel_k1(x: Array):
    """The modified Bessel function of the second kind of order 1; NaN for negative numbers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_k1(Tensor([1.0])).asnumpy().round(4))
        [0.6019]
    """
    return _decaying(x, 1, False)


@op(
    primitive="BesselK1e",
    test=_cases(
        1000.99673455907, 2.73100970821179, 0.806563480128787, 0.2597787923957, 0.249298998753548, 0.140779077138001
    ),
)
@accepts("f", "x")
def bessel_k1e(x: Array):
    """``exp(x) * bessel_k1(x)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bessel_k1e(Tensor([1.0])).asnumpy().round(4))
        [1.6362]
    """
    return _decaying(x, 1, True)
