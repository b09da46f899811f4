"""Pooling by power means: the p-norm of sliding windows."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Sizes
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import as_float
from mindspore._ops.declaring.requirements import require, require_rank
from mindspore._ops.declaring.windows import spatial
from mindspore._ops.nn.pooling import Windows, pool_average


def _pool_norm(x: Any, norm_type: float, kernel_size: Any, stride: Any, ceil_mode: bool, count: int) -> Any:
    """``(sum of x ** p) ** (1 / p)`` of every window; a partial window at the end counts as if it were full."""
    require_rank("x", x, count + 1, count + 2)
    x = as_float(x)
    require(norm_type != 0, "the 'norm_type' must not be 0.")
    kernel = spatial("kernel_size", kernel_size, count)
    steps = kernel if stride is None else spatial("stride", stride, count)
    batched = x if x.ndim == count + 2 else x[None]
    windows = Windows(x.shape[-count:], kernel, steps, ((0, 0),) * count, ceil_mode=ceil_mode)
    power = int(norm_type) if norm_type == int(norm_type) else norm_type  # whole powers of negative numbers are real
    sums = pool_average(batched**power, windows, with_padding=False) * math.prod(kernel)
    # negative sums (odd powers) have no root, and the root has no gradient at 0
    positive = sums > 0
    roots = jnp.where(positive, jnp.where(positive, sums, 1) ** (1 / norm_type), 0)
    if norm_type == 1:
        roots = sums
    return roots if x.ndim == count + 2 else roots[0]


def _numpy_norm(x: np.ndarray, p: float, *_: Any) -> np.ndarray:
    return (x.reshape(2, 3, 3, 2) ** p).sum(-1) ** (1 / p)


@op(test=lambda t: [t.case(t.normal(2, 3, 6), 2, 2, expect=_numpy_norm),
                    t.case(t.positive(3, 5), 1.5, 3, 2, True)])  # fmt: skip
@accepts("bif", "x")
def lp_pool1d(x: Array, norm_type: float, kernel_size: Sizes, stride: Sizes = None, ceil_mode: bool = False):
    """The ``norm_type``-norm of every window on the last axis of (N, C, L) or (C, L).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.lp_pool1d(Tensor([[3.0, 4.0]]), 2, 2))
        [[5.]]
    """
    return _pool_norm(x, norm_type, kernel_size, stride, ceil_mode, 1)


@op(test=lambda t: [t.case(t.normal(2, 3, 6, 1), 2, (2, 1), expect=lambda x, *_: _numpy_norm(x, 2)[..., None]),
                    t.case(t.positive(1, 3, 5, 5), 3.0, (3, 2), 2, True)])  # fmt: skip
@accepts("bif", "x")
def lp_pool2d(x: Array, norm_type: float, kernel_size: Sizes, stride: Sizes = None, ceil_mode: bool = False):
    """The ``norm_type``-norm of every window on the last two axes of (N, C, H, W) or (C, H, W).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.lp_pool2d(Tensor([[[3.0, 0.0], [4.0, 0.0]]]), 2, 2))
        [[[5.]]]
    """
    return _pool_norm(x, norm_type, kernel_size, stride, ceil_mode, 2)
