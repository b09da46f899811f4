"""Recurrent cells: one step at a time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore._ops.nn.recurrent import recurrent_cell
from mindspore._utils.checks import check_bool, check_one_of, check_positive_int, check_type, shown
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.initializer import Uniform, initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.inputs import Width
from mindspore.nn.layer._implementation.recurrent_state import check_state

__all__ = ["GRUCell", "LSTMCell", "RNNCell"]


class RNNCellBase(Cell):
    """What recurrent cells share: weights and biases of the input and of the state, ``num_chunks`` gates of each."""

    _cell_widths = (Width("input_size"),)

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool, num_chunks: int,
                 dtype: Any = mstype.float32):  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        self.input_size = check_positive_int(owner, "input_size", input_size)
        self.hidden_size = check_positive_int(owner, "hidden_size", hidden_size)
        self.has_bias = check_bool(owner, "has_bias", has_bias)
        gates = num_chunks * hidden_size
        shapes = {"weight_ih": (gates, input_size), "weight_hh": (gates, hidden_size)}
        if has_bias:
            shapes |= {"bias_ih": (gates,), "bias_hh": (gates,)}
        # MindSpore draws normal values and replaces them: the generator has to move on as far.
        np.random.standard_normal(sum(math.prod(shape) for shape in shapes.values()))
        bound = Uniform(scale=1 / math.sqrt(hidden_size))
        drawn = {name: Parameter(initializer(bound, shape, dtype), name=name) for name, shape in shapes.items()}
        self.weight_ih = drawn["weight_ih"]
        self.weight_hh = drawn["weight_hh"]
        self.bias_ih = drawn.get("bias_ih")
        self.bias_hh = drawn.get("bias_hh")

    def reset_parameters(self, dtype: Any = mstype.float32) -> None:
        """Draw the weights and biases again.

        Examples:
            >>> from mindspore import nn
            >>> net = nn.GRUCell(2, 3)
            >>> before = net.weight_ih.value()
            >>> net.reset_parameters()
            >>> bool((net.weight_ih == before).all())
            False
        """
        bound = Uniform(scale=1 / math.sqrt(self.hidden_size))
        for parameter in self.get_parameters():
            parameter.set_data(initializer(bound, parameter.shape, dtype).init_data())

    def _step(self, mode: str, x: Tensor, h: Any, c: Any = None) -> Any:
        owner = type(self).__name__
        check_type(owner, "x", x, Tensor)
        if x.ndim != 2 or x.shape[1] != self.input_size:
            raise refused(
                ValueError, f"For '{owner}', the 'x' must have shape (batch, {self.input_size}), but got {x.shape}."
            )
        for state in (h,) if c is None else (h, c):
            check_state(owner, x, state, (x.shape[0], self.hidden_size))
        return recurrent_cell(x, h, c, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh, mode)


class RNNCell(RNNCellBase):
    """A plain recurrent cell: ``tanh(w_ih @ x + b_ih + w_hh @ h + b_hh)``.

    Args:
        input_size: the number of features of an input.
        hidden_size: the number of features of the state.
        has_bias: whether there are biases.
        nonlinearity: 'tanh' or 'relu'.
        dtype: the dtype of the Parameters.

    Inputs:
        - **x**: (batch, input_size).
        - **hx**: the state, (batch, hidden_size).

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.RNNCell(10, 16)(ops.ones((3, 10)), ops.zeros((3, 16))).shape)
        (3, 16)
    """

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, nonlinearity: str = "tanh",
                 dtype: Any = mstype.float32):  # fmt: skip
        super().__init__(input_size, hidden_size, has_bias, 1, dtype)
        self.nonlinearity = check_one_of("RNNCell", "nonlinearity", nonlinearity, ("tanh", "relu"))

    def construct(self, x: Tensor, hx: Tensor) -> Tensor:
        return self._step(f"RNN_{self.nonlinearity.upper()}", x, hx)


class GRUCell(RNNCellBase):
    """A gated recurrent unit; the formulas are those of GRU.

    Args:
        input_size: the number of features of an input.
        hidden_size: the number of features of the state.
        has_bias: whether there are biases.
        dtype: the dtype of the Parameters.

    Inputs:
        - **x**: (batch, input_size).
        - **hx**: the state, (batch, hidden_size).

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.GRUCell(10, 16)(ops.ones((3, 10)), ops.zeros((3, 16))).shape)
        (3, 16)
    """

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: Any = mstype.float32):
        super().__init__(input_size, hidden_size, has_bias, 3, dtype)

    def construct(self, x: Tensor, hx: Tensor) -> Tensor:
        return self._step("GRU", x, hx)


class LSTMCell(RNNCellBase):
    """A cell of long short-term memory; the formulas are those of LSTM.

    Args:
        input_size: the number of features of an input.
        hidden_size: the number of features of the state.
        has_bias: whether there are biases.
        dtype: the dtype of the Parameters.

    Inputs:
        - **x**: (batch, input_size).
        - **hx**: the pair (h, c), each (batch, hidden_size).

    Outputs:
        The next pair (h, c).

    Examples:
        >>> from mindspore import nn, ops
        >>> state = ops.zeros((3, 16)), ops.zeros((3, 16))
        >>> h, c = nn.LSTMCell(10, 16)(ops.ones((3, 10)), state)
        >>> print(h.shape, c.shape)
        (3, 16) (3, 16)
    """

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: Any = mstype.float32):
        super().__init__(input_size, hidden_size, has_bias, 4, dtype)

    def construct(self, x: Tensor, hx: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        if not isinstance(hx, (tuple, list)) or len(hx) != 2:
            raise refused(TypeError, f"For 'LSTMCell', the 'hx' must be a tuple of two Tensors, but got {shown(hx)}.")
        return self._step("LSTM", x, *hx)


def _rnn_tanh_cell(inputs: Tensor, hidden: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Any, b_hh: Any) -> Tensor:
    """The next state of an Elman cell."""
    return recurrent_cell(inputs, hidden, None, w_ih, w_hh, b_ih, b_hh, "RNN_TANH")


def _rnn_relu_cell(inputs: Tensor, hidden: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Any, b_hh: Any) -> Tensor:
    """The next state of an Elman cell with ReLU."""
    return recurrent_cell(inputs, hidden, None, w_ih, w_hh, b_ih, b_hh, "RNN_RELU")


def _gru_cell(inputs: Tensor, hidden: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Any, b_hh: Any) -> Tensor:
    """The next state of a GRU."""
    return recurrent_cell(inputs, hidden, None, w_ih, w_hh, b_ih, b_hh, "GRU")


def _lstm_cell(inputs: Tensor, hidden: Any, w_ih: Tensor, w_hh: Tensor, b_ih: Any, b_hh: Any) -> tuple[Tensor, Tensor]:
    """The next state and memory of an LSTM; ``hidden`` is the pair of the last ones."""
    return recurrent_cell(inputs, *hidden, w_ih, w_hh, b_ih, b_hh, "LSTM")
