"""Remainders of many numbers: XLA calls the C library for each of them."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._kernels.primitive import NativeKernel, call

_FEWEST = 1 << 12  # numbers: fewer are joined by XLA with what stands around them


def remainder(x: Any, y: Any) -> Any:
    """The remainder of the division rounded towards zero, of operands of one dtype that broadcast."""
    x, y = jnp.broadcast_arrays(x, y)
    fixed = all(isinstance(size, int) for size in x.shape)
    if x.dtype != jnp.float32 or y.dtype != jnp.float32 or not fixed or math.prod(x.shape) < _FEWEST:
        return lax.rem(x, y)
    return call(Remainder(), x.reshape(-1), y.reshape(-1))[0].reshape(x.shape)


def floored_remainder(x: Any, y: Any) -> Any:
    """That of the division rounded down: it has the divisor's sign."""
    found = remainder(x, y)
    return jnp.where((found != 0) & ((found < 0) != (y < 0)), found + y, found)


@dataclasses.dataclass(frozen=True)
class Remainder(NativeKernel):
    """x, y -> fmod(x, y), of one axis"""

    target = "mycelium_remainder"

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape]

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [lax.rem(*operands)]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        (x, y), (dx, dy) = primals, tangents
        parts = [part for part in (dx, None if dy is None else -dy * jnp.trunc(x / y)) if part is not None]
        return [functools.reduce(lax.add, parts)]
