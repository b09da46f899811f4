"""Sines, cosines and tangents of many numbers: XLA calls the C library for each of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._kernels.primitive import NativeKernel, call

_PLAIN: dict[str, Callable[..., Any]] = {"sine": jnp.sin, "cosine": jnp.cos, "tangent": jnp.tan}
_FEWEST = 1 << 12  # numbers: fewer are joined by XLA with what stands around them


def wave(kind: str, x: Any) -> Any:
    """The sine, cosine or tangent."""
    fixed = all(isinstance(size, int) for size in x.shape)
    if x.dtype != jnp.float32 or not fixed or x.size < _FEWEST:
        return _PLAIN[kind](x)
    return call(Wave(kind), x.reshape(-1))[0].reshape(x.shape)


@dataclasses.dataclass(frozen=True)
class Wave(NativeKernel):
    """x -> y, of one axis"""

    kind: str
    target = "mycelium_wave"

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape]

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [_PLAIN[self.kind](operands[0])]

    def jvp_beside(self, results: Sequence[Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        if self.kind == "tangent":
            return [tangents[0] * (1 + results[0] * results[0])]
        (other,) = call(Wave("cosine" if self.kind == "sine" else "sine"), primals[0])
        return [tangents[0] * (other if self.kind == "sine" else -other)]

    def attributes(self) -> dict[str, Any]:
        return {"kind": np.array([list(_PLAIN).index(self.kind)], np.int64)}
