"""Products of matrices of integers, which XLA adds up one by one."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, ClassVar

import jax.numpy as jnp

from mindspore._kernels.primitive import NativeKernel, call

_FEWEST = 1 << 16  # products: fewer are left to XLA
_WIDE = {"int8": jnp.int32, "uint8": jnp.int32, "int16": jnp.int32, "int32": jnp.int32, "int64": jnp.int64}


def integer_product(x: Any, y: Any) -> Any | None:
    """``x @ y`` in their dtype, wrapping around; None where there is no kernel for it."""
    wide = _WIDE.get(str(x.dtype))
    sizes = (*x.shape, *y.shape)
    if wide is None or x.dtype != y.dtype or min(x.ndim, y.ndim) < 2 or not all(isinstance(n, int) for n in sizes):
        return None
    if (y.ndim > 2 and x.shape[:-2] != y.shape[:-2]) or math.prod(x.shape) * y.shape[-1] < _FEWEST:
        return None
    leading, shared = math.prod(x.shape[:-2]), y.ndim == 2
    left = x.reshape((1, -1, x.shape[-1]) if shared else (leading, *x.shape[-2:])).astype(wide)
    right = y.reshape((1, *y.shape) if shared else (leading, *y.shape[-2:])).astype(wide)
    return call(IntegerProduct(), left, right)[0].reshape(*x.shape[:-1], y.shape[-1]).astype(x.dtype)


@dataclasses.dataclass(frozen=True)
class IntegerProduct(NativeKernel):
    """(x, y) -> x @ y, of three axes"""

    targets: ClassVar = dict.fromkeys(("int32", "int64"), "mycelium_integer_product")

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        x, y = operands
        return [(*x.shape[:2], y.shape[2])]

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [jnp.matmul(*operands)]
