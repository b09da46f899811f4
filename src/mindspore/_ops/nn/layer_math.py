"""Operators that layers of ``mindspore.nn`` are made of and that have no other family."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Axis
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.promotion import normal_axes
from mindspore._ops.declaring.requirements import (
    require,
    require_float,
    require_rank_from,
    require_same_dtype,
    require_shape,
)


def _numpy_clipped(x: np.ndarray, limit: Any, axis: Any = None) -> np.ndarray:
    norm = np.sqrt((x**2).sum(axis, keepdims=True))
    return x * limit / np.maximum(norm, limit)


@op(primitive="ClipByNorm", init=("axis",), public=False,
    test=lambda t: [t.case(t.normal(2, 3), np.array(0.5, np.float32), expect=_numpy_clipped),
                    t.case(t.normal(2, 3), np.array(1.0, np.float32), 1, expect=_numpy_clipped)])  # fmt: skip
def clip_by_norm_over_axes(x: Array, clip_norm: Array, axis: Axis = None):
    """The input scaled down so that the 2-norm over the axes is at most ``clip_norm``; the result is Float32.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ClipByNorm()(Tensor([3.0, 4.0]), Tensor(1.0)))
        [0.6 0.8]
    """
    require_float("x", x)
    wide = x.astype(jnp.float32)
    squares = jnp.sum(jnp.square(wide), axis=normal_axes(axis, x.ndim), keepdims=True)
    # the root has no gradient at 0, where nothing is clipped
    norm = jnp.where(squares > 0, jnp.sqrt(jnp.where(squares > 0, squares, 1)), 0)
    limit = clip_norm.astype(jnp.float32)
    text = f"the 'clip_norm' must be one number or fit the shape {x.shape}, but got shape {clip_norm.shape}."
    require(np.broadcast_shapes(limit.shape if limit.ndim <= x.ndim else (), x.shape) == x.shape, text)
    return jnp.where(norm > limit, wide * limit / jnp.where(norm > limit, norm, 1), wide)


@op(public=False,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(2),
                           expect=lambda x, d: np.where(np.eye(2, 3, dtype=bool), np.pad(d, (0, 1)), x)),
                    t.case(t.normal(2, 3, 2), t.normal(2, 2))])  # fmt: skip
def set_diagonal(x: Array, diagonal: Array):
    """Matrices (the last two axes) with another main diagonal."""
    require_rank_from("x", x, 2)
    require_same_dtype(x=x, diagonal=diagonal)
    count = min(x.shape[-2:])
    require_shape("diagonal", diagonal, (*x.shape[:-2], count))
    positions = np.arange(count)
    return x.at[..., positions, positions].set(diagonal)


@op(public=False,
    test=lambda t: [t.case(t.positive(3), t.positive(3), tolerance=1e-4),
                    t.case(np.array([2.0], np.float32), np.array([3.0], np.float32),
                           expect=lambda x, y: np.log(np.array([1 / 12], np.float32)))])  # fmt: skip
def lbeta(x: Array, y: Array):
    """The logarithm of Euler's beta function."""
    require_float("x", x)
    require_same_dtype(x=x, y=y)
    return jax.scipy.special.betaln(x, y)
