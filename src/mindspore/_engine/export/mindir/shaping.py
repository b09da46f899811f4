"""Rules for primitives of JAX that rearrange, slice and gather elements."""

from __future__ import annotations

from typing import Any

import numpy as np
from jax.export import is_symbolic_dim

from mindspore._engine.export.mindir.builder import (
    GraphValue,
    PrimitiveBuilder,
    Size,
    TensorForm,
    WithoutPrimitive,
    is_open,
    known_shape,
    plus,
    rule,
    size_of,
    times,
)
from mindspore._engine.export.mindir.elementwise import broadcast, out


@rule("reshape", "squeeze", "expand_dims")
def reshaped(builder: PrimitiveBuilder, equation: Any, x: GraphValue, *_: GraphValue) -> GraphValue:
    order = equation.params.get("dimensions") if equation.primitive.name == "reshape" else None
    x = x if order is None else builder.transpose(x, order)
    return builder.reshape(x, out(equation).shape)


@rule("transpose")
def transposed(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    return builder.transpose(x, equation.params["permutation"])


@rule("broadcast_in_dim")
def spread(builder: PrimitiveBuilder, equation: Any, x: GraphValue, *_: GraphValue) -> GraphValue:
    form, mapped = out(equation), equation.params["broadcast_dimensions"]
    lengths = dict(zip(mapped, x.shape))
    narrow = tuple(lengths.get(axis, 1) for axis in range(len(form.shape)))
    return (
        broadcast(builder, builder.reshape(x, narrow), form.shape)
        if narrow != form.shape
        else builder.reshape(x, narrow)
    )


@rule("slice")
def cut(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    end = [size_of(one) for one in equation.params["limit_indices"]]
    steps = equation.params["strides"] or (1,) * len(end)
    if not end:
        return x
    begin = [size_of(one) for one in equation.params["start_indices"]]
    return builder.strided(x, begin, end, steps, out(equation))


@rule("rev")
def reversed_(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    return builder.call("ReverseV2", x, tuple(equation.params["dimensions"]), form=out(equation))


@rule("concatenate")
def joined(builder: PrimitiveBuilder, equation: Any, *parts: GraphValue) -> GraphValue:
    axis = int(equation.params["dimension"])
    filled = tuple(one for one in parts if one.shape[axis] != 0)
    return filled[0] if len(filled) == 1 else builder.call("Concat", filled, axis, form=out(equation))


@rule("split")
def divided(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> list[GraphValue]:
    axis, start, found = int(equation.params["axis"]), 0, []
    for index, size in enumerate(equation.params["sizes"]):
        begin = [start if a == axis else 0 for a in range(len(x.shape))]
        end = [start + size if a == axis else n for a, n in enumerate(x.shape)]
        found.append(builder.strided(x, begin, end, [1] * len(end), out(equation, index)))
        start += size
    return found


@rule("iota")
def counted(builder: PrimitiveBuilder, equation: Any) -> GraphValue:
    form, axis = out(equation), equation.params["dimension"]
    if is_open(form.shape):
        return _counted_open(builder, form, axis)
    sizes = known_shape(form.shape)
    shape = tuple(n if a == axis else 1 for a, n in enumerate(sizes))
    return builder.known(np.broadcast_to(np.arange(sizes[axis], dtype=form.dtype).reshape(shape), sizes))


def _counted_open(builder: PrimitiveBuilder, form: TensorForm, axis: int) -> GraphValue:
    """The same where sizes are open."""
    length, int64 = form.shape[axis], np.dtype(np.int64)
    steps = builder.known(np.arange(length)) if isinstance(length, int) else None
    if steps is None:
        steps = builder.call("Range", 0, builder.size(length), 1, 1_000_000, form=TensorForm((length,), int64))
    shape = tuple(length if a == axis else 1 for a in range(len(form.shape)))
    return broadcast(builder, builder.reshape(builder.cast(steps, form.dtype), shape), form.shape)


@rule("dim_as_value")
def measured(builder: PrimitiveBuilder, equation: Any) -> GraphValue:
    """An open size as a tensor."""
    form = out(equation)
    return builder.call("ScalarToTensor", builder.size(str(equation.params["dim"])), form.dtype, form=form)


@rule("pad")
def padded(builder: PrimitiveBuilder, equation: Any, x: GraphValue, filler: GraphValue) -> GraphValue:
    """Per axis: between the elements, then at both ends; negative borders cut."""
    parts = x
    for axis, (low, high, inner) in enumerate(equation.params["padding_config"]):
        parts = apart(builder, parts, axis, inner + 1, filler) if inner else parts
        if is_symbolic_dim(low) or is_symbolic_dim(high):
            raise WithoutPrimitive("by open sizes")
        parts = shortened(builder, parts, axis, -min(low, 0), -min(high, 0))
        parts = bordered(builder, parts, axis, max(low, 0), max(high, 0), filler)
    return parts


def _filled_with(builder: PrimitiveBuilder, filler: GraphValue, shape: tuple[Size, ...], dtype: Any) -> GraphValue:
    known = builder.known(filler.array, dtype) if filler.array is not None else builder.cast(filler, dtype)
    return broadcast(builder, known, shape)


def bordered(
    builder: PrimitiveBuilder, x: GraphValue, axis: int, low: int, high: int, filler: GraphValue
) -> GraphValue:
    """One axis longer at both ends."""
    if not low and not high:
        return x
    if is_symbolic_dim(low) or is_symbolic_dim(high):
        raise WithoutPrimitive("by open sizes")

    def border(count: int) -> GraphValue:
        shape = tuple(count if a == axis else size for a, size in enumerate(x.shape))
        return _filled_with(builder, filler, shape, x.dtype)

    parts = [*([border(low)] if low else []), *([x] if x.shape[axis] else []), *([border(high)] if high else [])]
    if len(parts) == 1:
        return parts[0]
    shape = tuple(plus(size, low + high) if a == axis else size for a, size in enumerate(x.shape))
    return builder.call("Concat", tuple(parts), axis, form=TensorForm(shape, x.dtype))


def apart(builder: PrimitiveBuilder, x: GraphValue, axis: int, step: int, filler: GraphValue) -> GraphValue:
    """Fillers between the elements along an axis."""
    if step == 1 or x.shape[axis] == 0:
        return x
    length = x.shape[axis]
    before, after = x.shape[:axis], x.shape[axis + 1 :]
    wide = builder.reshape(x, (*before, length, 1, *after))
    between = _filled_with(builder, filler, (*before, length, step - 1, *after), x.dtype)
    form = TensorForm((*before, length, step, *after), x.dtype)
    both = builder.call("Concat", (wide, between), axis + 1, form=form)
    return shortened(builder, builder.reshape(both, (*before, times(length, step), *after)), axis, 0, step - 1)


def shortened(builder: PrimitiveBuilder, x: GraphValue, axis: int, low: int, high: int) -> GraphValue:
    """Without the first and last elements along an axis."""
    if not low and not high:
        return x
    length = x.shape[axis]
    begin = [low if a == axis else 0 for a in range(len(x.shape))]
    end = [plus(length, -high) if a == axis else size for a, size in enumerate(x.shape)]
    form = TensorForm(
        tuple(plus(length, -low - high) if a == axis else size for a, size in enumerate(x.shape)), x.dtype
    )
    return builder.strided(x, begin, end, [1] * len(end), form)


@rule("dynamic_slice")
def picked(builder: PrimitiveBuilder, equation: Any, x: GraphValue, *starts: GraphValue) -> GraphValue:
    """A window that begins at values of the graph: the positions along each cut axis are gathered."""
    sizes = [size_of(one) for one in equation.params["slice_sizes"]]
    found = x
    for axis, (start, size, length) in enumerate(zip(starts, sizes, x.shape)):
        if size == length:
            continue
        shape = tuple(size if a == axis else n for a, n in enumerate(found.shape))
        if start.array is not None and (isinstance(size, int) or isinstance(length, str)) and int(start.array) >= 0:
            first = int(start.array)
            if isinstance(length, int) and isinstance(size, int):
                first = min(first, length - size)
            begin = [first if a == axis else 0 for a in range(len(shape))]
            end = [plus(size, first) if a == axis else n for a, n in enumerate(shape)]
            found = builder.strided(found, begin, end, [1] * len(end), TensorForm(shape, x.dtype))
            continue
        begin, form = builder.cast(start, np.int32), TensorForm((size,), np.dtype(np.int32))
        if isinstance(length, int) and isinstance(size, int):
            begin = _within(builder, begin, length - size)
        steps = (
            _counted_open(builder, form, 0) if isinstance(size, str) else builder.known(np.arange(size, dtype=np.int32))
        )
        targets = builder.call("Add", builder.reshape(begin, (1,)), steps, form=form)
        found = builder.call("Gather", found, targets, axis, 0, form=TensorForm(shape, x.dtype))
    return found


def _within(builder: PrimitiveBuilder, start: GraphValue, last: int) -> GraphValue:
    if start.array is not None:
        return builder.known(np.clip(start.array, 0, last))
    form = TensorForm(start.shape, start.dtype)
    low = builder.call("Maximum", start, builder.known(0, start.dtype), form=form)
    return builder.call("Minimum", low, builder.known(last, start.dtype), form=form)


@rule("dynamic_update_slice")
def placed(
    builder: PrimitiveBuilder, equation: Any, x: GraphValue, part: GraphValue, *starts: GraphValue
) -> GraphValue:
    """Rows of another tensor in place of some, along one axis."""
    axes = [axis for axis, (n, m) in enumerate(zip(x.shape, part.shape)) if n != m]
    if len(axes) > 1:
        raise WithoutPrimitive("along several axes")
    if not axes:
        return part
    (axis,) = axes
    order = [axis, *[a for a in range(len(x.shape)) if a != axis]]
    first, rows = builder.transpose(x, order), builder.transpose(part, order)
    length, count = known_shape((first.shape[0], rows.shape[0]))
    int32 = np.dtype(np.int32)
    begin = _within(builder, builder.cast(starts[axis], int32), length - count)
    targets = builder.call(
        "Add",
        builder.reshape(begin, (1,)),
        builder.known(np.arange(count, dtype=int32)),
        form=TensorForm((count,), int32),
    )
    targets = builder.reshape(targets, (count, 1))
    found = builder.call("TensorScatterUpdate", first, targets, rows, form=TensorForm(first.shape, x.dtype))
    return builder.transpose(found, [order.index(a) for a in range(len(order))])


@rule("gather")
def gathered(builder: PrimitiveBuilder, equation: Any, x: GraphValue, indices: GraphValue) -> GraphValue:
    """Whole windows along indexed axes: Gather of one axis, GatherNd of several."""
    numbers, sizes = equation.params["dimension_numbers"], [size_of(one) for one in equation.params["slice_sizes"]]
    picked_axes, gone = list(numbers.start_index_map), set(numbers.collapsed_slice_dims)
    if numbers.operand_batching_dims:
        return _along(builder, equation, x, indices)
    if numbers.operand_batching_dims or gone != set(picked_axes):
        raise WithoutPrimitive("of windows")
    rest = [axis for axis in range(len(x.shape)) if axis not in gone]
    if any(sizes[axis] != x.shape[axis] for axis in rest) or any(sizes[axis] != 1 for axis in gone):
        raise WithoutPrimitive("of windows that are part of an axis")
    targets, valid = _clamped_indices(builder, equation, indices, [x.shape[axis] for axis in picked_axes])
    form = out(equation)
    outer = [axis for axis in range(len(form.shape)) if axis not in numbers.offset_dims]
    if len(picked_axes) == 1:
        flat = builder.reshape(targets, targets.shape[:-1])
        axis = picked_axes[0]
        shape = (*x.shape[:axis], *flat.shape, *x.shape[axis + 1 :])
        found = builder.call("Gather", x, flat, axis, 0, form=TensorForm(shape, x.dtype))
        order = [*numbers.offset_dims[:axis], *outer, *numbers.offset_dims[axis:]]
    else:
        source = builder.transpose(x, [*picked_axes, *rest])
        shape = (*targets.shape[:-1], *(x.shape[axis] for axis in rest))
        found = builder.call("GatherNd", source, targets, form=TensorForm(shape, x.dtype))
        order = [*outer, *numbers.offset_dims]
    found = builder.transpose(found, np.argsort(order).tolist())
    return found if valid is None else _filled(builder, equation, found, valid, outer)


def _along(builder: PrimitiveBuilder, equation: Any, x: GraphValue, indices: GraphValue) -> GraphValue:
    """Elements along one axis, with an index of its own for each position of the other axes (GatherD)."""
    numbers = equation.params["dimension_numbers"]
    others = tuple(axis for axis in range(len(x.shape)) if axis not in numbers.start_index_map)
    plain = numbers.operand_batching_dims == numbers.start_indices_batching_dims == others and not numbers.offset_dims
    if len(numbers.start_index_map) != 1 or not plain or len(indices.shape) != len(x.shape) + 1:
        raise WithoutPrimitive("of windows")
    (axis,) = numbers.start_index_map
    targets, valid = _clamped_indices(builder, equation, indices, [x.shape[axis]])
    form = out(equation)
    found = builder.call("GatherD", x, int(axis), builder.reshape(targets, targets.shape[:-1]), form=form)
    return found if valid is None else _filled(builder, equation, found, valid, list(range(len(form.shape))))


def _clamped_indices(
    builder: PrimitiveBuilder, equation: Any, indices: GraphValue, lengths: list[Size]
) -> tuple[GraphValue, GraphValue | None]:
    """Indices clamped to the bounds, and the mask of those in bounds, if others give a fill value."""
    mode = str(equation.params["mode"]).rsplit(".", 1)[-1]
    targets = builder.cast(indices, np.int32) if indices.dtype not in (np.int32, np.int64) else indices
    if mode in ("PROMISE_IN_BOUNDS", "ONE_HOT"):
        return targets, None
    last = _last_indices(builder, lengths, targets.dtype)
    if (
        targets.array is not None
        and last.array is not None
        and ((targets.array >= 0) & (targets.array <= last.array)).all()
    ):
        return targets, None
    form = TensorForm(targets.shape, targets.dtype)
    low = builder.call("Maximum", targets, builder.known(0, targets.dtype), form=form)
    inside = builder.call("Minimum", low, last, form=form)
    if mode == "CLIP":
        return inside, None
    same = builder.call("Equal", inside, targets, form=TensorForm(targets.shape, np.dtype(bool)))
    return inside, builder.call("ReduceAll", same, (-1,), False, form=TensorForm(targets.shape[:-1], np.dtype(bool)))


def _last_indices(builder: PrimitiveBuilder, lengths: list[Size], dtype: Any) -> GraphValue:
    """The last index of each of these axes, as a tensor."""
    if not is_open(lengths):
        return builder.known(np.array(known_shape(lengths)) - 1, dtype)
    form = TensorForm((1,), np.dtype(dtype))
    scalars = [
        builder.call("ScalarToTensor", builder.size(plus(n, -1)), dtype, form=TensorForm((), np.dtype(dtype)))
        for n in lengths
    ]
    parts = tuple(builder.reshape(one, (1,)) for one in scalars)
    return parts[0] if len(parts) == 1 else builder.call("Concat", parts, 0, form=TensorForm((len(parts),), form.dtype))


def _filled(
    builder: PrimitiveBuilder, equation: Any, found: GraphValue, valid: GraphValue, outer: list[int]
) -> GraphValue:
    filler, dtype = equation.params["fill_value"], found.dtype
    if filler is None:
        filler = np.nan if np.issubdtype(dtype, np.inexact) else 0 if dtype == np.bool_ else np.iinfo(dtype).min
    shape = tuple(size if axis in outer else 1 for axis, size in enumerate(found.shape))
    mask = broadcast(builder, builder.reshape(valid, shape), found.shape)
    return builder.call(
        "Select", mask, found, broadcast(builder, builder.known(filler, dtype), found.shape), form=found.form
    )


def _counts(value: GraphValue, axis: int) -> bool:
    """Whether a tensor holds the index of each element along an axis."""
    if value.array is None:
        return False
    shape = [size if a == axis else 1 for a, size in enumerate(value.array.shape)]
    return bool((value.array == np.arange(value.array.shape[axis]).reshape(shape)).all())


@rule("sort")
def sorted_(builder: PrimitiveBuilder, equation: Any, *values: GraphValue) -> Any:
    axis = equation.params["dimension"]
    int32 = TensorForm(values[0].shape, np.dtype(np.int32))
    if len(values) == 2 and equation.params["num_keys"] == 1 and _counts(values[1], axis):
        found = builder.call("Sort", values[0], form=(out(equation), int32), axis=int(axis), descending=False)
        return found[0], builder.cast(found[1], out(equation, 1).dtype)
    if len(values) != 1:
        raise WithoutPrimitive("of several")
    return builder.call("Sort", values[0], form=(out(equation), int32), axis=int(axis), descending=False)[0]


@rule("top_k")
def largest(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> Any:
    found = builder.call("TopK", x, int(equation.params["k"]), form=(out(equation), TensorForm(out(equation, 1).shape, np.dtype(np.int32))), sorted=True)  # fmt: skip
    return found[0], builder.cast(found[1], out(equation, 1).dtype)
