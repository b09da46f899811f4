"""Converters of scatters."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.export.onnx.builder import Builder, Unsupported, Value, converts

_REDUCTIONS = {"scatter": "none", "scatter_add": "add", "scatter-add": "add", "scatter_mul": "mul", "scatter-mul": "mul",
               "scatter_min": "min", "scatter-min": "min", "scatter_max": "max", "scatter-max": "max"}  # fmt: skip


@converts(*_REDUCTIONS)
def scatter(builder: Builder, equation: Any, value: Value, indices: Value, updates: Value) -> str:
    """ScatterND with the indexed axes in front; updates cover whole slices along the others."""
    numbers, shape = equation.params["dimension_numbers"], equation.invars[0].aval.shape
    picked = numbers.scatter_dims_to_operand_dims
    if numbers.operand_batching_dims or {*picked} != {*numbers.inserted_window_dims}:
        raise Unsupported("of windows, or in batches")
    rest = [axis for axis in range(len(shape)) if axis not in picked]
    update_shape = equation.invars[2].aval.shape
    windows = numbers.update_window_dims
    if any(str(update_shape[window]) != str(shape[axis]) for window, axis in zip(windows, rest, strict=True)):
        raise Unsupported("of windows that are part of an axis")
    if str(equation.params["mode"]).rsplit(".", 1)[-1] == "CLIP":
        raise Unsupported("with clamped indices")
    order = [*picked, *rest]
    target = builder.transpose(builder.name_of(value), order)
    outer = [axis for axis in range(len(update_shape)) if axis not in windows]
    source = builder.transpose(builder.name_of(updates), [*outer, *windows])
    positions = builder.cast(builder.name_of(indices), np.int64)
    reduction = _REDUCTIONS[equation.primitive.name]
    result = builder.node("ScatterND", [target, positions, source], reduction=reduction)
    return builder.transpose(result, np.argsort(order).tolist())
