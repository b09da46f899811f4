"""An array as several equal rows: what comes back is the sum of few rows, which XLA adds up column by column."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._kernels.primitive import NativeKernel, call

_MOST = 32  # rows
_SHORTEST = 1 << 10  # of a row


def widened(x: Any, shape: Sequence[int]) -> Any:
    """``x`` for all leading axes of a shape, where that is better than what broadcasting does; else as it is."""
    leading = tuple(shape[: len(shape) - x.ndim])
    fixed = all(isinstance(size, int) for size in shape)
    if (
        not fixed
        or not 1 < math.prod(leading) <= _MOST
        or x.size < _SHORTEST
        or x.shape != tuple(shape[len(leading) :])
    ):
        return x
    return call(Rows(math.prod(leading)), x.reshape(-1))[0].reshape(shape)


@dataclasses.dataclass(frozen=True)
class Rows(NativeKernel):
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
        return [functools.reduce(lax.add, [operands[0][row] for row in range(self.count)])]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return call(self, tangents[0])

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        return call(Rows(self.count), cotangents[0])
