"""MindSpore's rules for mixed dtypes, which are not JAX's, and broadcasting with a readable error.

Inside an operator body a Python number arrives as a *weak* scalar; it takes the Tensor's dtype where it can.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._utils.refusals import several

_RANK = {name: rank for rank, name in enumerate(
    ["bool", "int4", "uint8", "int8", "int16", "int32", "int64", "float8_e4m3fn", "float8_e5m2", "float16", "bfloat16",
     "float32", "float64"])}  # fmt: skip
_PAIRS = {("uint8", "int8"): "int16", ("int4", "uint8"): "int16", ("float8_e4m3fn", "float8_e5m2"): "float16",
          ("float16", "bfloat16"): "float32"}  # fmt: skip


HALF_PRECISION = (jnp.float16, jnp.bfloat16)


def is_weak(value: Any) -> bool:
    """Whether the value came from a Python number."""
    return bool(getattr(value, "weak_type", isinstance(value, (bool, int, float, complex))))


def kind_of(dtype: Any) -> str:
    """'b', 'i' (signed or not), 'f' or 'c'."""
    if dtype == np.bool_:
        return "b"
    if jnp.issubdtype(dtype, jnp.integer):
        return "i"
    return "f" if jnp.issubdtype(dtype, jnp.floating) else "c"


def promote_dtypes(a: Any, b: Any) -> np.dtype:
    """The dtype of a Tensor of dtype ``a`` combined with a Tensor of dtype ``b``."""
    a, b = np.dtype(a), np.dtype(b)
    if a == b:
        return a
    if a.name in _RANK and b.name in _RANK:
        low, high = sorted((a.name, b.name), key=_RANK.__getitem__)
        return jnp.dtype(_PAIRS.get((low, high), high))
    if "c" in (kind_of(a), kind_of(b)):
        wide = any(d.name in ("complex128", "float64") for d in (a, b))
        return np.dtype(np.complex128 if wide else np.complex64)
    if "f" in (kind_of(a), kind_of(b)):
        return a if kind_of(a) == "f" else b
    joined = np.promote_types(a, b)
    return np.dtype(np.int64) if joined.kind == "f" else joined


def _with_scalar(dtype: np.dtype, scalar: Any) -> np.dtype:
    """The dtype of a Tensor of ``dtype`` combined with a Python number."""
    tensor, number = kind_of(dtype), kind_of(scalar.dtype)
    if number == "c" and tensor != "c":
        return np.dtype(np.complex128 if dtype.name == "float64" else np.complex64)
    if number == "f" and tensor in "bi":
        return np.dtype(np.float32)
    if number == "i" and tensor == "b":
        return np.dtype(np.int64)
    return dtype


def common_dtype(*values: Any) -> np.dtype:
    """The dtype in which these values are combined."""
    values = tuple(jnp.asarray(v) for v in values)
    strong = [v for v in values if not is_weak(v)]
    if not strong:
        order = "bifc"
        widest = max((v.dtype for v in values), key=lambda d: order.index(kind_of(d)))
        return np.dtype(np.float32) if kind_of(widest) == "f" else np.dtype(widest)
    result = np.dtype(strong[0].dtype)
    for value in strong[1:]:
        result = promote_dtypes(result, value.dtype)
    for value in values:
        if is_weak(value):
            result = _with_scalar(result, value)
    return result


def promote(*values: Any) -> tuple:
    """The values in their common dtype; refuses shapes that do not broadcast."""
    dtype = common_dtype(*values)
    check_broadcast(*values)
    return tuple(jnp.asarray(v).astype(dtype) for v in values)


def check_broadcast(*values: Any) -> tuple[int, ...]:
    """The common shape, or an error that names the shapes."""
    shapes = [tuple(jnp.shape(v)) for v in values]
    try:
        return jnp.broadcast_shapes(*shapes)  # unlike NumPy's, with sizes left open
    except ValueError:
        listed = " and ".join(map(str, shapes))
        raise ValueError(
            f"the 'shape' of the inputs need to broadcast, but got {listed}: seen from the last axis, lengths must be equal "
            "or 1. Use reshape or expand_dims to line the axes up."
        ) from None


def float_dtype(dtype: Any) -> np.dtype:
    """The dtype of functions such as exp on this input: integers and bool are computed in float32."""
    return np.dtype(np.float32) if kind_of(dtype) in "bi" else np.dtype(dtype)


def as_float(value: Any) -> Any:
    """The value in the dtype of float-valued functions."""
    value = jnp.asarray(value)
    return value.astype(np.float32 if is_weak(value) else float_dtype(value.dtype))


def upcast_half(x: Any) -> Any:
    """float16 and bfloat16 as float32, for accumulation; other dtypes unchanged."""
    return x.astype(jnp.float32) if x.dtype in HALF_PRECISION else x


WIDE_UNSIGNED = (jnp.uint16, jnp.uint32, jnp.uint64)  # of these MindSpore's sums and products have the same dtype


def upcast_integer(x: Any) -> Any:
    """Bool and integers as int64, so that sums and products do not overflow; wide unsigned and inexact ones unchanged."""
    return x if x.dtype in WIDE_UNSIGNED or kind_of(x.dtype) not in "bi" else x.astype(jnp.int64)


def at_least_float32(x: Any) -> Any:
    """The array promoted with float32: half precision underflows in squares and in long sums."""
    return x.astype(jnp.promote_types(x.dtype, jnp.float32))


_WRONG_AXIS = several(ValueError, IndexError, RuntimeError)  # operators of MindSpore raise one of these


def normal_axis(axis: int, ndim: int, name: str = "axis") -> int:
    """A non-negative axis; refuses axes outside [-ndim, ndim)."""
    bound = max(ndim, 1)
    if not -bound <= axis < bound:
        raise _WRONG_AXIS(f"the '{name}' must be in [{-bound}, {bound}), but got {axis}.")
    return axis % bound


def axis_of(x: Any, axis: int, name: str = "input") -> int:
    """A non-negative axis of the array called ``name``; refuses a scalar, which has none."""
    if x.ndim == 0:
        raise ValueError(f"the '{name}' must have at least 1 axis, but got a Tensor of shape ().")
    return normal_axis(axis, x.ndim)


def normal_axes(axis: Any, ndim: int, name: str = "axis") -> tuple[int, ...]:
    """Non-negative axes of a reduction; None and () mean all of them."""
    if axis is None or axis == ():
        return tuple(range(ndim))
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    found = tuple(normal_axis(a, ndim, name) for a in axes)
    if len(set(found)) != len(found):
        raise _WRONG_AXIS(f"the '{name}' must not name an axis twice, but got {axis}.")
    return found if ndim else ()
