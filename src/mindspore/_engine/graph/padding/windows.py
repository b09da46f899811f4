"""Rules of slices, gathers and windows over padded axes; see ``rules``."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax
from jax.export import is_symbolic_dim

from mindspore._engine.base.open_sizes import NotPadded
from mindspore._engine.graph.padding.rules import Rule, bind, highest, into, lowest, require_whole, settled, shape_of
from mindspore._engine.graph.padding.values import Layout, Lengths, Padded, layout_of, same

RULES: dict[str, Rule] = {}
rule = into(RULES)


def _cut(array: Any, axis: int, start: Any, size: int, may_exceed: bool) -> Any:
    """``size`` elements from a start that is known when the program runs."""
    if may_exceed:
        array = lax.pad(
            array, jnp.zeros((), array.dtype), [(0, size if a == axis else 0, 0) for a in range(array.ndim)]
        )
    return lax.dynamic_slice_in_dim(array, start, size, axis)


@rule("slice")
def _slice(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = settled(equation, operands)
    before, after = shape_of(equation.invars[0]), shape_of(equation.outvars[0])
    starts, ends = equation.params["start_indices"], equation.params["limit_indices"]
    steps = equation.params["strides"] or (1,) * len(before)
    array, axes = operand.array, list(operand.axes)
    for axis, (start, end, step, size) in enumerate(zip(starts, ends, steps, after)):
        known: bool = not is_symbolic_dim(start)
        if known and start == 0 and step == 1 and same_size(end, before[axis]):
            continue
        require_whole(operand, axis, "a slice")
        axes[axis] = layout_of(size)
        if known:
            array = lax.slice_in_dim(array, int(start), lengths.limit(end), step, axis)
        elif step == 1:
            array = _cut(array, axis, lengths.now(start), lengths.limit(size), is_symbolic_dim(size))
        else:
            raise NotPadded("a strided slice with a symbolic start")
    return [Padded(array, axes, lengths)]


def same_size(one: Any, other: Any) -> bool:
    """Whether two sizes are equal for all lengths."""
    difference = one - other
    return not is_symbolic_dim(difference) and difference == 0


@rule("dynamic_slice")
def _dynamic_slice(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    operand, *starts = settled(equation, operands)
    before, sizes = shape_of(equation.invars[0]), equation.params["slice_sizes"]
    array, axes = operand.array, list(operand.axes)
    for axis, (start, size) in enumerate(zip(starts, sizes)):
        if same_size(size, before[axis]):
            continue  # the start is moved to 0
        require_whole(operand, axis, "a slice")
        axes[axis] = layout_of(size)
        first = jnp.clip(start.array, 0, lengths.now(before[axis]) - lengths.now(size))
        array = _cut(array, axis, first, lengths.limit(size), is_symbolic_dim(size))
    return [Padded(array, axes, lengths)]


@rule("dynamic_update_slice")
def _dynamic_update(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    operand, update, *starts = settled(equation, operands)
    before, sizes = shape_of(equation.invars[0]), shape_of(equation.invars[1])
    firsts = []
    for axis, (start, size) in enumerate(zip(starts, sizes)):
        if same_size(size, before[axis]):
            same([operand.axes[axis], update.axes[axis]])
            firsts.append(jnp.zeros_like(start.array))
            continue
        if is_symbolic_dim(size):
            raise NotPadded("an open number of elements is written")
        require_whole(operand, axis, "writing")
        limit = jnp.asarray(lengths.now(before[axis]) - size).astype(start.array.dtype)
        firsts.append(jnp.clip(start.array, 0, limit))
    return [Padded(lax.dynamic_update_slice(operand.array, update.array, firsts), operand.axes, lengths)]


@rule("gather")
def _gather(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    operand, indices_operand = settled(equation, operands)
    numbers, sizes = equation.params["dimension_numbers"], equation.params["slice_sizes"]
    before, indices = shape_of(equation.invars[0]), indices_operand.array
    for axis in operand.filled:
        if axis in numbers.operand_batching_dims:
            continue
        if axis in numbers.start_index_map:
            if is_symbolic_dim(sizes[axis]) or sizes[axis] != 1:
                raise NotPadded("parts of an open axis are gathered")
            require_whole(operand, axis, "gather")
            component = numbers.start_index_map.index(axis)
            indices = _inside(indices, component, lengths.now(before[axis]), equation.params["mode"])
        elif not same_size(sizes[axis], before[axis]):
            raise NotPadded("a part of an open axis is gathered")
    gone = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    kept = iter(
        [
            operand.axes[a] if same_size(sizes[a], before[a]) else layout_of(sizes[a])
            for a in range(len(before))
            if a not in gone
        ]
    )
    batch = iter(indices_operand.axes[:-1])
    rank = len(shape_of(equation.outvars[0]))
    axes: list[Layout] = [next(kept) if axis in numbers.offset_dims else next(batch) for axis in range(rank)]
    for mine, theirs in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims):
        same([operand.axes[mine], indices_operand.axes[theirs]])
    found = bind(equation, [operand.array, indices], slice_sizes=lengths.shape(sizes))
    return [Padded(found[0], axes, lengths)]


def _inside(indices: Any, component: int, size: Any, mode: Any) -> Any:
    """Indices beyond the actual size, replaced by indices beyond the end of the padded array."""
    one = indices[..., component]
    size = jnp.asarray(size).astype(one.dtype)
    if mode == lax.GatherScatterMode.FILL_OR_DROP:
        one = jnp.where(one >= size, jnp.iinfo(one.dtype).max, one)
    else:
        one = jnp.minimum(one, size - 1)
    return indices.at[..., component].set(one)


@rule("scatter", "scatter-add", "scatter-sub", "scatter-mul", "scatter-min", "scatter-max")
def _scatter(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    operand, indices_operand, updates = settled(equation, operands)
    numbers, mode = equation.params["dimension_numbers"], equation.params["mode"]
    before, given = shape_of(equation.invars[0]), shape_of(equation.invars[2])
    indices = indices_operand.array
    windows = [
        a for a in range(len(before)) if a not in (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    ]
    for mine, theirs in zip(windows, numbers.update_window_dims, strict=True):
        if not (operand.is_filled(mine) or updates.is_filled(theirs)):
            continue
        if not same_size(before[mine], given[theirs]):
            raise NotPadded("a part of an open axis is written")
        same([operand.axes[mine], updates.axes[theirs]])
    for mine, theirs in zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims):
        same([operand.axes[mine], indices_operand.axes[theirs]])
    for component, axis in enumerate(numbers.scatter_dims_to_operand_dims):
        if operand.is_filled(axis):
            require_whole(operand, axis, "scatter")
            indices = _inside(indices, component, lengths.now(before[axis]), mode)
    across = [axis for axis in range(len(given)) if axis not in numbers.update_window_dims]
    for axis, theirs in zip(across, range(len(across))):
        same([updates.axes[axis], indices_operand.axes[theirs]])
    indices, values = _without_filling(equation, Padded(indices, indices_operand.axes, lengths), updates, across)
    return [Padded(bind(equation, [operand.array, indices, values])[0], operand.axes, lengths)]


def _without_filling(equation: Any, indices_operand: Padded, updates: Padded, across: list[int]) -> tuple[Any, Any]:
    """Indices and values, with those beyond the actual sizes made neutral."""
    neutral, filled = _UPDATES.get(equation.primitive.name), indices_operand.filled
    if not filled:
        return indices_operand.array, updates.array
    if neutral is not None:
        return indices_operand.with_filling(filled, 0), updates.with_filling(across, neutral(updates.array.dtype))
    if equation.params["mode"] != lax.GatherScatterMode.FILL_OR_DROP:
        raise NotPadded("an open number of elements is written")
    return indices_operand.with_filling(filled, jnp.iinfo(indices_operand.array.dtype).max), updates.array


_UPDATES = {
    "scatter-add": lambda _: 0, "scatter-sub": lambda _: 0, "scatter-mul": lambda _: 1, "scatter-min": highest,
    "scatter-max": lowest,
}  # fmt: skip


@rule("conv_general_dilated")
def _convolution(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    image, weight = settled(equation, operands)
    numbers = equation.params["dimension_numbers"]
    batch, channels, *space = numbers.lhs_spec
    if weight.filled or image.is_filled(channels) or equation.params["batch_group_count"] != 1:
        raise NotPadded("a convolution with open channels or weights")
    for number, axis in enumerate(space):
        if image.is_filled(axis):
            amounts = (*equation.params["padding"][number], equation.params["lhs_dilation"][number])
            _check_window(image, axis, amounts)
    sizes = shape_of(equation.outvars[0])
    axes = [layout_of(size) for size in sizes]
    axes[numbers.out_spec[0]] = image.axes[batch]
    return [Padded(bind(equation, [image.with_filling(space, 0), weight.array])[0], axes, lengths)]


def _check_window(operand: Padded, axis: int, amounts: tuple[Any, ...]) -> None:
    require_whole(operand, axis, "a window")
    if any(map(is_symbolic_dim, amounts)) or amounts[-1] != 1:
        raise NotPadded("a window with an open margin")


@rule("reduce_window_max", "reduce_window_min", "reduce_window_sum")
def _window(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = settled(equation, operands)
    parameters, sizes = equation.params, shape_of(equation.outvars[0])
    axes, touched = list(operand.axes), []
    for axis in range(len(axes)):
        margin = parameters["padding"][axis]
        if parameters["window_dimensions"][axis] == 1 and parameters["window_strides"][axis] == 1 and margin == (0, 0):
            continue
        if operand.is_filled(axis):
            _check_window(operand, axis, (*margin, parameters["base_dilation"][axis]))
        touched.append(axis)
        axes[axis] = layout_of(sizes[axis])
    neutral = {"max": lowest, "min": highest, "sum": lambda _: 0}[equation.primitive.name.rpartition("_")[2]]
    return [Padded(bind(equation, [operand.with_filling(touched, neutral(operand.array.dtype))])[0], axes, lengths)]
