"""Losses with all their parts, and gradients of losses under names of their own."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._ops.declaring.requirements import require_choice
from mindspore._ops.generated.declare import generated_op

_REDUCTIONS = ("none", "mean", "sum")


def _shares(dout: Any, like: Any, reduction: str) -> Any:
    """The gradient of every element's loss."""
    require_choice("reduction", reduction, _REDUCTIONS)
    return jnp.broadcast_to(dout, like.shape) / (like.size if reduction == "mean" else 1)


def _numpy_classes(x: np.ndarray, target: np.ndarray) -> Any:
    log_probabilities = x - np.log(np.exp(x).sum(1, keepdims=True))
    chosen = -log_probabilities[np.arange(len(x)), target]
    return chosen.mean(), log_probabilities, np.zeros(0, np.float32), np.log(np.exp(x).sum(1))


@generated_op(test=lambda t: [t.case(t.normal(4, 3), np.array([0, 2, 1, 1], np.int64), grad=(0,), tolerance=1e-5,
                                     expect=_numpy_classes)])  # fmt: skip
def cross_entropy_parts(input: Array, target: Array, weight: Array | None = None, reduction: str = "mean",
                        ignore_index: int = -100, label_smoothing: float = 0.0,
                        lse_square_scale_for_zloss: float = 0.0, return_zloss: bool = False):  # fmt: skip
    """The loss of classes, the logarithms of the probabilities, the z-loss and the logarithms of the sums it is made of."""
    require_choice("reduction", reduction, _REDUCTIONS)
    log_probabilities = jax.nn.log_softmax(input, 1)
    log_sums = jax.scipy.special.logsumexp(input, 1)
    counted = target != ignore_index
    label = jnp.where(counted, target, 0)
    weights = jnp.ones(input.shape[1], input.dtype) if weight is None else weight
    each = jnp.where(counted, weights[label], 0)
    chosen = -jnp.take_along_axis(log_probabilities, label[:, None], 1)[:, 0] * each
    even = -jnp.where(counted, (log_probabilities * weights).sum(1), 0) / input.shape[1]
    squares = jnp.where(counted, lse_square_scale_for_zloss * log_sums**2, 0)
    if reduction == "none":
        loss, z = (1 - label_smoothing) * chosen + label_smoothing * even, squares
    else:
        whole = each.sum() if reduction == "mean" else 1
        loss = ((1 - label_smoothing) * chosen.sum() + label_smoothing * even.sum()) / whole
        z = squares.sum() / (counted.sum() if reduction == "mean" else 1)
    return loss + z, log_probabilities, z if return_zloss else jnp.zeros(0, input.dtype), log_sums


def _numpy_planes(x: np.ndarray, target: np.ndarray, weight: np.ndarray) -> Any:
    each = weight[target]
    return (-np.take_along_axis(x, target[:, None], 1)[:, 0] * each).sum() / each.sum(), each.sum()


@generated_op(test=lambda t: [t.case(t.normal(2, 3, 2, 1), np.array([[[0], [2]], [[1], [1]]], np.int64), t.positive(3),
                                     grad=(0,), expect=_numpy_planes)])  # fmt: skip
def likelihood_of_planes(input: Array, target: Array, weight: Array, reduction: str = "mean", ignore_index: int = -100):
    """The negative log likelihood of every pixel's class, and the sum of the weights."""
    require_choice("reduction", reduction, _REDUCTIONS)
    counted = target != ignore_index
    label = jnp.where(counted, target, 0)
    each = jnp.where(counted, weight[label], 0)
    losses = -jnp.take_along_axis(input, label[:, None], 1)[:, 0] * each
    if reduction == "none":
        return losses, each.sum()
    return losses.sum() / (each.sum() if reduction == "mean" else 1), each.sum()


@generated_op(test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), t.uniform(0, 1, 2, 3), None, None, "none", grad=False,
                                     expect=lambda g, x, y, *_: g * (1 / (1 + np.exp(-x)) - y))])  # fmt: skip
def logits_backward(grad_output: Array, input: Array, target: Array, weight: Array | None = None,
                    posWeight: Array | None = None, reduction: str = "mean"):  # fmt: skip
    """The gradient of the binary cross entropy by its logits."""
    probability = jax.nn.sigmoid(input)
    if posWeight is None:
        slope = probability - target
    else:
        slope = ((posWeight - 1) * target + 1) * probability - posWeight * target
    slope = slope if weight is None else slope * weight
    return (slope * _shares(grad_output, input, reduction)).astype(input.dtype)


@generated_op(test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), t.normal(2, 3), "sum", grad=False,
                                     expect=lambda g, x, y, _: g * np.sign(x - y))])  # fmt: skip
def absolute_backward(grad_output: Array, input: Array, target: Array, reduction: str = "mean"):
    """The gradient of the sum of absolute differences by its first input."""
    sign = jnp.sign(input - target)
    return sign * _shares(grad_output, sign, reduction).astype(sign.dtype)


def _numpy_rows(g: np.ndarray, indices: np.ndarray, count: int, padding: int | None = None, scale: bool = False) -> Any:
    result = np.zeros((count, g.shape[-1]), g.dtype)
    for row, index in zip(g.reshape(-1, g.shape[-1]), indices.reshape(-1), strict=True):
        result[index] += 0 if index == padding else row / ((indices == index).sum() if scale else 1)
    return result


@generated_op(test=lambda t: [t.case(t.normal(4, 2), np.array([1, 0, 1, 2], np.int32), 3, grad=(0,), expect=_numpy_rows),
                              t.case(t.normal(4, 2), np.array([1, 0, 1, 2], np.int32), 3, 0, True, grad=(0,),
                                     expect=_numpy_rows)])  # fmt: skip
def embedding_backward(grad: Array, indices: Array, num_weights: int, padding_idx: int | None = None,
                       scale_grad_by_freq: bool = False):  # fmt: skip
    """The gradient of an embedding by its weights: rows added where the indices say."""
    flat, rows = indices.reshape(-1), grad.reshape(-1, grad.shape[-1])
    if scale_grad_by_freq:
        counts = jnp.zeros(num_weights, rows.dtype).at[flat].add(1)
        rows = rows / counts[flat][:, None]
    result = jnp.zeros((num_weights, rows.shape[1]), rows.dtype).at[flat].add(rows)
    return result if padding_idx is None or padding_idx < 0 else result.at[padding_idx].set(0)
