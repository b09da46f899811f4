"""Products of matrices. The gradients of each form are products again, without a matrix ever being turned in memory."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from jax import lax

from mindspore._kernels import folding, library
from mindspore._kernels.primitive import Bilinear, NativeKernel, call, unknown

_SMALLEST, _FEWEST = 16, 1 << 20  # of each size, and of products: below, XLA's own code is as fast
_MATRIX = 1 << 15  # elements of a matrix that a few rows are multiplied with
_LONGEST = 128  # times the size next to it: beyond, copying costs more than it gains


def multiplied(kernel: Product | Weights, x: Any, y: Any) -> Any:
    """The product by the kernel, or by XLA where only few numbers are added up: it joins that with what follows."""
    summed = math.prod(x.shape[:-1]) if isinstance(kernel, Weights) else x.shape[-2 if kernel.x_turned else -1]
    return call(kernel, x, y) if isinstance(summed, int) and summed >= _SMALLEST else kernel.plain(x, y)


def worthwhile(x: tuple[int, ...], y: tuple[int, ...]) -> bool:
    """Whether there is a kernel for ``x @ y`` with these shapes: equal batches, or a matrix shared by the batch."""
    if len(x) < 2 or len(y) < 2 or (len(y) > 2 and x[:-2] != y[:-2]):
        return False
    if not all(isinstance(size, int) for size in (*x, *y)):  # left open, in an export
        return False
    rows = x[-2] if len(y) > 2 else math.prod(x[:-1])
    if rows < _SMALLEST and len(y) == 2:  # as fast as the matrix can be read
        return min(x[-1], y[-1]) >= _SMALLEST and x[-1] * y[-1] >= _MATRIX and rows > 0
    smallest, middle, largest = sizes = sorted((rows, x[-1], y[-1]))
    pairs = math.prod(x[:-2]) if len(y) > 2 else 1
    return smallest >= _SMALLEST and largest <= _LONGEST * middle and pairs * math.prod(sizes) >= _FEWEST


def for_bfloat16(x: tuple[int, ...], y: tuple[int, ...]) -> bool:
    """The same for matrices of bfloat16, on processors with an instruction for it; a few rows are left to XLA."""
    if not library.has(library.BFLOAT16_PRODUCT) or not worthwhile(x, y):
        return False
    return (x[-2] if len(y) > 2 else math.prod(x[:-1])) >= _SMALLEST


def _summed(x: Any, y: Any, over: Any) -> Any:
    """The product; halves are added in float32 and rounded once."""
    if x.dtype == np.float32:
        return lax.dot_general(x, y, over)
    return lax.dot_general(x, y, over, preferred_element_type=np.float32).astype(x.dtype)


@dataclasses.dataclass(frozen=True)
class _OfMatrices(Bilinear):
    """(x, y) -> z"""

    targets: ClassVar = {"float32": "mycelium_product", "bfloat16": library.BFLOAT16_PRODUCT}

    def layouts(self, operands: Sequence[Any], results: Sequence[Any]) -> tuple[list, list]:
        return [tuple(range(x.ndim)) for x in operands], [tuple(range(x.ndim)) for x in results]


@dataclasses.dataclass(frozen=True)
class Product(_OfMatrices):
    """``x @ y`` of two batches of matrices, or of a batch and a shared matrix (then x must not be transposed).

    What is turned lies in memory with its last two axes the other way round.
    """

    x_turned: bool
    y_turned: bool

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        x, y = operands
        return [(*x.shape[:-2], x.shape[-1 if self.x_turned else -2], y.shape[-2 if self.y_turned else -1])]

    def plain(self, *operands: Any) -> Sequence[Any]:
        x, y = operands
        over = (x.ndim - (2 if self.x_turned else 1),), (y.ndim - (1 if self.y_turned else 2),)
        batch = tuple(range(x.ndim - 2)) if y.ndim > 2 else ()
        return [_summed(x, y, (over, (batch, batch)))]

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        (x, y), (z,) = operands, cotangents
        if unknown(x):
            if self.x_turned:
                return [*multiplied(Product(self.y_turned, True), y, z), None]
            return [*multiplied(Product(False, not self.y_turned), z, y), None]
        first, second = (z, x) if self.y_turned else (x, z)
        if z.ndim > 2 and y.aval.ndim == 2:
            return [None, *multiplied(Weights(), first, second)]
        turned = (True, self.x_turned) if self.y_turned else (not self.x_turned, False)
        return [None, *multiplied(Product(*turned), first, second)]

    def attributes(self) -> dict[str, Any]:
        return {"form": np.array([self.x_turned, self.y_turned, False], np.int64)}

    def folded(self, operands: Sequence[Any]) -> tuple[NativeKernel, Sequence[Any]]:
        x, y = operands
        shared = len(x.type.shape) > len(y.type.shape)  # then x must not be turned
        before_x, before_y = None if shared else folding.before_turning(x), folding.before_turning(y)
        found = Product(self.x_turned != (before_x is not None), self.y_turned != (before_y is not None))
        return found, [x if before_x is None else before_x, y if before_y is None else before_y]


@dataclasses.dataclass(frozen=True)
class Weights(_OfMatrices):
    """z[i, j], the sum of x[..., i] * y[..., j] over all leading axes: how gradients reach a matrix shared by the batch."""

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        x, y = operands
        return [(x.shape[-1], y.shape[-1])]

    def plain(self, *operands: Any) -> Sequence[Any]:
        x, y = operands
        over = tuple(range(x.ndim - 1))
        return [_summed(x, y, ((over, over), ((), ())))]

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        (x, y), (z,) = operands, cotangents
        if unknown(x):
            return [*call(Product(False, True), y, z), None]
        return [None, *call(Product(False, False), x, z)]

    def attributes(self) -> dict[str, Any]:
        return {"form": np.array([True, False, True], np.int64)}
