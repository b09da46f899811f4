"""Recurrent layers: RNN, GRU, LSTM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.trace_state import state as trace_state
from mindspore._engine.syntax.scans import traced_scan
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.table import OnnxNode, operator

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sigmoid": lambda x, a, b: ops.sigmoid(x), "tanh": lambda x, a, b: ops.tanh(x), "relu": lambda x, a, b: ops.relu(x),
    "affine": lambda x, a, b: x * a + b, "leakyrelu": lambda x, a, b: ops.where(x >= 0, x, x * a),
    "thresholdedrelu": lambda x, a, b: ops.where(x > a, x, ops.zeros_like(x)),
    "scaledtanh": lambda x, a, b: a * ops.tanh(b * x), "hardsigmoid": lambda x, a, b: ops.clip(x * a + b, 0.0, 1.0),
    "elu": lambda x, a, b: ops.where(x > 0, x, a * ops.expm1(ops.minimum(x, 0))), "softsign": lambda x, a, b: ops.softsign(x),
    "softplus": lambda x, a, b: ops.log1p(ops.exp(x)),
}  # fmt: skip
_DEFAULTS = {"leakyrelu": (0.01, 0.0), "thresholdedrelu": (1.0, 0.0), "hardsigmoid": (0.2, 0.5), "elu": (1.0, 0.0),
             "affine": (1.0, 0.0), "scaledtanh": (1.0, 1.0)}  # fmt: skip
_USUAL = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}


class Layer:
    """One direction of a layer."""

    def __init__(
        self,
        node: OnnxNode,
        direction: int,
        count: int,
        weights: tuple[Tensor, Tensor, Tensor | None],
        peepholes: Tensor | None,
    ):
        self.node, self.size = node, weights[1].shape[-1]
        self.functions = self._functions(direction, count)
        self.weight, self.recurrent, bias = weights
        self.clip = node.get("clip")
        half = bias.shape[0] // 2 if bias is not None else 0
        self.input_bias = bias[:half] if bias is not None else None
        self.hidden_bias = bias[half:] if bias is not None else None
        self.peepholes = (
            [peepholes[i * self.size : (i + 1) * self.size] for i in range(3)] if peepholes is not None else None
        )

    def _functions(self, direction: int, count: int) -> list[Callable[[Any], Any]]:
        usual = _USUAL[self.node.kind]
        names = self.node.get("activations") or usual * count
        alphas, betas = list(self.node.get("activation_alpha") or []), list(self.node.get("activation_beta") or [])
        made = []
        for name in names:
            key = name.lower()
            if key not in _FUNCTIONS:
                raise self.node.refuse(f"has the activation {name!r}; those that are read: {sorted(_FUNCTIONS)}")
            default = _DEFAULTS.get(key, (0.0, 0.0))
            takes = key in _DEFAULTS
            alpha = alphas.pop(0) if takes and alphas else default[0]
            beta = betas.pop(0) if key in ("affine", "scaledtanh", "hardsigmoid") and betas else default[1]
            made.append(lambda x, key=key, alpha=alpha, beta=beta: _FUNCTIONS[key](x, alpha, beta))
        each = len(usual)
        return made[direction * each : (direction + 1) * each]

    def limited(self, x: Tensor) -> Tensor:
        return x if self.clip is None else ops.clip(x, -self.clip, self.clip)

    def parts(self, x: Tensor, count: int) -> list[Tensor]:
        return [x[..., i * self.size : (i + 1) * self.size] for i in range(count)]

    def prepared(self, x: Tensor) -> Tensor:
        """The inputs of all steps, multiplied at once."""
        found = ops.matmul(x, self.weight.transpose((1, 0)))
        return found if self.input_bias is None else found + self.input_bias

    def hidden(self, h: Tensor) -> Tensor:
        found = ops.matmul(h, self.recurrent.transpose((1, 0)))
        return found if self.hidden_bias is None else found + self.hidden_bias

    def step(self, given: Tensor, state: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        return {"RNN": self._rnn, "GRU": self._gru, "LSTM": self._lstm}[self.node.kind](given, *state)

    def _rnn(self, given: Tensor, h: Tensor) -> tuple[Tensor, ...]:
        return (self.functions[0](self.limited(given + self.hidden(h))),)

    def _gru(self, given: Tensor, h: Tensor) -> tuple[Tensor, ...]:
        gate, activate = self.functions
        z, r, n = self.parts(given, 3)
        before = self.hidden(h)
        hz, hr, hn = self.parts(before, 3)
        z, r = gate(self.limited(z + hz)), gate(self.limited(r + hr))
        if self.node.flag("linear_before_reset"):
            n = activate(self.limited(n + r * hn))
        else:
            weight = self.recurrent[2 * self.size :]
            inner = ops.matmul(r * h, weight.transpose((1, 0)))
            inner = inner if self.hidden_bias is None else inner + self.hidden_bias[2 * self.size :]
            n = activate(self.limited(n + inner))
        return ((1 - z) * n + z * h,)

    def _lstm(self, given: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, ...]:
        gate, activate, last = self.functions
        i, o, f, n = self.parts(given + self.hidden(h), 4)
        pi, po, pf = self.peepholes or (0, 0, 0)
        i = gate(self.limited(i + pi * c))
        f = 1 - i if self.node.flag("input_forget") else gate(self.limited(f + pf * c))
        c = f * c + i * activate(self.limited(n))
        o = gate(self.limited(o + po * c))
        return o * last(c), c


@operator("RNN", "GRU", "LSTM")
def recurrent(node: OnnxNode, x: Tensor, w: Tensor, r: Tensor, bias: Tensor | None = None, lengths: Tensor | None = None,
              h: Tensor | None = None, c: Tensor | None = None, peepholes: Tensor | None = None) -> tuple[Any, ...]:  # fmt: skip
    """Y (steps, directions, batch, size) and the last states (directions, batch, size)."""
    if node.flag("layout"):  # the batch first
        x = x.transpose((1, 0, 2))
        h, c = (None if one is None else one.transpose((1, 0, 2)) for one in (h, c))
    way, count = node.get("direction", "forward"), w.shape[0]
    outputs, lasts = [], []
    for number in range(count):
        weights = (w[number], r[number], None if bias is None else bias[number])
        layer = Layer(node, number, count, weights, None if peepholes is None else peepholes[number])
        blank = ops.zeros((x.shape[1], layer.size), x.dtype)
        states = [blank if one is None else one[number] for one in ((h, c) if node.kind == "LSTM" else (h,))]
        backwards = way == "reverse" or number == 1
        found, state = _run(layer, x, tuple(states), lengths, backwards)
        outputs.append(found)
        lasts.append(state)
    whole = ops.stack(outputs, 1)
    finals = [ops.stack([state[i] for state in lasts], 0) for i in range(len(lasts[0]))]
    if node.flag("layout"):
        return whole.transpose((2, 0, 1, 3)), *[one.transpose((1, 0, 2)) for one in finals]
    return whole, *finals


def _run(
    layer: Layer, x: Tensor, state: tuple[Tensor, ...], lengths: Tensor | None, backwards: bool
) -> tuple[Tensor, Any]:
    """All steps of one direction; what is behind the length of a sequence leaves the state alone and gives zeros."""
    inputs = layer.prepared(x)
    steps = x.shape[0]
    inside = None
    if lengths is not None:
        inside = Tensor(np.arange(steps)[:, None]) < lengths.astype(dtypes.int64)[None, :]
    if backwards:
        inputs = ops.flip(inputs, (0,))
        inside = None if inside is None else ops.flip(inside, (0,))

    def one(carried: Any, given: Any) -> tuple[Any, Any]:
        value, valid = given if inside is not None else (given, None)
        new = layer.step(value, tuple(carried))
        shown = new[0]
        if valid is not None:
            valid = valid.reshape((-1, 1))
            shown = ops.where(valid, shown, ops.zeros_like(shown))
            new = tuple(ops.where(valid, after, before) for after, before in zip(new, carried))
        return new, shown

    state, found = scanned(one, state, inputs if inside is None else (inputs, inside), steps)
    return ops.flip(found, (0,)) if backwards else found, state


def scanned(one: Callable[[Any, Any], tuple[Any, Any]], state: Any, inputs: Any, steps: int) -> tuple[Any, Any]:
    """A step after the other: (state, inputs of the step) -> (state, results). Compiled graphs have one loop."""
    single = not isinstance(inputs, tuple)
    columns = [inputs] if single else list(inputs)

    def step(carried: Any, rows: Any) -> tuple[Any, Any]:
        return one(carried, rows[0] if single else tuple(rows))

    if is_tracing() and steps > 1:
        found = traced_scan(step, state, columns, steps)
        if found is not None:
            return found
    lines = []
    for number in range(steps):
        state, found = step(state, [column[number] for column in columns])
        lines.append(found)
    if isinstance(lines[0], tuple):
        return state, tuple(ops.stack(list(line), 0) for line in zip(*lines))
    return state, ops.stack(lines, 0)


def is_tracing() -> bool:
    return trace_state.scope is not None
