"""Quantized tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.operators.convolution import convolved
from mindspore.train._onnx.operators.elementwise import converted
from mindspore.train._onnx.operators.matrix import product
from mindspore.train._onnx.table import OnnxNode, operator, positive
from mindspore.train._onnx.tensors import dtype_of


def _along(node: OnnxNode, value: Tensor, x: Tensor) -> Tensor:
    """A scale or zero point beside the axis or the blocks it belongs to."""
    block = node.get("block_size", 0)
    if not value.ndim or (value.ndim == 1 and value.shape[0] == 1 and x.ndim != 1):
        return value.reshape(())
    axis = positive(node.get("axis", 1), x.ndim)
    if block:
        return ops.repeat_interleave(value, block, axis)[tuple(slice(0, n) for n in x.shape)]
    return value.reshape([-1 if i == axis else 1 for i in range(x.ndim)])


@operator("QuantizeLinear", untrained=(1, 2))
def quantize(node: OnnxNode, x: Tensor, scale: Tensor, zero: Tensor | None = None) -> Tensor:
    kind = node.get("output_dtype", 0)
    dtype = zero.dtype.np_dtype if zero is not None else dtype_of(kind or 2, node.name)
    wide = (
        (x.astype(dtypes.float32) / _along(node, scale, x).astype(dtypes.float32))
        if x.dtype != dtypes.float64
        else x / _along(node, scale, x)
    )
    if dtype.kind not in "iu" and "int" not in dtype.name:
        return converted(node, wide, dtype, node.flag("saturate", 1))
    moved = ops.round(wide) + (0 if zero is None else _along(node, zero, x).astype(wide.dtype))
    low, high = _limits(dtype)
    return ops.clip(moved, low, high).astype(dtypes.int32).astype(dtypes.from_numpy(dtype))


def _limits(dtype: np.dtype) -> tuple[float, float]:
    if dtype.kind in "iu":
        return float(np.iinfo(dtype).min), float(np.iinfo(dtype).max)
    return (-8.0, 7.0) if dtype.name == "int4" else (0.0, 15.0)


@operator("DequantizeLinear", untrained=(1, 2))
def dequantize(node: OnnxNode, x: Tensor, scale: Tensor, zero: Tensor | None = None) -> Tensor:
    target = (
        dtypes.from_numpy(dtype_of(node.get("output_dtype"), node.name)) if node.get("output_dtype") else scale.dtype
    )
    wide = x.astype(dtypes.float32)
    if zero is not None:
        wide = wide - _along(node, zero, x).astype(dtypes.float32)
    return (wide * _along(node, scale, x).astype(dtypes.float32)).astype(target)


@operator("DynamicQuantizeLinear")
def dynamic_quantize(node: OnnxNode, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    low, high = ops.minimum(x.min(), 0), ops.maximum(x.max(), 0)
    scale = (high - low) / 255
    scale = ops.where(scale == 0, ops.ones_like(scale), scale)
    zero = ops.clip(ops.round(-low / scale), 0, 255)
    quantized = ops.clip(ops.round(x / scale) + zero, 0, 255)
    return quantized.astype(dtypes.uint8), scale, zero.astype(dtypes.uint8)


def _exact(x: Tensor, zero: Tensor, per_row: bool = False) -> Tensor:
    zero = zero.astype(dtypes.float64)
    if zero.ndim and zero.size > 1:
        zero = zero.reshape((-1,) + (1,) * (x.ndim - 1)) if per_row else zero
    return x.astype(dtypes.float64) - (zero if zero.size > 1 else zero.reshape(()))


def _requantized(total: Tensor, factor: Any, zero: Tensor) -> Tensor:
    low, high = _limits(zero.dtype.np_dtype)
    moved = ops.round(total * factor) + zero.astype(dtypes.float64)
    return ops.clip(moved, low, high).astype(dtypes.int32).astype(zero.dtype)


@operator("QLinearMatMul", untrained=(1, 2, 4, 5, 6, 7))
def qlinear_matmul(node: OnnxNode, a: Tensor, a_scale: Tensor, a_zero: Tensor, b: Tensor, b_scale: Tensor, b_zero: Tensor,
                   y_scale: Tensor, y_zero: Tensor) -> Tensor:  # fmt: skip
    """In float64, which holds all sums of products of bytes exactly."""
    total = product(_exact(a, a_zero), _exact(b, b_zero))
    factor = a_scale.astype(dtypes.float64) * b_scale.astype(dtypes.float64) / y_scale.astype(dtypes.float64)
    return _requantized(total, factor, y_zero)


@operator("QLinearConv", untrained=(1, 2, 4, 5, 6, 7))
def qlinear_conv(node: OnnxNode, x: Tensor, x_scale: Tensor, x_zero: Tensor, w: Tensor, w_scale: Tensor, w_zero: Tensor,
                 y_scale: Tensor, y_zero: Tensor, bias: Tensor | None = None) -> Tensor:  # fmt: skip
    total = convolved(node, _exact(x, x_zero), _exact(w, w_zero, per_row=True))
    if bias is not None:
        total = total + bias.astype(dtypes.float64).reshape((-1,) + (1,) * (x.ndim - 2))
    factor = x_scale.astype(dtypes.float64) * w_scale.astype(dtypes.float64) / y_scale.astype(dtypes.float64)
    return _requantized(
        total, factor.reshape((-1,) + (1,) * (x.ndim - 2)) if factor.size > 1 else factor.reshape(()), y_zero
    )
