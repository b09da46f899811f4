"""Gamma and Poisson numbers, all elements of an array at once: JAX's own loop over one element after the other."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

_FEW = 10  # Poisson means below it are drawn by counting up
_MOST_OF_FEW = 100  # of them, no number is larger


def gamma(key: Any, alpha: Any) -> Any:
    """Numbers from gamma distributions of rate 1, by Marsaglia's and Tsang's method; with a gradient for ``alpha``."""
    return _with_gradient(alpha, lax.stop_gradient(_gamma_numbers(key, lax.stop_gradient(alpha))))


@jax.custom_jvp
def _with_gradient(alpha: Any, numbers: Any) -> Any:
    return numbers


@_with_gradient.defjvp
def _along(primals: tuple, tangents: tuple) -> tuple:
    alpha, numbers = primals
    return numbers, lax.random_gamma_grad(alpha, numbers, dtype=jnp.float32) * tangents[0]


def _gamma_numbers(key: Any, alpha: Any) -> Any:
    shape = alpha.shape
    small = alpha < 1  # drawn with one more, and scaled back
    centre = jnp.where(small, alpha + 1, alpha) - np.float32(1 / 3)
    spread = lax.rsqrt(9 * centre)

    def attempt(state: tuple) -> tuple:
        key, found, missing = state
        key, *own = jax.random.split(key, 3)
        drawn = jax.random.normal(own[0], shape, jnp.float32)
        chance = jnp.log(jax.random.uniform(own[1], shape, jnp.float32))
        cube = (1 + spread * drawn) ** 3
        refused = (cube <= 0) | (chance >= drawn * drawn / 2 + centre * (1 - cube + jnp.log(cube)))
        return key, jnp.where(missing, centre * cube, found), missing & refused

    key, last = jax.random.split(key)
    start = (key, jnp.zeros(shape, jnp.float32), jnp.ones(shape, jnp.bool_))
    _, found, _ = lax.while_loop(lambda state: state[2].any(), attempt, start)
    scale = (1 - jax.random.uniform(last, shape, jnp.float32)) ** (1 / alpha)
    return jnp.where(small, found * scale, found)


def poisson(key: Any, own_key: Any, mean: Any) -> Any:
    """Numbers from Poisson distributions; int32. ``own_key`` is the same key, of JAX's own kind."""
    wide = mean.astype(jnp.float64)
    few = ~(wide >= _FEW)
    wanted = jax.random.uniform(key, mean.shape, jnp.float64)
    start = jnp.exp(-jnp.where(few, wide, 0))

    def count_up(state: tuple) -> tuple:
        step, number, share, reached = state
        beyond = wanted >= reached
        share = share * wide / step
        return step + 1, number + beyond.astype(jnp.int32), share, reached + share

    def unfinished(state: tuple) -> Any:
        step, _, _, reached = state
        return (step < _MOST_OF_FEW) & (few & (wanted >= reached)).any()

    first = (jnp.ones((), jnp.float64), jnp.zeros(mean.shape, jnp.int32), start, start)
    _, counted, _, _ = lax.while_loop(unfinished, count_up, first)
    many = jnp.where(few, 2 * _FEW, mean)
    rejected = lax.cond(
        few.all(),
        lambda: jnp.zeros(mean.shape, jnp.int32),
        lambda: jax.random.poisson(own_key, many, mean.shape, jnp.int32),
    )
    return jnp.where(few, counted, rejected)
