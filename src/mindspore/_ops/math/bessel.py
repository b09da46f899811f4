"""Bessel functions of the first and second kind, and modified ones of the second kind.

Polynomials near 0, beyond them waves or decays whose size and phase are polynomials, in float64 (``bessel_series``): of as many
terms as float32 can tell apart unless the operand is float64. Their derivatives are Bessel functions again.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.requirements import require_float
from mindspore._ops.math.bessel_series import EULER, NEAR, NEAR_DECAYING, coefficients

_TURN_HIGH = 6.28125  # exact in few bits, so that many of them are
_TURN_LOW = 2 * math.pi - _TURN_HIGH
_LOWEST = 1e-8  # below, the first term of the series is exact


def _polynomial(s: Any, name: str, order: int, exact: bool) -> Any:
    """The sum of Chebyshev's polynomials, by Clenshaw's recurrence."""
    now, before = jnp.zeros_like(s), jnp.zeros_like(s)
    first, *others = coefficients(name, order, exact)
    for factor in reversed(others):
        now, before = 2 * s * now - before + factor, now
    return s * now - before + first


def _cosine(angle: Any, exact: bool) -> Any:
    turns = jnp.round(angle * (0.5 / math.pi))
    rest = (angle - turns * _TURN_HIGH) - turns * _TURN_LOW
    return _polynomial(2 * (rest / math.pi) ** 2 - 1, "cos", 0, exact)


def _near(x: Any, order: int, second: bool, exact: bool) -> Any:
    s = 2 * (x / NEAR) ** 2 - 1
    powers = x if order else 1.0
    found = _polynomial(s, "J", order, exact) * powers
    if not second:
        return found
    pole = 1 / x if order else 0.0
    return 2 / math.pi * (jnp.log(x / 2) * found - pole) + _polynomial(s, "Y", order, exact) * powers


def _far(x: Any, order: int, second: bool, exact: bool) -> Any:
    s = 2 * (NEAR / x) ** 2 - 1
    phase = x - (2 * order + 1 + 2 * second) * (math.pi / 4) + _polynomial(s, "turn", order, exact) / x
    return jnp.sqrt(2 / math.pi / x) * _polynomial(s, "size", order, exact) * _cosine(phase, exact)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 2))
def _oscillating(x: Any, order: int, second: bool) -> Any:
    """J or Y."""
    wide, exact = x.astype(jnp.float64), x.dtype == jnp.float64
    size = jnp.abs(wide)
    far = _far(jnp.maximum(size, NEAR), order, second, exact)
    if second:
        found = jnp.where(size > NEAR, far, _near(jnp.minimum(size, NEAR), order, second, exact))
        return jnp.where(wide > 0, found, jnp.where(wide == 0, -jnp.inf, jnp.nan)).astype(x.dtype)
    near = _near(jnp.minimum(size, NEAR), order, second, exact)
    found = jnp.where(size > NEAR, far, near)
    return (jnp.where(wide < 0, -found, found) if order else found).astype(x.dtype)


@_oscillating.defjvp
def _slope(order: int, second: bool, primals: Any, tangents: Any) -> Any:
    ((x,), (tangent,)) = primals, tangents
    value, other = _oscillating(x, order, second), _oscillating(x, 1 - order, second)
    if order == 0:
        return value, -other * tangent
    ratio = value / x if second else jnp.where(x == 0, 0.5, value / jnp.where(x == 0, 1, x))
    return value, (other - ratio) * tangent


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 2))
def _decaying(x: Any, order: int, scaled: bool) -> Any:
    """K, or K times exp(x)."""
    wide, exact = x.astype(jnp.float64), x.dtype == jnp.float64
    near = jnp.clip(wide, _LOWEST, NEAR_DECAYING)
    s = 2 * (near / NEAR_DECAYING) ** 2 - 1
    powers, pole = (near, 1 / near) if order else (1.0, 0.0)
    logarithm = jnp.log(near / 2) * _polynomial(s, "I", order, exact) * powers
    small = _polynomial(s, "K", order, exact) * powers - (-1) ** order * logarithm + pole
    far = jnp.maximum(wide, NEAR_DECAYING)
    large = _polynomial(2 * NEAR_DECAYING / far - 1, "decaying", order, exact) / jnp.sqrt(far)
    small, large = (small * jnp.exp(near), large) if scaled else (small, large * jnp.exp(-far))
    tiny = jnp.clip(wide, 1e-300, _LOWEST)
    first = 1 / tiny if order else -jnp.log(tiny / 2) - EULER
    limit = jnp.where(wide > 0, first, jnp.where(wide == 0, jnp.inf, jnp.nan))
    found = jnp.where(wide > NEAR_DECAYING, large, jnp.where(wide >= _LOWEST, small, limit))
    return found.astype(x.dtype)


@_decaying.defjvp
def _decay(order: int, scaled: bool, primals: Any, tangents: Any) -> Any:
    ((x,), (tangent,)) = primals, tangents
    value, other = _decaying(x, order, scaled), _decaying(x, 1 - order, scaled)
    slope = -other - value / x if order else -other
    return value, (slope + value if scaled else slope) * tangent


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
    require_float("x", x)
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
    require_float("x", x)
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
    require_float("x", x)
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
    require_float("x", x)
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
    require_float("x", x)
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
    require_float("x", x)
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
    require_float("x", x)
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
    require_float("x", x)
    return _decaying(x, 1, True)
