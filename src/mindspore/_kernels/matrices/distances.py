"""Distances of every row of one matrix to every row of another: differences are taken first, so that rows that nearly agree keep
their digits."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._kernels.primitive import NativeKernel, call

_NORMS = ("square", "absolute", "largest")


def distances(x: Any, y: Any, norm: str) -> Any:
    """(..., rows, depth), (..., columns, depth) -> (..., rows, columns): sums of squares or absolute values, or the largest of these."""
    leading = jnp.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    x, y = (
        jnp.broadcast_to(one, (*leading, *one.shape[-2:])).reshape(math.prod(leading), *one.shape[-2:])
        for one in (x, y)
    )
    return call(Distances(norm), x, y)[0].reshape(*leading, x.shape[1], y.shape[1])


@dataclasses.dataclass(frozen=True)
class Distances(NativeKernel):
    """(x, y) -> z, of three axes"""

    norm: str
    target = "mycelium_distances"

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        x, y = operands
        return [(*x.shape[:2], y.shape[1])]

    def plain(self, *operands: Any) -> Sequence[Any]:
        x, y = operands
        gap = x[:, :, None] - y[:, None]
        if self.norm == "square":
            return [jnp.sum(jnp.square(gap), -1)]
        return [jnp.sum(jnp.abs(gap), -1) if self.norm == "absolute" else jnp.max(jnp.abs(gap), -1)]

    def attributes(self) -> dict[str, Any]:
        return {"norm": np.array([_NORMS.index(self.norm)], np.int64)}
