"""Recurrent layers: against NumPy step by step, and behaviour the recorded answers do not show."""

from __future__ import annotations

import re

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops


def sample(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def lstm_by_hand(net: nn.LSTM, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One layer, one direction, (time, batch, input), with NumPy."""
    w, u, b, d = (p.asnumpy() for p in net.get_parameters())
    h = c = np.zeros((x.shape[1], net.hidden_size), np.float32)
    outputs = []
    for step in x:
        i, f, g, o = np.split(step @ w.T + b + h @ u.T + d, 4, -1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        outputs.append(h)
    return np.stack(outputs), h, c


def test_long_short_term_memory_follows_its_formulas(mode):
    net, x = nn.LSTM(3, 4), sample(5, 2, 3)
    output, (h, c) = net(Tensor(x))
    expected, last_h, last_c = lstm_by_hand(net, x)
    np.testing.assert_allclose(output.asnumpy(), expected, atol=1e-6)
    np.testing.assert_allclose(h.asnumpy()[0], last_h, atol=1e-6)
    np.testing.assert_allclose(c.asnumpy()[0], last_c, atol=1e-6)


@pytest.mark.parametrize(("layer", "cell"), [(nn.RNN, nn.RNNCell), (nn.GRU, nn.GRUCell), (nn.LSTM, nn.LSTMCell)])
def test_a_layer_is_its_cell_at_every_step(mode, layer, cell):
    whole, one = layer(3, 4), cell(3, 4)
    for theirs, own in zip(one.get_parameters(), whole.get_parameters(), strict=True):
        theirs.set_data(own.value())
    x = Tensor(sample(4, 2, 3))
    zeros = ops.zeros((2, 4), ms.float32)
    state = (zeros, zeros) if cell is nn.LSTMCell else zeros
    for step in x:
        state = one(step, state)
    last = whole(x)[1]
    for theirs, own in zip(state, last, strict=True) if cell is nn.LSTMCell else [(state, last)]:
        np.testing.assert_allclose(own.asnumpy()[0], theirs.asnumpy(), atol=1e-6)


def test_both_modes_agree_on_everything_at_once():
    net = nn.GRU(3, 4, bidirectional=True, batch_first=True)
    x, start, lengths = Tensor(sample(3, 6, 3)), Tensor(sample(2, 3, 4)), Tensor([6, 2, 4], ms.int32)
    results = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        gradient = ms.grad(lambda x, start: (net(x, start, lengths)[0] ** 2).sum(), (0, 1), net.trainable_params())
        results.append([net(x, start, lengths), gradient(x, start)])
    flat = [ops.concat([t.reshape(-1) for t in leaves(result)]).asnumpy() for result in results]
    np.testing.assert_allclose(flat[0], flat[1], rtol=1e-4, atol=1e-5)


def leaves(value):
    return [value] if isinstance(value, Tensor) else [leaf for one in value for leaf in leaves(one)]


def test_what_comes_after_the_end_of_a_sequence_changes_nothing(mode):
    net, lengths = nn.LSTM(2, 3, bidirectional=True), Tensor([2, 4, 1])
    x = sample(4, 3, 2)
    other = x.copy()
    other[2:, 0] = 7.0
    other[1:, 2] = -7.0
    first, second = (leaves(net(Tensor(data), None, lengths)) for data in (x, other))
    for one, two in zip(first, second, strict=True):
        np.testing.assert_array_equal(one.asnumpy(), two.asnumpy())
    alone = net(Tensor(x[:2, :1]))[0].asnumpy()
    np.testing.assert_allclose(first[0].asnumpy()[:2, :1], alone, atol=1e-6)
    assert not first[0].asnumpy()[2:, 0].any()


def test_dropout_between_layers_is_active_in_training_alone(mode):
    net, x = nn.RNN(3, 8, num_layers=2, dropout=0.5), Tensor(sample(4, 2, 3))
    assert (net(x)[0] == net(x)[0]).all()
    net.set_train()
    ms.set_seed(5)
    first, second = net(x)[0], net(x)[0]
    ms.set_seed(5)
    assert (net(x)[0] == first).all() and (first != second).any()


def test_no_dropout_after_the_last_layer():
    net, x = nn.GRU(3, 8, dropout=0.5).set_train(), Tensor(sample(4, 2, 3))
    assert (net(x)[0] == net(x)[0]).all()


def test_the_graph_does_not_grow_with_the_length():
    net = nn.LSTM(3, 4)
    ms.set_context(mode=ms.GRAPH_MODE)
    output, _ = net(Tensor(sample(2000, 1, 3)))  # unrolled, this would compile for minutes
    assert output.shape == (2000, 1, 4)


def test_dropout_may_be_an_int_as_in_old_programs():
    assert nn.LSTM(input_size=3, hidden_size=4, num_layers=1, has_bias=True, batch_first=False, dropout=0).dropout == 0


def test_the_state_may_be_a_list():
    start = [Tensor(sample(1, 2, 4)), Tensor(sample(1, 2, 4))]
    assert nn.LSTM(3, 4)(Tensor(sample(5, 2, 3)), start)[0].shape == (5, 2, 4)


def test_weights_are_trained(mode):
    net, x = nn.LSTM(2, 3), Tensor(sample(3, 2, 2))
    gradients = ms.grad(lambda x: net(x)[0].sum(), None, net.trainable_params())(x)
    assert [g.shape for g in gradients] == [(12, 2), (12, 3), (12,), (12,)]
    weight = net.trainable_params()[1]
    step = np.zeros((12, 3), np.float32)
    step[4, 1] = 1e-2
    start, sums = weight.asnumpy().copy(), []
    for sign in (1, -1):
        weight.set_data(Tensor(start + sign * step))
        sums.append(float(net(x)[0].sum()))
    assert gradients[1].asnumpy()[4, 1] == pytest.approx((sums[0] - sums[1]) / 2e-2, abs=1e-3)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: nn.LSTM(3, 4)(x, x), TypeError, "For 'LSTM', the 'hx' must be a tuple of two Tensors"),
        (lambda x: nn.GRU(3, 4)(x, (x, x)), TypeError, "For 'GRU', the 'hx' must be a Tensor"),
        (lambda x: nn.GRU(3, 4)(x, x), ValueError, r"the 'hx' must have shape \(1, 2, 4\), but got \(5, 2, 3\)"),
        (lambda x: nn.GRU(2, 4)(x), ValueError, r"\(time, batch, input_size\) with input_size 2, but got \(5, 2, 3\)"),
        (lambda x: nn.GRU(2, 4, batch_first=True)(x), ValueError, r"\(batch, time, input_size\)"),
        (
            lambda x: nn.RNN(3, 4)(x, None, [1, 2]),
            TypeError,
            "'seq_length' must be a Tensor of Int32 or Int64, but got",
        ),
        (lambda x: nn.RNN(3, 4)(x, None, Tensor([1])), ValueError, r"'seq_length' must have shape \(2,\)"),
        (lambda x: nn.RNNCell(3, 4)(x, x), ValueError, r"For 'RNNCell', the 'x' must have shape \(batch, 3\)"),
        (lambda x: nn.LSTMCell(3, 4)(x[0], x[0]), TypeError, "For 'LSTMCell', the 'hx' must be a tuple"),
        (lambda x: nn.LSTM(3, 4, dropout=1.0), ValueError, "For 'LSTM', the 'dropout' must be in range"),
        (lambda x: nn.RNN(3, 4, nonlinearity="sine"), ValueError, r"must be in \['tanh', 'relu'\], but got sine"),
    ],
)
def test_errors_say_what_was_passed_and_what_is_allowed(mode, call, error, text):
    with pytest.raises(error, match=text):
        call(Tensor(sample(5, 2, 3)))


LAYERS = {"LSTM": nn.LSTM, "GRU": nn.GRU, "RNN": nn.RNN}


class Weighted(nn.Cell):
    """A number from all outputs of a layer."""

    def __init__(self, layer, *given):
        super().__init__()
        self.layer, self.given = layer, given

    def construct(self, x, weight):
        return (self.layer(x, *self.given)[0] * weight).sum()


@pytest.mark.parametrize("kind", LAYERS)
def test_a_training_step_walks_through_time_once_forward_and_once_back(kind):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Weighted(LAYERS[kind](3, 4))
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1)).set_train()
    step(Tensor(sample(5, 2, 3)), Tensor(sample(5, 2, 4)))
    (graphs,) = step._graphs_of().graphs.values()
    walks = r' while\(|custom_call_target="mycelium_recurrent'  # loops of XLA's, or kernels of our own
    assert len(re.findall(walks, graphs[0].executable.as_text())) == 2


@pytest.mark.parametrize(("kind", "lengths"), [("LSTM", None), ("LSTM", [5, 2]), ("GRU", [5, 2]), ("RNN", None)])
def test_forward_and_reverse_mode_give_the_slope(kind, lengths, mode):
    given = () if lengths is None else (None, Tensor(lengths, ms.int32))
    net = Weighted(LAYERS[kind](3, 4, bidirectional=True), *given)
    x, along, weight = sample(5, 2, 3), sample(2, 5, 3).reshape(5, 2, 3), Tensor(sample(5, 2, 8))
    gradients, of_weights = ms.grad(net, 0, net.trainable_params())(Tensor(x), weight)
    forward = ms.jvp(lambda x: net(x, weight), Tensor(x), Tensor(along))[1].asnumpy()
    slope = (float(net(Tensor(x + 0.01 * along), weight)) - float(net(Tensor(x - 0.01 * along), weight))) / 0.02
    np.testing.assert_allclose([(gradients.asnumpy() * along).sum(), forward], slope, 1e-2, 1e-2)
    for parameter, gradient in zip(net.trainable_params(), of_weights, strict=True):
        at, along = parameter.asnumpy(), sample(*parameter.shape)
        ends = []
        for distance in (0.01, -0.01):
            parameter.set_data(Tensor(at + distance * along))
            ends.append(float(net(Tensor(x), weight)))
        parameter.set_data(Tensor(at))
        np.testing.assert_allclose((gradient.asnumpy() * along).sum(), (ends[0] - ends[1]) / 0.02, 2e-2, 2e-2)


@pytest.mark.parametrize("kind", LAYERS)
def test_gradients_of_gradients_know_the_weights(kind):
    net = Weighted(LAYERS[kind](3, 4))
    x, along, weight = Tensor(sample(5, 2, 3)), Tensor(sample(2, 5, 3).reshape(5, 2, 3)), Tensor(sample(5, 2, 4))
    recurrent = next(p for p in net.trainable_params() if "weight_hh" in p.name)

    def slope():
        return (ms.grad(net)(x, weight) * along).sum()

    found = ms.grad(slope, None, recurrent)().asnumpy()
    at, turn = recurrent.asnumpy(), sample(*recurrent.shape)
    ends = []
    for distance in (0.01, -0.01):
        recurrent.set_data(Tensor(at + distance * turn))
        ends.append(float(slope()))
    np.testing.assert_allclose((found * turn).sum(), (ends[0] - ends[1]) / 0.02, 2e-2, 1e-2)


@pytest.mark.parametrize("kind", [nn.RNNCell, nn.GRUCell, nn.LSTMCell])
def test_the_weights_of_a_recurrent_cell_are_drawn_again(kind):
    net = kind(4, 5)
    before = [parameter.asnumpy() for parameter in net.get_parameters()]
    net.reset_parameters()
    for old, new in zip(before, net.get_parameters(), strict=True):
        assert not np.array_equal(old, new.asnumpy())
        assert np.abs(new.asnumpy()).max() <= 5**-0.5
