"""Rules of gather and scatter."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from jax.lax import GatherScatterMode

from mindspore._engine.interpreter.rules import HALVES, LeftToXLA, dtypes_of, rule, shape_of


class Slices:
    """Which elements of an array the slices at ``indices`` are, as index arrays of shape (batch..., window...)."""

    def __init__(
        self, shape: Any, sizes: Any, batch: Any, index_map: Any, dropped: Any, batching: Any, batching_of: Any
    ):
        rank, self.lead = len(shape), len(batch)
        self.limits = np.array([shape[axis] - sizes[axis] for axis in index_map], np.int64)
        self.index_map = tuple(index_map)
        window = [axis for axis in range(rank) if axis not in (*dropped, *batching)]
        total = self.lead + len(window)
        self.offsets: list[Any] = [0] * rank
        for number, axis in enumerate(window):
            if sizes[axis] > 1:
                wide = [1] * total
                wide[self.lead + number] = sizes[axis]
                self.offsets[axis] = np.arange(sizes[axis]).reshape(wide)
        for axis, of in zip(batching, batching_of, strict=True):
            wide = [1] * total
            wide[of] = batch[of]
            self.offsets[axis] = np.arange(batch[of]).reshape(wide)
        self.shape = (*batch, *[sizes[axis] for axis in window])
        self.tail = (1,) * len(window)

    def starts(self, indices: Any) -> Any:
        """The indices as signed numbers."""
        if indices.dtype.kind == "u":
            indices = np.minimum(indices, np.iinfo(np.int64).max) if indices.dtype.itemsize == 8 else indices
        return indices.astype(np.int64)

    def inside(self, starts: Any) -> Any:
        """Which slices lie within the array, of shape (batch..., 1...)."""
        within = np.logical_and.reduce((starts >= 0) & (starts <= self.limits), -1)
        return np.reshape(within, (*starts.shape[:-1], *self.tail))

    def clipped(self, starts: Any) -> Any:
        """All of them moved into the array."""
        return np.minimum(np.maximum(starts, 0), self.limits)

    def positions(self, starts: Any) -> tuple[Any, ...]:
        """An index array for each axis."""
        found = list(self.offsets)
        for number, axis in enumerate(self.index_map):
            start = starts[..., number].reshape((*starts.shape[:-1], *self.tail))
            found[axis] = start if isinstance(found[axis], int) else start + found[axis]
        return tuple(found)


def _fill(dtype: np.dtype, value: Any) -> Any:
    """The fill value of elements out of bounds."""
    if value is not None:
        return np.asarray(value, dtype)
    if dtype.kind == "i":
        return np.asarray(np.iinfo(dtype).min, dtype)
    if dtype.kind == "u":
        return np.asarray(np.iinfo(dtype).max, dtype)
    return np.asarray(True if dtype.kind == "b" else np.nan, dtype)


@rule("gather", nanoseconds=10.0, quiet=True)
def _gather(equation: Any) -> Any:
    params, numbers = equation.params, equation.params["dimension_numbers"]
    operand, indices = equation.invars
    sizes, shape = params["slice_sizes"], shape_of(operand)
    batch = shape_of(indices)[:-1]
    slices = Slices(shape, sizes, batch, numbers.start_index_map, numbers.collapsed_slice_dims,
                    numbers.operand_batching_dims, numbers.start_indices_batching_dims)  # fmt: skip
    order = _to_places(len(slices.shape), numbers.offset_dims, len(batch))
    fills = params["mode"] == GatherScatterMode.FILL_OR_DROP
    fill: Any = _fill(operand.aval.dtype, params["fill_value"]) if fills else None
    if 0 in shape:
        raise LeftToXLA("elements of nothing")

    def gather(x: Any, indices: Any) -> Any:
        starts = slices.starts(indices)
        found = x[slices.positions(slices.clipped(starts))] if shape else np.broadcast_to(x, slices.shape)
        if found.shape != slices.shape:
            found = np.broadcast_to(found, slices.shape)
        if fills:
            inside = slices.inside(starts)
            if not inside.all():
                found = np.where(inside, found, fill)
        return found if order is None else found.transpose(order)

    return gather


def _to_places(rank: int, windows: Any, lead: int) -> Any:
    """The permutation from (batch..., window...) to axes where ``windows`` are those of the window."""
    order, batch, window = [], iter(range(lead)), iter(range(lead, rank))
    for axis in range(rank):
        order.append(next(window) if axis in windows else next(batch))
    return None if order == list(range(rank)) else order


_COMBINED = {"scatter": None, "scatter-add": np.add, "scatter-sub": np.subtract, "scatter-mul": np.multiply,
             "scatter-min": np.minimum, "scatter-max": np.maximum}  # fmt: skip


@rule(*_COMBINED, nanoseconds=30.0)
def _scatter(equation: Any) -> Any:
    params, numbers = equation.params, equation.params["dimension_numbers"]
    operand, indices, updates = equation.invars
    combine = _COMBINED[equation.primitive.name]
    shape, batch, given = shape_of(operand), shape_of(indices)[:-1], shape_of(updates)
    dropped = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    lengths = iter([given[axis] for axis in numbers.update_window_dims])
    sizes = [1 if axis in dropped else next(lengths) for axis in range(len(shape))]
    slices = Slices(shape, sizes, batch, numbers.scatter_dims_to_operand_dims, numbers.inserted_window_dims,
                    numbers.operand_batching_dims, numbers.scatter_indices_batching_dims)  # fmt: skip
    scattered = [axis for axis in range(len(given)) if axis not in numbers.update_window_dims]
    order = [*scattered, *numbers.update_window_dims]
    clips = params["mode"] == GatherScatterMode.CLIP
    (dtype,) = dtypes_of(equation.outvars)
    if dtype.kind == "c" and combine in (np.minimum, np.maximum):
        raise LeftToXLA("order of complex numbers")
    wide = np.dtype(np.float32) if dtype in HALVES and combine is not None else dtype

    def scatter(x: Any, indices: Any, updates: Any) -> Any:
        result, updates = np.array(x, wide), updates.transpose(order).astype(wide, copy=False)
        if 0 in shape or 0 in given:
            return result.astype(dtype, copy=False)
        starts = slices.starts(indices)
        if clips:
            starts = slices.clipped(starts)
        inside = np.broadcast_to(slices.inside(starts), slices.shape)
        positions = slices.positions(starts)
        if not inside.all():
            positions = tuple(np.broadcast_to(position, slices.shape)[inside] for position in positions)
            updates = updates[inside]
        if combine is None:
            result[positions] = updates
        elif not shape:
            result[()] = combine.reduce([result, *np.ravel(updates)])
        else:
            combine.at(result, positions, updates)
        return result.astype(dtype, copy=False)

    return scatter if math.prod(given) < 1 << 22 else _refuse()


def _refuse() -> Any:
    raise LeftToXLA("many updates")
