"""Padded arrays: elements beyond the actual size never influence results.

An axis is a product of factors, of which symbolic ones are padded to their limit. Most axes are one factor; merging a batch
of 2 with a symbolic length makes an axis of the factors ``(2, n)``, whose padding lies between the rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import jax.numpy as jnp
from jax import lax
from jax.export import is_symbolic_dim

from mindspore._engine.base import open_sizes
from mindspore._engine.base.open_sizes import NotPadded

Layout = tuple[Any, ...] | None  # factors of an axis from major to minor; None: equal along the whole axis


def layout_of(size: Any) -> Layout:
    """An axis of one factor."""
    return () if isinstance(size, int) and size == 1 else (size,)


def normal(factors: Sequence[Any]) -> Layout:
    """Factors with neighbours of known size multiplied."""
    found: list[Any] = []
    for factor in factors:
        known = not is_symbolic_dim(factor)
        if known and factor == 1:
            continue
        if known and found and not is_symbolic_dim(found[-1]):
            found[-1] *= factor
        else:
            found.append(factor)
    return tuple(found)


def same(layouts: Sequence[Layout]) -> Layout:
    """The layout that all have, those apart that do not mind."""
    found: Layout = None
    for layout in layouts:
        if layout is None or layout == ():
            continue
        if found is not None and found != layout:
            raise NotPadded("axes that are filled in different ways meet")
        found = layout
    return found


class Padded:
    """An array, the layouts of its axes, and the lengths: at their limits, and as they are when the program runs."""

    __slots__ = ("array", "axes", "lengths")

    def __init__(self, array: Any, axes: Sequence[Layout], lengths: Lengths):
        self.array, self.axes, self.lengths = array, tuple(axes), lengths

    def is_filled(self, axis: int) -> bool:
        """Whether an axis may hold elements that the program does not know of."""
        layout = self.axes[axis]
        return layout is not None and any(map(is_symbolic_dim, layout))

    @property
    def filled(self) -> list[int]:
        return [axis for axis in range(len(self.axes)) if self.is_filled(axis)]

    def with_filling(self, axes: Sequence[int], value: Any) -> Any:
        """The array with a certain value in the padding of some axes."""
        array = self.array
        for axis in axes:
            if self.is_filled(axis):
                array = jnp.where(self._inside(axis), array, jnp.asarray(value, array.dtype))
        return array

    def _inside(self, axis: int) -> Any:
        factors: Any = self.axes[axis]
        limits = [self.lengths.limit(factor) for factor in factors]
        inside = jnp.ones([1] * len(limits), bool)
        for axis_of_factor, (factor, limit) in enumerate(zip(factors, limits)):
            if is_symbolic_dim(factor):
                shape = [limit if i == axis_of_factor else 1 for i in range(len(limits))]
                inside = inside & (lax.broadcasted_iota(jnp.int32, shape, axis_of_factor) < self.lengths.now(factor))
        whole = jnp.broadcast_to(inside, limits).reshape(-1)
        return whole.reshape([-1 if i == axis else 1 for i in range(self.array.ndim)])

    def settled(self, shape: Sequence[Any]) -> Padded:
        """With a layout for axes that did not mind, of this shape."""
        axes = [layout_of(size) if axis is None else axis for axis, size in zip(self.axes, shape)]
        return Padded(self.array, axes, self.lengths)


class Lengths:
    """The open sizes of one program."""

    def __init__(self, limits: Mapping[str, int], now: Mapping[str, Any]):
        self._limits, self._now = limits, now
        self._known: dict[Any, int] = {}

    def limit(self, size: Any) -> int:
        """How far an axis is filled."""
        if not is_symbolic_dim(size):
            return int(size)
        if size not in self._known:
            if not open_sizes.grows(size, self._limits):
                raise NotPadded(f"the size {size} does not grow with the lengths it is made of")
            self._known[size] = open_sizes.value_of(size, self._limits)
        return self._known[size]

    def shape(self, sizes: Sequence[Any]) -> tuple[int, ...]:
        return tuple(map(self.limit, sizes))

    def now(self, size: Any) -> Any:
        """A size in the present call."""
        return open_sizes.value_of(size, self._now)


class ResultCut(NamedTuple):
    """How a result is freed of what lies beyond its open sizes."""

    wide: tuple[int, ...]  # merged axes as they were
    inside: tuple[slice, ...]
    shape: tuple[int, ...]

    def __call__(self, array: Any) -> Any:
        return array.reshape(self.wide)[self.inside].reshape(self.shape)


def cut_of(
    shape: Sequence[int], axes: Sequence[Layout], sizes: Mapping[str, int], limits: Mapping[str, int]
) -> ResultCut:
    """What to cut off a result of this shape in a call of these sizes."""
    wide: list[int] = []
    narrow: list[int] = []
    wanted: list[int] = []
    for layout, length in zip(axes, shape):
        factors = (length,) if layout is None else layout
        wide += [open_sizes.value_of(factor, limits) for factor in factors]
        ends = [open_sizes.value_of(factor, sizes) for factor in factors]
        narrow += ends
        wanted.append(math.prod(ends))
    return ResultCut(tuple(wide), tuple(map(slice, narrow)), tuple(wanted))
