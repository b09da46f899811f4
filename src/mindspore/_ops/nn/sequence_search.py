"""Sequence operators: RNN-T loss, CTC greedy decoding, edit distance, n-gram blocking, a single LSTM step."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.checked import check_bools, check_tensors
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.dynamic_shape_primitives import checked_host_values
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import at_least_float32
from mindspore._ops.declaring.requirements import (
    FOUND_BY_KERNEL,
    require,
    require_choice,
    require_elements,
    require_float,
    require_rank,
    require_same_dtype,
    require_shape,
)
from mindspore._ops.nn.activation import numpy_sigmoid
from mindspore._utils import checks

_IMPOSSIBLE = -1e30  # stands for log(0): finite, so that gradients stay finite


# -- RNN-T --------------------------------------------------------------------------------------------------------------
def _transducer_loss(acts: Any, labels: Any, steps: Any, lengths: Any, blank: int) -> Any:
    """Negative log-likelihood of one sequence (T, U + 1, V): a scan over time whose step is a scan over labels."""
    scores = jax.nn.log_softmax(acts, -1)
    stay = scores[..., blank]
    emit = jnp.take_along_axis(scores[:, :-1], labels[None, :, None], -1)[..., 0]
    emit = jnp.where(jnp.arange(labels.shape[0]) < lengths, emit, _IMPOSSIBLE)

    def along_labels(start: Any, emitted: Any) -> Any:
        """Forward variables of a time step: each state is entered by emitting a label, or by a blank one step earlier."""

        def move(before: Any, here: tuple) -> tuple:
            reached = jnp.logaddexp(before + here[1], here[0])
            return reached, reached

        return jnp.concatenate([start[:1], lax.scan(move, start[0], (start[1:], emitted))[1]])

    impossible = jnp.full(stay.shape[1:], _IMPOSSIBLE, scores.dtype)
    first = along_labels(impossible.at[0].set(0), emit[0])

    def advance(alpha: Any, here: tuple) -> tuple:
        following = along_labels(alpha + here[0], here[1])
        return following, following

    later = lax.scan(advance, first, (stay[:-1], emit[1:]))[1]
    alphas = jnp.concatenate([first[None], later])
    return -(alphas[steps - 1, lengths] + stay[steps - 1, lengths])


def _numpy_transducer(acts: np.ndarray, labels: np.ndarray, steps: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Reference: sums over all alignment paths."""
    scores = acts - np.log(np.exp(acts).sum(-1, keepdims=True))

    def paths(b: int, t: int, u: int) -> float:
        here = scores[b, t, u]
        last = t == steps[b] - 1
        total = np.exp(here[0]) * (float(u == lengths[b]) if last else paths(b, t + 1, u))
        return total + (np.exp(here[labels[b, u]]) * paths(b, t, u + 1) if u < lengths[b] else 0)

    return np.array([-math.log(paths(b, 0, 0)) for b in range(len(acts))])


@op(primitive="RNNTLoss", init=("blank_label",), public=False,
    test=lambda t: [t.case(t.normal(2, 3, 3, 4), np.array([[1, 2], [3, 1]], np.int32), np.array([3, 2], np.int32),
                           np.array([2, 1], np.int32), grad=False, tolerance=1e-4,
                           expect=lambda *a: (_numpy_transducer(*a), _numpy_slopes(*a)))])  # fmt: skip
def rnnt_loss(acts: Array, labels: Array, input_lengths: Array, label_lengths: Array, blank_label: int = 0):
    """Minus the log-likelihood of the labels under scores (B, T, U + 1, V), and its gradient by the scores.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> scores, labels = ops.log_softmax(ops.ones((1, 2, 2, 3)), -1), Tensor([[1]], mindspore.int32)
        >>> lengths = Tensor([2], mindspore.int32), Tensor([1], mindspore.int32)
        >>> losses, gradients = ops.RNNTLoss()(scores, labels, *lengths)
        >>> print(losses.round(3), gradients.shape)
        [2.603] (1, 2, 2, 3)
    """
    require_float("acts", acts)
    require_rank("acts", acts, 4)
    require_elements("acts", acts, (1,))
    count, classes = acts.shape[0], acts.shape[-1]
    require_shape("labels", labels, (count, acts.shape[2] - 1))
    require_shape("input_lengths", input_lengths, (count,))
    require_shape("label_lengths", label_lengths, (count,))
    require(0 <= blank_label < classes, f"the 'blank_label' must be in [0, {classes}), but got {blank_label}.")

    def losses(scores: Any) -> Any:
        return jax.vmap(_transducer_loss, (0, 0, 0, 0, None))(scores, labels, input_lengths, label_lengths, blank_label)

    wide = at_least_float32(acts)
    loss, backward = jax.vjp(losses, wide)
    slopes = backward(jnp.ones_like(loss))[0]
    return loss.astype(acts.dtype), lax.stop_gradient(slopes).astype(acts.dtype)


def _numpy_slopes(acts: np.ndarray, *rest: np.ndarray) -> np.ndarray:
    acts = acts.astype(np.float64)
    slopes = np.zeros_like(acts)
    for index in np.ndindex(acts.shape):
        moved = np.zeros_like(acts)
        moved[index] = 1e-5
        slopes[index] = (_numpy_transducer(acts + moved, *rest) - _numpy_transducer(acts - moved, *rest)).sum() / 2e-5
    return slopes


# -- data-dependent output shapes --------------------------------------------------------------------------------------
def ctc_greedy_decoder(inputs: Tensor, sequence_length: Tensor, merge_repeated: bool = True) -> tuple:
    """The labels of the best path: the best class of every time step, without blanks (the last class).

    Returns:
        the (row, column) of each label, the labels, the shape (rows, longest row), and minus the sum of the best scores.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> scores = Tensor([[[0.1, 0.9, 0.2]], [[0.1, 0.9, 0.2]], [[0.8, 0.1, 0.2]]])
        >>> print(ops.ctc_greedy_decoder(scores, Tensor([3], ms.int32))[1])
        [1 0]
    """
    check_bools("ctc_greedy_decoder", merge_repeated=merge_repeated)
    owner = "ctc_greedy_decoder"
    scores = checked_host_values(inputs, owner, "inputs")
    lengths = checked_host_values(sequence_length, owner, "sequence_length")
    if scores.ndim == 3 and lengths.shape == scores.shape[1:2] and np.any(lengths > scores.shape[0]):
        text = f"must be at most the number of time steps, {scores.shape[0]}, but got {lengths.tolist()}."
        raise FOUND_BY_KERNEL(f"For 'CTCGreedyDecoder', the 'sequence_length' {text}")
    if scores.ndim != 3 or not scores.shape[2] or lengths.shape != scores.shape[1:2]:
        raise ValueError(
            f"For '{owner}', the 'inputs' must have shape (time, batch, classes) and 'sequence_length' one number up to "
            f"time per row, but got {scores.shape} and {lengths.tolist()}."
        )
    rows, totals = [], np.zeros((scores.shape[1], 1), scores.dtype)
    for row, length in enumerate(lengths):
        best = scores[:length, row].argmax(-1)
        totals[row] = -scores[:length, row].max(-1).sum(dtype=scores.dtype)
        kept = best != scores.shape[-1] - 1
        if merge_repeated:
            kept[1:] &= best[1:] != best[:-1]
        rows.append(best[kept])
    coordinates = [(row, column) for row, found in enumerate(rows) for column in range(len(found))]
    shape = np.array([len(rows), max(map(len, rows), default=0)], np.int64)
    labels = np.concatenate(rows) if rows else np.zeros(0)
    results = (np.array(coordinates, np.int64).reshape(-1, 2), labels.astype(np.int64), shape, totals)
    return tuple([Tensor(result) for result in results])


register_function(ctc_greedy_decoder)


@register_primitive
class CTCGreedyDecoder(Primitive):
    """The labels of the best path, see :func:`ctc_greedy_decoder`.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> scores, lengths = Tensor([[[0.6, 0.4]], [[0.8, 0.2]]]), Tensor([2], mindspore.int32)
        >>> indices, values, shape, score = ops.CTCGreedyDecoder()(scores, lengths)
        >>> print(values, shape)
        [0] [1 1]
    """

    def __init__(self, merge_repeated: bool = True):
        super().__init__()
        self.add_prim_attr("merge_repeated", checks.check_bool(self.name, "merge_repeated", merge_repeated))

    def __call__(self, inputs: Tensor, sequence_length: Tensor) -> tuple:
        return ctc_greedy_decoder(inputs, sequence_length, self.merge_repeated)


@register_primitive
class EditDistance(Primitive):
    """The least number of changed, added and left out elements that turn a sequence into another.

    Sequences are given as indices (the last coordinate counts within the sequence), values and dense shape; ``normalize``
    divides by the length of the true sequence.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> indices, shape = Tensor([[0, 0], [0, 1]]), Tensor([1, 2])
        >>> print(ops.EditDistance()(indices, Tensor([1, 2]), shape, indices, Tensor([1, 3]), shape))
        [0.5]
    """

    def __init__(self, normalize: bool = True):
        super().__init__()
        self.add_prim_attr("normalize", checks.check_bool(self.name, "normalize", normalize))

    def __call__(self, hypothesis_indices: Tensor, hypothesis_values: Tensor, hypothesis_shape: Tensor,
                 truth_indices: Tensor, truth_values: Tensor, truth_shape: Tensor) -> Tensor:  # fmt: skip
        check_tensors(self.name, hypothesis_indices=hypothesis_indices, hypothesis_values=hypothesis_values,
                      hypothesis_shape=hypothesis_shape, truth_indices=truth_indices, truth_values=truth_values, truth_shape=truth_shape)  # fmt: skip
        guesses = self._sequences("hypothesis", hypothesis_indices, hypothesis_values)
        truths = self._sequences("truth", truth_indices, truth_values)
        named = (("hypothesis_shape", hypothesis_shape), ("truth_shape", truth_shape))
        for name, shape in named:
            if shape.ndim != 1:
                raise ValueError(f"For '{self.name}', the '{name}' must have 1 dimension, but got {shape.ndim}.")
        shapes = [checked_host_values(shape, self.name, name)[:-1] for name, shape in named]
        result = np.zeros(tuple(np.maximum(*shapes).tolist()), np.float32)
        for batch_index in np.ndindex(result.shape):
            guess, truth = guesses.get(batch_index, []), truths.get(batch_index, [])
            distance = _edits(guess, truth)
            if self.normalize:
                distance = distance / len(truth) if truth else (math.inf if guess else 0.0)
            result[batch_index] = distance
        return Tensor(result)

    def _sequences(self, what: str, indices: Tensor, values: Tensor) -> dict[tuple, list]:
        coordinates = checked_host_values(indices, self.name, f"{what}_indices")
        elements = checked_host_values(values, self.name, f"{what}_values")
        if coordinates.ndim != 2 or elements.shape != coordinates.shape[:1]:
            raise ValueError(
                f"For '{self.name}', the '{what}_indices' must have one row per element of '{what}_values', but got "
                f"shapes {coordinates.shape} and {elements.shape}."
            )
        found: dict[tuple, list] = {}
        for row, element in sorted(zip(map(tuple, coordinates.tolist()), elements.tolist(), strict=True)):
            found.setdefault(row[:-1], []).append(element)
        return found


def _edits(guess: list, truth: list) -> float:
    """Levenshtein distance by dynamic programming, one row of the table at a time."""
    before = list(range(len(truth) + 1))
    for number, element in enumerate(guess, 1):
        row = [number]
        for column, wanted in enumerate(truth, 1):
            row.append(min(before[column] + 1, row[-1] + 1, before[column - 1] + (element != wanted)))
        before = row
    return float(before[-1])


# -- decoding and recurrent steps --------------------------------------------------------------------------------------
@op(primitive="NoRepeatNGram", init=("ngram_size",), public=False,
    test=lambda t: [t.case(np.array([[[1, 2, 1]]], np.int32), t.normal(1, 1, 4), 2, grad=False,
                           expect=lambda s, x, n: np.where(np.arange(4) == 2, np.finfo(np.float32).min, x)),
                    t.case(np.array([[[1, 3, 1]]], np.int32), t.normal(1, 1, 4), 1, grad=False,
                           expect=lambda s, x, n: np.where(np.arange(4) % 2, np.finfo(np.float32).min, x))])  # fmt: skip
@accepts("i", "state_seq")
@accepts("f", "log_probs")
def no_repeat_ngram(state_seq: Array, log_probs: Array, ngram_size: int = 1):
    """Scores of the next token with the lowest number for tokens that would repeat an n-gram of the sequence.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> scores = ops.NoRepeatNGram(ngram_size=2)(Tensor([[[1, 2, 1]]], mindspore.int32), ops.ones((1, 1, 4)))
        >>> print((scores < 0)[0, 0])
        [False False  True False]
    """
    require_rank("state_seq", state_seq, 3)
    require_rank("log_probs", log_probs, 3)
    require_float("log_probs", log_probs)
    require_shape("log_probs", log_probs, (*state_seq.shape[:2], log_probs.shape[2]))
    length = state_seq.shape[-1]
    require(1 <= ngram_size <= length, f"the 'ngram_size' must be in [1, {length}], but got {ngram_size}.")
    windows = state_seq[..., np.arange(length - ngram_size + 1)[:, None] + np.arange(ngram_size)]
    recent = state_seq[..., length - ngram_size + 1 :]
    repeats = jnp.all(windows[..., :-1] == recent[..., None, :], -1)
    token = windows[..., -1][..., None] == jnp.arange(log_probs.shape[-1])
    return jnp.where(jnp.any(token & repeats[..., None], -2), jnp.finfo(log_probs.dtype).min, log_probs)


@op(primitive="BasicLSTMCell", init=("keep_prob", "forget_bias", "state_is_tuple", "activation"), public=False,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 2), t.normal(2, 2), t.normal(5, 8, 1, 1), t.normal(8, 1, 1, 1),
                           expect=lambda x, h, c, w, b: _numpy_lstm(x, h, c, w, b))])  # fmt: skip
def basic_lstm_cell(x: Array, h: Array, c: Array, w: Array, b: Array, keep_prob: float = 1.0,
                    forget_bias: float = 1.0, state_is_tuple: bool = True, activation: str = "tanh"):  # fmt: skip
    """A step of an LSTM: the new cell and hidden states, the gates i, j, f, o and tanh of the cell.

    Examples:
        >>> import mindspore
        >>> from mindspore import ops
        >>> half = mindspore.float16
        >>> x, state = ops.ones((1, 2), half), ops.zeros((1, 3), half)
        >>> weight, bias = ops.ones((5, 12, 1, 1), half), ops.zeros((12, 1, 1, 1), half)
        >>> print(ops.BasicLSTMCell()(x, state, state, weight, bias)[1].shape)
        (1, 3)
    """
    require_choice("activation", activation, ("tanh",))
    require(0 < keep_prob <= 1, f"the 'keep_prob' must be in (0, 1], but got {keep_prob}.")
    require(state_is_tuple, "the 'state_is_tuple' must be True, but got False.")
    require_same_dtype(x=x, h=h)
    require_rank("x", x, 2)
    require_rank("h", h, 2)
    hidden = h.shape[-1]
    require_shape("h", h, (x.shape[0], hidden))
    require_shape("c", c, h.shape)
    require_shape("w", w, (x.shape[-1] + hidden, 4 * hidden, 1, 1))
    require_shape("b", b, (4 * hidden, 1, 1, 1))
    gates = jnp.concatenate([x, h], -1) @ w[..., 0, 0] + b.reshape(-1)
    i, j, f, o = jnp.split(gates, 4, -1)
    i, j, f, o = jax.nn.sigmoid(i), jnp.tanh(j), jax.nn.sigmoid(f + forget_bias), jax.nn.sigmoid(o)
    cell = c * f + i * j
    turned = jnp.tanh(cell)
    return cell, turned * o, i, j, f, o, turned


def _numpy_lstm(x: np.ndarray, h: np.ndarray, c: np.ndarray, w: np.ndarray, b: np.ndarray) -> tuple:
    gates = np.concatenate([x, h], 1) @ w[:, :, 0, 0] + b[:, 0, 0, 0]
    i, f, o = map(numpy_sigmoid, (gates[:, :2], gates[:, 4:6] + 1, gates[:, 6:]))
    j = np.tanh(gates[:, 2:4])
    cell = c * f + i * j
    return cell, np.tanh(cell) * o, i, j, f, o, np.tanh(cell)
