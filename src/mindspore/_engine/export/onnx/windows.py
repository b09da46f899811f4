"""Converters of windowed primitives: convolution and pooling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.export.onnx.builder import Builder, Unsupported, Value, converts, known_shape
from mindspore._engine.export.onnx.shaping import padded, reverse_axes


@converts("conv_general_dilated")
def convolution(builder: Builder, equation: Any, value: Value, kernel: Value) -> str:
    params = equation.params
    if params["batch_group_count"] != 1:
        raise Unsupported("with groups of the batch")
    numbers = params["dimension_numbers"]
    dtype = equation.outvars[0].aval.dtype
    names = [builder.name_of(value), builder.name_of(kernel)]
    names = [n if v.aval.dtype == dtype else builder.cast(n, dtype) for n, v in zip(names, equation.invars)]
    image = builder.transpose(names[0], numbers.lhs_spec)
    weight = builder.transpose(names[1], numbers.rhs_spec)
    shape = [equation.invars[1].aval.shape[axis] for axis in numbers.rhs_spec]
    if any(step != 1 for step in params["lhs_dilation"]):
        result = _transposed(builder, image, weight, known_shape(shape, "a kernel"), params, dtype)
    else:
        result = _plain(builder, image, weight, shape, params, dtype)
    return builder.transpose(result, np.argsort(numbers.out_spec).tolist())


def _plain(builder: Builder, image: str, weight: str, shape: Sequence[int], params: Any, dtype: Any) -> str:
    amounts = list(params["padding"])
    if any(low < 0 or high < 0 for low, high in amounts):
        image = padded(builder, image, builder.scalar(0, dtype), [(0, 0), (0, 0), *amounts])
        amounts = [(0, 0)] * len(amounts)
    return builder.node(
        "Conv", [image, weight], strides=list(params["window_strides"]), dilations=list(params["rhs_dilation"]),
        group=params["feature_group_count"], pads=_ends(amounts), kernel_shape=[int(n) for n in shape[2:]],
    )  # fmt: skip


def _transposed(builder: Builder, image: str, weight: str, shape: tuple[int, ...], params: Any, dtype: Any) -> str:
    """A convolution with lhs dilation is ONNX's ConvTranspose with a flipped kernel."""
    if any(step != 1 for step in params["window_strides"]):
        raise Unsupported("with a stride over an image spread apart")
    groups, spatial = params["feature_group_count"], shape[2:]
    out, into = shape[:2]
    weight = reverse_axes(builder, weight, range(2, len(shape)))
    if groups == 1:
        weight = builder.transpose(weight, [1, 0, *range(2, len(shape))])
    else:
        weight = builder.reshape(weight, [groups, out // groups, into, *spatial])
        weight = builder.transpose(weight, [0, 2, 1, *range(3, len(shape) + 1)])
        weight = builder.reshape(weight, [groups * into, out // groups, *spatial])
    steps = params["rhs_dilation"]
    reach = [step * (size - 1) for step, size in zip(steps, spatial)]
    # Padding of the convolution is cropping of ConvTranspose's output, and vice versa.
    cut = [(far - low, far - high) for far, (low, high) in zip(reach, params["padding"])]
    result = builder.node(
        "ConvTranspose", [image, weight], strides=list(params["lhs_dilation"]), dilations=list(steps), group=groups,
        pads=_ends([(max(low, 0), max(high, 0)) for low, high in cut]), kernel_shape=list(spatial),
    )  # fmt: skip
    return padded(
        builder, result, builder.scalar(0, dtype), [(0, 0), (0, 0), *[(max(-a, 0), max(-b, 0)) for a, b in cut]]
    )


def _ends(amounts: Sequence[tuple[int, int]]) -> list[int]:
    """ONNX's pads order: all begins, then all ends."""
    return [int(low) for low, _ in amounts] + [int(high) for _, high in amounts]


@converts("reduce_window_max", "reduce_window_min", "reduce_window_sum", "reduce_window")
def pooling(builder: Builder, equation: Any, value: Value, *initial: Value) -> str:
    kind = _kind(equation, initial)
    shape, window = equation.invars[0].aval.shape, equation.params["window_dimensions"]
    if any(step != 1 for step in equation.params["base_dilation"]):
        raise Unsupported("over an image spread apart")
    moved = [axis for axis in range(len(shape)) if _moves(equation.params, axis)]
    still = [axis for axis in range(len(shape)) if axis not in moved]
    if not moved:
        return builder.name_of(value)
    order = [*still, *moved]
    name = builder.transpose(builder.name_of(value), order)
    sizes = [shape[axis] for axis in order]
    if len(still) != 2:  # ONNX requires leading batch and channel axes
        name = builder.reshape(name, [math.prod(sizes[: len(still)]), 1, *sizes[len(still) :]])
    name = _pooled(builder, name, kind, [equation.params, moved, equation.invars[0].aval.dtype])
    results = [equation.outvars[0].aval.shape[axis] for axis in order]
    if len(still) != 2:
        name = builder.reshape(name, results)
    if kind == "sum":
        area = math.prod(window[axis] for axis in moved)
        name = builder.node("Mul", [name, builder.scalar(area, equation.outvars[0].aval.dtype)])
    return builder.transpose(name, np.argsort(order).tolist())


def _moves(params: Any, axis: int) -> bool:
    plain = params["window_dimensions"][axis] == 1 and params["window_strides"][axis] == 1
    return not (plain and tuple(params["padding"][axis]) == (0, 0))


def _kind(equation: Any, initial: Sequence[Value]) -> str:
    name = equation.primitive.name
    if name != "reduce_window":
        return name.rsplit("_", 1)[1]
    inner = [equation_.primitive.name for equation_ in equation.params["jaxpr"].eqns]
    kinds = {"add": "sum", "max": "max", "min": "min"}
    if len(inner) != 1 or inner[0] not in kinds or len(initial) != 1:
        raise Unsupported("with a function of its own")
    return kinds[inner[0]]


def _pooled(builder: Builder, name: str, kind: str, what: list[Any]) -> str:
    params, axes, dtype = what
    window, steps, dilations = ([int(params[key][axis]) for axis in axes]
                                for key in ("window_dimensions", "window_strides", "window_dilation"))  # fmt: skip
    pads = _ends([params["padding"][axis] for axis in axes])
    if not np.issubdtype(dtype, np.floating) and dtype != np.float16:
        raise Unsupported(f"of {np.dtype(dtype).name}")
    if kind == "sum":
        if any(step != 1 for step in dilations):
            raise Unsupported("of sums with a dilated window")
        return builder.node("AveragePool", [name], kernel_shape=window, strides=steps, pads=pads, count_include_pad=1)
    if kind == "min":
        name = builder.node("Neg", [name])
    if any(pad >= size for pad, size in zip(pads, window + window)):
        name, pads = _padded_with_least(builder, name, pads, dtype), [0] * len(pads)
    name = builder.node("MaxPool", [name], kernel_shape=window, strides=steps, pads=pads, dilations=dilations)
    return builder.node("Neg", [name]) if kind == "min" else name


def _padded_with_least(builder: Builder, name: str, pads: list[int], dtype: Any) -> str:
    """Explicit padding as wide as the window, which MaxPool does not accept."""
    count = len(pads) // 2
    amounts = [(0, 0), (0, 0), *zip(pads[:count], pads[count:])]
    return padded(builder, name, builder.scalar(-np.inf, dtype), amounts)
