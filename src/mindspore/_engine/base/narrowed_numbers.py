"""float64 becomes a half by way of a float32 whose last bit says whether digits were left out.

XLA's CPU compiler calls a function of the C library for every number; this is arithmetic in vectors, and rounds once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax import lax
from jax.extend.core import primitives
from jax.interpreters import mlir

from mindspore._engine.base.moved_data import register_lowering

_HALVES = (jnp.float16, jnp.bfloat16)


def narrowed(x: Any, dtype: Any) -> Any:
    """float64 as float16 or bfloat16."""
    near = x.astype(jnp.float32)
    back = near.astype(jnp.float64)
    bits = lax.bitcast_convert_type(near, jnp.int32)
    # Towards zero, and odd where that is not exact: no such number lies in the middle between two halves.
    odd = jnp.where((back == x) | (x != x), bits, (bits - (jnp.abs(back) > jnp.abs(x))) | 1)
    return lax.bitcast_convert_type(odd, jnp.float32).astype(dtype)


def _converted(usual: Callable[..., Any]) -> Callable[..., Any]:
    def lower(context: Any, *operands: Any, **parameters: Any) -> Any:
        wanted = context.avals_out[0].dtype
        if context.avals_in[0].dtype != jnp.float64 or wanted not in _HALVES:
            return usual(context, *operands, **parameters)
        return mlir.lower_fun(lambda x: narrowed(x, wanted), multiple_results=False)(context, *operands)

    return lower


register_lowering(primitives.convert_element_type_p, _converted, platform=None)  # casts are in nearly every program
