"""Images sampled between their pixels: each position's pixels and weights are found once, for all channels."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from mindspore._kernels.primitive import NativeKernel, call, unknown


def sample(x: Any, down: Any, right: Any) -> Any:
    """Images (N, C, H, W) of float32 at positions in pixels, (N, count) each; what is outside is 0. (N, C, count)"""
    return call(Sample(), x, down, right)[0]


class _OfImages(NativeKernel):
    """A kernel of images, which lie as usual."""

    def layouts(self, operands: Sequence[Any], results: Sequence[Any]) -> tuple[list, list]:
        return [tuple(range(x.ndim)) for x in operands], [tuple(range(x.ndim)) for x in results]


@dataclasses.dataclass(frozen=True)
class Sample(_OfImages):
    """(x, down, right) -> y; linear in x."""

    target = "mycelium_sample"

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        x, down, _ = operands
        return [(*x.shape[:2], down.shape[1])]

    def plain(self, *operands: Any) -> Sequence[Any]:
        x, down, right = operands
        rows = x.reshape(*x.shape[:2], math.prod(x.shape[2:]))
        top, left = jnp.floor(down), jnp.floor(right)
        total: Any = 0
        for low, far in itertools.product((0, 1), repeat=2):
            weight = (down - top if low else 1 - (down - top)) * (right - left if far else 1 - (right - left))
            total = total + weight[:, None] * _pixels(rows, x.shape[2:], top + low, left + far)
        return [total]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        (x, down, right), (dx, *moved) = primals, tangents
        parts = [] if dx is None else [call(self, dx, down, right)[0]]
        if any(d is not None for d in moved):
            along = [jnp.zeros_like(down) if d is None else d for d in moved]
            parts.append(call(SampleMoved(), x, down, right, *along)[0])
        return [sum(parts[1:], parts[0])]

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        x, down, right = operands
        return [*call(SampleSpread(x.aval.shape[2:]), cotangents[0], down, right), None, None]


def _pixels(rows: Any, lengths: Sequence[int], down: Any, right: Any) -> Any:
    """Elements of (N, C, H * W) at whole positions (N, count), 0 outside."""
    height, width = lengths
    inside = (down >= 0) & (down < height) & (right >= 0) & (right < width)
    flat = jnp.clip(down, 0, height - 1).astype(jnp.int32) * width + jnp.clip(right, 0, width - 1).astype(jnp.int32)
    at = jnp.broadcast_to(jnp.where(inside, flat, 0)[:, None], (*rows.shape[:2], flat.shape[1]))
    return jnp.where(inside[:, None], jnp.take_along_axis(rows, at, 2), 0)


@dataclasses.dataclass(frozen=True)
class SampleMoved(_OfImages):
    """(x, down, right, along down, along right) -> how y changes; linear in the last two."""

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return Sample().shapes(*operands[:3])

    def plain(self, *operands: Any) -> Sequence[Any]:
        x, *positions = operands
        return jax.jvp(lambda *at: Sample().plain(x, *at), tuple(positions[:2]), tuple(positions[2:]))[1]

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        x, down, right, *along = operands
        found = call(SampleSlopes(), x, down, right, cotangents[0])
        return [None, None, None, *(slope if unknown(d) else None for slope, d in zip(found, along, strict=True))]


@dataclasses.dataclass(frozen=True)
class SampleSpread(_OfImages):
    """(y, down, right) -> x: what the pixels have given comes back; linear in y."""

    lengths: tuple[int, int]

    target = "mycelium_sample_spread"

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [(*operands[0].shape[:2], *self.lengths)]

    def plain(self, *operands: Any) -> Sequence[Any]:
        y, down, right = operands
        x = jax.ShapeDtypeStruct((*y.shape[:2], *self.lengths), y.dtype)
        return jax.linear_transpose(lambda x: Sample().plain(x, down, right)[0], x)(y)

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        return [*call(Sample(), cotangents[0], *operands[1:]), None, None]


@dataclasses.dataclass(frozen=True)
class SampleSlopes(_OfImages):
    """(x, down, right, y) -> for both positions, the sum over channels of y times the slope of what was read."""

    target = "mycelium_sample_slopes"

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[1].shape] * 2

    def plain(self, *operands: Any) -> Sequence[Any]:
        x, down, right, y = operands
        return jax.vjp(lambda *at: Sample().plain(x, *at)[0], down, right)[1](y)
