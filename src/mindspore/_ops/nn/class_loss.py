"""Losses of class scores against class indices or class probabilities."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.execution.index_bounds import require_inside
from mindspore._engine.operator.arguments import Array, Choice
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.entropy import class_entropy
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import accepts, halves_as_float32, scores_first
from mindspore._ops.declaring.promotion import as_float, kind_of
from mindspore._ops.declaring.requirements import (
    NO_BATCH,
    require,
    require_batch,
    require_choice,
    require_float,
    require_form,
    require_index_dtype,
    require_rank,
    require_rank_from,
    require_same_dtype,
    require_shape,
)
from mindspore._ops.nn.loss import check_reduction, reduced


def at_class(values: Any, labels: Any, axis: int) -> Any:
    """The entry of ``values`` at each label along the class axis; negative ones count from the end.

    Written as a masked sum: it fuses with what computes the values, and its gradient needs no scatter. NaN where there is no
    such class, for those who do not want to hear of it (``index_bounds.py``).
    """
    count = values.shape[axis]
    labels = jnp.where(labels < 0, labels + count, labels)
    chosen = jnp.expand_dims(labels, axis) == jnp.arange(count).reshape([-1] + [1] * (values.ndim - 1 - axis))
    found = jnp.sum(jnp.where(chosen, values, 0), axis=axis)
    return jnp.where((labels >= 0) & (labels < count), found, jnp.nan)


def _inside_classes(owner: str, name: str, scores: Tensor, labels: Tensor, ignored: int | None = None) -> None:
    count = scores.shape[0 if scores.ndim == 1 else 1]
    require_inside(owner, name, labels, -count, count, ignored=ignored)


def _check_indices(scores: Any, target: Any, axis: int) -> None:
    require_index_dtype("target", target)
    wanted = scores.shape[:axis] + scores.shape[axis + 1 :]
    text = f"the 'target' must have shape {wanted}, one class per sample, for scores of shape {scores.shape}, but got "
    require(target.shape == wanted, f"{text}{target.shape}.{_advice_on_labels(scores, target, wanted)}")


def _advice_on_labels(scores: Any, target: Any, wanted: tuple[int, ...]) -> str:
    if target.shape == scores.shape:
        return " Labels that are one-hot are probabilities: convert them with astype(mindspore.float32)."
    if scores.ndim == 1:
        return NO_BATCH
    return " Take the last axis away with target.squeeze(-1)." if target.shape == (*wanted, 1) else ""


def _check_weight(scores: Any, weight: Any, axis: int) -> Any:
    """Class weights in the scores' dtype."""
    if weight is None:
        return None
    require_shape("weight", weight, (scores.shape[axis],))
    return weight.astype(scores.dtype)


def entropy_at(logits: Any, labels: Any, axis: int) -> Any:
    """Minus the log softmax at each label along the class axis; negative ones count from the end, NaN without such a class."""
    count = logits.shape[axis]
    labels = jnp.where(labels < 0, labels + count, labels)
    return jnp.where((labels >= 0) & (labels < count), class_entropy(logits, labels, axis), jnp.nan)


def _negative_likelihood(scores: Any, target: Any, weight: Any, ignore_index: int, reduction: str, smoothing: float,
                         axis: int, of_logits: bool = False) -> Any:  # fmt: skip
    """Minus the score of the target class, weighted; smoothing mixes in the mean over all classes.

    ``of_logits``: minus its log softmax; smoothing wants that of all classes as scores.
    """
    require_choice("reduction", reduction, ("none", "mean", "sum"))
    _check_indices(scores, target, axis)
    weight = _check_weight(scores, weight, axis)
    counted = target != ignore_index
    labels = jnp.where(counted, target, 0)
    share = jnp.ones(target.shape, scores.dtype) if weight is None else _weight_of(weight, labels)
    share = jnp.where(counted, share, 0)
    loss = (entropy_at(scores, labels, axis) if of_logits else -at_class(scores, labels, axis)) * share
    if smoothing:
        per_class = scores if weight is None else scores * _along(weight, scores.ndim, axis)
        everything = jnp.where(counted, -jnp.sum(per_class, axis=axis), 0)
        loss = (1 - smoothing) * loss + smoothing / scores.shape[axis] * everything
    return jnp.sum(loss) / jnp.sum(share) if reduction == "mean" else reduced(loss, reduction)


def _weight_of(weight: Any, labels: Any) -> Any:
    return at_class(jnp.broadcast_to(weight, (*labels.shape, weight.shape[0])), labels, labels.ndim)


def _along(vector: Any, ndim: int, axis: int) -> Any:
    return vector.reshape([-1 if i == axis else 1 for i in range(ndim)])


def _class_axis(scores: Any, name: str) -> int:
    require_float(name, scores)
    require_rank_from(name, scores, 1)
    return 0 if scores.ndim == 1 else 1


def _log_softmax(x: np.ndarray) -> np.ndarray:
    """NumPy's log softmax, for the tests."""
    return x - np.log(np.exp(x).sum(1, keepdims=True))


@op(old={"input": ("inputs", "logits")},
    bounds=lambda input, target, weight, ignore_index, *_: _inside_classes("cross_entropy", "target", input, target, ignore_index),
    test=lambda t: [t.case(t.normal(4, 3), t.ints(4, high=3),
                           expect=lambda x, y: -_log_softmax(x)[np.arange(4), y].mean()),
                    t.case(t.normal(2, 3, 2), t.ints(2, 2, high=3), t.positive(3), 1, "sum", 0.1),
                    t.case(t.normal(4, 3), t.uniform(0, 1, 4, 3), grad=(0, 1),
                           expect=lambda x, y: -(_log_softmax(x) * y).sum(1).mean()),
                    t.case(t.normal(2, 3, 2), t.uniform(0, 1, 2, 3, 2), t.positive(3), reduction="none",
                           label_smoothing=0.1)])  # fmt: skip
@scores_first("input", "target")
@accepts("f", "input")
@halves_as_float32
def cross_entropy(input: Array, target: Array, weight: Array | None = None, ignore_index: int = -100,
                  reduction: Choice = "mean", label_smoothing: float = 0.0):  # fmt: skip
    """The cross entropy of logits (N, C, ...) against class indices (N, ...) or probabilities (N, C, ...).

    The mean over class indices is weighted and leaves out ``ignore_index``; over probabilities it is the plain mean.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cross_entropy(Tensor([[0.0, 0.0]]), Tensor([1])))
        0.6931472
    """
    axis = _class_axis(input, "input")
    require_form(0 <= label_smoothing <= 1, f"the 'label_smoothing' must be in [0.0, 1.0], but got {label_smoothing}.")
    of_classes = kind_of(target.dtype) != "f"
    if of_classes and not label_smoothing:
        return _negative_likelihood(input, target, weight, ignore_index, reduction, 0.0, axis, of_logits=True)
    scores = jax.nn.log_softmax(input, axis=axis)
    if of_classes:
        return _negative_likelihood(scores, target, weight, ignore_index, reduction, label_smoothing, axis)
    text = (
        f"the 'target' must hold class numbers of dtype Int32 or Int64 in its shape {target.shape}, but got Float labels. "
        f"Convert them with astype(mindspore.int32); probabilities would have shape {input.shape}."
    )
    require(
        target.shape == input.shape or target.shape != input.shape[:axis] + input.shape[axis + 1 :], text, TypeError
    )
    require_shape("target", target, input.shape)
    weight = _check_weight(scores, weight, axis)
    goal = target.astype(scores.dtype)
    if label_smoothing:
        goal = goal * (1 - label_smoothing) + label_smoothing / input.shape[axis]
    terms = scores * goal if weight is None else scores * goal * _along(weight, scores.ndim, axis)
    return reduced(-jnp.sum(terms, axis=axis), reduction)


@op(bounds=lambda inputs, target, weight, ignore_index, *_: _inside_classes("nll_loss", "target", inputs, target, ignore_index),
    test=lambda t: [t.case(t.normal(4, 3), t.ints(4, high=3), expect=lambda x, y: -x[np.arange(4), y].mean()),
                    t.case(t.normal(4, 3), t.ints(4, high=3), t.positive(3), -100, "none", 0.1),
                    t.case(t.normal(2, 3, 2), t.ints(2, 2, high=3), t.positive(3), 1)])  # fmt: skip
def nll_loss(inputs: Array, target: Array, weight: Array | None = None, ignore_index: int = -100,
             reduction: str = "mean", label_smoothing: float = 0.0):  # fmt: skip
    """Minus the log-probability (N, C, ...) of the target class (N, ...).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.nll_loss(Tensor([[-1.0, -3.0]]), Tensor([1])))
        3.0
    """
    inputs = as_float(inputs)
    axis = _class_axis(inputs, "inputs")
    return _negative_likelihood(inputs, target, weight, ignore_index, reduction, label_smoothing, axis)


def _inside_scores(logits: Tensor, labels: Tensor, weight: Any, reduction: str, ignore_index: int) -> None:
    require_inside("NLLLoss", "labels", labels, 0, logits.shape[-1], ValueError, ignore_index)


@at_construction(check_reduction)
@op(primitive="NLLLoss", init=("reduction", "ignore_index"), public=False, bounds=_inside_scores,
    test=lambda t: [t.case(t.normal(4, 3), t.ints(4, high=3), t.positive(3), grad=False,
                           expect=lambda x, y, w: (-np.average(x[np.arange(4), y], weights=w[y]),
                                                   w[y].sum()))])  # fmt: skip
def nll_loss_primitive(logits: Array, labels: Array, weight: Array, reduction: str = "mean", ignore_index: int = -100):
    """Minus the log-probability of the target class, and the total weight of the targets.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> scores, labels = Tensor([[-1.0, -2.0]]), Tensor([1], ms.int32)
        >>> loss, weight = ops.NLLLoss()(scores, labels, Tensor([1.0, 1.0]))
        >>> print(loss, weight)
        2.0 1.0
    """
    require_float("logits", logits)
    require_rank("logits", logits, 1, 2)
    axis = logits.ndim - 1
    loss = _negative_likelihood(logits, labels, weight, ignore_index, reduction, 0.0, axis)
    counted = labels != ignore_index
    return loss, jnp.sum(jnp.where(counted, _weight_of(weight, jnp.where(counted, labels, 0)), 0))


@op(primitive="SoftmaxCrossEntropyWithLogits", public=False, old={"logits": "features"},
    test=lambda t: [t.case(t.normal(4, 3), t.uniform(0, 1, 4, 3), grad=False,
                           expect=lambda x, y: (-(_log_softmax(x) * y).sum(1),
                                                np.exp(_log_softmax(x)) - y))])  # fmt: skip
@accepts("f", "logits", "labels")
def softmax_cross_entropy_with_logits(logits: Array, labels: Array):
    """The cross entropy of every row of logits against probabilities, and ``softmax - labels``.

    Only the first output has a gradient, ``softmax - labels`` as well; labels get none.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> loss, gradient = ops.SoftmaxCrossEntropyWithLogits()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))
        >>> print(loss, gradient)
        [0.6931472] [[-0.5  0.5]]
    """
    require_float("logits", logits)
    require_batch("logits", logits, 2)
    require_same_dtype(logits=logits, labels=labels)
    require_shape("labels", labels, logits.shape)
    return _softmax_entropy(logits, lax.stop_gradient(labels)), lax.stop_gradient(jax.nn.softmax(logits) - labels)


@jax.custom_jvp
def _softmax_entropy(logits: Any, labels: Any) -> Any:
    return jnp.sum(labels * -jax.nn.log_softmax(logits), axis=-1)  # rows of zeros give 0, not -0


@_softmax_entropy.defjvp
def _softmax_entropy_slope(primals: tuple, tangents: tuple) -> tuple:
    # rows of labels count as summing to 1, also all-zero ones
    logits, labels = primals
    return _softmax_entropy(logits, labels), jnp.sum((jax.nn.softmax(logits) - labels) * tangents[0], axis=-1)


def inside_logits(logits: Tensor, labels: Tensor, *_: Any) -> None:
    """Refuses labels that are no class."""
    require_inside("SparseSoftmaxCrossEntropyWithLogits", "labels", labels, 0, logits.shape[1])


@op(primitive="SparseSoftmaxCrossEntropyWithLogits", init=("is_grad",), public=False, bounds=inside_logits,
    test=lambda t: [t.case(t.normal(4, 3), t.ints(4, high=3),
                           expect=lambda x, y: -_log_softmax(x)[np.arange(4), y].mean()),
                    t.case(t.normal(4, 3), t.ints(4, high=3), True, grad=False,
                           expect=lambda x, y, _: (np.exp(_log_softmax(x)) - np.eye(3)[y]) / 4)])  # fmt: skip
@scores_first("logits", "labels")
@accepts("f", "logits")
def sparse_softmax_cross_entropy_with_logits(logits: Array, labels: Array, is_grad: bool = False):
    """The mean cross entropy of rows of logits against class indices, or its gradient.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> loss = ops.SparseSoftmaxCrossEntropyWithLogits()(Tensor([[0.0, 0.0]]), Tensor([1], ms.int32))
        >>> print(loss)
        0.6931472
    """
    require_float("logits", logits)
    require_batch("logits", logits, 2)
    _check_indices(logits, labels, 1)
    if is_grad:
        return (jax.nn.softmax(logits) - jax.nn.one_hot(labels, logits.shape[1], dtype=logits.dtype)) / logits.shape[0]
    return jnp.mean(entropy_at(logits, labels, 1))
