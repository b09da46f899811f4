"""Keeping values, or the length of gradients, inside bounds."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Arrays, Operand
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import at_least_float32, check_broadcast, promote
from mindspore._ops.declaring.requirements import require
from mindspore._ops.math.compare import isfinite


@op(aliases="clip", method=("clamp", "clip"), old={"input": ("x",), "min": ("xmin",), "max": ("xmax",)},
    test=lambda t: [t.case(t.normal(2, 3), -0.5, 0.5, expect=np.clip), t.case(t.ints(6), 2, 7, expect=np.clip),
                    t.case(t.normal(2, 3), t.uniform(-0.5, 0, 3), t.uniform(0.1, 0.5, 3), expect=np.clip)])  # fmt: skip
@accepts("if", "input", "min", "max")
def clamp(input: Array, min: Operand | None = None, max: Operand | None = None):
    """The values kept between ``min`` and ``max``. On the bounds the derivative is still 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.clamp(Tensor([-2.0, 0.5, 7.0]), 0, 1))
        [0.  0.5 1. ]
    """
    if min is None and max is None:
        raise ValueError("the 'min' and 'max' must not both be None: give at least one bound.")
    bounds = [bound for bound in (min, max) if bound is not None]
    truths = any(jnp.asarray(value).dtype == bool for value in (input, *bounds))
    require(not truths, "the 'input', 'min' and 'max' must be numbers, but got a bool.")
    x, *bounds = promote(input, *bounds)
    if min is not None:
        x = jnp.where(x < bounds[0], bounds[0], x)
    if max is not None:
        x = jnp.where(x > bounds[-1], bounds[-1], x)
    return x


@op(public=False,
    test=lambda t: [t.case(t.normal(2, 3), -0.5, 0.5, expect=np.clip),
                    t.case(t.ints(6), 2.5, 7.5, expect=lambda x, low, high: np.clip(x, 2, 7))])  # fmt: skip
@accepts("bif", "x", "clip_value_min", "clip_value_max")
def clip_tensor_by_value(x: Array, clip_value_min: Operand | None, clip_value_max: Operand | None):
    """``clip_by_value`` of a single Tensor: the bounds take its dtype; on a bound the derivative is 1/2."""
    if clip_value_min is None and clip_value_max is None:
        raise ValueError("For 'clip_by_value', the 'clip_value_min' and 'clip_value_max' must not both be None.")
    check_broadcast(x, *[bound for bound in (clip_value_min, clip_value_max) if bound is not None])
    if clip_value_min is not None:
        x = jnp.maximum(x, clip_value_min.astype(x.dtype))
    if clip_value_max is not None:
        x = jnp.minimum(x, clip_value_max.astype(x.dtype))
    return x


def clip_by_value(x: Any, clip_value_min: Any = None, clip_value_max: Any = None) -> Any:
    """The values of a Tensor, or of every Tensor of a list, kept between two bounds.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.clip_by_value(Tensor([-2.0, 0.5, 7.0]), 0, 1))
        [0.  0.5 1. ]
    """
    if not isinstance(x, (list, tuple)):
        return clip_tensor_by_value(x, clip_value_min, clip_value_max)
    clipped = [clip_tensor_by_value(each, clip_value_min, clip_value_max) for each in x]
    return clipped if isinstance(x, list) else tuple(clipped)


# -- by norm: all tensors are scaled by the same factor, so the direction stays ----------------------------------------
def _scaled(tensors: tuple, factor: Any) -> tuple:
    return tuple((x * factor).astype(x.dtype) for x in tensors)


@op(public=False,
    test=lambda t: [t.case([np.array([3.0, 4.0], np.float32)], 1.0, expect=lambda x, norm: (x[0] / 5,)),
                    t.case([t.normal(2, 3), t.normal(4)], 100.0, expect=lambda x, norm: tuple(x))])  # fmt: skip
def clip_tensors_by_norm(x: Arrays, max_norm: Operand, norm_type: float = 2.0):
    """``clip_by_norm`` of several Tensors."""
    sizes = [jnp.abs(at_least_float32(each)) for each in x]
    if norm_type == float("inf"):
        norm = jnp.stack([size.max() for size in sizes]).max()
    else:
        norm = sum((size**norm_type).sum() for size in sizes) ** (1 / norm_type)
    return _scaled(x, jnp.minimum(max_norm / (norm + 1e-6), 1))


def clip_by_norm(x: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Any:
    """A Tensor, or a list of Tensors together, scaled down so that the norm is at most ``max_norm``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.clip_by_norm(Tensor([3.0, 4.0]), 10.0))
        [3. 4.]
    """
    tensors = x if isinstance(x, (list, tuple)) else (x,)
    if error_if_nonfinite and not all(isfinite(each).all() for each in tensors):
        raise RuntimeError("For 'clip_by_norm', the norm of 'x' must be finite, but 'x' holds infinities or NaN.")
    clipped = clip_tensors_by_norm(tensors, max_norm, norm_type)
    if isinstance(x, Tensor):
        return clipped[0]
    return list(clipped) if isinstance(x, list) else clipped


@op(public=False,
    test=lambda t: [t.case([np.array([3.0, 4.0], np.float32)], 1.0, expect=lambda x, norm: (x[0] / 5,)),
                    t.case([t.normal(2, 3), t.normal(4)], 100.0, expect=lambda x, norm: tuple(x))])  # fmt: skip
def clip_tensors_by_global_norm(x: Arrays, clip_norm: Operand):
    """``clip_by_global_norm`` of several Tensors."""
    norm = jnp.sqrt(sum(jnp.square(at_least_float32(each)).sum() for each in x))
    return _scaled(x, clip_norm / jnp.maximum(norm, clip_norm))


def clip_by_global_norm(x: Any, clip_norm: float = 1.0, use_norm: None = None) -> Any:
    """Tensors scaled down together so that the norm of all their elements is at most ``clip_norm``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> clipped = ops.clip_by_global_norm((Tensor([3.0]), Tensor([4.0])), 10.0)
        >>> print(clipped[0], clipped[1])
        [3.] [4.]
    """
    if use_norm is not None:
        raise ValueError(f"For 'clip_by_global_norm', the 'use_norm' must be None, but got {use_norm!r}.")
    if not isinstance(clip_norm, Tensor) and not clip_norm > 0:
        raise ValueError(f"For 'clip_by_global_norm', the argument 'clip_norm' must > 0.0, but got {clip_norm!r}.")
    if isinstance(x, Tensor):
        return clip_tensors_by_global_norm((x,), clip_norm)[0]
    return clip_tensors_by_global_norm(x, clip_norm)


register_function(clip_by_value)
register_function(clip_by_norm)
register_function(clip_by_global_norm)
