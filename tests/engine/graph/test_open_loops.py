"""Sequences of any length through recurrent layers, loops and branches share a graph."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from tests.engine.graph.test_sizes import assert_as_in_pynative, compilations, floats

LAYERS = {
    "LSTM": lambda: nn.LSTM(3, 4, num_layers=2, batch_first=True),
    "both ways": lambda: nn.LSTM(3, 4, bidirectional=True, batch_first=True),
    "GRU": lambda: nn.GRU(3, 4, batch_first=True),
    "RNN": lambda: nn.RNN(3, 4, batch_first=True, bidirectional=True),
}


class Recurrent(nn.Cell):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def construct(self, x, lengths=None):
        outputs, last = self.layer(x) if lengths is None else self.layer(x, seq_length=lengths)
        last = last if isinstance(last, tuple) else (last,)
        return outputs, outputs[:, -1], *last


@pytest.mark.parametrize("name", LAYERS)
def test_a_recurrent_layer_ends_where_the_sequence_ends(name):
    network = Recurrent(LAYERS[name]()).set_train(False)
    assert_as_in_pynative(network, [(floats(2, length, 3),) for length in (5, 7, 3, 40)])
    assert compilations(network) == 2


def test_sequences_and_batches_of_any_size_with_lengths_of_their_own():
    network = Recurrent(nn.LSTM(3, 4, batch_first=True)).set_train(False)
    calls = [(2, 5), (3, 7), (4, 4), (2, 9)]
    inputs = [(floats(batch, steps, 3), Tensor(np.arange(batch) + 2, ms.int32)) for batch, steps in calls]
    assert_as_in_pynative(network, inputs)
    assert compilations(network) == 2


def test_a_recurrent_layer_of_half_precision():
    network = Recurrent(nn.GRU(3, 4, batch_first=True, dtype=ms.float16)).set_train(False)
    for length in (5, 7, 3):
        x = floats(2, length, 3).astype(ms.float16)
        for one, expected in zip(network(x), network._cell_run(x), strict=True):
            np.testing.assert_allclose(one.asnumpy(), expected.asnumpy(), rtol=1e-2, atol=1e-3)
    assert compilations(network) == 2


class Repeats(nn.Cell):
    """Loops and branches on Tensors, over a state with an open axis."""

    def construct(self, x, times):
        while times > 0:
            x = x * 0.5 + x.mean(1, keep_dims=True)
            times = times - 1
        if x.sum() > 0:
            x = x - x.max(1, keepdims=True)
        return x, x.sum(1)


def test_loops_and_branches_on_tensors_hold_open_axes():
    network = Repeats()
    calls = [(floats(2, length) + shift, Tensor(3)) for length, shift in ((5, 3), (7, -3), (3, 3), (6, -3))]
    assert_as_in_pynative(network, calls)
    assert compilations(network) == 2


def test_a_loop_that_lets_its_state_grow_is_compiled_for_each_size():
    class Grows(nn.Cell):
        def construct(self, x):
            for _ in range(2):
                x = ops.concat((x, x[:, :1]), 1)
            return x

    assert_as_in_pynative(Grows(), [(floats(2, length),) for length in (5, 7, 3)])
