"""Losses that compare inputs with each other or with a margin, and the similarity they use."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.index_bounds import require_inside
from mindspore._engine.operator.arguments import Array, Choice
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.conventions import magnitude, safe_norm, safe_root
from mindspore._ops.declaring.dtype_checks import accepts, alike
from mindspore._ops.declaring.promotion import as_float, check_broadcast, normal_axis, promote
from mindspore._ops.declaring.requirements import (
    require,
    require_float,
    require_index_dtype,
    require_rank,
    require_rank_from,
    require_same_dtype,
    require_shape,
)
from mindspore._ops.math.soft_maximum import softplus
from mindspore._ops.nn.class_loss import at_class
from mindspore._ops.nn.loss import reduced


def _above_zero(x: Any) -> Any:
    """The larger of 0 and x, with gradient 0 at 0."""
    return jax.nn.relu(x)


@op(test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3),
                           expect=lambda x, y: (x * y).sum(1) / np.sqrt((x * x).sum(1) * (y * y).sum(1))),
                    t.case(t.normal(2, 3), t.normal(2, 3), 0)])  # fmt: skip
@accepts("f", "x1")
@accepts("f", "x2")
def cosine_similarity(x1: Array, x2: Array, dim: int = 1, eps: float = 1e-08):
    """The cosine of the angle between vectors along an axis; lengths below ``eps`` count as ``eps``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cosine_similarity(Tensor([[3.0, 0.0]]), Tensor([[2.0, 0.0]])))
        [1.]
    """
    x, y = (as_float(v) for v in promote(x1, x2))
    axis = normal_axis(dim, len(check_broadcast(x, y)), "dim")
    x, y = jnp.broadcast_arrays(x, y)
    lengths = (jnp.maximum(safe_norm(v, axis), eps) for v in (x, y))
    return jnp.sum(x * y, axis=axis) / jnp.multiply(*lengths)


@op(test=lambda t: [t.case(t.normal(4, 3), t.normal(4, 3), np.array([1, -1, 1, -1], np.int32)),
                    t.case(t.normal(4, 3), t.normal(4, 3), np.array([1, -1, 1, -1], np.int32), 0.5,
                           "none")])  # fmt: skip
@alike("input1", "input2")
def cosine_embedding_loss(input1: Array, input2: Array, target: Array, margin: float = 0.0, reduction: Choice = "mean"):
    """``1 - cosine`` where the target is 1, what the cosine exceeds the margin by where it is -1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cosine_embedding_loss(Tensor([[3.0, 0.0]]), Tensor([[2.0, 0.0]]), Tensor([-1]), 0.25))
        0.75
    """
    require(-1 <= margin <= 1, f"the 'margin' must be in [-1.0, 1.0], but got {margin}.")
    require_rank_from("input1", input1, 2)
    require_rank_from("input2", input2, 2)
    require_rank("input2", input2, input1.ndim)
    require_shape("target", target, input1.shape[:1] + input1.shape[2:])
    axis = 1
    x, y = (as_float(v) for v in promote(input1, input2))
    check_broadcast(x, y)
    # Lengths are those of the vectors as given: an element that is paired several times counts once.
    squares = jnp.sum(x * x, axis=axis) * jnp.sum(y * y, axis=axis)
    cosine = jnp.sum(x * y, axis=axis) * jax.lax.rsqrt(squares + 1e-12)
    check_broadcast(cosine, target)
    zero = jnp.zeros_like(cosine)
    loss = jnp.where(target == 1, 1 - cosine, zero) + jnp.where(target == -1, _above_zero(cosine - margin), zero)
    return reduced(loss, reduction)


@op(test=lambda t: [t.case(t.normal(4), t.normal(4), np.array([1, -1, 1, -1], np.float32), 0.5, "none", grad=(0, 1),
                           expect=lambda x, y, s, m, _: np.maximum(-s * (x - y) + m, 0))])  # fmt: skip
@alike("input1", "input2", "target")
def margin_ranking_loss(input1: Array, input2: Array, target: Array, margin: float = 0.0, reduction: Choice = "mean"):
    """0 where ``input1`` ranks above ``input2`` by the margin (target 1) or below it (target -1).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.margin_ranking_loss(Tensor([1.0, 1.0]), Tensor([3.0, 0.0]), Tensor([1.0, 1.0]), 0.5, "none"))
        [2.5 0. ]
    """
    x, y, sign = promote(input1, input2, target)
    return reduced(_above_zero(margin - sign * (x - y)), reduction)


@op(test=lambda t: [t.case(t.normal(4), np.array([1, -1, 1, -1], np.float32), 0.5, "none", grad=(0,),
                           expect=lambda x, s, m, _: np.where(s == 1, x, np.maximum(m - x, 0)))])  # fmt: skip
@accepts("f", "inputs")
@accepts("f", "targets")
def hinge_embedding_loss(inputs: Array, targets: Array, margin: float = 1.0, reduction: Choice = "mean"):
    """The input where the target is 1, what it falls below the margin by where it is -1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.hinge_embedding_loss(Tensor([0.5, 0.25]), Tensor([1.0, -1.0]), reduction="none"))
        [0.5  0.75]
    """
    check_broadcast(inputs, targets)
    x, sign = inputs, targets
    zero = jnp.zeros_like(x)
    return reduced(jnp.where(sign == -1, zero, x) + jnp.where(sign == 1, zero, _above_zero(margin - x)), reduction)


@op(primitive="SoftMarginLoss", init=("reduction",),
    test=lambda t: [t.case(t.normal(4), np.array([1, -1, 1, -1], np.float32), "none",
                           expect=lambda x, y, _: np.log1p(np.exp(-x * y)))])  # fmt: skip
def soft_margin_loss(input: Array, target: Array, reduction: str = "mean"):
    """``log(1 + exp(-target * input))`` for targets 1 and -1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.soft_margin_loss(Tensor([0.0]), Tensor([1.0])))
        0.6931472
    """
    require_float("input", input)
    require_same_dtype(input=input, target=target)
    require_shape("target", target, input.shape)
    return reduced(softplus(-target * input), reduction)


@op(test=lambda t: [t.case(t.normal(4, 3), t.uniform(0, 1, 4, 3)),
                    t.case(t.normal(4, 3), t.uniform(0, 1, 4, 3), t.positive(3), "none")])  # fmt: skip
def multilabel_soft_margin_loss(input: Array, target: Array, weight: Array | None = None, reduction: Choice = "mean"):
    """The cross entropy of the sigmoid of every class score, averaged over the classes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.multilabel_soft_margin_loss(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]])))
        0.6931472
    """
    require_float("input", input)
    shape = check_broadcast(input, target)
    require(shape, "the 'input' or the 'target' must have at least 1 dimension, but got two numbers.")
    loss = -(target * jax.nn.log_sigmoid(input) + (1 - target) * jax.nn.log_sigmoid(-input))
    if weight is not None:
        loss = jnp.multiply(*promote(loss, weight))
    return reduced(jnp.mean(loss, axis=-1), reduction)


def _inside_classes(input: Tensor, target: Tensor, *_: Any) -> None:
    require_inside("MultiMarginLoss", "target", target, 0, input.shape[1], ValueError)


@op(primitive="MultiMarginLoss", init=("p", "margin", "reduction"), call_order=("input", "target", "weight"), bounds=_inside_classes,
    test=lambda t: [t.case(t.normal(4, 3), t.ints(4, high=3)),
                    t.case(t.normal(4, 3), t.ints(4, high=3), 2, 0.5, t.positive(3), "none")])  # fmt: skip
def multi_margin_loss(input: Array, target: Array, p: int = 1, margin: float = 1.0, weight: Array | None = None,
                      reduction: Choice = "mean"):  # fmt: skip
    """How far each other class comes within the margin of the target class, to the power ``p``, averaged over classes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.multi_margin_loss(Tensor([[0.0, 1.0]]), Tensor([0])))
        1.0
    """
    require(p in (1, 2), f"the 'p' must be 1 or 2, but got {p}.")
    require_float("input", input)
    require_rank("input", input, 2)
    require_index_dtype("target", target)
    require_shape("target", target, input.shape[:1])
    excess = _above_zero(margin - at_class(input, target, 1)[:, None] + input) ** p
    if weight is not None:
        require_shape("weight", weight, input.shape[1:])
        excess = excess * at_class(jnp.broadcast_to(weight, input.shape), target, 1)[:, None]
    others = jnp.arange(input.shape[1]) != target[:, None]
    return reduced(jnp.sum(jnp.where(others, excess, 0), axis=1) / input.shape[1], reduction)


@op(test=lambda t: [t.case(t.normal(4, 3), t.normal(4, 3), t.normal(4, 3), 2.0),
                    t.case(t.normal(4, 3), t.normal(4, 3), t.normal(4, 3), 2.0, 3, 1e-6, True, "none")])  # fmt: skip
@alike("anchor", "positive", "negative")
def triplet_margin_loss(anchor: Array, positive: Array, negative: Array, margin: float = 1.0, p: float = 2,
                        eps: float = 1e-06, swap: bool = False, reduction: Choice = "mean"):  # fmt: skip
    """What the anchor is nearer to the negative than to the positive, up to the margin, in the p-norm.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> near, far = Tensor([[1.0, 0.0]]), Tensor([[4.0, 0.0]])
        >>> print(ops.triplet_margin_loss(Tensor([[0.0, 0.0]]), far, near, eps=0.0))
        4.0
    """
    require(p > 0, f"the 'p' must be positive, but got {p}.")
    anchor, positive, negative = promote(anchor, positive, negative)
    require_float("anchor", anchor)
    some = anchor.ndim or (positive.ndim and negative.ndim)
    require(some, "the 'anchor', 'positive' and 'negative' must have at least 1 dimension, but got numbers.")

    def distance(x: Any, y: Any) -> Any:
        return safe_root(jnp.sum(safe_root(magnitude(x - y + eps), p), axis=-1), 1 / p)

    other = distance(anchor, negative)
    if swap:
        other = jnp.minimum(other, distance(positive, negative))
    return reduced(_above_zero(distance(anchor, positive) - other + margin), reduction)


@op(test=lambda t: [t.case(t.normal(4), t.normal(4), t.positive(4)),
                    t.case(t.normal(4), t.normal(4), t.positive(4), True, 1e-6, "none")])  # fmt: skip
def gaussian_nll_loss(x: Array, target: Array, var: Array, full: bool = False, eps: float = 1e-6,
                      reduction: Choice = "mean"):  # fmt: skip
    """Minus the logarithm of the normal density at the target, without the constant unless ``full``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.gaussian_nll_loss(Tensor([1.0]), Tensor([3.0]), Tensor([1.0])))
        2.0
    """
    require(eps > 0, f"the 'eps' must be positive, but got {eps}.")
    x, target, var = (as_float(v) for v in promote(x, target, var))
    variance = jnp.maximum(var, eps)
    loss = (jnp.log(variance) + jnp.square(x - target) / variance) / 2
    return reduced(loss + math.log(2 * math.pi) / 2 if full else loss, reduction)
