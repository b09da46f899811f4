"""A case in plain JAX, compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.cliffs.case import Case


def prepare(case: Case) -> Callable[[], Any]:
    function = case.function(case.plain_jax, {"jax": jax, "jnp": jnp, "lax": lax})
    inputs = [jnp.asarray(array, dtype) for array, dtype in case.arrays()]
    places = case.differentiated()
    step = jax.jit(jax.value_and_grad(lambda *x: (function(*x) ** 2).sum(), places) if places else function)
    return lambda: jax.block_until_ready(step(*inputs))
