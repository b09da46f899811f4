"""Converters of dynamic slices and gathers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.export.onnx.builder import Builder, Unsupported, Value, converts, is_known
from mindspore._engine.export.onnx.shaping import slices


@converts("dynamic_slice")
def dynamic_slice(builder: Builder, equation: Any, value: Value, *starts: Value) -> str:
    shape, sizes = equation.invars[0].aval.shape, equation.params["slice_sizes"]
    cut = [axis for axis, (size, length) in enumerate(zip(sizes, shape)) if not _same(size, length)]
    begins = [start_within(builder, starts[axis], shape[axis] - sizes[axis]) for axis in cut]
    if not cut:
        return builder.name_of(value)
    if all(isinstance(begin_, int) for begin_ in begins) and all(is_known(sizes[axis]) for axis in cut):
        ends = [begin_ + sizes[axis] for begin_, axis in zip(begins, cut)]
        return slices(builder, builder.name_of(value), begins, ends, cut, [1] * len(cut))
    begin = joined(builder, begins)
    end = builder.node("Add", [begin, builder.shape([sizes[axis] for axis in cut])])
    return builder.node("Slice", [builder.name_of(value), begin, end, builder.constant(cut, np.int64)])


def _same(first: Any, other: Any) -> bool:
    return str(first) == str(other)


def start_within(builder: Builder, start: Value, last: Any) -> Any:
    """The start of a dynamic slice, clamped as XLA does: an int, or the name of a 1-element tensor."""
    if start.array is not None and is_known(last):
        return min(max(int(start.array), 0), int(last))
    if start.array is not None and int(start.array) == 0:
        return 0
    name = builder.reshape(builder.cast(builder.name_of(start), np.int64), [1])
    at_least = builder.node("Max", [name, builder.constant([0], np.int64)])
    return builder.node("Min", [at_least, builder.size(last)])


def joined(builder: Builder, starts: Sequence[Any]) -> str:
    names = [builder.constant([start], np.int64) if isinstance(start, int) else start for start in starts]
    return names[0] if len(names) == 1 else builder.node("Concat", names, axis=0)


@converts("dynamic_update_slice")
def dynamic_update_slice(builder: Builder, equation: Any, value: Value, update: Value, *starts: Value) -> str:
    """Pad the update to the full shape, and select it where it lies."""
    shape, part = equation.invars[0].aval.shape, equation.invars[1].aval.shape
    free = [length - size for length, size in zip(shape, part)]
    if not shape:
        return builder.name_of(update)
    begin = joined(builder, [start_within(builder, start, last) for start, last in zip(starts, free)])
    around = builder.node("Concat", [begin, builder.node("Sub", [builder.shape(free), begin])], axis=0)
    dtype = equation.invars[0].aval.dtype
    stored = np.int32 if dtype == np.bool_ else dtype
    name = builder.cast(builder.name_of(update), stored) if dtype == np.bool_ else builder.name_of(update)
    grown = builder.node("Pad", [name, around, builder.scalar(0, stored)])
    grown = builder.cast(grown, dtype) if dtype == np.bool_ else grown
    ones = builder.node("Expand", [builder.scalar(1, np.int32), builder.shape(part)])
    lies = builder.cast(builder.node("Pad", [ones, around, builder.scalar(0, np.int32)]), np.bool_)
    return builder.node("Where", [lies, grown, builder.name_of(value)])


@converts("gather")
def gather(builder: Builder, equation: Any, value: Value, indices: Value) -> str:
    """Gather along one axis, or GatherND with the indexed axes in front. Partial windows have no ONNX equivalent."""
    numbers, sizes = equation.params["dimension_numbers"], equation.params["slice_sizes"]
    shape, index_shape = (var.aval.shape for var in equation.invars)
    batch, batch_of_index = numbers.operand_batching_dims, numbers.start_indices_batching_dims
    picked = numbers.start_index_map
    if len(index_shape) == 1:
        return _one_window(builder, equation, value, indices)
    gone = {*numbers.collapsed_slice_dims, *batch}
    rest = [axis for axis in range(len(shape)) if axis not in gone]
    if any(not _same(sizes[axis], shape[axis]) for axis in rest) or {*picked} - gone:
        raise Unsupported("of windows that are part of an axis")
    if any(sizes[axis] != 1 for axis in gone):
        raise Unsupported("of windows")
    if builder.target < (12 if batch else 11) and (batch or len(picked) != 1):
        raise Unsupported("along several axes, before opset 12")
    positions, valid = _positions(builder, equation, indices, [shape[axis] for axis in picked])
    result_rank = len(equation.outvars[0].aval.shape)
    outer = [axis for axis in range(result_rank) if axis not in numbers.offset_dims]
    if len(picked) == 1 and not batch:
        flat = builder.reshape(positions, index_shape[:-1])
        name = builder.node("Gather", [builder.name_of(value), flat], axis=int(picked[0]))
        before = [axis for axis in rest if axis < picked[0]]
        count = len(before)
        order = [*numbers.offset_dims[:count], *outer, *numbers.offset_dims[count:]]
    else:
        source = builder.transpose(builder.name_of(value), [*batch, *picked, *rest])
        inner = [axis for axis in range(len(index_shape) - 1) if axis not in batch_of_index]
        positions = builder.transpose(positions, [*batch_of_index, *inner, len(index_shape) - 1])
        name = builder.node("GatherND", [source, positions], batch_dims=len(batch))
        order = [*[outer[axis] for axis in [*batch_of_index, *inner]], *numbers.offset_dims]
    name = builder.transpose(name, np.argsort(order).tolist())
    return name if valid is None else _filled(builder, equation, name, valid, outer)


def _one_window(builder: Builder, equation: Any, value: Value, indices: Value) -> str:
    """A gather with a single index: a dynamic slice."""
    numbers, sizes = equation.params["dimension_numbers"], equation.params["slice_sizes"]
    shape, axes = equation.invars[0].aval.shape, list(numbers.start_index_map)
    begin = builder.cast(builder.name_of(indices), np.int64)
    last = builder.shape([shape[axis] - sizes[axis] for axis in axes])
    begin = builder.node("Min", [builder.node("Max", [begin, builder.constant([0], np.int64)]), last])
    end = builder.node("Add", [begin, builder.shape([sizes[axis] for axis in axes])])
    part = builder.node("Slice", [builder.name_of(value), begin, end, builder.constant(axes, np.int64)])
    return builder.reshape(part, equation.outvars[0].aval.shape)


def _positions(builder: Builder, equation: Any, indices: Value, lengths: list[Any]) -> tuple[str, str | None]:
    """Clamped indices, and the mask of in-bounds ones where others give the fill value."""
    name = builder.cast(builder.name_of(indices), np.int64)
    mode = str(equation.params["mode"]).rsplit(".", 1)[-1]
    if mode in ("PROMISE_IN_BOUNDS", "ONE_HOT"):
        return name, None
    last = builder.shape([length - 1 for length in lengths])
    inside = builder.node("Min", [builder.node("Max", [name, builder.constant([0], np.int64)]), last])
    if mode == "CLIP":
        return inside, None
    same = builder.cast(builder.node("Equal", [inside, name]), np.int32)
    axes = builder.constant([-1], np.int64)
    return inside, builder.cast(builder.node("ReduceMin", [same, axes], keepdims=0), np.bool_)


def _filled(builder: Builder, equation: Any, name: str, valid: str, outer: list[int]) -> str:
    dtype, shape = equation.outvars[0].aval.dtype, equation.outvars[0].aval.shape
    filler = equation.params["fill_value"]
    if filler is None:
        filler = np.nan if np.issubdtype(dtype, np.inexact) else 0 if dtype == np.bool_ else np.iinfo(dtype).min
    aligned = builder.reshape(valid, [shape[axis] if axis in outer else 1 for axis in range(len(shape))])
    return builder.node("Where", [aligned, name, builder.scalar(filler, dtype)])
