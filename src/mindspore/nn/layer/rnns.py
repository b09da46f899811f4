"""Recurrent layers over whole sequences: RNN, GRU and LSTM."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mindspore import ops
from mindspore._ops.nn.recurrent import recurrent_layer
from mindspore._utils.checks import check_bool, check_float_range, check_one_of, check_positive_int, shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter, ParameterTuple
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.inputs import Width
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer._implementation.recurrent_state import check_state
from mindspore.nn.layer.basic import Dropout

__all__ = ["GRU", "LSTM", "RNN"]


class _DynamicRNNBase(Cell):
    """A recurrent layer in a single direction. The classes differ by their cell; their names are those MindSpore prints."""

    mode: str

    def construct(self, x: Tensor, h: Any, seq_length: Tensor | None, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None,
                  b_hh: Tensor | None, reverse: bool = False) -> tuple[Any, ...]:  # fmt: skip
        hidden, memory = h if isinstance(h, tuple) else (h, None)
        outputs, *last = recurrent_layer(x, hidden, memory, seq_length, w_ih, w_hh, b_ih, b_hh, self.mode, reverse)
        return outputs, last


class _DynamicRNNTanh(_DynamicRNNBase):
    mode = "RNN_TANH"


class _DynamicRNNRelu(_DynamicRNNBase):
    mode = "RNN_RELU"


class _DynamicGRUCPUGPU(_DynamicRNNBase):
    mode = "GRU"


class _DynamicLSTMCPUGPU(_DynamicRNNBase):
    mode = "LSTM"


_LAYERS: dict[str, type[_DynamicRNNBase]] = {
    layer.mode: layer for layer in (_DynamicRNNRelu, _DynamicRNNTanh, _DynamicLSTMCPUGPU, _DynamicGRUCPUGPU)
}
_GATES = {"RNN_RELU": 1, "RNN_TANH": 1, "LSTM": 4, "GRU": 3}


@primitives(reverse=lambda _: ops.ReverseV2([0]), reverse_sequence=lambda _: ops.ReverseSequence(0, 1))
class _RNNBase(Cell):
    """Stacked layers of a kind of cell, uni- or bidirectional."""

    _cell_widths = (Width("input_size"),)

    def __init__(self, mode: str, input_size: int, hidden_size: int, num_layers: int = 1, has_bias: bool = True,
                 batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False,
                 dtype: Any = mstype.float32):  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        self.rnn: Any = _LAYERS[check_one_of(owner, "mode", mode, tuple(_LAYERS))]()
        self.input_size = check_positive_int(owner, "input_size", input_size)
        self.hidden_size = check_positive_int(owner, "hidden_size", hidden_size)
        self.num_layers = check_positive_int(owner, "num_layers", num_layers)
        self.has_bias = check_bool(owner, "has_bias", has_bias)
        self.batch_first = check_bool(owner, "batch_first", batch_first)
        self.dropout = check_float_range(owner, "dropout", dropout, 0.0, 1.0, include_high=False)
        self.bidirectional = check_bool(owner, "bidirectional", bidirectional)
        self.is_lstm = mode == "LSTM"
        self.dropout_op = Dropout(p=self.dropout)
        self._make_parameters(_GATES[mode] * hidden_size, dtype)

    def _make_parameters(self, gates: int, dtype: Any) -> None:
        """The weights of every layer and direction, in the order MindSpore draws them; then listed by kind."""
        kinds: dict[str, list[Parameter]] = {"weight_ih": [], "weight_hh": [], "bias_ih": [], "bias_hh": []}
        for layer in range(self.num_layers):
            size = self.hidden_size * (1 + self.bidirectional) if layer else self.input_size
            for suffix in ("", "_reverse")[: 1 + self.bidirectional]:
                shapes = {"weight_ih": (gates, size), "weight_hh": (gates, self.hidden_size)}
                if self.has_bias:
                    shapes |= {"bias_ih": (gates,), "bias_hh": (gates,)}
                for kind, shape in shapes.items():
                    name = f"{kind}_l{layer}{suffix}"
                    kinds[kind].append(_drawn(name, shape, self.hidden_size, dtype))
        self.w_ih_list = ParameterTuple(kinds["weight_ih"])
        self.w_hh_list = ParameterTuple(kinds["weight_hh"])
        self.b_ih_list = ParameterTuple(kinds["bias_ih"])
        self.b_hh_list = ParameterTuple(kinds["bias_hh"])

    def construct(self, x: Tensor, hx: Any = None, seq_length: Tensor | None = None) -> tuple[Tensor, Any]:
        self._check_input(x, seq_length)
        if self.batch_first:
            x = x.swapaxes(0, 1)
        states = self._initial_states(x, hx)
        directions = 1 + self.bidirectional
        last: list[Any] = []
        for layer in range(self.num_layers):
            outputs = []
            for index in range(layer * directions, (layer + 1) * directions):
                biases = (self.b_ih_list[index], self.b_hh_list[index]) if self.has_bias else (None, None)
                weights = self.w_ih_list[index], self.w_hh_list[index], *biases
                output, state = self.rnn(x, states[index], seq_length, *weights, index % directions == 1)
                outputs.append(output)
                last.append(state)
            x = outputs[0] if directions == 1 else ops.concat(outputs, 2)
            if self.dropout and layer < self.num_layers - 1:
                x = self.dropout_op(x)
        stacked = tuple(ops.stack(parts) for parts in zip(*last, strict=True))
        return x.swapaxes(0, 1) if self.batch_first else x, stacked if self.is_lstm else stacked[0]

    def _check_input(self, x: Tensor, seq_length: Any) -> None:
        owner = type(self).__name__
        if x.ndim != 3 or x.shape[2] != self.input_size:
            order = "(batch, time, input_size)" if self.batch_first else "(time, batch, input_size)"
            raise refused(
                ValueError,
                f"For '{owner}', the 'x' must have shape {order} with input_size {self.input_size}, but got {x.shape}.",
            )
        if seq_length is None:
            return
        if not isinstance(seq_length, Tensor) or seq_length.dtype not in (mstype.int32, mstype.int64):
            got = seq_length.dtype if isinstance(seq_length, Tensor) else shown(seq_length)
            raise refused(
                TypeError, f"For '{owner}', the 'seq_length' must be a Tensor of Int32 or Int64, but got {got}."
            )
        batch = x.shape[0 if self.batch_first else 1]
        if seq_length.shape != (batch,):
            raise refused(
                ValueError,
                f"For '{owner}', the 'seq_length' must have shape ({batch},), one per sequence, but got {seq_length.shape}.",
            )

    def _initial_states(self, x: Tensor, hx: Any) -> Any:
        """The state each layer and direction starts with: a Tensor, for LSTM a pair; None is 0."""
        count = self.num_layers * (1 + self.bidirectional)
        if hx is None:
            return (None,) * count
        owner = type(self).__name__
        if self.is_lstm and not (isinstance(hx, (tuple, list)) and len(hx) == 2):
            raise refused(TypeError, f"For '{owner}', the 'hx' must be a tuple of two Tensors, but got {shown(hx)}.")
        if not self.is_lstm and not isinstance(hx, Tensor):
            raise refused(WrongObject, f"For '{owner}', the 'hx' must be a Tensor, but got {shown(hx)}.")
        shape = (count, x.shape[1], self.hidden_size)
        for state in hx if self.is_lstm else (hx,):
            check_state(owner, x, state, shape)
        return tuple(zip(*hx, strict=True)) if self.is_lstm else tuple(hx)


def _drawn(name: str, shape: tuple[int, ...], hidden_size: int, dtype: Any) -> Parameter:
    """A weight or bias, drawn from NumPy's generator, which ``set_seed`` seeds, as MindSpore does for these layers."""
    bound = 1 / math.sqrt(hidden_size)
    return Parameter(Tensor(np.random.uniform(-bound, bound, shape), dtype), name=name)


class RNN(_RNNBase):
    """Layers of plain recurrent cells: ``h = tanh(w_ih @ x + b_ih + w_hh @ h + b_hh)``.

    Args:
        input_size: the number of features of an input.
        hidden_size: the number of features of the state.
        num_layers: the number of layers on top of each other.
        has_bias: whether there are biases.
        batch_first: whether the input is (batch, time, input_size); otherwise it is (time, batch, input_size).
        dropout: the probability of setting an element between two layers to 0, in training.
        bidirectional: whether there are two directions, whose outputs are joined.
        dtype: the dtype of the Parameters.
        nonlinearity: 'tanh' or 'relu'.

    Inputs:
        - **x**: the sequences.
        - **hx**: the states at the start, (num_layers * directions, batch, hidden_size); 0 if not given.
        - **seq_length**: the length of every sequence; outputs beyond it are 0.

    Outputs:
        The states of the last layer at all times, and the last state of every layer and direction.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.RNN(10, 16, num_layers=2, bidirectional=True)
        >>> output, state = net(ops.ones((5, 3, 10)))
        >>> print(output.shape, state.shape)
        (5, 3, 32) (4, 3, 16)
    """

    if TYPE_CHECKING:

        def construct(self, x: Tensor, hx: Any = None, seq_length: Tensor | None = None) -> tuple[Tensor, Tensor]: ...

    def __init__(self, input_size: int, hidden_size: int, num_layers: int = 1, has_bias: bool = True,
                 batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False,
                 dtype: Any = mstype.float32, *, nonlinearity: str = "tanh"):  # fmt: skip
        if nonlinearity not in ("tanh", "relu"):
            raise refused(
                ValueError, f"For 'RNN', the 'nonlinearity' must be in ['tanh', 'relu'], but got {nonlinearity}."
            )
        super().__init__(f"RNN_{nonlinearity.upper()}", input_size, hidden_size, num_layers, has_bias, batch_first,
                         dropout, bidirectional, dtype)  # fmt: skip


class GRU(_RNNBase):
    """Layers of gated recurrent units.

    With the parts of weights and biases for reset, update and new, in this order:
    ``r = sigmoid(w_ir @ x + b_ir + w_hr @ h + b_hr)``, ``z`` likewise,
    ``n = tanh(w_in @ x + b_in + r * (w_hn @ h + b_hn))``, ``h = (1 - z) * n + z * h``.

    Arguments, inputs and outputs are those of RNN, without ``nonlinearity``.

    Examples:
        >>> from mindspore import nn, ops
        >>> output, state = nn.GRU(10, 16, batch_first=True)(ops.ones((3, 5, 10)))
        >>> print(output.shape, state.shape)
        (3, 5, 16) (1, 3, 16)
    """

    if TYPE_CHECKING:

        def construct(self, x: Tensor, hx: Any = None, seq_length: Tensor | None = None) -> tuple[Tensor, Tensor]: ...

    def __init__(self, input_size: int, hidden_size: int, num_layers: int = 1, has_bias: bool = True,
                 batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False,
                 dtype: Any = mstype.float32):  # fmt: skip
        super().__init__("GRU", input_size, hidden_size, num_layers, has_bias, batch_first, dropout, bidirectional,
                         dtype)  # fmt: skip


class LSTM(_RNNBase):
    """Layers of long short-term memory.

    With the parts of weights and biases for input, forget, new and output gate, in this order:
    ``i = sigmoid(w_ii @ x + b_ii + w_hi @ h + b_hi)``, ``f`` and ``o`` likewise, ``g`` with tanh;
    ``c = f * c + i * g``, ``h = o * tanh(c)``.

    Arguments, inputs and outputs are those of RNN, without ``nonlinearity``; ``hx`` and the last state are pairs (h, c).

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.LSTM(10, 16, num_layers=2)
        >>> start = ops.zeros((2, 3, 16)), ops.zeros((2, 3, 16))
        >>> output, (h, c) = net(ops.ones((5, 3, 10)), start)
        >>> print(output.shape, h.shape, c.shape)
        (5, 3, 16) (2, 3, 16) (2, 3, 16)
    """

    if TYPE_CHECKING:

        def construct(
            self, x: Tensor, hx: Any = None, seq_length: Tensor | None = None
        ) -> tuple[Tensor, tuple[Tensor, Tensor]]: ...

    def __init__(self, input_size: int, hidden_size: int, num_layers: int = 1, has_bias: bool = True,
                 batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False,
                 dtype: Any = mstype.float32):  # fmt: skip
        super().__init__("LSTM", input_size, hidden_size, num_layers, has_bias, batch_first, dropout, bidirectional,
                         dtype)  # fmt: skip
