"""Rules of operations that move elements and compute nothing; see ``rules``."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax
from jax.export import is_symbolic_dim

from mindspore._engine.base.open_sizes import NotPadded
from mindspore._engine.graph.padding.rules import Rule, bind, into, require_whole, settled, shape_of
from mindspore._engine.graph.padding.values import Layout, Lengths, Padded, layout_of, normal, same

RULES: dict[str, Rule] = {}
rule = into(RULES)


@rule("broadcast_in_dim")
def _broadcast(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = operands
    sizes, mapped = equation.params["shape"], equation.params["broadcast_dimensions"]
    axes: list[Layout] = [None if is_symbolic_dim(size) else layout_of(size) for size in sizes]
    for place, axis in enumerate(mapped):
        if operand.array.shape[place] != 1:
            axes[axis] = operand.axes[place]
    return [Padded(lax.broadcast_in_dim(operand.array, lengths.shape(sizes), mapped), axes, lengths)]


@rule("iota")
def _iota(equation: Any, _: list[Padded], lengths: Lengths) -> list[Padded]:
    sizes, along = equation.params["shape"], equation.params["dimension"]
    array = lax.broadcasted_iota(equation.params["dtype"], lengths.shape(sizes), along)
    axes = [layout_of(size) if axis == along or not is_symbolic_dim(size) else None for axis, size in enumerate(sizes)]
    return [Padded(array, axes, lengths)]


@rule("transpose")
def _transpose(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    order = equation.params["permutation"]
    return [Padded(lax.transpose(operands[0].array, order), [operands[0].axes[i] for i in order], lengths)]


@rule("squeeze")
def _squeeze(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    gone = equation.params["dimensions"]
    axes = [layout for axis, layout in enumerate(operands[0].axes) if axis not in gone]
    return [Padded(lax.squeeze(operands[0].array, gone), axes, lengths)]


@rule("reshape")
def _reshape(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = settled(equation, operands)
    if equation.params.get("dimensions") is not None:
        raise NotPadded("a reshape in another order")
    sizes = equation.params["new_sizes"]
    factors = [factor for layout in operand.axes for factor in layout or ()]
    axes = [_take(factors, size) for size in sizes]
    return [Padded(operand.array.reshape(lengths.shape(sizes)), axes, lengths)]


def _take(factors: list[Any], size: Any) -> Layout:
    """The next factors whose product is a size, taken away; factors of known size may be divided."""
    taken: list[Any] = []
    while is_symbolic_dim(size) or size != 1:
        if not factors:
            raise NotPadded("a reshape across an open axis")
        factor = factors.pop(0)
        rest, left = divmod(size, factor) if is_symbolic_dim(size) or not is_symbolic_dim(factor) else (0, 1)
        if not is_symbolic_dim(left) and left == 0 and (is_symbolic_dim(rest) or rest > 0):
            taken.append(factor)
            size = rest
        elif not is_symbolic_dim(size) and not is_symbolic_dim(factor) and factor % size == 0:
            taken.append(size)
            factors.insert(0, factor // size)
            size = 1
        else:
            raise NotPadded("a reshape that divides an open axis")
    return normal(taken)


@rule("concatenate")
def _concatenate(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    operands = settled(equation, operands)
    along, sizes = equation.params["dimension"], shape_of(equation.outvars[0])
    for operand in operands:
        require_whole(operand, along, "concatenate")
    axes = [
        same([p.axes[axis] for p in operands]) if axis != along else layout_of(sizes[along])
        for axis in range(len(sizes))
    ]
    axes = [layout_of(size) if layout is None else layout for layout, size in zip(axes, sizes)]
    if not any(p.is_filled(along) for p in operands[:-1]):
        return [Padded(lax.concatenate([p.array for p in operands], along), axes, lengths)]
    result = jnp.zeros(lengths.shape(sizes), operands[0].array.dtype)
    start: Any = 0
    for operand, variable in zip(operands, equation.invars):  # each overwrites the padding of the one before
        result = lax.dynamic_update_slice_in_dim(result, operand.array, start, along)
        start = start + lengths.now(shape_of(variable)[along])
    return [Padded(result, axes, lengths)]


@rule("stack")
def _stack(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    operands = settled(equation, operands)
    axes = [same([p.axes[axis] for p in operands]) for axis in range(len(operands[0].axes))]
    axes = [() if layout is None else layout for layout in axes]
    axes.insert(equation.params["axis"], layout_of(len(operands)))
    return [Padded(bind(equation, [p.array for p in operands])[0], axes, lengths)]


@rule("tile")
def _tile(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = settled(equation, operands)
    sizes, times = shape_of(equation.outvars[0]), equation.params["reps"]
    axes = [
        normal((count, *(layout or ()))) if operand.is_filled(axis) else layout_of(sizes[axis])
        for axis, (layout, count) in enumerate(zip(operand.axes, times))
    ]
    return [Padded(bind(equation, [operand.array])[0], axes, lengths)]


@rule("split")
def _split(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = settled(equation, operands)
    axis = equation.params["axis"]
    if operand.is_filled(axis) or any(map(is_symbolic_dim, equation.params["sizes"])):
        raise NotPadded("an open axis is split")
    arrays = bind(equation, [operand.array])
    return [
        Padded(array, [layout_of(array.shape[a]) if a == axis else x for a, x in enumerate(operand.axes)], lengths)
        for array in arrays
    ]


@rule("pad")
def _pad(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    operand, filling = settled(equation, operands)
    config, sizes = equation.params["padding_config"], shape_of(equation.outvars[0])
    touched = [axis for axis, amounts in enumerate(config) if any(is_symbolic_dim(n) or n != 0 for n in amounts)]
    amounts = list(config)
    for axis in touched:
        require_whole(operand, axis, "pad")
        low, high, between = config[axis]
        if is_symbolic_dim(low) or is_symbolic_dim(between) or (operand.is_filled(axis) and between != 0):
            raise NotPadded("padding by an open size in front")
        if is_symbolic_dim(high):
            if between != 0:
                raise NotPadded("padding by an open size between elements")
            amounts[axis] = (low, lengths.limit(sizes[axis]) - low - operand.array.shape[axis], 0)
    axes = [layout_of(size) if axis in touched else operand.axes[axis] for axis, size in enumerate(sizes)]
    return [Padded(lax.pad(operand.with_filling(touched, filling.array), filling.array, amounts), axes, lengths)]


@rule("rev")
def _reverse(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = settled(equation, operands)
    (array,) = bind(equation, [operand.array])
    for axis in equation.params["dimensions"]:
        if operand.is_filled(axis):  # its padding comes first now
            require_whole(operand, axis, "rev")
            more = array.shape[axis] - lengths.now(shape_of(equation.invars[0])[axis])
            array = jnp.roll(array, -more, axis)
    return [Padded(array, operand.axes, lengths)]
