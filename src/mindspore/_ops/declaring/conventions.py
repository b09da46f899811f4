"""Building blocks whose gradients at corners follow MindSpore and not JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax


def magnitude(x: Any) -> Any:
    """The absolute value with derivative 0 at 0 (JAX's is 1)."""
    return x * lax.stop_gradient(jnp.sign(x))


def safe_root(sums: Any, exponent: float) -> Any:
    """``sums ** exponent`` of numbers that are not negative, with derivative 0 at 0 instead of infinity."""
    positive = sums > 0
    return jnp.where(positive, jnp.where(positive, sums, 1) ** exponent, 0)


def safe_norm(x: Any, axis: int, keepdims: bool = False) -> Any:
    """The Euclidean length along an axis, with derivative 0 at the zero vector."""
    return safe_root(jnp.sum(jnp.square(x), axis=axis, keepdims=keepdims), 0.5)
