"""Recurrent layers whose weights come in one piece, in the order of CUDA's library."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._ops.declaring.requirements import require, require_rank, require_shape
from mindspore._ops.generated.declare import generated_op
from mindspore._ops.nn.recurrent import layer

GATES = 3


def _numpy_gru(x: np.ndarray, h: np.ndarray, w: np.ndarray, size: int, hidden: int, *_: Any) -> Any:
    w = w.reshape(-1)
    cut = np.split(w, np.cumsum([3 * hidden * size, 3 * hidden * hidden, 3 * hidden]))
    state, outputs = h[0], []
    for step in x:
        of_input = step @ cut[0].reshape(-1, size).T + cut[2]
        of_state = state @ cut[1].reshape(-1, hidden).T + cut[3]
        (ri, zi, ni), (rs, zs, ns) = (np.split(one, 3, -1) for one in (of_input, of_state))
        reset, update = (1 / (1 + np.exp(-one)) for one in (ri + rs, zi + zs))
        state = (1 - update) * np.tanh(ni + reset * ns) + update * state
        outputs.append(state)
    return np.stack(outputs), state[None], np.zeros((1, 1), x.dtype), np.zeros((1, 1), x.dtype)


@generated_op(loops=True, test=lambda t: [
    t.case(t.normal(4, 2, 3), t.normal(1, 2, 2), t.normal(42, 1, 1), 3, 2, 1, True, False, 0.0, tolerance=1e-5,
           expect=_numpy_gru),
    t.case(t.normal(3, 2, 3), t.normal(4, 2, 2), t.normal(180, 1, 1), 3, 2, 2, True, True, 0.0, grad=False)])  # fmt: skip
def packed_gru(input: Array, h: Array, w: Array, input_size: int, hidden_size: int, num_layers: int, has_bias: bool,
               bidirectional: bool, dropout: float):  # fmt: skip
    """Gated recurrent units over (time, batch, input_size): outputs, last states, and two pieces only the library needs.

    The weight holds the matrices of all layers and directions, of the input and of the state, and then their biases.
    """
    require_rank("input", input, 3)
    require(
        dropout == 0 or num_layers == 1, f"the 'dropout' must be 0 with several layers, but got {dropout}; use nn.GRU."
    )
    directions = 1 + bidirectional
    require_shape("h", h, (num_layers * directions, input.shape[1], hidden_size))
    flat, gates = w.reshape(-1), GATES * hidden_size
    widths = [
        input_size if number < directions else directions * hidden_size for number in range(num_layers * directions)
    ]
    matrices = sum(gates * (width + hidden_size) for width in widths)
    wanted = matrices + (2 * gates * len(widths) if has_bias else 0)
    require(flat.size == wanted, f"the 'w' must have {wanted} elements, but got {flat.size}.")
    start, x, states, outputs = 0, input, [], []
    for number, width in enumerate(widths):
        middle, end = start + gates * width, start + gates * (width + hidden_size)
        of_input, of_state = flat[start:middle].reshape(gates, width), flat[middle:end].reshape(gates, hidden_size)
        pair = flat[matrices + 2 * gates * number :][: 2 * gates].reshape(2, gates) if has_bias else (None, None)
        output, last = layer(
            x, h[number], None, None, of_input, of_state, pair[0], pair[1], "GRU", number % directions == 1
        )
        outputs.append(output)
        states.append(last)
        start = end
        if len(outputs) == directions:
            x, outputs = jnp.concatenate(outputs, -1), []
    empty = jnp.zeros((1, 1), x.dtype)
    return x, jnp.stack(states), empty, empty
