"""An array as several equal rows. What comes back is their sum: XLA adds few rows up column by column, and those of halves one by one."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._kernels.primitive import NativeKernel, call
from mindspore._kernels.reductions import total

_MOST = 32  # rows
_SHORTEST = 1 << 10  # of a row
_HALVES = (jnp.float16, jnp.bfloat16)
_FEWEST = 1 << 12  # halves


def widened(x: Any, shape: Sequence[int]) -> Any:
    """``x`` for all leading axes of a shape, where that is better than what broadcasting does; else as it is."""
    leading = tuple(shape[: len(shape) - x.ndim])
    if not leading or not all(isinstance(size, int) for size in shape) or x.shape != tuple(shape[len(leading) :]):
        return x
    rows = math.prod(leading)
    few = x.dtype == jnp.float32 and rows <= _MOST and x.size >= _SHORTEST
    if rows < 2 or not (few or (x.dtype in _HALVES and rows * x.size >= _FEWEST)):
        return x
    return call(LeadingRows(rows), x.reshape(-1))[0].reshape(shape)


def lined_up(x: Any, y: Any) -> tuple[Any, Any]:
    """Two operands of which one may be for all leading axes of the other."""
    if x.ndim == y.ndim:
        return x, y
    return (widened(x, y.shape), y) if x.ndim < y.ndim else (x, widened(y, x.shape))


@dataclasses.dataclass(frozen=True)
class LeadingRows(NativeKernel):
    """x -> so many rows that are x; linear."""

    count: int

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [(self.count, *operands[0].shape)]

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [jnp.broadcast_to(operands[0], (self.count, *operands[0].shape))]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return call(self, tangents[0])

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        return call(SumOfRows(self.count), cotangents[0])


@dataclasses.dataclass(frozen=True)
class SumOfRows(NativeKernel):
    """Rows -> their sum; linear."""

    count: int

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape[1:]]

    def plain(self, *operands: Any) -> Sequence[Any]:
        if self.count > _MOST:
            return [total(operands[0], (0,))]
        wide = [operands[0][row].astype(jnp.promote_types(operands[0].dtype, jnp.float32)) for row in range(self.count)]
        return [functools.reduce(lax.add, wide).astype(operands[0].dtype)]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return call(self, tangents[0])

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        return call(LeadingRows(self.count), cotangents[0])
