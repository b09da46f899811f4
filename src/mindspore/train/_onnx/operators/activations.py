"""Activations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.operators.shaping import flattened_2d
from mindspore.train._onnx.table import OnnxNode, operator, positive

_PLAIN: dict[str, Callable[[Any], Any]] = {
    "Relu": ops.relu, "Sigmoid": ops.sigmoid, "Softsign": ops.softsign, "Mish": ops.mish,
    "HardSwish": lambda x: x * ops.clip(x / 6 + 0.5, 0.0, 1.0),
}  # fmt: skip


@operator(*_PLAIN)
def plain(node: OnnxNode, x: Tensor) -> Tensor:
    return _PLAIN[node.kind](x)


@operator("Softplus")
def softplus(node: OnnxNode, x: Tensor) -> Tensor:
    return ops.maximum(x, 0) + ops.log1p(ops.exp(-ops.abs(x)))


@operator("LeakyRelu")
def leaky_relu(node: OnnxNode, x: Tensor) -> Tensor:
    return ops.where(x >= 0, x, x * node.get("alpha", 0.01))


@operator("PRelu")
def prelu(node: OnnxNode, x: Tensor, slope: Tensor) -> Tensor:
    return ops.where(x >= 0, x, x * slope)


@operator("ThresholdedRelu")
def thresholded_relu(node: OnnxNode, x: Tensor) -> Tensor:
    return ops.where(x > node.get("alpha", 1.0), x, ops.zeros_like(x))


@operator("Elu", "Celu", "Selu")
def elu(node: OnnxNode, x: Tensor) -> Tensor:
    below = ops.minimum(x, 0)  # the gradient of exp overflows even where where() drops the value
    alpha = node.get("alpha", 1.67326319217681884765625 if node.kind == "Selu" else 1.0)
    if node.kind == "Celu":
        return ops.maximum(x, 0) + alpha * ops.expm1(below / alpha)
    grown = ops.where(x > 0, x, alpha * ops.expm1(below))
    return grown * node.get("gamma", 1.05070102214813232421875) if node.kind == "Selu" else grown


@operator("HardSigmoid")
def hard_sigmoid(node: OnnxNode, x: Tensor) -> Tensor:
    return ops.clip(x * node.get("alpha", 0.2) + node.get("beta", 0.5), 0.0, 1.0)


@operator("Shrink")
def shrink(node: OnnxNode, x: Tensor) -> Tensor:
    limit, bias = node.get("lambd", 0.5), node.get("bias", 0.0)
    moved = ops.where(x < -limit, x + bias, ops.where(x > limit, x - bias, ops.zeros_like(x)))
    return moved.astype(x.dtype)


@operator("Gelu")
def gelu(node: OnnxNode, x: Tensor) -> Tensor:
    return ops.gelu(x, approximate="tanh" if node.get("approximate", "none") == "tanh" else "none")


@operator("Swish")
def swish(node: OnnxNode, x: Tensor) -> Tensor:
    return x * ops.sigmoid(x * node.get("alpha", 1.0))


@operator("SwiGLU")
def swiglu(node: OnnxNode, x: Tensor, gate: Tensor | None = None) -> Tensor:
    if gate is None:
        first, second = ops.split(x, x.shape[-1] // 2, -1)
    else:
        first, second = x, gate
    return first * ops.sigmoid(first * node.get("alpha", 1.0)) * second


@operator("Softmax", "LogSoftmax", "Hardmax")
def softmax(node: OnnxNode, x: Tensor) -> Tensor:
    """Along one axis; before opset 13, along all from that axis on."""
    compute = {"Softmax": ops.softmax, "LogSoftmax": ops.log_softmax, "Hardmax": _hardmax}[node.kind]
    if node.version >= 13:
        return compute(x, node.get("axis", -1))
    axis = positive(node.get("axis", 1), x.ndim)
    if axis == x.ndim - 1:
        return compute(x, -1)
    return compute(flattened_2d(x, axis), -1).reshape(x.shape)


def _hardmax(x: Tensor, axis: int) -> Tensor:
    axis = positive(axis, x.ndim)
    winners = ops.expand_dims(ops.argmax(x, axis), axis)
    shape = [x.shape[axis] if i == axis else 1 for i in range(x.ndim)]
    return (ops.arange(x.shape[axis]).reshape(shape).astype(dtypes.int64) == winners.astype(dtypes.int64)).astype(
        x.dtype
    )
