"""Connectionist temporal classification: the likelihood of a label sequence under scores per time step.

All forms share the forward recursion in log space over the labels with blanks between them, a scan over time.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.execution.index_bounds import require_coordinates, require_inside
from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import at_least_float32
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_elements,
    require_float,
    require_index_dtype,
    require_rank,
    require_shape,
)

_IMPOSSIBLE = -1e30  # stands for log(0): finite, so that gradients stay finite


def _with_blanks(labels: Any, blank: int) -> Any:
    """(N, S) -> (N, 2S + 1): blank, label, blank, label, ..., blank."""
    count, length = labels.shape
    return jnp.full((count, 2 * length + 1), blank, labels.dtype).at[:, 1::2].set(labels)


def _moves(path: Any, merge_repeated: bool) -> tuple[Any, Any]:
    """Where a path may stay from one step to the next, and where it may skip the blank before a label."""
    is_label = jnp.broadcast_to(
        jnp.arange(path.shape[1]) % 2 == 1, path.shape
    )  # by parity: the labels may contain the blank
    skip = is_label.at[:, :2].set(False)
    if not merge_repeated:
        return ~is_label, skip
    return jnp.ones_like(is_label), skip & (path != jnp.roll(path, 2, axis=1))


def _log_sum(*terms: Any) -> Any:
    """log(exp(a) + exp(b) + ...) with gradients that are finite where all terms are impossible."""
    stacked = jnp.stack(terms)
    largest = lax.stop_gradient(jnp.max(stacked, axis=0))
    return largest + jnp.log(jnp.sum(jnp.exp(stacked - largest), axis=0))


def forward_scores(scores: Any, labels: Any, steps: Any, lengths: Any, blank: int, merge_repeated: bool = True) -> Any:
    """The log-likelihood of each sequence and the forward variables (T, N, 2S + 1).

    Args:
        scores: log-probabilities (T, N, C).
        labels: (N, S), of which the first ``lengths`` count.
        steps: how many time steps of each sequence count.
    """
    path = _with_blanks(labels, blank)
    stays, skips = _moves(path, merge_repeated)
    within = jnp.arange(path.shape[1]) <= 2 * lengths[:, None]
    seen = jnp.take_along_axis(scores, path[None], axis=2)
    start = jnp.where((jnp.arange(path.shape[1]) < 2) & within, seen[0], _IMPOSSIBLE)

    def shifted(alpha: Any, by: int) -> Any:
        return jnp.pad(alpha, ((0, 0), (by, 0)), constant_values=_IMPOSSIBLE)[:, : alpha.shape[1]]

    def advance(alpha: Any, inputs: tuple) -> tuple:
        emitted, time = inputs
        stay = jnp.where(stays, alpha, _IMPOSSIBLE)
        skip = jnp.where(skips, shifted(alpha, 2), _IMPOSSIBLE)
        following = _log_sum(stay, shifted(alpha, 1), skip) + emitted
        following = jnp.where(within & (time < steps)[:, None], following, alpha)
        return following, following

    last, later = lax.scan(advance, start, (seen[1:], jnp.arange(1, scores.shape[0])))
    ends = jnp.stack([2 * lengths, jnp.maximum(2 * lengths - 1, 0)], axis=1)
    final = jnp.take_along_axis(last, ends, axis=1)
    final = jnp.where((lengths > 0)[:, None] | (jnp.arange(2) == 0), final, _IMPOSSIBLE)
    return _log_sum(final[:, 0], final[:, 1]), jnp.concatenate([start[None], later])


def _with_softmax_slope(loss: Any, scores: Any, steps: Any) -> Any:
    """The loss, with the gradient that holds for the scores before their log-softmax."""
    counted = (jnp.arange(scores.shape[0])[:, None] < steps) & (loss < -_IMPOSSIBLE / 2)
    total = jnp.sum(jnp.where(counted[..., None], jnp.exp(scores), 0), axis=(0, 2))
    return loss + (total - lax.stop_gradient(total))


def _infinite(loss: Any) -> Any:
    return loss > -_IMPOSSIBLE / 2


def _loss_per_sequence(
    log_probs: Any, targets: Any, steps: Any, lengths: Any, blank: int, zero_infinity: bool
) -> tuple:
    """The loss (N,) and the forward variables (N, T, 2S + 1)."""
    require_float("log_probs", log_probs)
    require_rank("log_probs", log_probs, 3)
    require_index_dtype("targets", targets)
    require_elements("log_probs", log_probs, (0,))
    count, classes = log_probs.shape[1:]
    require_rank("targets", targets, 2)
    require(
        targets.shape[0] == count, f"the 'targets' must have {count} rows, one per sequence, but got {targets.shape}."
    )
    for name, value in (("input_lengths", steps), ("target_lengths", lengths)):
        require(value.shape == (count,), f"the '{name}' must have shape ({count},), but got {value.shape}.")
        require(
            jnp.issubdtype(value.dtype, jnp.integer),
            f"the '{name}' must hold integers, but got {value.dtype}.",
            TypeError,
        )
    require(0 <= blank < classes, f"the 'blank' must be in [0, {classes}), but got {blank}.")
    scores = at_least_float32(log_probs)
    likelihood, alpha = forward_scores(scores, targets, steps, lengths, blank)
    loss = _with_softmax_slope(-likelihood, scores, steps)
    impossible = _infinite(loss)  # tested twice below, so that no infinity enters the gradient
    loss = jnp.where(impossible, 0 if zero_infinity else jnp.inf, jnp.where(impossible, 0, loss))
    past = jnp.arange(log_probs.shape[0])[:, None, None] >= steps[None, :, None]
    shown = jnp.where(past | (alpha < _IMPOSSIBLE / 2), -jnp.inf, alpha)
    return loss.astype(log_probs.dtype), lax.stop_gradient(jnp.swapaxes(shown, 0, 1)).astype(log_probs.dtype)


def _reduced_by_length(loss: Any, lengths: Any, reduction: str) -> Any:
    """The mean is taken of the losses per label."""
    if reduction == "mean":
        return jnp.mean(loss / jnp.maximum(lengths, 1).astype(loss.dtype))
    return jnp.sum(loss) if reduction == "sum" else loss


_STEPS, _LENGTHS = np.array([4, 3], np.int32), np.array([2, 1], np.int32)
_TARGETS = np.array([[1, 1], [2, 0]], np.int32)


def _ends(xp: Any, steps: Any, lengths: Any) -> tuple[Any, Any]:
    """Sequences that are shorter than their labels."""
    short = steps < lengths
    return short.any(), steps[xp.argmax(short)]


def _fitting_lengths(log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, *_: Any) -> None:
    owner = "CTCLossV2"
    steps, lengths = (Tensor(x) if isinstance(x, (list, tuple)) else x for x in (input_lengths, target_lengths))
    require_inside(owner, "input_lengths", steps, 0, log_probs.shape[0] + 1)
    require_inside(owner, "target_lengths", lengths, 0, targets.shape[1] + 1)
    text = "the 'input_lengths' must not be less than the 'target_lengths', but one is {}."
    require_values(owner, text, _ends, steps, lengths)


@op(old={"log_probs": "input"}, loops=True, bounds=_fitting_lengths,
    test=lambda t: [t.case(t.normal(4, 2, 3), _TARGETS, _STEPS, _LENGTHS, grad=False),
                    t.case(t.normal(4, 2, 3), _TARGETS, _STEPS, _LENGTHS, 0, "none", grad=False)])  # fmt: skip
@accepts("f", "log_probs")
def ctc_loss(log_probs: Array, targets: Array, input_lengths: Operand | list, target_lengths: Operand | list, blank: int = 0,
             reduction: str = "mean", zero_infinity: bool = False):  # fmt: skip
    """Minus the log-likelihood of the target labels under log-probabilities (T, N, C), and the forward variables.

    The gradient is that of scores that went through a log-softmax. ``mean`` divides each loss by its target length.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> log_probs = ops.log_softmax(ops.zeros((2, 1, 2)), 2)
        >>> loss, _ = ops.ctc_loss(log_probs, Tensor([[1]], ms.int32), Tensor([2], ms.int32), Tensor([1], ms.int32))
        >>> print(loss)
        0.2876821
    """
    require_choice("reduction", reduction, ("none", "mean", "sum"))
    steps, lengths = jnp.asarray(input_lengths), jnp.asarray(target_lengths)
    loss, alpha = _loss_per_sequence(log_probs, targets, steps, lengths, blank, zero_infinity)
    return _reduced_by_length(loss, lengths, reduction), alpha


@at_construction(lambda reduction, **_: require_choice("reduction", reduction, ("none", "mean", "sum")))
@op(primitive="CTCLossV2", init=("blank", "reduction", "zero_infinity"), public=False, loops=True, bounds=_fitting_lengths,
    test=lambda t: [t.case(t.normal(4, 2, 3), _TARGETS, _STEPS, _LENGTHS, grad=False)])  # fmt: skip
@accepts("f", "log_probs")
def ctc_loss_v2(log_probs: Array, targets: Array, input_lengths: Operand | list, target_lengths: Operand | list, blank: int = 0,
                reduction: str = "none", zero_infinity: bool = False):  # fmt: skip
    """Minus the log-likelihood of the target labels, and the forward variables.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> scores, targets = ops.log_softmax(ops.ones((4, 1, 3)), -1), Tensor([[1]], mindspore.int32)
        >>> loss, alphas = ops.CTCLossV2()(scores, targets, Tensor([4], mindspore.int32), Tensor([1], mindspore.int32))
        >>> print(loss.round(3))
        [2.092]
    """
    return ctc_loss.__wrapped__(  # type: ignore[attr-defined]
        log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity
    )


def _is_label(values: Any, blank: int) -> Any:
    """Rows are padded with the blank, which is the last class, or with what is no class."""
    return (values >= 0) & (values < blank)


def _dense_labels(indices: Any, values: Any, shape: tuple[int, int], collapse: bool, blank: int) -> tuple[Any, Any]:
    """Labels given as (row, column) and value, as rows filled from the left, and their lengths without blanks."""
    kept = _is_label(values, blank)
    if collapse:
        repeated = (values[1:] == values[:-1]) & (indices[1:, 0] == indices[:-1, 0])
        kept = kept.at[1:].set(kept[1:] & ~repeated)
    rows = indices[:, 0]
    before = jnp.cumsum(kept) - kept
    first_of_row = jnp.full((shape[0],), values.size, before.dtype).at[rows].min(before)
    columns = jnp.where(kept, before - first_of_row[rows], shape[1])
    dense = jnp.zeros(shape, values.dtype).at[rows, columns].set(values, mode="drop")
    return dense, jnp.zeros((shape[0],), jnp.int32).at[rows].add(kept.astype(jnp.int32))


def _after_blank(xp: Any, indices: Any, values: Any, x: Any) -> tuple[Any, Any]:
    """Labels that stand behind a blank in their sequence: it only fills up rows."""
    labels = _is_label(values, x.shape[2] - 1)
    wrong = labels[1:] & ~labels[:-1] & (indices[1:, 0] == indices[:-1, 0])
    return wrong.any(), values[1:][xp.argmax(wrong)] if values.shape[0] > 1 else values[0]


def _too_short(xp: Any, indices: Any, values: Any, steps: Any, x: Any) -> tuple[Any, Any]:
    """Sequences with more labels than steps."""
    sequences = xp.arange(steps.shape[0])[:, None]
    counts = ((indices[:, 0] == sequences) & _is_label(values, x.shape[2] - 1)).sum(1)
    wrong = counts > steps
    return wrong.any(), steps[xp.argmax(wrong)]


def _labelled(x: Tensor, labels_indices: Tensor, labels_values: Tensor, sequence_length: Tensor, collapse: bool, merge: bool,
              ignore_longer: bool) -> None:  # fmt: skip
    owner, (time, count, classes) = "CTCLoss", x.shape
    require_inside(owner, "sequence_length", sequence_length, 0, time + 1)
    require_coordinates(owner, "labels_indices", labels_indices, (count, max(time, labels_values.shape[0])))
    if not labels_values.shape[0]:
        return
    text = f"the 'labels_values' must be in [0, {classes - 1}), with the blank only behind them, but got {{}} behind a blank."
    require_values(owner, text, _after_blank, labels_indices, labels_values, x)
    if not (ignore_longer or collapse):
        text = "the 'sequence_length' must not be less than the number of labels, but one is {}."
        require_values(owner, text, _too_short, labels_indices, labels_values, sequence_length, x)


def _without_labels(scores: Any, steps: Any) -> Any:
    """The log-likelihood of blanks alone, to which MindSpore adds that of one step less; its slope is that of the first."""
    blanks = jnp.where(jnp.arange(scores.shape[0])[:, None] < steps, scores[..., -1], 0)
    whole = blanks.sum(0)
    last = jnp.take_along_axis(blanks, jnp.maximum(steps - 1, 0)[None], 0)[0]
    extra = jnp.where(steps > 1, jnp.logaddexp(whole, whole - last) - whole, 0)
    return whole + lax.stop_gradient(extra)


@op(primitive="CTCLoss", public=False, loops=True, old={"x": "inputs"}, bounds=_labelled,
    init=("preprocess_collapse_repeated", "ctc_merge_repeated", "ignore_longer_outputs_than_inputs"),
    test=lambda t: [t.case(t.normal(4, 2, 3), np.array([[0, 0], [0, 1], [1, 0]], np.int64),
                           np.array([0, 1, 1], np.int32), _STEPS, grad=False)])  # fmt: skip
@accepts("f", "x")
def sparse_ctc_loss(x: Array, labels_indices: Array, labels_values: Array, sequence_length: Array,
                    preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True,
                    ignore_longer_outputs_than_inputs: bool = False):  # fmt: skip
    """Minus the log-likelihood of labels given by (sequence, position) under logits (T, N, C), and its gradient.

    The blank is the last class; rows of labels may be padded with it. Labels longer than their input have an infinite loss and no gradient.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> scores, lengths = ops.ones((4, 1, 3)), Tensor([4], mindspore.int32)
        >>> indices, values = Tensor([[0, 0]], mindspore.int64), Tensor([1], mindspore.int32)
        >>> loss, gradient = ops.CTCLoss()(scores, indices, values, lengths)
        >>> print(loss.round(3), gradient.shape)
        [2.092] (4, 1, 3)
    """
    require_float("x", x)
    require_rank("x", x, 3)
    require_rank("labels_indices", labels_indices, 2)
    require_rank("labels_values", labels_values, 1)
    require_rank("sequence_length", sequence_length, 1)
    require_elements("x", x, (0,))
    time, count, classes = x.shape
    text = f"the 'labels_indices' must have shape ({labels_values.shape[0]}, 2), a row per label, but got"
    require(labels_indices.shape == (labels_values.shape[0], 2), f"{text} {labels_indices.shape}.")
    require_shape("sequence_length", sequence_length, (count,))
    # labels longer than the input cannot be said: no more columns than steps are needed
    shape = (count, min(labels_values.shape[0], time + 1))
    labels, lengths = _dense_labels(labels_indices, labels_values, shape, preprocess_collapse_repeated, classes - 1)

    def losses(logits: Any) -> Any:
        scores = jax.nn.log_softmax(at_least_float32(logits), axis=2)
        kept = jnp.minimum(lengths, shape[1])
        likelihood, _ = forward_scores(scores, labels, sequence_length, kept, classes - 1, ctc_merge_repeated)
        too_long = (lengths > sequence_length) | _infinite(-likelihood)
        likelihood = jnp.where(lengths == 0, _without_labels(scores, sequence_length), likelihood)
        return jnp.where(too_long, jnp.inf, jnp.where(too_long, 0, -likelihood)).astype(logits.dtype)

    loss, backward = jax.vjp(losses, x)
    return loss, lax.stop_gradient(backward(jnp.ones_like(loss))[0])
