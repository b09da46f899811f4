"""Rules for primitives of JAX that slide windows: convolutions and pooling."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.export.mindir.builder import (
    GraphValue,
    PrimitiveBuilder,
    TensorForm,
    WithoutPrimitive,
    known_shape,
    rule,
)
from mindspore._engine.export.mindir.elementwise import broadcast, out
from mindspore._engine.export.mindir.shaping import bordered


@rule("conv_general_dilated")
def convolved(builder: PrimitiveBuilder, equation: Any, x: GraphValue, weight: GraphValue) -> GraphValue:
    """A convolution over one or two axes; a transposed one has zeros between the elements of its input."""
    parameters, form = equation.params, out(equation)
    numbers, axes = parameters["dimension_numbers"], len(x.shape) - 2
    if axes not in (1, 2) or parameters["batch_group_count"] != 1:
        raise WithoutPrimitive("of this kind")
    x, weight = builder.transpose(x, numbers.lhs_spec), builder.transpose(weight, numbers.rhs_spec)
    for axis, step in enumerate(parameters["lhs_dilation"], 2):
        x = _apart(builder, x, axis, step)
    for axis, (low, high) in enumerate(parameters["padding"], 2):
        x = _shortened(builder, x, axis, -min(low, 0), -min(high, 0))

    def flat(sizes: Any, filler: Any) -> tuple[Any, ...]:
        """For two axes: the first of one is of length 1."""
        return (filler, *sizes) if axes == 1 else tuple(sizes)

    pad = tuple(int(max(one, 0)) for pair in flat(parameters["padding"], (0, 0)) for one in pair)
    stride, apart = flat(parameters["window_strides"], 1), flat(parameters["rhs_dilation"], 1)
    if axes == 1:
        x, weight = (builder.reshape(one, (*one.shape[:2], 1, one.shape[2])) for one in (x, weight))
    group, order = parameters["feature_group_count"], list(numbers.out_spec)
    shape = tuple(form.shape[axis] for axis in order)
    found = builder.call(
        "Conv2D", x, weight, form=TensorForm((*shape[:2], *flat(shape[2:], 1)), form.dtype),
        kernel_size=weight.shape[2:], mode=1, out_channel=weight.shape[0], pad=pad, pad_mode="pad", format="NCHW", pad_list=pad,
        groups=group, group=group, stride=(1, 1, *stride), dilation=(1, 1, *apart), input_names=["x", "w"], output_names=["output"],
    )  # fmt: skip
    return builder.transpose(builder.reshape(found, shape), np.argsort(order).tolist())


def _apart(builder: PrimitiveBuilder, x: GraphValue, axis: int, step: int) -> GraphValue:
    """Zeros between the elements along an axis."""
    if step == 1:
        return x
    (length,) = known_shape(x.shape[axis : axis + 1])
    before, after = x.shape[:axis], x.shape[axis + 1 :]
    wide = builder.reshape(x, (*before, length, 1, *after))
    zeros = broadcast(builder, builder.known(0, x.dtype), (*before, length, step - 1, *after))
    form = TensorForm((*before, length, step, *after), x.dtype)
    joined_ = builder.reshape(
        builder.call("Concat", (wide, zeros), axis + 1, form=form), (*before, length * step, *after)
    )
    return _shortened(builder, joined_, axis, 0, step - 1)


def _shortened(builder: PrimitiveBuilder, x: GraphValue, axis: int, low: int, high: int) -> GraphValue:
    """Without the first and last elements along an axis."""
    if not low and not high:
        return x
    (length,) = known_shape(x.shape[axis : axis + 1])
    begin = [low if a == axis else 0 for a in range(len(x.shape))]
    end = [length - high if a == axis else size for a, size in enumerate(x.shape)]
    form = TensorForm(tuple(length - low - high if a == axis else size for a, size in enumerate(x.shape)), x.dtype)
    return builder.strided(x, begin, end, [1] * len(end), form)


@rule("reduce_window_max", "reduce_window_sum")
def pooled(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    """Windows over two axes, channels first: borders are made, then MaxPool, or AvgPool times the size of the window."""
    parameters = equation.params
    window, strides = parameters["window_dimensions"], parameters["window_strides"]
    dilated = {*parameters["base_dilation"], *parameters["window_dilation"]} != {1}
    if len(x.shape) != 4 or window[:2] != (1, 1) or strides[:2] != (1, 1) or dilated or x.dtype.kind != "f":
        raise WithoutPrimitive("of this kind")
    largest = equation.primitive.name == "reduce_window_max"
    filler = builder.known(-np.inf if largest else 0, x.dtype)
    for axis, (low, high) in enumerate(parameters["padding"]):
        x = bordered(builder, x, axis, low, high, filler)
    form, size, step = out(equation), tuple(window[2:]), tuple(strides[2:])
    if largest:
        return builder.call(
            "MaxPool", x, form=form, kernel_size=(1, 1, *size), strides=(1, 1, *step), pad_mode="VALID", format="NCHW",
            input_names=["x"], output_names=["output"],
        )  # fmt: skip
    mean = builder.call("AvgPool", x, size, step, 2, 0, form=form)
    return builder.call("Mul", mean, builder.known(int(np.prod(size)), x.dtype), form=form)
