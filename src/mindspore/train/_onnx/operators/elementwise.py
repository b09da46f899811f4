"""Element by element: arithmetic, comparison, logic, bits, casts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.table import OnnxNode, is_float, operator
from mindspore.train._onnx.tensors import dtype_of

_UNARY: dict[str, Callable[[Any], Any]] = {
    "Abs": ops.abs, "Acos": ops.acos, "Acosh": ops.acosh, "Asin": ops.asin, "Asinh": ops.asinh, "Atan": ops.atan,
    "Atanh": ops.atanh, "Ceil": ops.ceil, "Cos": ops.cos, "Cosh": ops.cosh, "Erf": ops.erf, "Exp": ops.exp, "Floor": ops.floor,
    "Log": ops.log, "Neg": ops.neg, "Not": ops.logical_not, "Reciprocal": ops.reciprocal, "Round": ops.round, "Sign": ops.sign,
    "Sin": ops.sin, "Sinh": ops.sinh, "Sqrt": ops.sqrt, "Tan": ops.tan, "Tanh": ops.tanh, "BitwiseNot": ops.bitwise_not,
    "IsNaN": ops.isnan,
}  # fmt: skip
_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "Add": ops.add, "Sub": ops.sub, "Mul": ops.mul, "And": ops.logical_and, "Or": ops.logical_or, "Xor": ops.logical_xor,
    "Equal": ops.equal, "Less": ops.less, "LessOrEqual": ops.less_equal, "Greater": ops.greater,
    "GreaterOrEqual": ops.greater_equal, "BitwiseAnd": ops.bitwise_and, "BitwiseOr": ops.bitwise_or,
    "BitwiseXor": ops.bitwise_xor,
}  # fmt: skip


@operator(*_UNARY)
def unary(node: OnnxNode, x: Tensor) -> Tensor:
    return _UNARY[node.kind](x)


@operator(*_BINARY)
def binary(node: OnnxNode, left: Tensor, right: Tensor) -> Tensor:
    return _BINARY[node.kind](left, right)


@operator("Div")
def div(node: OnnxNode, left: Tensor, right: Tensor) -> Tensor:
    """Integers are divided towards zero."""
    return ops.div(left, right) if is_float(left) or left.dtype.is_complex else ops.truncate_div(left, right)


@operator("Mod")
def mod(node: OnnxNode, left: Tensor, right: Tensor) -> Tensor:
    return ops.fmod(left, right) if node.flag("fmod") else ops.floor_mod(left, right)


@operator("Pow")
def power(node: OnnxNode, left: Tensor, right: Tensor) -> Tensor:
    """The result has the dtype of the base."""
    if left.dtype == right.dtype:
        return ops.pow(left, right)
    wide = right.dtype if is_float(right) and not is_float(left) else left.dtype
    return ops.pow(left.astype(wide), right.astype(wide)).astype(left.dtype)


@operator("Max", "Min", "Sum", "Mean")
def variadic(node: OnnxNode, *values: Tensor) -> Tensor:
    combine = {"Max": ops.maximum, "Min": ops.minimum}.get(node.kind, ops.add)
    result = functools.reduce(combine, values)
    return result / len(values) if node.kind == "Mean" else result


@operator("Where")
def where(node: OnnxNode, condition: Tensor, left: Tensor, right: Tensor) -> Tensor:
    return ops.where(condition, left, right)


@operator("Clip")
def clip(node: OnnxNode, x: Tensor, low: Tensor | None = None, high: Tensor | None = None) -> Tensor:
    low = node.get("min") if low is None else low
    high = node.get("max") if high is None else high
    if low is not None:
        x = ops.maximum(x, low if isinstance(low, Tensor) else Tensor(low, x.dtype))
    if high is not None:
        x = ops.minimum(x, high if isinstance(high, Tensor) else Tensor(high, x.dtype))
    return x


@operator("IsInf")
def is_infinite(node: OnnxNode, x: Tensor) -> Tensor:
    found = ops.isinf(x)
    if not node.flag("detect_positive", 1):
        found = ops.logical_and(found, x < 0)
    return found if node.flag("detect_negative", 1) else ops.logical_and(found, x > 0)


@operator("BitShift")
def bit_shift(node: OnnxNode, x: Tensor, count: Tensor) -> Tensor:
    return (ops.bitwise_left_shift if node.get("direction") == "LEFT" else ops.bitwise_right_shift)(x, count)


@operator("Cast")
def cast(node: OnnxNode, x: Tensor) -> Tensor:
    return converted(node, x, dtype_of(node.get("to"), node.name), node.flag("saturate", 1))


@operator("CastLike")
def cast_like(node: OnnxNode, x: Tensor, like: Tensor) -> Tensor:
    return converted(node, x, like.dtype.np_dtype, node.flag("saturate", 1))


def converted(node: OnnxNode, x: Tensor, dtype: np.dtype, saturate: bool = True) -> Tensor:
    """A cast; floats become 8-bit floats of the largest size instead of infinity or NaN, where asked for."""
    if dtype == np.object_ or not isinstance(x, Tensor):
        raise node.refuse("casts texts, which no Tensor holds")
    try:
        target = dtypes.from_numpy(dtype)
    except (TypeError, KeyError, ValueError):
        raise node.refuse(f"casts to {dtype.name}, which no Tensor has") from None
    if saturate and "float8" in dtype.name and is_float(x):
        limit = 448.0 if "e4m3" in dtype.name else 57344.0
        x = ops.clip(x, -limit, limit)
    if target == dtypes.bool_ and is_float(x):
        return x != 0
    if dtype.name == "int4" and is_float(x):  # what does not fit keeps its lowest bits
        x = x.astype(dtypes.int32)
        x = ops.bitwise_and(x + 8, 15) - 8
    return x.astype(target)


@operator("BitCast")
def bit_cast(node: OnnxNode, x: Tensor) -> Tensor:
    try:
        return x.view(dtypes.from_numpy(dtype_of(node.get("to"), node.name)))
    except (TypeError, KeyError, ValueError):
        raise node.refuse("takes the bits of another dtype, which no Tensor has") from None


@operator("Identity", raw=True)
def identity(node: OnnxNode, x: Any) -> Any:
    return x


@operator("Dropout", known=(1, 2))
def dropout(node: OnnxNode, x: Tensor, ratio: Any = None, training: Any = None) -> Any:
    """Nothing is dropped: files are for inference, unless their own input says otherwise."""
    if training is not None and bool(np.asarray(training).reshape(-1)[0]):
        share = 0.5 if ratio is None else float(np.asarray(ratio).reshape(-1)[0])
        if share:
            kept = ops.rand(x.shape) >= share
            return ops.where(kept, x / (1 - share), ops.zeros_like(x)).astype(x.dtype), kept
    return x, ops.ones(x.shape, dtypes.bool_ if node.version >= 10 else x.dtype)
