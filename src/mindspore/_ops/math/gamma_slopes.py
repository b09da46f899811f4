"""``lgamma`` and its first two derivatives, of float32, without loops and without calls of the C library; others are left to XLA.

Numbers below 8 are shifted by 8, where the asymptotic series needs few terms; what the shift adds is a fraction of polynomials:
1 / (x + k) and 1 / (x + 7 - k) have (2 x + 7) / (q + k (7 - k)) as their sum, where q is x (x + 7).
"""

from __future__ import annotations

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

_SHIFT = 8
_PAIRS = [k * (_SHIFT - 1 - k) for k in range(_SHIFT // 2)]
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30)
_TERMS = 6  # of sine and cosine between -pi / 2 and pi / 2


def _polynomial(x: Any, factors: Any) -> Any:
    """The first factor is that of 1."""
    return functools.reduce(lambda found, factor: found * x + np.float32(factor), reversed(factors), jnp.zeros_like(x))


def _sine_and_cosine(x: Any) -> tuple[Any, Any]:
    """Of pi times ``x``, up to their common sign."""
    rest = x - jnp.round(x)
    angle = rest * np.float32(math.pi)
    square = angle * angle
    sine = angle * _polynomial(square, [(-1) ** k / math.factorial(2 * k + 1) for k in range(_TERMS)])
    cosine = _polynomial(square, [(-1) ** k / math.factorial(2 * k) for k in range(_TERMS + 1)])
    return sine, cosine


def _shifted(x: Any) -> tuple[Any, Any, Any]:
    """A number that is not below 8, whether it was moved there, and x (x + 7) where it was."""
    small = x < _SHIFT
    part = jnp.where(small, x, 1)
    return jnp.where(small, x + _SHIFT, x), small, part * (part + (_SHIFT - 1))


def _digamma_of_positive(x: Any) -> Any:
    large, small, q = _shifted(x)
    inverse = 1 / large
    series = [factor / (2 * k + 2) for k, factor in enumerate(_BERNOULLI)]
    found = jnp.log(large) - inverse * (np.float32(0.5) + inverse * _polynomial(inverse * inverse, series))
    added = (2 * x + (_SHIFT - 1)) * sum(1 / (q + pair) for pair in _PAIRS)
    return jnp.where(small, found - added, found)


def _trigamma_of_positive(x: Any) -> Any:
    large, small, q = _shifted(x)
    inverse = 1 / large
    found = inverse * (1 + inverse * (np.float32(0.5) + inverse * _polynomial(inverse * inverse, _BERNOULLI)))
    added = sum((2 * q + ((_SHIFT - 1) ** 2 - 2 * pair)) / (q + pair) ** 2 for pair in _PAIRS)
    return jnp.where(small, found + added, found)


@jax.custom_jvp
def lgamma(x: Any) -> Any:
    """The logarithm of the absolute value of the gamma function."""
    return lax.lgamma(x)


@jax.custom_jvp
def digamma(x: Any) -> Any:
    """The first derivative of ``lgamma``; NaN at its poles."""
    if x.dtype != jnp.float32:
        return lax.digamma(x)
    found = _digamma_of_positive(jnp.where(x > 0, x, 1 - x))
    sine, cosine = _sine_and_cosine(x)
    tangent = jnp.where(sine == 0, np.float32(np.nan), sine) / cosine
    return jnp.where(x > 0, found, found - np.float32(math.pi) / tangent)


@jax.custom_jvp
def trigamma(x: Any) -> Any:
    """The second derivative of ``lgamma``; infinite at its poles."""
    if x.dtype != jnp.float32:
        return lax.polygamma(jnp.ones_like(x), x)
    found = _trigamma_of_positive(jnp.where(x > 0, x, 1 - x))
    sine, _ = _sine_and_cosine(x)
    return jnp.where(x > 0, found, (np.float32(math.pi) / sine) ** 2 - found)


lgamma.defjvps(lambda t, _, x: t * digamma(x))
digamma.defjvps(lambda t, _, x: t * trigamma(x))
trigamma.defjvps(lambda t, _, x: t * lax.polygamma(jnp.full_like(x, 2), x))
