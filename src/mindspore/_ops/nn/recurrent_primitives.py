"""Recurrent layers as Primitives, with the weights of a layer in a single Tensor as old programs make them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._kernels.cells import blended, remembered
from mindspore._kernels.recurrent import through_time
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.requirements import require, require_choice, require_rank, require_shape
from mindspore._ops.linalg.linalg import product
from mindspore._ops.nn.recurrent import layer


# -- LSTM: all layers and directions, one flat weight --------------------------------------------------------------------
def _check_lstm(num_layers: int, dropout: float, proj_size: int, **_: Any) -> None:
    require(num_layers >= 1, f"the 'num_layers' must be at least 1, but got {num_layers}.")
    require(proj_size == 0, f"the 'proj_size' must be 0, but got {proj_size}.")
    require(num_layers == 1 or dropout == 0,
            f"the 'dropout' must be 0 with several layers, but got {dropout}; use nn.LSTM.")  # fmt: skip


@at_construction(_check_lstm)
@op(primitive="LSTM", public=False, loops=True,
    init=("input_size", "hidden_size", "num_layers", "has_bias", "bidirectional", "dropout", "proj_size"),
    test=lambda t: [t.case(t.normal(3, 2, 2), t.normal(1, 2, 3), t.normal(1, 2, 3), t.normal(72, 1, 1), 2, 3, 1, True,
                           False, 0.0, grad=False),
                    t.case(t.normal(3, 2, 2), t.normal(4, 2, 3), t.normal(4, 2, 3), t.normal(384, 1, 1) / 3, 2, 3, 2,
                           True, True, 0.0, grad=False)])  # fmt: skip
def lstm_primitive(x: Array, h: Array, c: Array, w: Array, input_size: int, hidden_size: int, num_layers: int,
                   has_bias: bool, bidirectional: bool, dropout: float, proj_size: int = 0):  # fmt: skip
    """Long short-term memory over (time, batch, input_size).

    The weight holds, layer after layer, the input weights of both directions, their state weights, and their biases: one
    vector per direction, or two vectors that are added. Returns the outputs, the last states and memories, and two empty
    Tensors that real kernels keep their notes in.

    Examples:
        >>> from mindspore import ops
        >>> lstm = ops.LSTM(input_size=4, hidden_size=3, num_layers=1, has_bias=True, bidirectional=False, dropout=0.0)
        >>> state = ops.zeros((1, 2, 3))
        >>> print(lstm(ops.ones((5, 2, 4)), state, state, ops.ones((108, 1, 1)))[0].shape)
        (5, 2, 3)
    """
    require_rank("x", x, 3)
    require(
        x.shape[2] == input_size, f"the 'x' must have a last axis of {input_size}, the 'input_size', but got {x.shape}."
    )
    directions = 1 + bidirectional
    require_shape("h", h, (num_layers * directions, x.shape[1], hidden_size))
    require_shape("c", c, h.shape)
    parts = _lstm_weights(w.reshape(-1), x.shape[2], hidden_size, num_layers, directions, has_bias)
    hidden, memory = [], []
    for number in range(num_layers):
        outputs = []
        for direction in range(directions):
            state_index = number * directions + direction
            weight_ih, weight_hh, bias = parts[state_index]
            backwards = direction == 1
            output, last_h, last_c = layer(
                x, h[state_index], c[state_index], None, weight_ih, weight_hh, bias, None, "LSTM", backwards
            )
            outputs.append(output)
            hidden.append(last_h)
            memory.append(last_c)
        x = jnp.concatenate(outputs, -1)
    empty = jnp.zeros((1, 1), x.dtype)
    return x, jnp.stack(hidden), jnp.stack(memory), empty, empty


def _lstm_weights(flat: Any, size: int, hidden: int, layers: int, directions: int, has_bias: bool) -> list[list[Any]]:
    """Input weight, state weight and bias for every layer and direction."""
    gates = 4 * hidden
    sizes = [size] + [hidden * directions] * (layers - 1)
    weights = sum(directions * gates * (inner + hidden) for inner in sizes)
    bias = layers * directions * gates if has_bias else 0
    vectors = 2 if bias and flat.size == weights + 2 * bias else 1
    text = f"the 'w' must have {weights + bias} elements, but got {flat.size}."
    require(flat.size == weights + vectors * bias, text)
    parts: list[list[Any]] = []
    start = 0
    for inner in sizes:
        shapes = [(gates, inner), (gates, hidden)] + ([(vectors, gates)] if has_bias else [])
        blocks = []
        for shape in shapes:
            end = start + directions * int(np.prod(shape))
            blocks.append(flat[start:end].reshape(directions, *shape))
            start = end
        for direction in range(directions):
            own = [block[direction] for block in blocks]
            parts.append([own[0], own[1], own[2].sum(0) if has_bias else None])
    return parts


# -- DynamicRNN and DynamicGRUV2: one layer, with the gates of every step ------------------------------------------------
def _check_dynamic(**attributes: Any) -> None:
    allowed = {"cell_type": "LSTM", "direction": "UNIDIRECTIONAL", "cell_depth": 1, "use_peephole": False, "keep_prob": 1.0,
               "num_proj": 0, "time_major": True, "activation": "tanh"}  # fmt: skip
    for name, value in attributes.items():
        if name in allowed:
            require_choice(name, value, (allowed[name],))
    require_choice("gate_order", attributes.get("gate_order", "rzh"), ("rzh", "zrh"))


@at_construction(_check_dynamic)
@op(primitive="DynamicRNN", public=False, loops=True,
    init=("cell_type", "direction", "cell_depth", "use_peephole", "keep_prob", "cell_clip", "num_proj", "time_major",
          "activation", "forget_bias", "is_training"),
    test=lambda t: [t.case(t.normal(3, 2, 2), t.normal(5, 12), t.normal(12), None, t.normal(1, 2, 3), t.normal(1, 2, 3),
                           forget_bias=1.0, grad=(0, 1, 2)),
                    t.case(t.normal(3, 2, 2), t.normal(5, 12), t.normal(12), t.ints(2, low=1, high=4), cell_clip=0.5,
                           grad=False)])  # fmt: skip
def dynamic_rnn(x: Array, w: Array, b: Array, seq_length: Array | None = None, init_h: Array | None = None,
                init_c: Array | None = None, cell_type: str = "LSTM", direction: str = "UNIDIRECTIONAL",
                cell_depth: int = 1, use_peephole: bool = False, keep_prob: float = 1.0, cell_clip: float = -1.0,
                num_proj: int = 0, time_major: bool = True, activation: str = "tanh", forget_bias: float = 0.0,
                is_training: bool = True):  # fmt: skip
    """Long short-term memory over (time, batch, input), with all gates.

    The weight (input + hidden, 4 * hidden) is applied to input and state side by side; its columns are the gates input,
    new, forget and output. Returns for every step: output, state, memory, the four open gates, and tanh of the memory.

    Examples:
        >>> import mindspore
        >>> from mindspore import ops
        >>> half = mindspore.float16
        >>> x, state = ops.ones((2, 1, 4), half), ops.zeros((1, 1, 3), half)
        >>> print(ops.DynamicRNN()(x, ops.ones((7, 12), half), ops.zeros(12, half), None, state, state)[0].shape)
        (2, 1, 3)
    """
    require_rank("x", x, 3)
    require_rank("w", w, 2)
    hidden, inner = w.shape[1] // 4, x.shape[2]
    require_shape("w", w, (inner + hidden, 4 * hidden))
    require_shape("b", b, (4 * hidden,))
    start = tuple(_first_state(name, s, x.shape[1], hidden, dtype)
                  for name, s, dtype in (("init_h", init_h, x.dtype), ("init_c", init_c, b.dtype)))  # fmt: skip
    of_input, of_state = jnp.split(w.astype(x.dtype), [inner])

    def step(state: tuple, share: Any) -> tuple[tuple, tuple]:
        entry, new, forget, out = jnp.split(share + product(state[0], of_state).astype(b.dtype), 4, -1)
        entry, new, out = jax.nn.sigmoid(entry), jnp.tanh(new), jax.nn.sigmoid(out)
        forget = jax.nn.sigmoid(forget + forget_bias)
        memory = remembered(entry, forget, new, state[1])
        memory = jnp.clip(memory, -cell_clip, cell_clip) if cell_clip > 0 else memory
        shown = jnp.tanh(memory)
        output = out * shown
        carried = output.astype(x.dtype)
        return (carried, memory), (output, carried, memory, entry, new, forget, out, shown)

    shares = product(x, of_input).astype(b.dtype) + b
    return through_time(step, start, shares, seq_length)[1]


def _first_state(name: str, state: Any, batch: int, hidden: int, dtype: Any) -> Any:
    if state is None:
        return jnp.zeros((batch, hidden), dtype)
    fits = state.shape in ((1, batch, hidden), (batch, hidden))
    require(fits, f"the '{name}' must have shape {(1, batch, hidden)}, but got {state.shape}.")
    return state.reshape(batch, hidden).astype(dtype)


@at_construction(_check_dynamic)
@op(primitive="DynamicGRUV2", public=False, loops=True,
    init=("direction", "cell_depth", "keep_prob", "cell_clip", "num_proj", "time_major", "activation", "gate_order",
          "reset_after", "is_training"),
    test=lambda t: [t.case(t.normal(3, 2, 2), t.normal(2, 9), t.normal(3, 9), t.normal(9), t.normal(9), None,
                           t.normal(2, 3), grad=(0, 1, 2)),
                    t.case(t.normal(3, 2, 2), t.normal(2, 9), t.normal(3, 9), None, None, t.ints(2, low=1, high=4),
                           t.normal(2, 3), gate_order="zrh", reset_after=False, grad=False)])  # fmt: skip
def dynamic_gru_v2(x: Array, weight_input: Array, weight_hidden: Array, bias_input: Array | None = None,
                   bias_hidden: Array | None = None, seq_length: Array | None = None, init_h: Array | None = None,
                   direction: str = "UNIDIRECTIONAL", cell_depth: int = 1, keep_prob: float = 1.0,
                   cell_clip: float = -1.0, num_proj: int = 0, time_major: bool = True, activation: str = "tanh",
                   gate_order: str = "rzh", reset_after: bool = True, is_training: bool = True):  # fmt: skip
    """Gated recurrent units over (time, batch, input), with all gates.

    The columns of the weights (input, 3 * hidden) and (hidden, 3 * hidden) are the gates in ``gate_order``: reset 'r', update
    'z', new 'h'. Returns for every step: output, state, update gate, reset gate, new state, and the state's share of it.

    Examples:
        >>> import mindspore
        >>> from mindspore import ops
        >>> half = mindspore.float16
        >>> x, state = ops.ones((2, 1, 4), half), ops.zeros((1, 3), half)
        >>> weights, bias = (ops.ones((4, 9), half), ops.ones((3, 9), half)), ops.zeros(9, half)
        >>> print(ops.DynamicGRUV2()(x, *weights, bias, bias, None, state)[0].shape)
        (2, 1, 3)
    """
    require_rank("x", x, 3)
    require_rank("weight_hidden", weight_hidden, 2)
    hidden = weight_hidden.shape[0]
    require_shape("weight_input", weight_input, (x.shape[2], 3 * hidden))
    require_shape("weight_hidden", weight_hidden, (hidden, 3 * hidden))
    require_choice("gate_order", gate_order, ("rzh", "zrh"))
    for name, bias in (("bias_input", bias_input), ("bias_hidden", bias_hidden)):
        if bias is not None:
            require_shape(name, bias, (3 * hidden,))
    wide = next((s for s in (init_h, bias_input, bias_hidden) if s is not None), x).dtype
    start = (_first_state("init_h", init_h, x.shape[1], hidden, wide),)
    weight_input, weight_hidden, bias_input, bias_hidden = (
        _in_order(gates, gate_order) for gates in (weight_input, weight_hidden, bias_input, bias_hidden)
    )

    def shares(values: Any, weight: Any, bias: Any) -> Any:
        result = product(values.astype(x.dtype), weight.astype(x.dtype)).astype(wide)
        return result if bias is None else result + bias.astype(wide)

    def step(state: tuple, share: Any) -> tuple[tuple, tuple]:
        reset_x, update_x, new_x = jnp.split(share, 3, -1)
        reset_h, update_h, new_h = jnp.split(shares(state[0], weight_hidden, bias_hidden), 3, -1)
        reset, update = jax.nn.sigmoid(reset_x + reset_h), jax.nn.sigmoid(update_x + update_h)
        if not reset_after:
            new_h = jnp.split(shares(reset * state[0], weight_hidden, bias_hidden), 3, -1)[2]
        new = jnp.tanh(new_x + (reset * new_h if reset_after else new_h))
        output = blended(update, new, state[0])
        return (output,), (output, output, update, reset, new, new_h)

    return through_time(step, start, shares(x, weight_input, bias_input), seq_length)[1]


def _in_order(gates: Any, gate_order: str) -> Any:
    """Columns for the gates reset, update and new, in this order."""
    if gates is None:
        return None
    parts = jnp.split(gates, 3, -1)
    return jnp.concatenate([parts[gate_order.index(gate)] for gate in "rzh"], -1)
