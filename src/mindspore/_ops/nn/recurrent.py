"""Recurrent cells, and whole sequences through them: a common scan for all kinds of cells and both directions."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._kernels.cells import CELLS
from mindspore._kernels.primitive import call
from mindspore._kernels.recurrent import Along, Through
from mindspore._ops.declaring.requirements import require_choice
from mindspore._ops.linalg.linalg import product
from mindspore._ops.nn.activation import numpy_sigmoid


def _share(x: Any, weight: Any, bias: Any) -> Any:
    """``x @ weight.T + bias``, in the dtype of x."""
    result = product(x, weight.astype(x.dtype), y_turned=True)
    return result if bias is None else result + bias.astype(x.dtype)


def _lstm_reference(x: np.ndarray, h: np.ndarray, c: np.ndarray, w: np.ndarray, u: np.ndarray, b: np.ndarray,
                    d: np.ndarray, *_: Any) -> tuple:  # fmt: skip
    """NumPy's step of an LSTM, for the tests."""
    i, f, g, o = np.split(x @ w.T + b + h @ u.T + d, 4, -1)
    memory = numpy_sigmoid(f) * c + numpy_sigmoid(i) * np.tanh(g)
    return numpy_sigmoid(o) * np.tanh(memory), memory


@op(public=False,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 4), None, t.normal(4, 3), t.normal(4, 4), None, None, "RNN_TANH",
                           expect=lambda x, h, c, w, u, *_: np.tanh(x @ w.T + h @ u.T)),
                    t.case(t.normal(2, 3), t.normal(2, 4), None, t.normal(12, 3), t.normal(12, 4), t.normal(12),
                           t.normal(12), "GRU"),
                    t.case(t.normal(2, 3), t.normal(2, 4), t.normal(2, 4), t.normal(16, 3), t.normal(16, 4),
                           t.normal(16), t.normal(16), "LSTM", expect=_lstm_reference)])  # fmt: skip
def recurrent_cell(x: Array, h: Array, c: Array | None, weight_ih: Array, weight_hh: Array, bias_ih: Array | None,
                   bias_hh: Array | None, mode: str):  # fmt: skip
    """The next hidden state from (batch, input) and (batch, hidden); for 'LSTM' with the next memory ``c``."""
    require_choice("mode", mode, tuple(CELLS))
    state, *_ = CELLS[mode].step(_share(x, weight_ih, bias_ih), _share(h, weight_hh, bias_hh), (h, c))
    return state if mode == "LSTM" else state[0]


@op(public=False, loops=True,
    test=lambda t: [t.case(t.normal(3, 2, 3), t.normal(2, 4), None, None, t.normal(12, 3), t.normal(12, 4),
                           t.normal(12), t.normal(12), "GRU"),
                    t.case(t.normal(3, 2, 3), None, None, t.ints(2, low=1, high=4), t.normal(4, 3), t.normal(4, 4), None,
                           None, "RNN_RELU", True),
                    t.case(t.normal(3, 2, 3), t.normal(2, 4), t.normal(2, 4), None, t.normal(16, 3), t.normal(16, 4),
                           t.normal(16), t.normal(16), "LSTM", True)])  # fmt: skip
def recurrent_layer(x: Array, h: Array | None, c: Array | None, lengths: Array | None, weight_ih: Array,
                    weight_hh: Array, bias_ih: Array | None, bias_hh: Array | None, mode: str,
                    reverse: bool = False):  # fmt: skip
    """All steps of (time, batch, input) through a cell, from the last step to the first with ``reverse``.

    Without ``h`` and ``c`` the state starts at 0. Beyond a sequence's length the state stays and the output is 0.
    Returns the hidden states of all steps and the last state: one Tensor, for 'LSTM' hidden state and memory.
    """
    require_choice("mode", mode, tuple(CELLS))
    return layer(x, h, c, lengths, weight_ih, weight_hh, bias_ih, bias_hh, mode, reverse)


def layer(x: Any, h: Any, c: Any, lengths: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any, mode: str,
          reverse: bool) -> tuple:  # fmt: skip
    """The body of ``recurrent_layer``."""
    cell, nothing = CELLS[mode], jnp.zeros((1, 1), x.dtype)
    zeros = jnp.zeros((x.shape[1], weight_hh.shape[1]), x.dtype)
    h, c = zeros if h is None else h, (zeros if c is None else c) if cell.memory else nothing
    weight_hh = weight_hh.astype(x.dtype)  # here, not at every step
    shares = _share(x, weight_ih, bias_ih)  # for all steps at once: one large matmul instead of many small matmuls
    bias = jnp.zeros(weight_hh.shape[0], x.dtype) if bias_hh is None else bias_hh.astype(x.dtype)
    if not cell.apart:
        shares, bias = shares + bias, jnp.zeros_like(bias)
    masked = lengths is not None
    lengths = jnp.full(x.shape[1], x.shape[0], jnp.float32) if lengths is None else lengths.astype(jnp.float32)
    outputs, *last = _all_steps(mode, reverse, masked, shares, h, c, lengths, weight_hh, bias)
    return outputs, *(last if cell.memory else last[:1])


@functools.partial(jax.custom_jvp, nondiff_argnums=(0, 1, 2))
def _all_steps(
    mode: str, reverse: bool, masked: bool, shares: Any, h: Any, c: Any, lengths: Any, weight: Any, bias: Any
) -> tuple:
    """The hidden states of all steps, and the last state."""
    return tuple(call(Through(mode, reverse, masked, False), shares, h, c, lengths, weight, bias)[:3])


@_all_steps.defjvp
def _derivative(mode: str, reverse: bool, masked: bool, primals: tuple, tangents: tuple) -> tuple:
    """The weights' gradient is one large matmul over all steps, not a sum made step by step."""
    shares, h, c, lengths, weight, bias = primals
    along_shares, along_h, along_c, _, along_weight, along_bias = tangents
    outputs, *last, opened, extra = call(Through(mode, reverse, masked, True), shares, h, c, lengths, weight, bias)
    before = _before(outputs, h, lengths if masked else None, reverse)
    by_weights = _share(before, along_weight, along_bias)
    if not CELLS[mode].apart:
        along_shares, by_weights = along_shares + by_weights, jnp.zeros((1, 1, 1), shares.dtype)
    given = (opened, extra, lengths, weight)
    changes = call(Along(mode, reverse, masked), *given, along_shares, by_weights, along_h, along_c)
    return (outputs, *last), tuple(changes)


def _before(outputs: Any, h: Any, lengths: Any, reverse: bool) -> Any:
    """The hidden state before each step."""
    if not reverse:
        return jnp.concatenate([h[None], outputs[:-1]])
    later = jnp.concatenate([outputs[1:], h[None]])
    if lengths is None:
        return later
    # In reverse, the padding behind a sequence keeps the initial state.
    inside = jnp.arange(1, outputs.shape[0] + 1)[:, None] < lengths
    return jnp.where(inside[..., None], later, h)
