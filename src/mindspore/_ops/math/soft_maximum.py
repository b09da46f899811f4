"""``log(exp(x) + exp(y))`` and its like. JAX's take ``log1p`` of any number, which is slow."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def _log_of_one_and_exp(distance: Any) -> Any:
    """``log(1 + exp(-distance))`` of numbers that are not negative."""
    small = jnp.exp(-distance)
    if small.dtype != jnp.float32:
        return jnp.log1p(small)
    ratio = small / (2 + small)  # at most 1 / 3: 2 * atanh(ratio), by its series
    square = ratio * ratio
    found = jnp.full_like(ratio, 1 / 15)
    for divisor in range(13, 0, -2):
        found = found * square + np.float32(1 / divisor)
    return 2 * ratio * found


@jax.custom_jvp
def softplus(x: Any) -> Any:
    """``log(1 + exp(x))``."""
    return jnp.maximum(x, 0) + _log_of_one_and_exp(jnp.abs(x))


softplus.defjvps(lambda t, _, x: t * jax.nn.sigmoid(x))


@jax.custom_jvp
def soft_maximum(x: Any, y: Any) -> Any:
    """``log(exp(x) + exp(y))``."""
    apart = x - y  # NaN for two infinities of one sign
    return jnp.where(jnp.isnan(apart), x + y, jnp.maximum(x, y) + _log_of_one_and_exp(jnp.abs(apart)))


@soft_maximum.defjvp
def _soft_maximum_along(primals: tuple, tangents: tuple) -> tuple:
    (x, y), (dx, dy) = primals, tangents
    apart = jnp.where(x == y, 0, x - y)
    return soft_maximum(x, y), dx * jax.nn.sigmoid(apart) + dy * jax.nn.sigmoid(-apart)


def soft_maximum_of_2(x: Any, y: Any) -> Any:
    """``log2(2**x + 2**y)``."""
    return soft_maximum(x * math.log(2), y * math.log(2)) * (1 / math.log(2))
