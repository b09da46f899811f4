"""The lowering of products of matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.interpreter.native.writer import NativeValue, NativeWriter, Shape, lowers, type_char


@lowers("dot_general")
def _product(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (left_over, right_over), (left_batch, right_batch) = equation.params["dimension_numbers"]
    x, y = operands
    dtype = np.dtype(equation.outvars[0].aval.dtype)
    if x.dtype != dtype or y.dtype != dtype or dtype == np.bool_ or 0 in (*x.shape, *y.shape):
        return None
    left_free = [axis for axis in range(len(x.shape)) if axis not in (*left_over, *left_batch)]
    right_free = [axis for axis in range(len(y.shape)) if axis not in (*right_over, *right_batch)]
    left = _matrix(writer, x, left_batch, left_free, left_over)
    right = _matrix(writer, y, right_batch, right_over, right_free)
    batch = tuple([x.shape[axis] for axis in left_batch])
    rows, depth, columns = left.shape[-2], left.shape[-1], right.shape[-1]
    made = writer.new((*batch, rows, columns), dtype)
    writer.add("product", np.matmul, 3 * type_char(dtype), batch, (rows, depth, columns), (left.view(), right.view(), made.view()),
               elements=math.prod(made.shape) * depth, each=0.02)  # fmt: skip
    writer.nanoseconds += 40.0 * math.prod(batch)
    return writer.reshaped(made, shape)


def _matrix(
    writer: NativeWriter, x: NativeValue, batch: Sequence[int], rows: Sequence[int], columns: Sequence[int]
) -> NativeValue:
    """A value as a batch of matrices, rows or columns of which are contiguous: axes of rows, and of columns, are merged."""
    order = (*batch, *rows, *columns)
    transposed = x._replace(
        shape=tuple([x.shape[axis] for axis in order]), strides=tuple([x.strides[axis] for axis in order])
    )
    lead, split = len(batch), len(batch) + len(rows)
    joined = [
        _merged_axes(transposed.shape[a:b], transposed.strides[a:b]) for a, b in ((lead, split), (split, len(order)))
    ]
    if None in joined:
        transposed = writer.contiguous(transposed)
        joined = [
            _merged_axes(transposed.shape[a:b], transposed.strides[a:b])
            for a, b in ((lead, split), (split, len(order)))
        ]
    (height, row), (width, column) = joined
    size = x.dtype.itemsize
    found = transposed._replace(
        shape=(*transposed.shape[:lead], height, width), strides=(*transposed.strides[:lead], row, column)
    )
    if height > 1 and width > 1 and size not in (row, column):
        return writer.contiguous(found)
    if height == 1 or width == 1:  # the stride along an axis of length one is arbitrary
        along = column if height == 1 else row
        if max(height, width) > 1 and along != size:
            return writer.contiguous(found)
        strides = (width * size, size) if height == 1 else (size, size)
        return found._replace(strides=(*transposed.strides[:lead], *strides))
    return found


def _merged_axes(shape: Shape, strides: Shape) -> Any:
    """The length and stride of several axes seen as one; None if no single stride fits."""
    length, stride = 1, 0
    for n, one in zip(reversed(shape), reversed(strides), strict=True):
        if n == 1:
            continue
        if length == 1:
            length, stride = n, one
        elif one != length * stride:
            return None
        else:
            length *= n
    return length, stride
