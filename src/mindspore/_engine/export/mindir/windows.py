"""Rules for primitives of JAX that slide windows: convolutions and pooling."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.export.mindir.builder import (
    GraphValue,
    PrimitiveBuilder,
    TensorForm,
    WithoutPrimitive,
    rule,
)
from mindspore._engine.export.mindir.elementwise import out
from mindspore._engine.export.mindir.shaping import apart, bordered, shortened


@rule("conv_general_dilated")
def convolved(builder: PrimitiveBuilder, equation: Any, x: GraphValue, weight: GraphValue) -> GraphValue:
    """A convolution over one to three axes; a transposed one has zeros between the elements of its input."""
    parameters, form = equation.params, out(equation)
    numbers, axes = parameters["dimension_numbers"], len(x.shape) - 2
    if axes not in (1, 2, 3) or parameters["batch_group_count"] != 1:
        raise WithoutPrimitive("of this kind")
    x, weight = builder.transpose(x, numbers.lhs_spec), builder.transpose(weight, numbers.rhs_spec)
    for axis, step in enumerate(parameters["lhs_dilation"], 2):
        x = apart(builder, x, axis, step, builder.known(0, x.dtype))
    for axis, (low, high) in enumerate(parameters["padding"], 2):
        x = shortened(builder, x, axis, -min(low, 0), -min(high, 0))

    def flat(sizes: Any, filler: Any) -> tuple[Any, ...]:
        """For two axes: the first of one is of length 1."""
        return (filler, *sizes) if axes == 1 else tuple(sizes)

    borders = [(max(int(low), 0), max(int(high), 0)) for low, high in parameters["padding"]]
    for axis, (low, high) in enumerate(borders, 2):
        if low != high:  # MindSpore's kernel takes equal borders
            x = bordered(builder, x, axis, low, high, builder.known(0, x.dtype))
            borders[axis - 2] = (0, 0)
    pad = tuple(one for pair in flat(borders, (0, 0)) for one in pair)
    stride, apart_ = flat(parameters["window_strides"], 1), flat(parameters["rhs_dilation"], 1)
    if axes == 1:
        x, weight = (builder.reshape(one, (*one.shape[:2], 1, one.shape[2])) for one in (x, weight))
    group, order = parameters["feature_group_count"], list(numbers.out_spec)
    shape = tuple(form.shape[axis] for axis in order)
    if axes == 3:
        found = _volume(builder, x, weight, TensorForm(shape, form.dtype), pad, stride, apart_, group)
        return builder.transpose(found, np.argsort(order).tolist())
    found = builder.call(
        "Conv2D", x, weight, form=TensorForm((*shape[:2], *flat(shape[2:], 1)), form.dtype),
        kernel_size=weight.shape[2:], mode=1, out_channel=weight.shape[0], pad=pad, pad_mode="pad", format="NCHW", pad_list=pad,
        groups=group, group=group, stride=(1, 1, *stride), dilation=(1, 1, *apart_), input_names=["x", "w"], output_names=["output"],
    )  # fmt: skip
    return builder.transpose(builder.reshape(found, shape), np.argsort(order).tolist())


def _volume(builder: PrimitiveBuilder, x: GraphValue, weight: GraphValue, form: TensorForm, pad: tuple[Any, ...], stride: Any, apart_: Any,
            group: int) -> GraphValue:  # fmt: skip
    """Over three axes: MindSpore's CPU kernel has one group and no dilation, so groups
    become separate convolutions, and dilated weights get zeros.
    """
    zero = builder.known(0, x.dtype)
    for axis, (low, high) in enumerate(zip(pad[::2], pad[1::2]), 2):
        x = bordered(builder, x, axis, low, high, zero)
    for axis, step in enumerate(apart_, 2):
        weight = apart(builder, weight, axis, step, zero)
    inputs, outputs = int(x.shape[1]) // group, int(weight.shape[0]) // group
    found = []
    for number in range(group):
        part = shortened(builder, x, 1, number * inputs, (group - number - 1) * inputs)
        own = shortened(builder, weight, 0, number * outputs, (group - number - 1) * outputs)
        found.append(builder.call(
            "Conv3D", part, own, form=TensorForm((form.shape[0], outputs, *form.shape[2:]), form.dtype), kernel_size=own.shape[2:], mode=1,
            out_channel=outputs, pad=(0,) * 6, offset_x=0, pad_mode="valid", format="NCDHW", pad_list=(0,) * 6, groups=1, stride=1,
            dilations=(1,) * 5, strides=(1, 1, *stride), group=1, dilation=1, input_names=["x", "w"], output_names=["output"],
        ))  # fmt: skip
    return found[0] if group == 1 else builder.call("Concat", tuple(found), 1, form=form)


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
