"""The step of each kind of recurrent cell, and its derivative with respect to its inputs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

State = tuple  # (hidden state,), or with a memory


@dataclasses.dataclass(frozen=True)
class RecurrentCell:
    """A step goes from the shares of input and hidden state in the gates, (batch, gates), and a state to the next state.

    ``step`` returns the next state, the gates behind their activations side by side, and a pair of what else its
    derivative needs, as far as there is ``extra``. ``factors`` makes of both what ``along``, the derivative, multiplies
    with: that goes from changes of the shares and the state to the change of the next state. ``apart``: the shares
    are not just added.
    """

    step: Callable[[Any, Any, State], tuple[State, Any, tuple]]
    factors: Callable[[Any, tuple], tuple]
    along: Callable[[tuple, Any, Any, State], State]
    memory: bool = False
    extra: bool = False
    apart: bool = False


def _tanh_step(share: Any, hidden_share: Any, state: State) -> tuple:
    h = jnp.tanh(share + hidden_share)
    return (h,), h, ()


def _tanh_factors(h: Any, _: tuple) -> tuple:
    return (1 - h * h,)


def _relu_step(share: Any, hidden_share: Any, state: State) -> tuple:
    h = jax.nn.relu(share + hidden_share)
    return (h,), h, ()


def _relu_factors(h: Any, _: tuple) -> tuple:
    return ((h > 0).astype(h.dtype),)


def _plain_along(factors: tuple, share: Any, hidden_share: Any, state: State) -> State:
    return (factors[0] * (share + hidden_share),)


def _gru_step(share: Any, hidden_share: Any, state: State) -> tuple:
    reset_x, update_x, new_x = jnp.split(share, 3, -1)
    reset_h, update_h, new_h = jnp.split(hidden_share, 3, -1)
    reset, update = jax.nn.sigmoid(reset_x + reset_h), jax.nn.sigmoid(update_x + update_h)
    new = jnp.tanh(new_x + reset * new_h)
    return (blended(update, new, state[0]),), jnp.concatenate([reset, update, new], -1), (new_h, state[0] - new)


def _gru_factors(opened: Any, extra: tuple) -> tuple:
    (reset, update, new), (new_h, older) = jnp.split(opened, 3, -1), extra
    by_new = (1 - update) * (1 - new * new)
    return by_new * new_h * reset * (1 - reset), older * update * (1 - update), by_new, by_new * reset, update


def _gru_along(factors: tuple, share: Any, hidden_share: Any, state: State) -> State:
    by_reset, by_update, by_new, by_new_h, by_state = factors
    reset_x, update_x, new_x = jnp.split(share, 3, -1)
    reset_h, update_h, new_h = jnp.split(hidden_share, 3, -1)
    changed = by_reset * (reset_x + reset_h) + by_update * (update_x + update_h) + by_new * new_x + by_new_h * new_h
    return (changed + by_state * state[0],)


def blended(update: Any, new: Any, old: Any) -> Any:
    """A gated unit's next state: the old state where the update gate is open, the new state where it is closed."""
    return new + update * (old - new)


def _lstm_step(share: Any, hidden_share: Any, state: State) -> tuple:
    entry, forget, new, out = jnp.split(share + hidden_share, 4, -1)
    entry, forget, new, out = jax.nn.sigmoid(entry), jax.nn.sigmoid(forget), jnp.tanh(new), jax.nn.sigmoid(out)
    memory = remembered(entry, forget, new, state[1])
    shown = jnp.tanh(memory)
    return (out * shown, memory), jnp.concatenate([entry, forget, new, out], -1), (state[1], shown)


def _lstm_factors(opened: Any, extra: tuple) -> tuple:
    (entry, forget, new, out), (before, shown) = jnp.split(opened, 4, -1), extra
    by_gates = jnp.concatenate([  # concatenated: the backward loop then writes a single array of gradients
        new * entry * (1 - entry), before * forget * (1 - forget), entry * (1 - new * new), shown * out * (1 - out)
    ], -1)  # fmt: skip
    return by_gates, forget, out * (1 - shown * shown)


def _lstm_along(factors: tuple, share: Any, hidden_share: Any, state: State) -> State:
    by_gates, forget, by_memory = factors
    entry, forgot, new, out = jnp.split((share + hidden_share) * by_gates, 4, -1)
    memory = forget * state[1] + entry + forgot + new
    return by_memory * memory + out, memory


def remembered(entry: Any, forget: Any, new: Any, memory: Any) -> Any:
    """A memory cell's next content, from open gates."""
    return forget * memory + entry * new


CELLS: dict[str, RecurrentCell] = {
    "RNN_TANH": RecurrentCell(_tanh_step, _tanh_factors, _plain_along),
    "RNN_RELU": RecurrentCell(_relu_step, _relu_factors, _plain_along),
    "GRU": RecurrentCell(_gru_step, _gru_factors, _gru_along, extra=True, apart=True),
    "LSTM": RecurrentCell(_lstm_step, _lstm_factors, _lstm_along, memory=True, extra=True),
}
