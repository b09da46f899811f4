"""Batch normalization in steps, for a batch that is spread over several processes: ``mindspore.mint.batch_norm_*``."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import require, require_float, require_rank_from, require_shape
from mindspore._ops.linalg.triangular import triangular_solve as _solve
from mindspore._ops.nn.activation import gelu


def _per_channel(vector: Any, x: Any) -> Any:
    return vector.reshape(1, -1, *[1] * (x.ndim - 2))


def _numpy_stats(x: np.ndarray, eps: float) -> tuple[np.ndarray, np.ndarray]:
    return x.mean((0, 2)), 1 / np.sqrt(x.var((0, 2)) + eps)


@op(public=False, test=lambda t: [t.case(t.normal(4, 3, 2), 1e-3, expect=_numpy_stats, tolerance=1e-4)])
def batch_norm_stats(input: Array, eps: float):
    """The mean of every channel (axis 1), and the reciprocal of its standard deviation.

    Examples:
        >>> from mindspore import Tensor, mint
        >>> mean, invstd = mint.batch_norm_stats(Tensor([[1.0, 2.0], [3.0, 6.0]]), 0.0)
        >>> print(mean, invstd)
        [2. 4.] [1.  0.5]
    """
    require_rank_from("input", input, 2)
    require_float("input", input)
    x = upcast_half(input)
    axes = (0, *range(2, x.ndim))
    return x.mean(axes), 1 / jnp.sqrt(x.var(axes) + eps)


@op(public=False, test=lambda t: [t.case(t.normal(4, 2), t.normal(2), t.normal(2), t.normal(2), t.positive(2), 0.1,
                                         expect=lambda x, w, b, m, s, eps: (x - m) * s * w + b),
                                  t.case(t.normal(4, 2, 3), None, None, t.normal(2), t.positive(2))])  # fmt: skip
def batch_norm_elemt(input: Array, weight: Array | None = None, bias: Array | None = None, mean: Array | None = None,
                     invstd: Array | None = None, eps: float = 1e-5):  # fmt: skip
    """``(input - mean) * invstd * weight + bias``, with statistics and parameters per channel (axis 1).

    Examples:
        >>> from mindspore import Tensor, mint
        >>> x = Tensor([[1.0, 2.0], [3.0, 6.0]])
        >>> print(mint.batch_norm_elemt(x, None, None, *mint.batch_norm_stats(x, 0.0)))
        [[-1. -1.]
         [ 1.  1.]]
    """
    require_rank_from("input", input, 2)
    vectors = {"weight": weight, "bias": bias, "mean": mean, "invstd": invstd}
    for name, vector in vectors.items():
        require(
            vector is not None or name in ("weight", "bias"), f"the '{name}' must be a Tensor, but got None.", TypeError
        )
        if vector is not None:
            require_shape(name, vector, (input.shape[1],))
    x = upcast_half(input)
    result = (x - _per_channel(mean, x)) * _per_channel(invstd, x)
    result = result if weight is None else result * _per_channel(weight, x)
    return (result if bias is None else result + _per_channel(bias, x)).astype(input.dtype)


def _numpy_gathered(x: Any, mean: np.ndarray, invstd: np.ndarray, counts: np.ndarray, eps: float) -> Any:
    variances, total = 1 / invstd**2 - eps, counts.sum()
    whole = (mean * counts[:, None]).sum(0) / total
    variance = ((variances + (mean - whole) ** 2) * counts[:, None]).sum(0) / total
    return whole, 1 / np.sqrt(variance + eps), variance * total / (total - 1)


@op(public=False, test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), t.positive(2, 3), np.array([4, 2], np.float32),
                                         1e-5, grad=False, expect=_numpy_gathered)])  # fmt: skip
def gathered_statistics(input: Array, mean: Array, invstd: Array, counts: Array, eps: float):
    """The mean, the inverse deviation and the unbiased variance of all parts of a batch together."""
    channels = input.shape[1]
    require(mean.ndim == 2 and mean.shape[1] == channels,
            f"the 'mean' must have shape (devices, {channels}), but got {mean.shape}.")  # fmt: skip
    require_shape("invstd", invstd, mean.shape)
    require_shape("counts", counts, mean.shape[:1])
    parts = upcast_half(counts.astype(mean.dtype))[:, None]
    mean, invstd = upcast_half(mean), upcast_half(invstd)
    total = parts.sum()
    whole = (mean * parts).sum(0) / total
    variance = ((1 / invstd**2 - eps + (mean - whole) ** 2) * parts).sum(0) / total
    return whole, 1 / jnp.sqrt(variance + eps), variance * total / jnp.maximum(total - 1, 1)


def batch_norm_gather_stats_with_counts(input: Tensor, mean: Tensor, invstd: Tensor, running_mean: Tensor | None = None,
                                        running_var: Tensor | None = None, momentum: float = 0.1, eps: float = 1e-5,
                                        counts: Tensor | None = None) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The mean and the inverse deviation of a whole batch from those of its parts, and the running ones moved there.

    Args:
        input: what the batch is part of: (N, C, ...).
        mean, invstd: of every part, (devices, C).
        counts: how many elements per channel every part has; None for parts of equal size, that of ``input``.

    Examples:
        >>> from mindspore import Tensor, mint
        >>> x, mean, invstd = Tensor([[1.0]]), Tensor([[1.0], [4.0]]), Tensor([[1.0], [1.0]])
        >>> print(mint.batch_norm_gather_stats_with_counts(x, mean, invstd, counts=Tensor([2.0, 1.0]))[0])
        [2.]
    """
    owner = "batch_norm_gather_stats_with_counts"
    for name, value, needed in (("input", input, True), ("mean", mean, True), ("invstd", invstd, True), ("counts", counts, False),
                                ("running_mean", running_mean, False), ("running_var", running_var, False)):  # fmt: skip
        if not isinstance(value, Tensor) and (needed or value is not None):
            raise TypeError(
                f"For '{owner}', the '{name}' must be a Tensor, but got {value!r} of type {type(value).__name__}."
            )
    if input.ndim < 2 or mean.ndim != 2:
        shapes = f"{input.shape} and {mean.shape}"
        raise ValueError(
            f"For '{owner}', the 'input' must be (N, C, ...) and the 'mean' (devices, C), but got {shapes}."
        )
    if counts is None:
        counts = Tensor(np.full(mean.shape[0], input.size // max(input.shape[1], 1), np.float32))
    whole, inverse, variance = gathered_statistics(input, mean, invstd, counts, eps)
    for running, new in ((running_mean, whole), (running_var, variance)):
        if running is not None:
            moved = running * (1 - momentum) + new * momentum
            running._become(moved.astype(running.dtype))
    return whole, inverse


def npu_gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """The Gaussian error linear unit: exact, or with 'tanh' its usual approximation.

    Examples:
        >>> from mindspore import Tensor, mint
        >>> print(mint.npu_gelu(Tensor([0.0, 1.0])))
        [0.        0.8413447]
    """
    return gelu(input, approximate)


def triangular_solve(b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False,
                     unitriangular: bool = False) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The solution ``x`` of ``A @ x = b`` for a triangle ``A``, and the triangle itself.

    Examples:
        >>> from mindspore import Tensor, mint
        >>> x, _ = mint.triangular_solve(Tensor([[3.0], [4.0]]), Tensor([[1.0, 1.0], [0.0, 2.0]]))
        >>> print(x)
        [[1.]
         [2.]]
    """
    return _solve(b, A, upper, transpose, unitriangular)
