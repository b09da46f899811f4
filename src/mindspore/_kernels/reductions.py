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
    """The sum over axes; of integers and truth values in int64, of halves in float32, rounded once."""
    whole = x.dtype == bool or jnp.issubdtype(x.dtype, jnp.integer)
    wanted = jnp.dtype(jnp.int64) if whole else x.dtype
    if str(x.dtype) not in _SUMMED or not axes or not _is_large(x):
        return jnp.sum(x, axes, keepdims=keepdims, dtype=wanted)
    groups = _neighbours(axes)
    found = x
    for group in reversed(groups):  # axes in front keep their places
        wide = x.dtype.itemsize == 2 and len(groups) > 1
        if _is_large(found) and str(found.dtype) in _SUMMED:
            found = _over(Total(wide), found, group)
        else:
            found = jnp.sum(found, group, keepdims=True, dtype=found.dtype)
    found = found.astype(wanted)
    return found if keepdims else jnp.squeeze(found, axes)


def _is_large(x: Any) -> bool:
    return all(isinstance(size, int) for size in x.shape) and x.size >= _FEWEST


def _neighbours(axes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Axes in groups that lie beside each other."""
    groups: list[list[int]] = []
    for axis in sorted(axes):
        if groups and groups[-1][-1] == axis - 1:
            groups[-1].append(axis)
        else:
            groups.append([axis])
    return [tuple(group) for group in groups]


def _over(kernel: Any, x: Any, group: tuple[int, ...]) -> Any:
    """A kernel over axes that lie beside each other, which become 1."""
    first, last = group[0], group[-1] + 1
    inner = math.prod(x.shape[last:])
    behind = () if inner == 1 else (inner,)  # an axis of length 1 may make XLA copy what it reshapes
    rows = x.reshape(math.prod(x.shape[:first]), math.prod(x.shape[first:last]), *behind)
    return call(kernel, rows)[0].reshape(*x.shape[:first], *(1,) * len(group), *x.shape[last:])


_ORDERED = ("int8", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64")


def extreme(x: Any, axes: tuple[int, ...], keepdims: bool, largest: bool) -> Any:
    """The largest or smallest over axes. NaN counts where it is the first element, and nowhere else."""
    groups = _neighbours(axes)  # several: what comes first, and equal ones, are those of all together
    if str(x.dtype) in _ORDERED and len(groups) == 1 and _is_large(x):
        found = _over(Extreme(largest), x, groups[0])
    else:
        found = plain_extreme(x, axes, largest)
    return found if keepdims else jnp.squeeze(found, axes)


def plain_extreme(x: Any, axes: tuple[int, ...], largest: bool) -> Any:
    """The same in JAX's words; the axes become 1."""
    function = jnp.max if largest else jnp.min
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        return function(x, axes, keepdims=True)
    found = function(
        jnp.where(jnp.isnan(x), jnp.asarray(-jnp.inf if largest else jnp.inf, x.dtype), x), axes, keepdims=True
    )
    first = lax.stop_gradient(lax.slice(x, (0,) * x.ndim, [1 if i in axes else n for i, n in enumerate(x.shape)]))
    return jnp.where(jnp.isnan(first), first, found)


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
    """x -> the sums along the second of two or three axes; linear."""

    wide: bool = False  # of halves: in float32, not rounded
    targets: ClassVar = dict.fromkeys(_SUMMED, "mycelium_sum")

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        outer, _, *inner = operands[0].shape
        return [(outer, *inner)]

    def dtypes(self, *operands: Any) -> Sequence[Any]:
        dtype = operands[0].dtype
        if self.wide:
            return [jnp.float32]
        return [dtype if jnp.issubdtype(dtype, jnp.inexact) else jnp.int64]

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [jnp.sum(operands[0], 1, dtype=self.dtypes(*operands)[0])]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return call(self, tangents[0])

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        x = operands[0].aval
        return [jnp.broadcast_to(cotangents[0].astype(x.dtype)[:, None], x.shape)]


@dataclasses.dataclass(frozen=True)
class Extreme(NativeKernel):
    """x -> the extremes along the second of two or three axes"""

    largest: bool
    targets: ClassVar = dict.fromkeys(_ORDERED, "mycelium_extreme")

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        outer, _, *inner = operands[0].shape
        return [(outer, *inner)]

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [jnp.squeeze(plain_extreme(operands[0], (1,), self.largest), 1)]

    def jvp_beside(self, results: Sequence[Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        """Equal ones share."""
        (x,), (along,) = primals, tangents
        if not jnp.issubdtype(x.dtype, jnp.inexact):
            return [None]
        reached = x == results[0][:, None]
        count = jnp.maximum(reached.sum(1, keepdims=True, dtype=jnp.float32), 1)
        return [jnp.where(reached, along / count.astype(x.dtype), 0).sum(1)]

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
