"""Constants and random values."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.table import OnnxNode, ints, operator
from mindspore.train._onnx.tensors import dtype_of


@operator("Constant", raw=True)
def constant(node: OnnxNode) -> Any:
    for name, dtype in (
        ("value_float", np.float32),
        ("value_floats", np.float32),
        ("value_int", np.int64),
        ("value_ints", np.int64),
    ):
        if name in node.attributes:
            return np.array(node.get(name), dtype)
    for name in ("value_string", "value_strings"):
        if name in node.attributes:
            return np.array(node.get(name), np.object_)
    return node.get("value", node.get("sparse_value"))


@operator("ConstantOfShape", known=(0,))
def constant_of_shape(node: OnnxNode, sizes: Any) -> Tensor:
    value = node.get("value", np.zeros(1, np.float32)).reshape(-1)[0]
    return ops.broadcast_to(Tensor(value), tuple(ints(sizes)))


@operator("EyeLike")
def eye_like(node: OnnxNode, x: Tensor) -> Tensor:
    dtype = dtype_of(node.get("dtype"), node.name) if node.get("dtype") else x.dtype.np_dtype
    return Tensor(np.eye(*x.shape, k=node.get("k", 0)).astype(dtype))


def _dtype(node: OnnxNode, x: Tensor | None = None) -> Any:
    if node.get("dtype"):
        return dtypes.from_numpy(dtype_of(node.get("dtype"), node.name))
    return x.dtype if x is not None else dtypes.float32


@operator("RandomNormal", "RandomUniform", folds=False)
def random(node: OnnxNode) -> Tensor:
    return _random(node, tuple(node.get("shape")), _dtype(node))


@operator("RandomNormalLike", "RandomUniformLike", folds=False)
def random_like(node: OnnxNode, x: Tensor) -> Tensor:
    return _random(node, x.shape, _dtype(node, x))


def _random(node: OnnxNode, shape: tuple[int, ...], dtype: Any) -> Tensor:
    """Numbers of this process's generator; a seed in the file is not used."""
    if "Normal" in node.kind:
        return (ops.randn(shape) * node.get("scale", 1.0) + node.get("mean", 0.0)).astype(dtype)
    low, high = node.get("low", 0.0), node.get("high", 1.0)
    return (ops.rand(shape) * (high - low) + low).astype(dtype)


@operator("Bernoulli", folds=False)
def bernoulli(node: OnnxNode, chance: Tensor) -> Tensor:
    return (ops.rand(chance.shape) < chance).astype(_dtype(node, chance))


@operator("Multinomial", folds=False)
def multinomial(node: OnnxNode, logits: Tensor) -> Tensor:
    count = node.get("sample_size", 1)
    noise = -ops.log(-ops.log(ops.rand((logits.shape[0], count, logits.shape[1]))))  # Gumbel: the largest is a sample
    return ops.argmax(ops.expand_dims(logits, 1) + noise, -1).astype(
        _dtype(node) if node.get("dtype") else dtypes.int32
    )
