"""The largest element of every window, and where gradients go: to the first of the largest."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jax import lax

from mindspore._kernels import folding
from mindspore._kernels.primitive import NativeKernel, call

Pair = tuple[int, ...]  # two numbers


@dataclasses.dataclass(frozen=True)
class _Windows(NativeKernel):
    """Windows over images (N, C, H, W)."""

    kernel: Pair
    stride: Pair
    padding: tuple[tuple[int, int], ...]

    def largest(self, x: Any) -> Any:
        padding = ((0, 0), (0, 0), *self.padding)
        lowest = np.array(-np.inf, x.dtype)
        return lax.reduce_window(x, lowest, lax.max, (1, 1, *self.kernel), (1, 1, *self.stride), padding)

    def attributes(self) -> dict[str, Any]:
        before, after = zip(*self.padding, strict=True)
        return {"windows": np.array([*self.kernel, *self.stride, *before, *after], np.int64)}

    def same(self, kind: type[_Windows]) -> Any:
        return kind(self.kernel, self.stride, self.padding)


@dataclasses.dataclass(frozen=True)
class MaxPool(_Windows):
    """x -> y"""

    target = "mycelium_max_pool"
    by_example = True

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [self.largest(*operands)]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return call(self.same(_AtLargest), primals[0], tangents[0])

    def folded(self, operands: Sequence[Any]) -> tuple[NativeKernel, Sequence[Any]]:
        z = folding.before_relu(operands[0])
        return (self, operands) if z is None else (self.same(_MaxPoolOfReLU), [z])


@dataclasses.dataclass(frozen=True)
class _MaxPoolOfReLU(MaxPool):
    """z -> y, pooling of relu(z)"""

    target = "mycelium_max_pool_relu"


@dataclasses.dataclass(frozen=True)
class _AtLargest(_Windows):
    """(x, t) -> t where x is the largest of its window; linear in t."""

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [jax.jvp(self.largest, operands[:1], operands[1:])[1]]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return [None] if tangents[1] is None else call(self, primals[0], tangents[1])

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        return [None, *call(self.same(MaxPoolGradient), operands[0], cotangents[0])]


@dataclasses.dataclass(frozen=True)
class MaxPoolGradient(_Windows):
    """(x, dy) -> dx; linear in dy."""

    target = folding.POOL_GRADIENT

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape]

    def plain(self, *operands: Any) -> Sequence[Any]:
        x, dy = operands
        return jax.vjp(self.largest, x)[1](dy)

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return [None] if tangents[1] is None else call(self, primals[0], tangents[1])

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        return [None, *call(self.same(_AtLargest), operands[0], cotangents[0])]
