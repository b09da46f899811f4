"""Sums over all pixels of every channel of images (N, C, H, W), and their counterpart: one number per channel, spread.

Batch normalization is made of these. Only sums are kernels of our own; spreading is elementwise, and XLA joins it with
whatever stands around it (an activation, a residual).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from mindspore._kernels.primitive import NativeKernel, call, unknown

_PIXELS = (0, 2, 3)


def _wide(numbers: Any) -> Any:
    return numbers.reshape(1, -1, 1, 1)


def _add(parts: Sequence[Any]) -> Any:
    return sum(parts[1:], parts[0]) if parts else None


@dataclasses.dataclass(frozen=True)
class ChannelMoments(NativeKernel):
    """x -> mean, variance of every channel."""

    target = "mycelium_channel_moments"

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape[1:2]] * 2

    def plain(self, *operands: Any) -> Sequence[Any]:
        (x,) = operands
        mean = x.mean(_PIXELS)
        return [mean, jnp.square(x - _wide(mean)).mean(_PIXELS)]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        (x,), (tangent,) = primals, tangents
        mean, _ = call(self, x)
        total, product = call(Sums(), x, mean, tangent)
        count = x.size // x.shape[1]
        return [total / count, product * (2 / count)]  # the mean's own change sums to nothing


@dataclasses.dataclass(frozen=True)
class Sums(NativeKernel):
    """(x, centre, t) -> sum of t, sum of (x - centre) * t, of every channel; linear in t."""

    target = "mycelium_channel_sums"

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape[1:2]] * 2

    def plain(self, *operands: Any) -> Sequence[Any]:
        x, centre, t = operands
        return [t.sum(_PIXELS), ((x - _wide(centre)) * t).sum(_PIXELS)]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        (x, centre, t), (dx, dcentre, dt) = primals, tangents
        first = second = []
        if dt is not None:
            total, product = call(self, x, centre, dt)
            first, second = [total], [product]
        if dx is not None:
            second = [*second, (dx * t).sum(_PIXELS)]
        if dcentre is not None:
            second = [*second, -dcentre * call(self, x, centre, t)[0]]
        return [_add(first), _add(second)]

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        x, centre, _ = operands
        return [None, None, *call(Spread(), x, centre, *cotangents)]


@dataclasses.dataclass(frozen=True)
class Spread(NativeKernel):
    """(x, centre, a, b) -> a + b * (x - centre), with one centre, a and b for each channel; linear in (a, b)."""

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape]

    def plain(self, *operands: Any) -> Sequence[Any]:
        x, centre, a, b = operands
        return [_wide(a) + _wide(b) * (x - _wide(centre))]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        (x, centre, a, b), (dx, dcentre, da, db) = primals, tangents
        da = _add([term for term in (da, None if dcentre is None else -b * dcentre) if term is not None])
        parts = []
        if da is not None or db is not None:
            parts += call(
                self, x, centre, *(jnp.zeros_like(primal) if d is None else d for primal, d in ((a, da), (b, db)))
            )
        if dx is not None:
            parts.append(_wide(b) * dx)
        return [_add(parts)]

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        x, centre, a, b = operands
        found = call(Sums(), x, centre, cotangents[0])
        return [
            None,
            None,
            *(cotangent if unknown(operand) else None for cotangent, operand in zip(found, (a, b), strict=True)),
        ]
