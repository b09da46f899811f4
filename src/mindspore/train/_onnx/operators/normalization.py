"""Normalizations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.operators.shaping import cut, padded
from mindspore.train._onnx.table import OnnxNode, operator, positive


def _beside(value: Tensor, rank: int) -> Tensor:
    """One number for each channel, beside axis 1."""
    return value.reshape((-1,) + (1,) * (rank - 2)) if rank > 1 else value


@operator("BatchNormalization", untrained=(3, 4))
def batch_normalization(node: OnnxNode, x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, variance: Tensor) -> Any:
    if node.flag("training_mode"):
        axes = (0, *range(2, x.ndim))
        now_mean, now_variance = ops.mean(x, axes), ops.var(x, axes, 0)
        share = node.get("momentum", 0.9)
        kept = [old * share + new * (1 - share) for old, new in ((mean, now_mean), (variance, now_variance))]
        return _normalized(node, x, scale, bias, now_mean, now_variance), *kept
    return _normalized(node, x, scale, bias, mean, variance)


def _normalized(node: OnnxNode, x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, variance: Tensor) -> Tensor:
    factor = scale / ops.sqrt(variance + node.get("epsilon", 1e-5))
    moved = bias - mean * factor
    return (x * _beside(factor, x.ndim) + _beside(moved, x.ndim)).astype(x.dtype)


def standardized(x: Tensor, axes: Sequence[int], epsilon: float) -> tuple[Tensor, Tensor, Tensor]:
    """x with mean 0 and variance 1 along some axes; the mean and the inverse deviation."""
    axes = tuple(axes)
    mean = ops.mean(x, axes, True)
    centered = x - mean
    inverse = 1 / ops.sqrt(ops.mean(centered * centered, axes, True) + epsilon)
    return centered * inverse, mean, inverse


def _wide(node: OnnxNode, x: Tensor) -> Tensor:
    """In the precision that the node computes with."""
    kind = node.get("stash_type", 1)
    return x.astype(dtypes.float32) if kind == 1 and x.dtype in (dtypes.float16, dtypes.bfloat16) else x


@operator("LayerNormalization")
def layer_normalization(node: OnnxNode, x: Tensor, scale: Tensor, bias: Tensor | None = None) -> Any:
    axes = range(positive(node.get("axis", -1), x.ndim), x.ndim)
    found, mean, inverse = standardized(_wide(node, x), axes, node.get("epsilon", 1e-5))
    found = found.astype(x.dtype) * scale
    found = found if bias is None else found + bias
    return found if node.outputs == 1 else (found, mean, inverse)


@operator("RMSNormalization")
def rms_normalization(node: OnnxNode, x: Tensor, scale: Tensor) -> Tensor:
    axes = tuple(range(positive(node.get("axis", -1), x.ndim), x.ndim))
    wide = _wide(node, x)
    root = ops.sqrt(ops.mean(wide * wide, axes, True) + node.get("epsilon", 1e-5))
    return (wide / root).astype(x.dtype) * scale


@operator("InstanceNormalization")
def instance_normalization(node: OnnxNode, x: Tensor, scale: Tensor, bias: Tensor) -> Tensor:
    found = standardized(x, range(2, x.ndim), node.get("epsilon", 1e-5))[0]
    return found * _beside(scale, x.ndim) + _beside(bias, x.ndim)


@operator("GroupNormalization")
def group_normalization(node: OnnxNode, x: Tensor, scale: Tensor, bias: Tensor) -> Tensor:
    """Scale and bias are per channel; before opset 21, per group."""
    groups = node.get("num_groups")
    parts = _wide(node, x).reshape((x.shape[0], groups, -1))
    found = standardized(parts, (2,), node.get("epsilon", 1e-5))[0].astype(x.dtype)
    if scale.size == groups and node.version < 21:
        return (found * scale.reshape((1, -1, 1)) + bias.reshape((1, -1, 1))).reshape(x.shape)
    return found.reshape(x.shape) * _beside(scale, x.ndim) + _beside(bias, x.ndim)


@operator("MeanVarianceNormalization")
def mean_variance_normalization(node: OnnxNode, x: Tensor) -> Tensor:
    axes = tuple(node.get("axes") or (0, 2, 3))
    centered = x - ops.mean(x, axes, True)
    return centered / (ops.sqrt(ops.mean(x * x, axes, True) - ops.mean(x, axes, True) ** 2) + 1e-9)


@operator("LpNormalization")
def lp_normalization(node: OnnxNode, x: Tensor) -> Tensor:
    axis, p = positive(node.get("axis", -1), x.ndim), node.get("p", 2)
    size = ops.sum(ops.abs(x), axis, True) if p == 1 else ops.sqrt(ops.sum(x * x, axis, True))
    return ops.where(size == 0, ops.zeros_like(x), x / ops.where(size == 0, ops.ones_like(size), size))


@operator("LRN")
def local_response(node: OnnxNode, x: Tensor) -> Tensor:
    size = node.get("size")
    before, channels = (size - 1) // 2, x.shape[1]
    squares = padded(
        x * x, [(0, 0), (before, size - 1 - before), *[(0, 0)] * (x.ndim - 2)], "constant", Tensor(0, x.dtype)
    )
    total = cut(squares, 1, 0, channels)
    for offset in range(1, size):
        total = total + cut(squares, 1, offset, offset + channels)
    return x / (node.get("bias", 1.0) + node.get("alpha", 1e-4) / size * total) ** node.get("beta", 0.75)


@operator("AffineGrid", known=(1,))
def affine_grid(node: OnnxNode, theta: Tensor, sizes: Any) -> Tensor:
    """Positions from -1 to 1 of each pixel, moved by a matrix."""
    lengths = [int(n) for n in sizes][2:]
    aligned = node.flag("align_corners")
    axes = []
    for length in lengths:
        steps = ops.arange(length).astype(theta.dtype)
        axes.append(steps * (2 / max(length - 1, 1)) - 1 if aligned else (steps * 2 + 1) / length - 1)
    grids = ops.meshgrid(*axes, indexing="ij") if len(axes) > 1 else axes
    points = ops.stack([*grids[::-1], ops.ones_like(grids[0])], -1)
    flat = points.reshape((1, -1, len(lengths) + 1))
    return ops.matmul(flat, theta.transpose((0, 2, 1))).reshape((theta.shape[0], *lengths, len(lengths)))
