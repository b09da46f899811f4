"""The sum of a diagonal, and a number on all of a diagonal: XLA looks at the whole matrix for the one, and scatters for the other."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._kernels.primitive import NativeKernel, call


def trace(x: Any) -> Any:
    """The sum of the diagonal of a matrix."""
    return call(SumOfDiagonal(), x)[0]


@dataclasses.dataclass(frozen=True)
class SumOfDiagonal(NativeKernel):
    """Matrix -> number; linear."""

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [()]

    def plain(self, *operands: Any) -> Sequence[Any]:
        (x,) = operands
        count, step = min(x.shape), x.shape[1] + 1
        flat = lax.slice(x.reshape(-1), (0,), ((count - 1) * step + 1 if count else 0,), (step,))
        return [flat.sum(dtype=x.dtype)]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return call(self, tangents[0])

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        return call(OnDiagonal(operands[0].aval.shape), cotangents[0])


@dataclasses.dataclass(frozen=True)
class OnDiagonal(NativeKernel):
    """Number -> matrix with it on the diagonal; linear."""

    shape: tuple[int, int]

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [self.shape]

    def plain(self, *operands: Any) -> Sequence[Any]:
        rows, columns = (lax.broadcasted_iota(jnp.int32, self.shape, axis) for axis in (0, 1))
        return [jnp.where(rows == columns, operands[0], jnp.zeros((), operands[0].dtype))]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return call(self, tangents[0])

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        return call(SumOfDiagonal(), cotangents[0])
