"""Converters of reshapes, transposes, slices, pads and array creation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.export.onnx.builder import Builder, Value, converts, is_known, known_shape

_TO_THE_START = -(2**63) + 1  # end of a reversed slice that includes the first element


@converts("reshape", "squeeze", "expand_dims")
def reshape(builder: Builder, equation: Any, value: Value, *_: Value) -> Value | str:
    shape = equation.outvars[0].aval.shape
    order = equation.params.get("dimensions") if equation.primitive.name == "reshape" else None
    if order is None and shape == equation.invars[0].aval.shape:
        return value
    name = builder.name_of(value)
    return builder.reshape(name if order is None else builder.transpose(name, order), shape)


@converts("transpose")
def transpose(builder: Builder, equation: Any, value: Value) -> str:
    return builder.transpose(builder.name_of(value), equation.params["permutation"])


@converts("broadcast_in_dim")
def broadcast_in_dim(builder: Builder, equation: Any, value: Value, *_: Value) -> Value:
    """Reshape to aligned axes, then Expand. Ops that broadcast implicitly take the reshaped tensor."""
    given, shape = equation.invars[0].aval.shape, equation.params["shape"]
    dimensions = equation.params["broadcast_dimensions"]
    aligned: list[Any] = [1] * len(shape)
    for size, axis in zip(given, dimensions, strict=True):
        aligned[axis] = size
    if value.array is not None:
        narrow = builder.constant(np.reshape(value.array, known_shape(aligned, "a constant")))
    else:
        narrow = builder.name_of(value) if tuple(aligned) == given else builder.reshape(builder.name_of(value), aligned)
    if tuple(aligned) == tuple(shape):
        return Value(narrow)
    # Expand keeps an axis where 1 is requested.
    wanted = [1 if a is b or a == b else b for a, b in zip(aligned, shape, strict=True)]
    return Value(builder.node("Expand", [narrow, builder.shape(wanted)]), narrow=narrow)


@converts("tile")
def tile(builder: Builder, equation: Any, value: Value) -> str:
    return builder.node("Tile", [builder.name_of(value), builder.constant(equation.params["reps"], np.int64)])


def slices(builder: Builder, name: str, starts: Sequence[Any], ends: Sequence[Any], axes: Sequence[int],
           steps: Sequence[int]) -> str:  # fmt: skip
    """Slice a tensor along some axes."""
    if not axes:
        return name
    inputs = [name, builder.shape(starts), builder.shape(ends), builder.constant(axes, np.int64)]
    return builder.node("Slice", [*inputs, builder.constant(steps, np.int64)])


@converts("slice")
def slice_(builder: Builder, equation: Any, value: Value) -> str:
    shape, params = equation.invars[0].aval.shape, equation.params
    bounds = list(zip(params["start_indices"], params["limit_indices"], params["strides"] or [1] * len(shape)))
    cut = [axis for axis, size in enumerate(shape) if bounds[axis] != (0, size, 1)]
    starts, ends, steps = ([bounds[axis][part] for axis in cut] for part in range(3))
    return slices(builder, builder.name_of(value), starts, ends, cut, steps)


@converts("rev")
def reverse(builder: Builder, equation: Any, value: Value) -> str:
    return reverse_axes(builder, builder.name_of(value), equation.params["dimensions"])


def reverse_axes(builder: Builder, name: str, axes: Sequence[int]) -> str:
    """Reverse a tensor along some axes."""
    count = len(axes)
    return slices(builder, name, [-1] * count, [_TO_THE_START] * count, list(axes), [-1] * count)


@converts("pad")
def pad(builder: Builder, equation: Any, value: Value, filler: Value) -> str:
    shape, amounts = equation.invars[0].aval.shape, equation.params["padding_config"]
    name, number = builder.name_of(value), builder.name_of(filler)
    sizes = list(shape)
    for axis, (_, _, between) in enumerate(amounts):
        if between:
            name = _spread(builder, name, number, sizes, axis, between)
    return padded(builder, name, number, [(low, high) for low, high, _ in amounts])


def _spread(builder: Builder, name: str, number: str, sizes: list[Any], axis: int, between: int) -> str:
    """Interior padding: insert ``between`` fill values after each element of an axis but the last."""
    split = [*sizes[: axis + 1], 1, *sizes[axis + 1 :]]
    name = builder.reshape(name, split)
    ends = np.zeros((2, len(split)), np.int64)
    ends[1, axis + 1] = between
    name = builder.node("Pad", [name, builder.constant(ends.reshape(-1)), number])
    longer = [*sizes[:axis], sizes[axis] * (between + 1), *sizes[axis + 1 :]]
    name = builder.reshape(name, longer)
    sizes[axis] = longer[axis] - between
    return slices(builder, name, [0], [-between], [axis], [1])


def padded(builder: Builder, name: str, number: str, amounts: Sequence[tuple[Any, Any]]) -> str:
    """Pad a tensor; negative amounts crop. Amounts that follow from open sizes are never negative."""
    if not all(is_known(amount) for pair in amounts for amount in pair):
        widths = builder.shape([low for low, _ in amounts] + [high for _, high in amounts])
        return builder.node("Pad", [name, widths, number])
    less = [axis for axis, (low, high) in enumerate(amounts) if low < 0 or high < 0]
    if less:
        starts = [max(-amounts[axis][0], 0) for axis in less]
        ends = [min(amounts[axis][1], 0) or 2**62 for axis in less]
        name = slices(builder, name, starts, ends, less, [1] * len(less))
    more = [max(low, 0) for low, _ in amounts] + [max(high, 0) for _, high in amounts]
    if not any(more):
        return name
    return builder.node("Pad", [name, builder.constant(more, np.int64), number])


@converts("concatenate")
def concatenate(builder: Builder, equation: Any, *values: Value) -> str:
    axis = int(equation.params["dimension"])
    parts = [v for v, var in zip(values, equation.invars, strict=True) if not _is_nothing(var.aval.shape[axis])]
    return builder.node("Concat", [builder.name_of(v) for v in parts or values], axis=axis)


def _is_nothing(size: Any) -> bool:
    return is_known(size) and size == 0


@converts("stack")
def stack(builder: Builder, equation: Any, *values: Value) -> str:
    axis = int(equation.params["axis"])
    where = builder.constant([axis], np.int64)
    return builder.node("Concat", [builder.node("Unsqueeze", [builder.name_of(v), where]) for v in values], axis=axis)


@converts("unstack")
def unstack(builder: Builder, equation: Any, value: Value) -> list[str]:
    axis, count = int(equation.params["axis"]), len(equation.outvars)
    where = builder.constant([axis], np.int64)
    parts = builder.nodes_of("Split", [builder.name_of(value)], count, axis=axis, num_outputs=count)
    return [builder.node("Squeeze", [part, where]) for part in parts]


@converts("split")
def split(builder: Builder, equation: Any, value: Value) -> list[str]:
    sizes = builder.shape(equation.params["sizes"])
    count = len(equation.outvars)
    return builder.nodes_of("Split", [builder.name_of(value), sizes], count, axis=int(equation.params["axis"]))


@converts("iota")
def iota(builder: Builder, equation: Any) -> Value:
    """0, 1, 2, ... along one axis."""
    shape, axis, dtype = equation.params["shape"], equation.params["dimension"], equation.params["dtype"]
    aligned = [size if index == axis else 1 for index, size in enumerate(shape)]
    if is_known(shape[axis]):
        narrow = builder.constant(np.arange(shape[axis], dtype=dtype).reshape(aligned))
    else:
        ends = builder.node("Squeeze", [builder.size(shape[axis])])
        count = builder.node("Range", [builder.scalar(0, np.int64), ends, builder.scalar(1, np.int64)])
        narrow = builder.reshape(builder.cast(count, dtype), aligned)
    if len(shape) == 1:
        return Value(narrow)
    wanted = [1 if position == axis else size for position, size in enumerate(shape)]
    return Value(builder.node("Expand", [narrow, builder.shape(wanted)]), narrow=narrow)


@converts("dim_as_value")
def dim_as_value(builder: Builder, equation: Any) -> str:
    number = builder.node("Squeeze", [builder.size(equation.params["dim"])])
    return builder.cast(number, equation.outvars[0].aval.dtype)
