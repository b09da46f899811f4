"""Places drawn with weights: running sums of the weights, and in them the place of a random share of their total."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._kernels.primitive import NativeKernel, call


def draw_indices(weights: Any, bits: Any) -> Any:
    """A place of its row of weights for each of the rows' numbers of 64 random bits; int32."""
    return call(Draw(), weights.astype(jnp.float32), bits)[0]


@dataclasses.dataclass(frozen=True)
class Draw(NativeKernel):
    """weights, random bits -> places; none of weight 0"""

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[1].shape]

    def dtypes(self, *operands: Any) -> Sequence[Any]:
        return [np.dtype(np.int32)]

    def custom_call(self, operands: Sequence[Any], results: Sequence[Any]) -> str:
        empty = any(0 in value.shape for value in (*operands, *results))
        return "" if empty else "mycelium_draw"

    def plain(self, *operands: Any) -> Sequence[Any]:
        weights, bits = operands
        wide = weights.astype(jnp.float64)
        # a sum in another order may rise a little where a weight is 0
        sums = lax.cummax(jnp.where(wide > 0, jnp.cumsum(wide, -1), 0), axis=1)
        wanted = (bits >> 11).astype(jnp.float64) * 2.0**-53 * sums[:, -1:]
        places = jax.vmap(lambda row, shares: jnp.searchsorted(row, shares, side="right"))(sums, wanted)
        last = jnp.argmax(sums >= sums[:, -1:], -1, keepdims=True)  # where the total is reached
        return [jnp.minimum(places, last).astype(jnp.int32)]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return [None]
