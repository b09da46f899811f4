"""How far indices are outside: the check that every read and write at indices makes."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar

import jax.numpy as jnp
import numpy as np

from mindspore._kernels.primitive import NativeKernel, call

_MOST_AXES = 8
FEWEST = 1 << 11  # indices: of fewer XLA finds it while it computes them


def farthest(indices: Any, firsts: Sequence[int]) -> Any:
    """Of each column of indices (int32 or int64) the one farthest outside; any below ``firsts`` is farther than any above."""
    return call(Farthest(tuple(int(first) for first in firsts)), indices)[0]


@dataclasses.dataclass(frozen=True)
class Farthest(NativeKernel):
    """(count, axes) -> (axes,)"""

    firsts: tuple[int, ...]

    targets: ClassVar = dict.fromkeys(("int32", "int64"), "mycelium_farthest")

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape[1:]]

    def plain(self, *operands: Any) -> Sequence[Any]:
        (indices,) = operands
        unsigned = jnp.uint32 if indices.dtype == jnp.int32 else jnp.uint64
        # after subtracting the lower bound, unsigned wrap-around puts indices below it beyond all others
        first = jnp.asarray(np.array(self.firsts), indices.dtype)
        return [(indices - first).astype(unsigned).max(0).astype(indices.dtype) + first]

    def custom_call(self, operands: Sequence[Any], results: Sequence[Any]) -> str:
        fits = operands[0].size >= FEWEST and operands[0].shape[1] <= _MOST_AXES
        return super().custom_call(operands, results) if fits else ""

    def attributes(self) -> dict[str, Any]:
        return {"firsts": np.array(self.firsts, np.int64)}
