"""Lowerings along axes: reductions, running sums and their kin, the index of the largest."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore._engine.interpreter.native.writer import (
    NativeValue,
    NativeWriter,
    Shape,
    StridedView,
    Unsuited,
    lowers,
    type_char,
)

_REDUCTIONS = {"reduce_sum": np.add, "reduce_prod": np.multiply, "reduce_max": np.maximum, "reduce_min": np.minimum,
               "reduce_and": np.bitwise_and, "reduce_or": np.bitwise_or, "reduce_xor": np.bitwise_xor}  # fmt: skip


@lowers(*_REDUCTIONS)
def _reduce(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,), axes = operands, equation.params["axes"]
    if writer.flat is not None or x.dtype != equation.outvars[0].aval.dtype or 0 in x.shape:
        return None
    if not axes:
        return x
    kept = [axis for axis in range(len(x.shape)) if axis not in axes]
    ufunc, char = _REDUCTIONS[equation.primitive.name], type_char(x.dtype)
    made = writer.new(shape, x.dtype)
    strides = tuple([x.strides[axis] for axis in (*kept, *axes)])
    lengths = tuple([x.shape[axis] for axis in axes])
    writer.add("reduce", ufunc, 3 * char, x.dtype.itemsize, shape, lengths, StridedView(x.slot, x.offset, strides), made.view(),
               elements=math.prod(x.shape), each=0.3)  # fmt: skip
    return made


_SCANS = {"cumsum": np.add, "cumprod": np.multiply, "cummax": np.maximum, "cummin": np.minimum}


@lowers(*_SCANS)
def _scan(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,), axis = operands, equation.params["axis"]
    if writer.flat is not None:
        raise Unsuited("a scan")
    made = writer.new(shape, x.dtype)
    rest = [n for n in range(len(shape)) if n != axis]
    views = []
    for value in (x, made):
        offset, stride = value.offset, value.strides[axis]
        if equation.params["reverse"]:
            offset, stride = offset + max(shape[axis] - 1, 0) * stride, -stride
        views.append(StridedView(value.slot, offset, (*[value.strides[n] for n in rest], stride)))
    lengths = tuple([shape[n] for n in rest])
    writer.add("scan", _SCANS[equation.primitive.name], 3 * type_char(x.dtype), x.dtype.itemsize, lengths, shape[axis], *views,
               elements=math.prod(shape), each=5.0)  # fmt: skip
    return made


@lowers("argmax", "argmin")
def _position(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,), (axis,) = operands, equation.params["axes"]
    dtype = np.dtype(equation.params["index_dtype"])
    if x.dtype.char not in "?Bbilfd" or dtype not in (np.int32, np.int64) or x.shape[axis] == 0:
        return None
    made = writer.new(shape, dtype)
    strides = (*x.strides[:axis], *x.strides[axis + 1 :], x.strides[axis])
    writer.add("position", x.dtype.char, equation.primitive.name == "argmax", dtype == np.int64, shape, x.shape[axis],
               StridedView(x.slot, x.offset, strides), made.view(), elements=math.prod(x.shape), each=1.0)  # fmt: skip
    return made
