"""Recurrent cells, and whole sequences through them: one scan for all kinds of cells and both directions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.custom_derivatives import SymbolicZero

from mindspore._engine.arguments import Array
from mindspore._engine.registry import op
from mindspore._ops.linalg import product
from mindspore._ops.requirements import require_choice

Step = Callable[[Any, Any, tuple], tuple]  # (the input's share, the hidden state's share, state) -> state


def _plain(activation: Callable[[Any], Any]) -> Step:
    return lambda from_x, from_h, state: (activation(from_x + from_h),)


def _gru(from_x: Any, from_h: Any, state: tuple) -> tuple:
    reset_x, update_x, new_x = jnp.split(from_x, 3, -1)
    reset_h, update_h, new_h = jnp.split(from_h, 3, -1)
    new = jnp.tanh(new_x + jax.nn.sigmoid(reset_x + reset_h) * new_h)
    return (blended(jax.nn.sigmoid(update_x + update_h), new, state[0]),)


def blended(update: Any, new: Any, old: Any) -> Any:
    """A gated unit's next state: the old one where the update gate is open, the new one where it is closed."""
    return new + update * (old - new)


def _lstm(from_x: Any, from_h: Any, state: tuple) -> tuple:
    return _lstm_step(from_x + from_h, state[1])


@jax.custom_jvp
def _lstm_step(gates: Any, memory: Any) -> tuple:
    """Hidden state and memory from what goes into the four gates, side by side, and the memory before."""
    entry, forget, new, out = _opened(gates)
    memory = remembered(entry, forget, new, memory)
    return out * jnp.tanh(memory), memory


def _opened(gates: Any) -> tuple:
    entry, forget, new, out = jnp.split(gates, 4, -1)
    return jax.nn.sigmoid(entry), jax.nn.sigmoid(forget), jnp.tanh(new), jax.nn.sigmoid(out)


@_lstm_step.defjvp
def _lstm_step_derivative(primals: tuple, tangents: tuple) -> tuple:
    """One factor per gate, all side by side: a loop then keeps three arrays for its gradient, not a dozen."""
    (gates, before), (along_gates, along_before) = primals, tangents
    entry, forget, new, out = _opened(gates)
    memory = remembered(entry, forget, new, before)
    shown = jnp.tanh(memory)
    factors = jnp.concatenate([
        new * entry * (1 - entry), before * forget * (1 - forget), entry * (1 - new * new), shown * out * (1 - out)
    ], -1)  # fmt: skip
    by_entry, by_forget, by_new, by_out = jnp.split(along_gates * factors, 4, -1)
    along_memory = forget * along_before + by_entry + by_forget + by_new
    along_hidden = out * (1 - shown * shown) * along_memory + by_out
    return (out * shown, memory), (along_hidden, along_memory)


def remembered(entry: Any, forget: Any, new: Any, memory: Any) -> Any:
    """A memory cell's next content, from open gates."""
    return forget * memory + entry * new


_STEPS: dict[str, Step] = {
    "RNN_TANH": _plain(jnp.tanh),
    "RNN_RELU": _plain(jax.nn.relu),
    "GRU": _gru,
    "LSTM": _lstm,
}


def _share(x: Any, weight: Any, bias: Any) -> Any:
    """``x @ weight.T + bias``, in the dtype of x."""
    result = product(x, weight.astype(x.dtype).T)
    return result if bias is None else result + bias.astype(x.dtype)


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def _lstm_reference(x: np.ndarray, h: np.ndarray, c: np.ndarray, w: np.ndarray, u: np.ndarray, b: np.ndarray,
                    d: np.ndarray, *_: Any) -> tuple:  # fmt: skip
    """NumPy's step of an LSTM, for the tests."""
    i, f, g, o = np.split(x @ w.T + b + h @ u.T + d, 4, -1)
    memory = _sigmoid(f) * c + _sigmoid(i) * np.tanh(g)
    return _sigmoid(o) * np.tanh(memory), memory


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
    require_choice("mode", mode, tuple(_STEPS))
    state = _STEPS[mode](_share(x, weight_ih, bias_ih), _share(h, weight_hh, bias_hh), (h, c))
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
    """All steps of (time, batch, input) through one cell, from the last step to the first with ``reverse``.

    Without ``h`` and ``c`` the state starts at 0. Beyond a sequence's length the state stays and the output is 0.
    Returns the hidden states of all steps and the last state: one Tensor, for 'LSTM' hidden state and memory.
    """
    require_choice("mode", mode, tuple(_STEPS))
    return layer(x, h, c, lengths, weight_ih, weight_hh, bias_ih, bias_hh, mode, reverse)


def layer(x: Any, h: Any, c: Any, lengths: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any, mode: str,
          reverse: bool) -> tuple:  # fmt: skip
    """The body of ``recurrent_layer``."""
    zeros = jnp.zeros((x.shape[1], weight_hh.shape[1]), x.dtype)
    start = tuple(zeros if s is None else s for s in ((h, c) if mode == "LSTM" else (h,)))
    weight_hh = weight_hh.astype(x.dtype)  # here, not at every step
    from_x = _share(x, weight_ih, bias_ih)  # for all steps at once: one large product instead of many small ones
    if not _apart(mode) and bias_hh is not None:
        from_x, bias_hh = from_x + bias_hh.astype(x.dtype), None
    outputs, last = _all_steps(mode, reverse, from_x, start, lengths, weight_hh, bias_hh)
    return outputs, *last


def _apart(mode: str) -> bool:
    """Whether a cell needs the shares of input and hidden state apart; the others add them first."""
    return mode == "GRU"


@functools.partial(jax.custom_jvp, nondiff_argnums=(0, 1))
def _all_steps(mode: str, reverse: bool, from_x: Any, start: tuple, lengths: Any, weight: Any, bias: Any) -> tuple:
    """The hidden states of all steps, and the last state."""
    outputs, last, _ = _scan(mode, reverse, from_x, None, start, lengths, weight, bias)
    return outputs, last


def _scan(
    mode: str, reverse: bool, from_x: Any, moved: Any, start: tuple, lengths: Any, weight: Any, bias: Any
) -> tuple:
    """The same, and the hidden state before each step; ``moved`` is added to the hidden state's share of a step."""
    turned = lax.optimization_barrier(weight.T)  # once, not at every step

    def step(state: tuple, given: tuple) -> tuple[tuple, tuple]:
        share, by = given
        from_h = _turned_product(state[0], weight, turned)
        from_h = from_h if bias is None else from_h + bias.astype(from_h.dtype)
        new = _STEPS[mode](share, from_h if by is None else from_h + by, state)
        return new, (new[0], state[0])

    last, (outputs, before) = through_time(step, start, (from_x, moved), lengths, reverse)
    return outputs, last, before


@jax.custom_jvp
def _turned_product(h: Any, weight: Any, turned: Any) -> Any:
    """``h @ weight.T`` from the weights in both forms: forward and backward each read the one that lies right for them."""
    return product(h, turned)


def _turned_derivative(primals: tuple, tangents: tuple) -> tuple:
    (h, weight, turned), (along_h, _, along_turned) = primals, tangents
    parts = [] if isinstance(along_h, SymbolicZero) else [product(along_h, weight.T)]
    if not isinstance(along_turned, SymbolicZero):  # in gradients of gradients
        parts.append(product(h, along_turned))
    result = product(h, turned)
    return result, sum(parts[1:], parts[0]) if parts else jnp.zeros_like(result)


_turned_product.defjvp(_turned_derivative, symbolic_zeros=True)


@_all_steps.defjvp
def _derivative(mode: str, reverse: bool, primals: tuple, tangents: tuple) -> tuple:
    """Weights are changed in all steps at once: their gradient is one large product, not a sum made step by step."""
    from_x, start, lengths, weight, bias = primals
    along_x, along_start, _, along_weight, along_bias = tangents

    def of_steps(from_x: Any, moved: Any, start: tuple) -> tuple:
        return _scan(mode, reverse, from_x, moved, start, lengths, weight, bias)

    moved = jnp.zeros_like(from_x) if _apart(mode) else None
    (outputs, last, before), linear = jax.linearize(of_steps, from_x, moved, start)
    along_h = _share(before, along_weight, along_bias)
    shares = (along_x, along_h) if _apart(mode) else (along_x + along_h, None)
    along_outputs, along_last, _ = linear(*shares, along_start)
    return (outputs, last), (along_outputs, along_last)


def through_time(step: Callable[[tuple, Any], tuple[tuple, tuple]], start: tuple, inputs: Any, lengths: Any,
                 reverse: bool = False) -> tuple[tuple, tuple]:  # fmt: skip
    """The last state and the outputs of all steps. Beyond a sequence's length the state stays and outputs are 0."""

    def masked(state: tuple, timed: tuple) -> tuple[tuple, tuple]:
        time, share = timed
        new, outputs = step(state, share)
        if lengths is None:
            return new, outputs
        inside = (time < lengths)[:, None]
        kept = tuple(jnp.where(inside, after, before) for after, before in zip(new, state, strict=True))
        return kept, tuple(jnp.where(inside, output, jnp.zeros_like(output)) for output in outputs)

    count = jax.tree.leaves(inputs)[0].shape[0]
    return lax.scan(masked, start, (jnp.arange(count), inputs), reverse=reverse)
