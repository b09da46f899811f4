"""Rules of products of matrices and convolutions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from mindspore._engine.interpreter.rules import HALVES, LeftToXLA, dtypes_of, rule, shape_of
from mindspore._engine.interpreter.shapes import padded

_MOST_PATCHES = 1 << 26  # elements of the unfolded operand of a convolution


def _computed_in(equation: Any) -> tuple[np.dtype, np.dtype]:
    """The dtype to compute in, and that of the result."""
    (output,) = dtypes_of(equation.outvars)
    inputs = dtypes_of(equation.invars)
    if np.bool_ in inputs:
        raise LeftToXLA("product of bools")
    return np.dtype(np.float32) if output in HALVES else output, output


@rule("dot_general", nanoseconds=0.02)
def _dot_general(equation: Any) -> Any:
    (left_over, right_over), (left_batch, right_batch) = equation.params["dimension_numbers"]
    inner, output = _computed_in(equation)
    left, right = (shape_of(variable) for variable in equation.invars)
    shape = shape_of(equation.outvars[0])
    left_free = [axis for axis in range(len(left)) if axis not in (*left_over, *left_batch)]
    right_free = [axis for axis in range(len(right)) if axis not in (*right_over, *right_batch)]
    batch = [left[axis] for axis in left_batch]
    depth = math.prod(left[axis] for axis in left_over)
    to_left = _arranged(left, [*left_batch, *left_free, *left_over],
                        [*batch, math.prod(left[axis] for axis in left_free), depth])  # fmt: skip
    to_right = _arranged(right, [*right_batch, *right_over, *right_free],
                         [*batch, depth, math.prod(right[axis] for axis in right_free)])  # fmt: skip

    rows_by_columns = len(left) == len(right) == 2 and (tuple(left_over), tuple(right_over)) == ((1,), (0,))
    if rows_by_columns and {inner, output, *dtypes_of(equation.invars)} == {output}:
        return np.matmul

    def multiply(x: Any, y: Any) -> Any:
        x, y = to_left(x), to_right(y)
        result = np.matmul(x if x.dtype == inner else x.astype(inner), y if y.dtype == inner else y.astype(inner))
        return (result if inner == output else result.astype(output)).reshape(shape)

    return multiply


def _arranged(shape: tuple[int, ...], order: list[int], sizes: list[int]) -> Any:
    """Transpose, then reshape; neither where the array lies right."""
    straight, same = order == list(range(len(shape))), tuple(shape[axis] for axis in order) == tuple(sizes)
    if straight:
        return (lambda x: x) if same else (lambda x: x.reshape(sizes))
    return (lambda x: x.transpose(order)) if same else (lambda x: x.transpose(order).reshape(sizes))


@rule("conv_general_dilated", nanoseconds=10.0)
def _convolution(equation: Any) -> Any:
    """Unfold the windows of the images into rows and multiply them with the weights, group by group."""
    params, inner_output = equation.params, _computed_in(equation)
    inner, output = inner_output
    if output.kind not in "fV":
        raise LeftToXLA("convolution of integers")
    numbers = params["dimension_numbers"]
    left, right = (shape_of(variable) for variable in equation.invars)
    images = [left[axis] for axis in numbers.lhs_spec]
    weights = [right[axis] for axis in numbers.rhs_spec]
    out = [shape_of(equation.outvars[0])[axis] for axis in numbers.out_spec]
    features, batches = params["feature_group_count"], params["batch_group_count"]
    groups = features * batches
    if features > 1 and batches > 1:
        raise LeftToXLA("two kinds of groups")
    count, window, positions = images[0] // batches, weights[2:], out[2:]
    if math.prod([*positions, *window, *images[:2]]) > _MOST_PATCHES:
        raise LeftToXLA("a large convolution")
    channels = weights[1]
    fold = padded((*images[:1], *images[2:], images[1]),
                  [(0, 0, 0), *[(*pad, gap - 1) for pad, gap in zip(params["padding"], params["lhs_dilation"], strict=True)], (0, 0, 0)])  # fmt: skip
    needs_fold = any(map(any, params["padding"])) or any(gap > 1 for gap in params["lhs_dilation"])
    zero = np.zeros((), inner)
    rows = count * math.prod(positions)
    spatial = range(2, len(images))
    channels_last = [numbers.lhs_spec[0], *[numbers.lhs_spec[axis] for axis in spatial], numbers.lhs_spec[1]]
    by_window = [*[numbers.rhs_spec[axis] for axis in spatial], numbers.rhs_spec[1], numbers.rhs_spec[0]]
    back = np.argsort([numbers.out_spec[0], *[numbers.out_spec[axis] for axis in spatial], numbers.out_spec[1]])
    strides, gaps, rank = params["window_strides"], params["rhs_dilation"], len(window)

    def patches(x: Any) -> Any:
        """(groups, rows, window * channels)"""
        steps = x.strides
        places_steps = [step * stride for step, stride in zip(steps[1:-1], strides, strict=True)]
        window_steps = [step * gap for step, gap in zip(steps[1:-1], gaps, strict=True)]
        group_step = steps[0] * count if batches > 1 else steps[-1] * channels
        shape = (groups, count, *positions, *window, channels)
        view = as_strided(x, shape, (group_step, steps[0], *places_steps, *window_steps, steps[-1]), writeable=False)
        return view.reshape(groups, rows, -1)

    def convolve(x: Any, w: Any) -> Any:
        x = np.ascontiguousarray(x.transpose(channels_last), inner)
        x = fold(x, zero) if needs_fold else x
        w = w.transpose(by_window).astype(inner, copy=False)
        w = w.reshape(math.prod(window) * channels, groups, -1).transpose(1, 0, 2)
        result = np.matmul(patches(x), w)  # (groups, rows, outputs of a group)
        result = result.transpose(1, 0, 2).reshape(count, *positions, -1)
        return np.ascontiguousarray(result.transpose(back), output)

    return convolve if rank else (lambda x, w: (_ for _ in ()).throw(LeftToXLA("no window")))
