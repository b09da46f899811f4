"""Losses against labels: softmax cross entropy of both kinds of labels, and margins with several labels per sample."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.deferred_checks import LOWEST
from mindspore._engine.execution.index_bounds import require_inside
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.entropy import class_entropy
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import scores_first
from mindspore._ops.declaring.requirements import (
    require,
    require_batch,
    require_float,
    require_index_dtype,
    require_rank,
    require_shape,
)
from mindspore._ops.nn.class_loss import inside_logits, softmax_cross_entropy_with_logits
from mindspore._ops.nn.loss import check_reduction, reduced

_rows = softmax_cross_entropy_with_logits.__wrapped__  # type: ignore[attr-defined]


def _numpy_entropy(x: np.ndarray, y: np.ndarray, sparse: bool, *_: Any) -> np.ndarray:
    """NumPy's softmax cross entropy per row, for the tests."""
    scores = x - np.log(np.exp(x).sum(1, keepdims=True))
    return -(scores * (np.eye(x.shape[1])[y] if sparse else y)).sum(1)


def _inside(logits: Tensor, labels: Tensor, sparse: bool, reduction: str) -> None:
    if sparse and reduction == "mean":
        inside_logits(logits, labels)


@op(public=False, bounds=_inside,
    test=lambda t: [t.case(t.normal(4, 3), t.ints(4, high=3), True, expect=_numpy_entropy),
                    t.case(t.normal(4, 3), t.ints(4, high=3), True, "mean",
                           expect=lambda *args: _numpy_entropy(*args).mean()),
                    t.case(t.normal(4, 3), t.uniform(0, 1, 4, 3), False, "sum", grad=False,
                           expect=lambda *args: _numpy_entropy(*args).sum())])  # fmt: skip
@scores_first("logits", "labels")
def softmax_cross_entropy(logits: Array, labels: Array, sparse: bool, reduction: str = "none"):
    """The cross entropy of rows of logits against class indices (``sparse``) or probabilities.

    As in MindSpore a class that does not exist is an error for the mean of the rows, and otherwise has the loss 0.
    """
    if not sparse:
        text = (
            f"the 'labels' must be probabilities of shape {logits.shape}, of the logits, but got dtype "
            f"{dtypes.from_numpy(labels.dtype)} and shape {labels.shape}. For class numbers write sparse=True; for one-hot labels "
            f"astype({dtypes.from_numpy(logits.dtype)!r})."
        )
        require(jnp.issubdtype(labels.dtype, jnp.inexact), text, TypeError)
        return reduced(_rows(logits, labels)[0], reduction)
    require_float("logits", logits)
    require_batch("logits", logits, 2)
    require_index_dtype("labels", labels)
    require_shape("labels", labels, logits.shape[:1])
    return reduced(class_entropy(logits, labels, 1), reduction)


def _numpy_multilabel(x: np.ndarray, target: np.ndarray, *_: Any) -> np.ndarray:
    """The definition, loop by loop, for the tests."""
    losses = []
    for scores, labels in zip(x, target):
        wanted = [label for i, label in enumerate(labels) if (labels[: i + 1] >= 0).all()]
        others = [c for c in range(len(scores)) if c not in wanted]
        losses.append(sum(max(0.0, 1 - (scores[j] - scores[i])) for j in wanted for i in others) / len(scores))
    return np.asarray(losses, np.float32)


_LABELS = np.array([[2, 0, -1, 1], [1, -1, 0, 0], [-1, 1, 1, 1]], np.int32)


def _inside_classes(input: Tensor, target: Tensor, reduction: str) -> None:
    require_inside("MultilabelMarginLoss", "target", target, LOWEST, input.shape[-1])


@at_construction(check_reduction)
@op(primitive="MultilabelMarginLoss", init=("reduction",), public=False, old={"input": "x"}, bounds=_inside_classes,
    test=lambda t: [t.case(t.normal(3, 4), _LABELS, "none", grad=False,
                           expect=lambda *args: (_numpy_multilabel(*args),
                                                 np.array([[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]],
                                                          np.int32)))])  # fmt: skip
def multilabel_margin_loss_primitive(input: Array, target: Array, reduction: str = "mean"):
    """The loss of ``multilabel_margin_loss``, and which classes are targets.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> scores, targets = Tensor([[0.1, 0.2, 0.4]]), Tensor([[2, -1, 0]], mindspore.int32)
        >>> loss, classes = ops.MultilabelMarginLoss()(scores, targets)
        >>> print(loss.round(4), classes)
        0.5 [[0 0 1]]
    """
    require_float("input", input)
    require_rank("input", input, 1, 2)
    require_index_dtype("target", target)
    require_shape("target", target, input.shape)
    counts = jnp.cumprod(target >= 0, axis=-1).astype(bool)  # the first negative label ends the list
    require(input.shape[-1] > 0, f"the 'input' must have at least one class, but got shape {input.shape}.")
    labels = jnp.where(counts, target, 0)
    is_target = jnp.any((labels[..., :, None] == jnp.arange(input.shape[-1])) & counts[..., :, None], axis=-2)
    wanted = jnp.take_along_axis(input, labels, axis=-1)
    excess = jax.nn.relu(1 - wanted[..., :, None] + input[..., None, :])
    pairs = counts[..., :, None] & ~is_target[..., None, :]
    loss = jnp.sum(jnp.where(pairs, excess, 0), axis=(-2, -1)) / input.shape[-1]
    return reduced(loss, reduction), is_target.astype(target.dtype)


@op(old={"input": "inputs"}, bounds=_inside_classes,
    test=lambda t: [t.case(t.normal(3, 4), _LABELS, expect=lambda *args: _numpy_multilabel(*args).mean()),
                    t.case(t.normal(3, 4), _LABELS, "none", expect=_numpy_multilabel)])  # fmt: skip
def multilabel_margin_loss(input: Array, target: Array, reduction: str = "mean"):
    """How far other classes come within 1 of each target class, averaged over classes.

    A row of ``target`` lists class indices; the first negative number ends the list.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> target = Tensor([[1, -1, 0]], ms.int32)
        >>> print(ops.multilabel_margin_loss(Tensor([[0.5, 1.0, 0.0]]), target, "none"))
        [0.16666667]
    """
    return multilabel_margin_loss_primitive.__wrapped__(input, target, reduction)[0]  # type: ignore[attr-defined]
