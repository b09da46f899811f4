"""Angles as polynomials that XLA computes in vectors: it calls the C library for each ``asin``, ``acos``, ``atan`` and ``atan2``.

Of float32; other dtypes are left to XLA.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

_QUARTER, _HALF, _WHOLE = (np.float32(np.pi / parts) for parts in (4, 2, 1))
_TAN_OF_EIGHTH = np.float32(np.tan(np.pi / 8))
_SERIES = (8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1)  # of (atan(z) - z) / z**3 in z**2


def _of_slope(ratio: Any) -> Any:
    """The arc tangent of numbers from 0 to 1; above pi / 8 it is taken around pi / 4."""
    steep = ratio > _TAN_OF_EIGHTH
    z = jnp.where(steep, (ratio - 1) / (ratio + 1), ratio)
    square = z * z
    found = jnp.full_like(z, _SERIES[0])
    for factor in _SERIES[1:]:
        found = found * square + np.float32(factor)
    return found * square * z + z + jnp.where(steep, _QUARTER, np.float32(0))


def _atan(x: Any) -> Any:
    size = jnp.abs(x)
    found = _of_slope(jnp.where(size > 1, 1 / size, size))
    return _with_sign(jnp.where(size > 1, _HALF - found, found), x)


def _is_negative(x: Any) -> Any:
    """The sign, of zeros too, without looking at bits: formats of files have no operation for those."""
    return (x < 0) | (1 / x < 0)


def _with_sign(size: Any, x: Any) -> Any:
    return jnp.where(_is_negative(x), -size, size)


@jax.custom_jvp
def atan(x: Any) -> Any:
    """The arc tangent."""
    return _atan(x) if x.dtype == jnp.float32 else lax.atan(x)


@jax.custom_jvp
def asin(x: Any) -> Any:
    """The arc sine; NaN beyond 1."""
    return 2 * _atan(x / (1 + jnp.sqrt((1 - x) * (1 + x)))) if x.dtype == jnp.float32 else lax.asin(x)


@jax.custom_jvp
def acos(x: Any) -> Any:
    """The arc cosine; NaN beyond 1."""
    return 2 * _atan(jnp.sqrt((1 - x) / (1 + x))) if x.dtype == jnp.float32 else lax.acos(x)


@jax.custom_jvp
def atan2(y: Any, x: Any) -> Any:
    """The angle of the point (x, y)."""
    if y.dtype != jnp.float32:
        return lax.atan2(*jnp.broadcast_arrays(y, x))
    up, along = jnp.abs(y), jnp.abs(x)
    small, large = jnp.minimum(up, along), jnp.maximum(up, along)
    alike = (small == large).astype(jnp.float32) * (large > 0)  # both may be infinite, or 0
    found = _of_slope(jnp.where(small == large, alike, small / large))
    found = jnp.where(up > along, _HALF - found, found)
    found = jnp.where(_is_negative(x), _WHOLE - found, found)
    return jnp.where(jnp.isnan(x) | jnp.isnan(y), x + y, _with_sign(found, y))


atan.defjvps(lambda t, _, x: t / (1 + x * x))
asin.defjvps(lambda t, _, x: t * lax.rsqrt((1 - x) * (1 + x)))
acos.defjvps(lambda t, _, x: -t * lax.rsqrt((1 - x) * (1 + x)))


@atan2.defjvp
def _atan2_along(primals: tuple, tangents: tuple) -> tuple:
    (y, x), (dy, dx) = primals, tangents
    square = x * x + y * y
    return atan2(y, x), dy * (x / square) - dx * (y / square)
