"""Gradients of recurrent layers."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.primitive import Primitive
from mindspore._ops.declaring.gradient_primitives import forward_of, gradient, gradient_class, pull
from mindspore._ops.declaring.requirements import require_choice
from mindspore._ops.nn.recurrent import layer
from mindspore._ops.nn.recurrent_primitives import dynamic_rnn, lstm_primitive

_LAYERS = ("input_size", "hidden_size", "num_layers", "has_bias", "bidirectional", "dropout")


@gradient("LSTMGrad", (*_LAYERS, "proj_size"), loops=True)
def lstm_grad(x: Array, hx: Array, cx: Array, w: Array, y: Array, hy: Array, cy: Array, dy: Array, dhy: Array,
              dcy: Array, reserve: Array, input_size: int, hidden_size: int, num_layers: int, has_bias: bool,
              bidirectional: bool, dropout: float, proj_size: int = 0):  # fmt: skip
    """The gradients of ``LSTM`` by input, first states, first memories and weight; its results are computed again."""
    return pull(lstm_primitive, (dy, dhy, dcy), x, hx, cx, w, input_size=input_size, hidden_size=hidden_size,
                num_layers=num_layers, has_bias=has_bias, bidirectional=bidirectional, dropout=dropout,
                proj_size=proj_size)  # fmt: skip


@gradient("GRUV2Grad", _LAYERS, loops=True)
def gru_v2_grad(x: Array, hx: Array, w: Array, seq_length: Array, y: Array, hy: Array, dy: Array, dhy: Array,
                reserve: Array, input_size: int, hidden_size: int, num_layers: int, has_bias: bool, bidirectional: bool,
                dropout: float):  # fmt: skip
    """The gradients of ``GRUV2`` by input, first states and weight; its results are computed again."""

    directions = 1 + bidirectional

    def forward(x: Any, h: Any, w: Any) -> tuple:
        parts = _gru_weights(w.reshape(-1), input_size, hidden_size, num_layers, directions, has_bias)
        last = []
        for number in range(num_layers):
            outputs = []
            for direction in range(directions):
                index = number * directions + direction
                by_input, by_state, bias, other = parts[index]
                output, state, *_ = layer(
                    x, h[index], None, seq_length, by_input, by_state, bias, other, "GRU", direction == 1
                )
                outputs.append(output)
                last.append(state)
            x = jnp.concatenate(outputs, -1)
        return x, jnp.stack(last)

    return pull(forward, (dy, dhy), x, hx, w)


def _gru_weights(flat: Any, size: int, hidden: int, layers: int, directions: int, has_bias: bool) -> list[list[Any]]:
    """The weights of input and state and their biases, for every layer and direction."""
    parts, start = [], 0
    for number in range(layers):
        width = size if number == 0 else hidden * directions
        for _ in range(directions):
            taken: list[Any] = []
            for shape in [(3 * hidden, width), (3 * hidden, hidden), *[(3 * hidden,)] * (2 * has_bias)]:
                end = start + math.prod(shape)
                taken.append(flat[start:end].reshape(shape))
                start = end
            parts.append([*taken, None, None][:4])
    return parts


@gradient("DynamicRNNGrad", ("cell_type", "direction", "cell_depth", "use_peephole", "keep_prob", "cell_clip",
                             "num_proj", "time_major", "forget_bias"), loops=True)  # fmt: skip
def dynamic_rnn_grad(x: Array, w: Array, b: Array, y: Array, init_h: Array, init_c: Array, h: Array, c: Array,
                     dy: Array, dh: Array, dc: Array, i: Array, j: Array, f: Array, o: Array, tanhct: Array,
                     cell_type: str = "LSTM", direction: str = "UNIDIRECTIONAL", cell_depth: int = 1,
                     use_peephole: bool = False, keep_prob: float = 1.0, cell_clip: float = -1.0, num_proj: int = 0,
                     time_major: bool = True, forget_bias: float = 0.0):  # fmt: skip
    """The gradients of ``DynamicRNN`` by weight, bias, input, first state and first memory.

    ``dh`` and ``dc`` belong to the last step; the gates are computed again.
    """
    first_h, first_c = (state.reshape(state.shape[-2:]) for state in (init_h, init_c))

    def forward(w: Any, b: Any, x: Any, first_h: Any, first_c: Any) -> tuple:
        shown, states, memories, *_ = forward_of(dynamic_rnn, {"cell_clip": cell_clip, "forget_bias": forget_bias})(
            x, w, b, None, first_h[None], first_c[None]
        )
        return shown, states[-1], memories[-1]

    seeds = (dy, dh.reshape(first_h.shape), dc.reshape(first_c.shape))
    by_w, by_b, by_x, by_h, by_c = pull(forward, seeds, w, b, x, first_h, first_c)
    return by_w, by_b, by_x, by_h.reshape(init_h.shape), by_c.reshape(init_c.shape)


@gradient("DynamicGRUV2Grad", ("direction", "cell_depth", "keep_prob", "cell_clip", "num_proj", "time_major", "gate_order",
                               "reset_after"), loops=True)  # fmt: skip
def dynamic_gru_v2_grad(x: Array, weight_input: Array, weight_hidden: Array, y: Array, init_h: Array, h: Array, dy: Array,
                        dh: Array, update: Array, reset: Array, new: Array, hidden_new: Array,
                        seq_length: Array | None = None, mask: Array | None = None, direction: str = "UNIDIRECTIONAL",
                        cell_depth: int = 1, keep_prob: float = 1.0, cell_clip: float = -1.0, num_proj: int = 0,
                        time_major: bool = True, gate_order: str = "rzh", reset_after: bool = True):  # fmt: skip
    """The gradients of ``DynamicGRUV2`` by both weights, both biases, input and first state, from its gates."""
    require_choice("gate_order", gate_order, ("rzh", "zrh"))
    before = jnp.concatenate([init_h.reshape(1, *h.shape[1:]), h[:-1]])

    def ordered(r: Any, z: Any, n: Any) -> Any:
        return jnp.concatenate([r, z, n] if gate_order == "rzh" else [z, r, n], -1)

    def step(carried: Any, now: tuple) -> tuple:
        seed, z, r, n, inner, state = now
        total = carried + seed
        by_n = total * (1 - z) * (1 - n * n)
        by_z = total * (state - n) * z * (1 - z)
        by_r = by_n * inner * r * (1 - r)
        of_hidden = ordered(by_r, by_z, by_n * r)
        return total * z + of_hidden @ weight_hidden.T, (ordered(by_r, by_z, by_n), of_hidden)

    last = dh.reshape(h.shape[1:])
    by_state, (of_input, of_hidden) = lax.scan(step, last, (dy, update, reset, new, hidden_new, before), reverse=True)
    by_weights = (jnp.einsum("tbi,tbg->ig", one, gates) for one, gates in ((x, of_input), (before, of_hidden)))
    biases = (gates.sum((0, 1)) for gates in (of_input, of_hidden))
    return *by_weights, *biases, of_input @ weight_input.T, by_state.reshape(init_h.shape)


# -- one step of an LSTM ---------------------------------------------------------------------------------------------
@gradient("BasicLSTMCellCStateGrad", ("forget_bias", "activation"))
def basic_lstm_cell_c_state_grad(c: Array, dht: Array, dct: Array, it: Array, jt: Array, ft: Array, ot: Array,
                                 tanhct: Array, forget_bias: float, activation: str):  # fmt: skip
    """The gradients of ``BasicLSTMCell`` by its four gates, side by side, and by the memory before."""
    by_memory = dct + dht * ot * (1 - tanhct * tanhct)
    gates = (by_memory * jt * it * (1 - it), by_memory * it * (1 - jt * jt), by_memory * c * ft * (1 - ft),
             dht * tanhct * ot * (1 - ot))  # fmt: skip
    return jnp.concatenate(gates, -1), by_memory * ft


@gradient("BasicLSTMCellWeightGrad")
def basic_lstm_cell_weight_grad(x: Array, h: Array, dgate: Array):
    """The gradients of ``BasicLSTMCell`` by weight and bias, from those by the gates."""
    by_weight = jnp.concatenate([x, h], -1).T @ dgate
    return by_weight[..., None, None], dgate.sum(0).reshape(-1, 1, 1, 1)


@gradient("BasicLSTMCellInputGrad", ("keep_prob",))
def basic_lstm_cell_input_grad(dgate: Array, w: Array, keep_prob: float):
    """The gradients of ``BasicLSTMCell`` by input and state, from those by the gates."""
    both = dgate @ w.reshape(w.shape[:2]).T
    hidden = dgate.shape[-1] // 4
    return both[:, : both.shape[-1] - hidden], both[:, both.shape[-1] - hidden :]


# -- in two steps, with notes of a GPU's kernels ---------------------------------------------------------------------
class _WithNotes(Primitive):
    whole = ""

    def __init__(self, input_size: int, hidden_size: int, num_layers: int, has_bias: bool, bidirectional: bool,
                 dropout: float):  # fmt: skip
        super().__init__()
        for name, value in zip(
            _LAYERS, (input_size, hidden_size, num_layers, has_bias, bidirectional, dropout), strict=True
        ):
            self.add_prim_attr(name, value)

    def __call__(self, *args: Any) -> Any:
        raise RuntimeError(
            f"For '{self.name}', the 'reserve' must hold the workspace of a GPU kernel, which does not exist here. Write "
            f"{self.whole}, which computes all gradients from the inputs."
        )


@gradient_class
class LSTMGradData(_WithNotes):
    """The gradients of ``LSTM`` by its data, on GPUs; see ``LSTMGrad``."""

    whole = "LSTMGrad"


@gradient_class
class LSTMGradWeight(_WithNotes):
    """The gradient of ``LSTM`` by its weight, on GPUs; see ``LSTMGrad``."""

    whole = "LSTMGrad"


@gradient_class
class GruGradData(_WithNotes):
    """The gradients of ``GRU`` by its data, on GPUs; see ``GRUV2Grad``."""

    whole = "GRUV2Grad"


@gradient_class
class GruGradWeight(_WithNotes):
    """The gradient of ``GRU`` by its weight, on GPUs; see ``GRUV2Grad``."""

    whole = "GRUV2Grad"
