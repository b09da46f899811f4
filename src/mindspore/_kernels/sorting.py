"""Rows in order, their largest elements, elements picked along an axis, and running sums.

Each of the linear ones is the transpose of another: picking and adding back, running sums from either end.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._kernels.primitive import NativeKernel, call

_NUMBERS = ("float32", "float64", "int32", "int64")  # that there is a kernel for
_MOVED = ("bool", "int8", "uint8", "int16", "uint16", "float16", "bfloat16", *_NUMBERS, "uint32", "uint64", "complex64")
_FEW = 8  # times as many elements in a row as are wanted: then only those are sorted


def sort(x: Any, axis: int, descending: bool = False) -> tuple[Any, Any]:
    """The elements in order along an axis, and where each was (int32); equal ones keep their order."""
    axis %= x.ndim
    moved = jnp.moveaxis(x, axis, -1)
    rows, back = _widened(moved.reshape(math.prod(moved.shape[:-1]), x.shape[axis]))
    values, places = call(Sort(descending), rows)
    values = values.reshape(moved.shape).astype(back)
    return jnp.moveaxis(values, -1, axis), jnp.moveaxis(places.reshape(moved.shape), -1, axis)


def top(x: Any, count: int, largest: bool) -> tuple[Any, Any]:
    """The largest or smallest elements along the last axis in order, and where they were (int32)."""
    if x.shape[-1] < _FEW * count:
        values, places = sort(x, -1, descending=largest)
        return values[..., :count], places[..., :count]
    rows, back = _widened(x.reshape(math.prod(x.shape[:-1]), x.shape[-1]))
    values, places = call(Top(count, largest), rows)
    shape = (*x.shape[:-1], count)
    return values.reshape(shape).astype(back), places.reshape(shape)


def take_along(x: Any, places: Any, axis: int, wraps: bool = False) -> Any:
    """``x`` at ``places`` along an axis; the other axes are equal. Places that do not exist give 0.

    ``wraps``: whether negative places count from the end.
    """
    axis %= x.ndim
    outer, inner = math.prod(x.shape[:axis]), math.prod(x.shape[axis + 1 :])
    source = x.reshape(outer, x.shape[axis], inner)
    (found,) = call(TakeAlong(wraps), source, _index(places).reshape(outer, places.shape[axis], inner))
    return found.reshape(places.shape)


def add_along(y: Any, places: Any, axis: int, length: int, wraps: bool = False) -> Any:
    """The way back: every element of ``y`` is added to zeros where it was picked; places that do not exist receive nothing."""
    outer, inner = math.prod(y.shape[:axis]), math.prod(y.shape[axis + 1 :])
    rows = (outer, y.shape[axis], inner)
    (found,) = call(AddAlong(length, wraps), y.reshape(rows), _index(places).reshape(rows))
    return found.reshape(*y.shape[:axis], length, *y.shape[axis + 1 :])


def _index(places: Any) -> Any:
    """Places of a dtype that the kernels read."""
    return places if places.dtype in (jnp.int32, jnp.int64) else places.astype(jnp.int32)


def _present(places: Any, length: int, wraps: bool) -> Any:
    """Places from 0 on; those that do not exist are ``length`` or more."""
    counted = jnp.where(places < 0, places + length, places) if wraps else places
    return jnp.where(counted < 0, length, counted)


def running_sum(x: Any, axis: int, reverse: bool = False) -> Any:
    """The sum of all elements up to each one along an axis."""
    axis %= x.ndim
    outer, inner = math.prod(x.shape[:axis]), math.prod(x.shape[axis + 1 :])
    return call(RunningSum(reverse), x.reshape(outer, x.shape[axis], inner))[0].reshape(x.shape)


def _widened(x: Any) -> tuple[Any, Any]:
    """Numbers of few bits as those that there is a kernel for, in the same order; and the dtype they come from."""
    if x.dtype in (jnp.float16, jnp.bfloat16):
        return x.astype(jnp.float32), x.dtype
    small = x.dtype == bool or (jnp.issubdtype(x.dtype, jnp.integer) and x.dtype.itemsize < 4)
    return (x.astype(jnp.int32) if small else x), x.dtype


class _OfRows(NativeKernel):
    """A kernel whose results are elements of the rows of its operand, and their places."""

    by_example = True

    def dtypes(self, *operands: Any) -> Sequence[Any]:
        return [operands[0].dtype, jnp.int32]

    def jvp_beside(self, results: Sequence[Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return [take_along(tangents[0], results[1], 1), None]


@dataclasses.dataclass(frozen=True)
class Sort(_OfRows):
    """Rows -> rows in order, places"""

    descending: bool

    targets: ClassVar = dict.fromkeys(_NUMBERS, "mycelium_sort")

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape] * 2

    def plain(self, *operands: Any) -> Sequence[Any]:
        (x,) = operands
        order = jnp.argsort(x, -1, stable=True, descending=self.descending)
        return [jnp.take_along_axis(x, order, -1), order.astype(jnp.int32)]

    def attributes(self) -> dict[str, Any]:
        return {"descending": np.array([self.descending], np.int64)}


@dataclasses.dataclass(frozen=True)
class Top(_OfRows):
    """Rows -> their first elements in order, places"""

    count: int
    largest: bool

    targets: ClassVar = dict.fromkeys(_NUMBERS, "mycelium_top")

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [(operands[0].shape[0], self.count)] * 2

    def plain(self, *operands: Any) -> Sequence[Any]:
        (x,) = operands
        if self.largest:
            inexact = jnp.issubdtype(x.dtype, jnp.inexact)  # XLA asks for the sign of 0 and of NaN, too
            alike = jnp.where(x == 0, 0, jnp.where(jnp.isnan(x), jnp.nan, x)) if inexact else x
            _, places = lax.top_k(alike, self.count)
            return [jnp.take_along_axis(x, places, -1), places.astype(jnp.int32)]
        values, places = Sort(False).plain(x)
        return [values[:, : self.count], places[:, : self.count]]

    def attributes(self) -> dict[str, Any]:
        return {"largest": np.array([self.largest], np.int64)}


@dataclasses.dataclass(frozen=True)
class TakeAlong(NativeKernel):
    """(x, places) -> y, of three axes, along the one in the middle; linear in x."""

    wraps: bool = False
    targets: ClassVar = dict.fromkeys(_MOVED, "mycelium_take_along")

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[1].shape]

    def plain(self, *operands: Any) -> Sequence[Any]:
        x, places = operands
        present = _present(places, x.shape[1], self.wraps)
        if x.shape[2] == 1:  # of a matrix: two axes are known to more formats of files
            return [jnp.take_along_axis(x[:, :, 0], present[:, :, 0], 1, mode="fill", fill_value=0)[:, :, None]]
        return [jnp.take_along_axis(x, present, 1, mode="fill", fill_value=0)]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return call(self, tangents[0], primals[1]) if tangents[0] is not None else [None]

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        (x, places), (y,) = operands, cotangents
        wide = y.astype(jnp.float32) if y.dtype in (jnp.float16, jnp.bfloat16) else y  # rounded once
        (found,) = call(AddAlong(x.aval.shape[1], self.wraps), wide, places)
        return [found.astype(y.dtype), None]

    def attributes(self) -> dict[str, Any]:
        return {"wraps": np.array([self.wraps], np.int64)}


@dataclasses.dataclass(frozen=True)
class AddAlong(NativeKernel):
    """(y, places) -> x: every element is added where it was picked; linear in y."""

    length: int
    wraps: bool = False
    targets: ClassVar = {"float32": "mycelium_add_along"}

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        outer, _, inner = operands[0].shape
        return [(outer, self.length, inner)]

    def plain(self, *operands: Any) -> Sequence[Any]:
        y, places = operands
        x = jax.ShapeDtypeStruct(self.shapes(y)[0], y.dtype)
        return jax.linear_transpose(lambda x: TakeAlong(self.wraps).plain(x, places)[0], x)(y)

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return call(self, tangents[0], primals[1])

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        return [*call(TakeAlong(self.wraps), cotangents[0], operands[1]), None]

    def attributes(self) -> dict[str, Any]:
        return {"wraps": np.array([self.wraps], np.int64)}


@dataclasses.dataclass(frozen=True)
class RunningSum(NativeKernel):
    """x -> the sums of all elements up to each one, along the axis in the middle; linear."""

    reverse: bool
    targets: ClassVar = dict.fromkeys(_NUMBERS, "mycelium_running_sum")

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape]

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [lax.cumsum(operands[0], 1, self.reverse)]

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        return call(self, tangents[0])

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        return call(RunningSum(not self.reverse), cotangents[0])

    def attributes(self) -> dict[str, Any]:
        return {"backward": np.array([self.reverse], np.int64)}
