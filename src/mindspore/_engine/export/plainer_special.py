"""Special functions as sums of elementary ones, right to the precision of float32."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.export.plainer import Plain, plainer

# Lanczos' sum for the gamma function, with g = 7.
_LANCZOS = (0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
            12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7)  # fmt: skip
# Polynomials of Giles for the inverse of erf: in the middle and at the ends.
_MIDDLE = (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164, 0.246640727,
           1.50140941)  # fmt: skip
_ENDS = (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047, 1.00167406,
         2.83297682)  # fmt: skip


def _polynomial(x: Any, factors: tuple[float, ...]) -> Any:
    total = jnp.full_like(x, factors[0])
    for factor in factors[1:]:
        total = total * x + np.asarray(factor, x.dtype)
    return total


@plainer("erf_inv")
def _erf_inv(equation: Any) -> Plain | None:
    def inverse(x: Any) -> Any:
        w = -jnp.log((1 - x) * (1 + x))
        root = jnp.sqrt(jnp.maximum(w, 5)) - 3
        found = jnp.where(w < 5, _polynomial(jnp.minimum(w, 5) - 2.5, _MIDDLE), _polynomial(root, _ENDS)) * x
        return jnp.where(jnp.abs(x) == 1, x * np.asarray(np.inf, x.dtype), found)

    return inverse


@plainer("lgamma")
def _lgamma(equation: Any) -> Plain | None:
    """By reflection below 1/2."""

    def upper(x: Any) -> Any:
        z = x - 1
        total = jnp.full_like(z, _LANCZOS[0])
        for number, factor in enumerate(_LANCZOS[1:], 1):
            total = total + np.asarray(factor, x.dtype) / (z + number)
        t = z + 7.5
        return (z + 0.5) * jnp.log(t) - t + np.asarray(0.5 * math.log(2 * math.pi), x.dtype) + jnp.log(total)

    def logarithm(x: Any) -> Any:
        below = x < 0.5
        part = jnp.abs(x - jnp.round(x))
        reflected = (
            np.asarray(math.log(math.pi), x.dtype) - jnp.log(jnp.sin(np.pi * part)) - upper(jnp.where(below, 1 - x, 1))
        )
        found = jnp.where(below, reflected, upper(jnp.where(below, 1, x)))
        found = jnp.where(jnp.isinf(x), np.asarray(np.inf, x.dtype), found)
        return jnp.where((x <= 0) & (part == 0), np.asarray(np.inf, x.dtype), found)

    return logarithm


@plainer("digamma")
def _digamma(equation: Any) -> Plain | None:
    """Ten steps up, then the asymptotic series; by reflection below 1/2."""

    def series(x: Any) -> Any:
        total = jnp.zeros_like(x)
        for step in range(10):
            total = total - 1 / (x + step)
        y = x + 10
        s = 1 / (y * y)
        return total + jnp.log(y) - 0.5 / y - s * (1 / 12 - s * (1 / 120 - s / 252))

    def derivative(x: Any) -> Any:
        below = x < 0.5
        part = x - jnp.round(x)
        reflected = series(jnp.where(below, 1 - x, 1)) - np.pi / jnp.tan(np.pi * part)
        found = jnp.where(below, reflected, series(jnp.where(below, 1, x)))
        return jnp.where((x <= 0) & (part == 0), np.asarray(np.nan, x.dtype), found)

    return derivative
