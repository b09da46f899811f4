"""Sums of dtypes that XLA adds up one by one, and what runs along an axis: extremes, products, linear recurrences."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, ClassVar

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._kernels.primitive import NativeKernel, call
from mindspore._kernels.sorting import take_along

_FEWEST = 1 << 12  # elements: fewer are left to XLA
_SUMMED = ("float16", "bfloat16", "float64", "int32", "int64", "bool")


def total(x: Any, axes: tuple[int, ...], keepdims: bool = False) -> Any:
    """The sum over neighbouring axes; of integers and truth values in int64."""
    whole = x.dtype == bool or jnp.issubdtype(x.dtype, jnp.integer)
    neighbours = bool(axes) and list(axes) == list(range(axes[0], axes[-1] + 1))
    fixed = all(isinstance(size, int) for size in x.shape)
    if str(x.dtype) not in _SUMMED or not neighbours or not fixed or x.size < _FEWEST:
        return jnp.sum(x, axes, keepdims=keepdims, dtype=jnp.int64 if whole else x.dtype)
    first, last = axes[0], axes[-1] + 1
    rows = x.reshape(math.prod(x.shape[:first]), math.prod(x.shape[first:last]), math.prod(x.shape[last:]))
    middle = (1,) * len(axes) if keepdims else ()
    return call(Total(), rows)[0].reshape(*x.shape[:first], *middle, *x.shape[last:])


_WHOLE = ("int8", "uint8", "int32", "int64")


def extreme(x: Any, axes: tuple[int, ...], keepdims: bool, largest: bool) -> Any:
    """The largest or smallest over axes. Of whole numbers along the last ones, XLA compares one after the other."""
    fixed = all(isinstance(size, int) for size in x.shape)
    last = bool(axes) and list(axes) == list(range(axes[0], x.ndim))
    if str(x.dtype) not in _WHOLE or not last or not fixed or x.size < _FEWEST:
        return (jnp.max if largest else jnp.min)(x, axes, keepdims=keepdims)
    leading = x.shape[: axes[0]]
    rows = x.reshape(math.prod(leading), math.prod(x.shape[axes[0] :]), 1)
    return call(Extreme(largest), rows)[0].reshape(*leading, *((1,) * len(axes) if keepdims else ()))


def _along(kernel: Any, axis: int, *operands: Any) -> list[Any]:
    """The results of a kernel along an axis of operands of one shape."""
    shape = operands[0].shape
    rows = (math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :]))
    return [found.reshape(shape) for found in call(kernel, *(x.reshape(rows) for x in operands))]


def running_extreme(x: Any, axis: int, largest: bool) -> tuple[Any, Any]:
    """The largest or smallest element so far along an axis and its place (int32), of equal ones the last; NaN stays."""
    values, places = _along(RunningExtreme(largest), axis, x)
    return values, places


def running_product(x: Any, axis: int, reverse: bool = False) -> Any:
    return _along(RunningProduct(reverse), axis, x)[0]


def running_log_sum(x: Any, axis: int, reverse: bool = False) -> Any:
    """The logarithms of running sums of exponentials."""
    return _along(RunningLogSum(reverse), axis, x)[0]


def _before(x: Any, reverse: bool, first: float) -> Any:
    """Along the axis in the middle: what stands before each element."""
    padding = ((0, 0, 0), (-1, 1, 0) if reverse else (1, -1, 0), (0, 0, 0))
    return lax.pad(x, np.asarray(first, x.dtype), padding)


@dataclasses.dataclass(frozen=True)
class Total(NativeKernel):
    """x -> the sums along the axis in the middle; linear."""

    targets: ClassVar = dict.fromkeys(_SUMMED, "mycelium_sum")

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        outer, _, inner = operands[0].shape
        return [(outer, inner)]

    def dtypes(self, *operands: Any) -> Sequence[Any]:
        dtype = operands[0].dtype
        return [dtype if jnp.issubdtype(dtype, jnp.inexact) else jnp.int64]

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [jnp.sum(operands[0], 1, dtype=self.dtypes(*operands)[0])]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return call(self, tangents[0])

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        return [jnp.broadcast_to(cotangents[0][:, None], operands[0].aval.shape)]


@dataclasses.dataclass(frozen=True)
class Extreme(NativeKernel):
    """x -> the extremes along the axis in the middle; of whole numbers"""

    largest: bool
    targets: ClassVar = dict.fromkeys(_WHOLE, "mycelium_extreme")

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        outer, _, inner = operands[0].shape
        return [(outer, inner)]

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [(jnp.max if self.largest else jnp.min)(operands[0], 1)]

    def attributes(self) -> dict[str, Any]:
        return {"largest": np.array([self.largest], np.int64)}


@dataclasses.dataclass(frozen=True)
class RunningExtreme(NativeKernel):
    """x -> the extremes up to each element along the axis in the middle, and their places"""

    largest: bool
    targets: ClassVar = dict.fromkeys(("float32", "float64", "int32", "int64"), "mycelium_running_extreme")

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape] * 2

    def dtypes(self, *operands: Any) -> Sequence[Any]:
        return [operands[0].dtype, jnp.int32]

    def plain(self, *operands: Any) -> Sequence[Any]:
        (x,) = operands
        running = lax.cummax if self.largest else lax.cummin
        reached = x == running(x, axis=1)
        if jnp.issubdtype(x.dtype, jnp.inexact):
            reached = reached | jnp.isnan(x)
        places = lax.cummax(jnp.where(reached, lax.broadcasted_iota(jnp.int32, x.shape, 1), 0), axis=1)
        return [jnp.take_along_axis(x, places, 1), places]

    def jvp_beside(self, results: Sequence[Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return [take_along(tangents[0], results[1], 1), None]

    def attributes(self) -> dict[str, Any]:
        return {"largest": np.array([self.largest], np.int64)}


@dataclasses.dataclass(frozen=True)
class _Running(NativeKernel):
    """A kernel along the axis in the middle, from either end."""

    reverse: bool

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape]

    def attributes(self) -> dict[str, Any]:
        return {"backward": np.array([self.reverse], np.int64)}


@dataclasses.dataclass(frozen=True)
class LinearRecurrence(_Running):
    """(a, b) -> y with y[j] = a[j] * y[j - 1] + b[j]; linear in b."""

    target = "mycelium_linear_recurrence"

    def plain(self, *operands: Any) -> Sequence[Any]:
        def joined(first: Any, second: Any) -> Any:
            return first[0] * second[0], second[0] * first[1] + second[1]

        return [lax.associative_scan(joined, operands, self.reverse, 1)[1]]

    def jvp_beside(self, results: Sequence[Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        (a, _), (da, db) = primals, tangents
        parts = [db] if da is None else [da * _before(results[0], self.reverse, 0), *([] if db is None else [db])]
        return call(self, a, sum(parts[1:], parts[0]))

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        a = _before(operands[0], not self.reverse, 0)  # seen from the other end
        return [None, *call(LinearRecurrence(not self.reverse), a, cotangents[0])]


@dataclasses.dataclass(frozen=True)
class RunningProduct(_Running):
    """x -> the products of all elements up to each one"""

    target = "mycelium_running_product"

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [lax.cumprod(operands[0], 1, self.reverse)]

    def jvp_beside(self, results: Sequence[Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        before = _before(results[0], self.reverse, 1)
        return call(LinearRecurrence(self.reverse), primals[0], before * tangents[0])


@dataclasses.dataclass(frozen=True)
class RunningLogSum(_Running):
    """x -> the logarithms of the sums of exponentials up to each one"""

    target = "mycelium_running_log_sum"

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [lax.cumlogsumexp(operands[0], 1, self.reverse)]

    def jvp_beside(self, results: Sequence[Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        (y,), (x,) = results, primals
        low = jnp.finfo(y.dtype).min  # the logarithm of nothing, so that differences are numbers
        before, after = (jnp.maximum(one, low) for one in (_before(y, self.reverse, -jnp.inf), y))
        share, kept = jnp.exp(jnp.maximum(x, low) - after), jnp.exp(before - after)
        return call(LinearRecurrence(self.reverse), kept, share * tangents[0])
