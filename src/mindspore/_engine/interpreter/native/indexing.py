"""Lowerings of gathers, scatters and dynamic slices: windows of an array, whose starts are read from index arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.lax import GatherScatterMode

from mindspore._engine.interpreter.native.writer import (
    NativeValue,
    NativeWriter,
    Shape,
    StridedView,
    Unsuited,
    lowers,
    type_char,
)

_INDEX_TYPES = frozenset("iIlB")
_COMBINED = {"scatter": None, "scatter-add": np.add, "scatter-sub": np.subtract, "scatter-mul": np.multiply,
             "scatter-min": np.minimum, "scatter-max": np.maximum}  # fmt: skip


def _window_starts(x: NativeValue, indices: NativeValue, axes: Sequence[int], sizes: Sequence[int]) -> tuple:
    """For each axis that indices select along: a view of its indices, their type, the largest valid one, and the axis' stride."""
    if indices.dtype.char not in _INDEX_TYPES or any(x.shape[axis] < sizes[axis] for axis in axes):
        raise Unsuited("indices")
    return tuple([
        (StridedView(indices.slot, indices.offset + n * indices.strides[-1], indices.strides[:-1]), indices.dtype.char,
         x.shape[axis] - sizes[axis], x.strides[axis])
        for n, axis in enumerate(axes)
    ])  # fmt: skip


def _fill_of(dtype: np.dtype, value: Any) -> bytes:
    if value is None:
        value = {"i": lambda: np.iinfo(dtype).min, "u": lambda: np.iinfo(dtype).max, "b": lambda: True}.get(
            dtype.kind, lambda: np.nan
        )()
    return np.asarray(value, dtype).tobytes()


@lowers("gather")
def _gather(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x, indices), params, numbers = operands, equation.params, equation.params["dimension_numbers"]
    if writer.flat is not None or 0 in x.shape or not x.shape:
        return None
    sizes, fills = params["slice_sizes"], params["mode"] == GatherScatterMode.FILL_OR_DROP
    made = writer.new(shape, x.dtype)
    window = [
        axis
        for axis in range(len(x.shape))
        if axis not in (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    ]
    outer = [axis for axis in range(len(shape)) if axis not in numbers.offset_dims]
    along = [0] * len(outer)
    for axis, of in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True):
        along[of] += x.strides[axis]
    source = StridedView(x.slot, x.offset, (*along, *[x.strides[axis] for axis in window]))
    target = StridedView(made.slot, made.offset, tuple([made.strides[axis] for axis in (*outer, *numbers.offset_dims)]))
    fill = _fill_of(x.dtype, params["fill_value"]) if fills else b""
    writer.add("windows", None, "", x.dtype.itemsize, indices.shape[:-1], tuple([sizes[axis] for axis in window]),
               _window_starts(x, indices, numbers.start_index_map, sizes), source, target, False, not fills, fill,
               elements=math.prod(shape), each=1.0)  # fmt: skip
    return made


@lowers(*_COMBINED)
def _scatter(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x, indices, updates), params, numbers = operands, equation.params, equation.params["dimension_numbers"]
    if writer.flat is not None or not x.shape or 0 in x.shape or 0 in updates.shape or updates.dtype != x.dtype:
        return None
    combine = _COMBINED[equation.primitive.name]
    if x.dtype == np.bool_ and combine is not None:
        return None
    dropped = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    lengths = iter([updates.shape[axis] for axis in numbers.update_window_dims])
    sizes = [1 if axis in dropped else next(lengths) for axis in range(len(x.shape))]
    made = writer.new(shape, x.dtype)
    writer.copy(x, made)
    window = [axis for axis in range(len(x.shape)) if axis not in dropped]
    outer = [axis for axis in range(len(updates.shape)) if axis not in numbers.update_window_dims]
    along = [0] * len(outer)
    for axis, of in zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims, strict=True):
        along[of] += made.strides[axis]
    source = StridedView(
        updates.slot, updates.offset, tuple([updates.strides[axis] for axis in (*outer, *numbers.update_window_dims)])
    )
    target = StridedView(made.slot, made.offset, (*along, *[made.strides[axis] for axis in window]))
    starts = _window_starts(made, indices, numbers.scatter_dims_to_operand_dims, sizes)
    writer.add("windows", combine, "" if combine is None else 3 * type_char(x.dtype), x.dtype.itemsize, indices.shape[:-1],
               tuple([sizes[axis] for axis in window]), starts, source, target, True, params["mode"] == GatherScatterMode.CLIP, b"",
               elements=math.prod(updates.shape), each=1.5)  # fmt: skip
    return made


@lowers("dynamic_slice")
def _dynamic_slice(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    x, *starts = operands
    if len(starts) != len(x.shape) or any(start.dtype.char not in _INDEX_TYPES for start in starts):
        return None
    made = writer.new(shape, x.dtype)
    named = tuple(
        [
            (start.view(), start.dtype.char, x.shape[axis] - shape[axis], x.strides[axis])
            for axis, start in enumerate(starts)
        ]
    )
    writer.add("windows", None, "", x.dtype.itemsize, (), shape, named, x.view(), made.view(), False, True, b"",
               elements=math.prod(shape))  # fmt: skip
    return made


@lowers("dynamic_update_slice")
def _dynamic_update_slice(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    x, part, *starts = operands
    if len(starts) != len(x.shape) or any(start.dtype.char not in _INDEX_TYPES for start in starts):
        return None
    made = writer.new(shape, x.dtype)
    writer.copy(x, made)
    named = tuple([(start.view(), start.dtype.char, shape[axis] - part.shape[axis], made.strides[axis])
                   for axis, start in enumerate(starts)])  # fmt: skip
    writer.add("windows", None, "", x.dtype.itemsize, (), part.shape, named, part.view(), made.view(), True, True, b"",
               elements=math.prod(part.shape))  # fmt: skip
    return made
