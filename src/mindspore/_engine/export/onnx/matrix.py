"""Converters of matrix products."""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from mindspore._engine.export.onnx.builder import Builder, Unsupported, Value, converts


@converts("dot_general")
def dot_general(builder: Builder, equation: Any, left: Value, right: Value) -> str:
    """MatMul if transposing brings the axes into its layout; Einsum otherwise."""
    (over_left, over_right), (batch_left, batch_right) = equation.params["dimension_numbers"]
    ranks = [len(var.aval.shape) for var in equation.invars]
    names = [builder.name_of(left), builder.name_of(right)]
    result = equation.outvars[0].aval.dtype
    if any(var.aval.dtype == np.bool_ or var.aval.dtype != result for var in equation.invars):
        names = [builder.cast(name, result) for name in names]
    free_left = [axis for axis in range(ranks[0]) if axis not in over_left and axis not in batch_left]
    free_right = [axis for axis in range(ranks[1]) if axis not in over_right and axis not in batch_right]
    single = len(over_left) == 1 and len(free_right) == 1 and (not batch_left or len(free_left) == 1) and free_left
    if not single and builder.target < 12:
        raise Unsupported("over several axes, before opset 12")
    if not single:
        return _einsum(builder, names, ranks, equation.params["dimension_numbers"], free_left, free_right)
    first = builder.transpose(names[0], [*batch_left, *free_left, *over_left])
    second = builder.transpose(names[1], [*batch_right, *over_right, *free_right])
    return builder.node("MatMul", [first, second])


def _einsum(builder: Builder, names: list[str], ranks: list[int], numbers: Any, *free: list[int]) -> str:
    (over_left, over_right), (batch_left, batch_right) = numbers
    letters = iter(string.ascii_lowercase)
    words = [[next(letters) for _ in range(rank)] for rank in ranks]
    for axis_left, axis_right in zip((*over_left, *batch_left), (*over_right, *batch_right), strict=True):
        words[1][axis_right] = words[0][axis_left]
    result = [words[0][a] for a in batch_left] + [words[0][a] for a in free[0]] + [words[1][a] for a in free[1]]
    equation = f"{''.join(words[0])},{''.join(words[1])}->{''.join(result)}"
    return builder.node("Einsum", names, equation=equation)
