"""Recurrent Primitives against the recurrent layers, whose answers are compared with real MindSpore's."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops

TIME, BATCH, INPUT, HIDDEN = 4, 2, 3, 5


def sample(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


def weights_of(net: nn.Cell) -> list[np.ndarray]:
    return [parameter.asnumpy() for parameter in net.get_parameters()]


def close(result: Tensor, expected: Tensor | np.ndarray, tolerance: float = 1e-5) -> None:
    expected = expected.asnumpy() if isinstance(expected, Tensor) else expected
    np.testing.assert_allclose(result.asnumpy(), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("biases", [0, 1, 2])
def test_lstm_takes_its_weights_one_after_the_other(bidirectional, biases):
    directions = 1 + bidirectional
    net = nn.LSTM(INPUT, HIDDEN, has_bias=bool(biases), bidirectional=bidirectional)
    parts = weights_of(net)  # input weights, state weights, biases of inputs, biases of states
    weights, vectors = parts[: 2 * directions], parts[2 * directions :]
    if biases == 1:
        vectors = [a + b for a, b in zip(vectors[:directions], vectors[directions:], strict=True)]
    elif biases == 2:  # those of one direction stand together
        vectors = [vector for d in range(directions) for vector in vectors[d::directions]]
    flat = np.concatenate([part.ravel() for part in (*weights, *vectors)])[:, None, None]
    x, h, c = (Tensor(sample(n, BATCH, s)) for n, s in ((TIME, INPUT), (directions, HIDDEN), (directions, HIDDEN)))
    primitive = ops.LSTM(INPUT, HIDDEN, 1, bool(biases), bidirectional, 0.0)
    output, last_h, last_c, *_ = primitive(x, h, c + 1, Tensor(flat))
    expected, (expected_h, expected_c) = net(x, (h, c + 1))
    for result, wanted in ((output, expected), (last_h, expected_h), (last_c, expected_c)):
        close(result, wanted)


def test_lstm_refuses_a_weight_of_another_size():
    x, h = Tensor(sample(TIME, BATCH, INPUT)), Tensor(sample(1, BATCH, HIDDEN))
    with pytest.raises(ValueError, match="For 'LSTM', the 'w' must have 180 elements, but got 3"):
        ops.LSTM(INPUT, HIDDEN, 1, True, False, 0.0)(x, h, h, Tensor(sample(3)))
    with pytest.raises(ValueError, match="the 'dropout' must be 0 with several layers, but got"):
        ops.LSTM(INPUT, HIDDEN, 2, True, False, 0.5)


def test_dynamic_rnn_is_a_long_short_term_memory(mode):
    net = nn.LSTM(INPUT, HIDDEN)
    w_ih, w_hh, b_ih, b_hh = (np.split(part, 4) for part in weights_of(net))
    order = (0, 2, 1, 3)  # input, new, forget, output here; input, forget, new, output there
    weight = np.concatenate([np.concatenate([w_ih[i], w_hh[i]], 1).T for i in order], 1)
    bias = np.concatenate([b_ih[i] + b_hh[i] - (i == 1) for i in order])
    x, h, c = Tensor(sample(TIME, BATCH, INPUT)), Tensor(sample(1, BATCH, HIDDEN)), Tensor(sample(1, BATCH, HIDDEN))
    results = ops.DynamicRNN(forget_bias=1.0)(x, Tensor(weight), Tensor(bias), None, h, c)
    y, output_h, output_c, entry, new, forget, out, shown = results
    expected, (last_h, last_c) = net(x, (h, c))
    close(y, expected)
    close(output_h[-1], last_h[0])
    close(output_c[-1], last_c[0])
    close(out * shown, expected)
    close(forget * ops.concat((c, output_c[:-1])) + entry * new, output_c)


def test_dynamic_rnn_stops_at_the_lengths_and_clips_the_memory():
    x, weight, bias = Tensor(sample(TIME, BATCH, INPUT)), Tensor(sample(8, 20)), Tensor(sample(20))
    y, _, memory, *_ = ops.DynamicRNN(cell_clip=0.25)(x, weight, bias, Tensor([2, 4], ms.int32), None, None)
    assert not y[2:, 0].asnumpy().any() and y[3, 1].asnumpy().any()
    assert abs(memory.asnumpy()).max() <= 0.25


def test_dynamic_rnn_of_half_inputs_answers_in_the_dtype_of_the_bias():
    x, weight = Tensor(sample(TIME, BATCH, INPUT), ms.float16), Tensor(sample(8, 20), ms.float16)
    y, state, memory, *_ = ops.DynamicRNN()(x, weight, Tensor(sample(20)), None, None, None)
    assert (y.dtype, state.dtype, memory.dtype) == (ms.float32, ms.float16, ms.float32)


@pytest.mark.parametrize("gate_order", ["rzh", "zrh"])
def test_dynamic_gru_is_a_gated_recurrent_unit(mode, gate_order):
    net = nn.GRU(INPUT, HIDDEN)
    order = ["rzh".index(gate) for gate in gate_order]
    w_ih, w_hh, b_ih, b_hh = (np.concatenate([np.split(part, 3)[i] for i in order]) for part in weights_of(net))
    x, h = Tensor(sample(TIME, BATCH, INPUT)), Tensor(sample(BATCH, HIDDEN))
    primitive = ops.DynamicGRUV2(gate_order=gate_order)
    y, state, update, reset, new, share = primitive(
        x, Tensor(w_ih.T.copy()), Tensor(w_hh.T.copy()), Tensor(b_ih), Tensor(b_hh), None, h
    )
    expected, _ = net(x, h.expand_dims(0))
    before = ops.concat((h.expand_dims(0), state[:-1]))
    close(y, expected)
    close((1 - update) * new + update * before, expected)
    own = weights_of(net)
    close(share, before.asnumpy() @ np.split(own[1], 3)[2].T + np.split(own[3], 3)[2])
    assert (reset.asnumpy() > 0).all() and (reset.asnumpy() < 1).all()


def test_the_reset_gate_may_come_before_the_product():
    x, h = sample(1, BATCH, INPUT), sample(BATCH, HIDDEN)
    w, u = sample(INPUT, 3 * HIDDEN), sample(HIDDEN, 3 * HIDDEN)
    primitive = ops.DynamicGRUV2(reset_after=False)
    y, *_ = primitive(Tensor(x), Tensor(w), Tensor(u), None, None, None, Tensor(h))
    (w_r, w_z, w_n), (u_r, u_z, u_n) = np.split(w, 3, 1), np.split(u, 3, 1)
    reset = 1 / (1 + np.exp(-(x[0] @ w_r + h @ u_r)))
    update = 1 / (1 + np.exp(-(x[0] @ w_z + h @ u_z)))
    new = np.tanh(x[0] @ w_n + (reset * h) @ u_n)
    close(y[0], (1 - update) * new + update * h)


def test_other_kinds_are_refused_at_construction():
    with pytest.raises(ValueError, match="For 'DynamicRNN', the 'direction' must be one of"):
        ops.DynamicRNN(direction="BIDIRECTIONAL")
    with pytest.raises(ValueError, match="For 'DynamicGRUV2', the 'gate_order' must be one of"):
        ops.DynamicGRUV2(gate_order="hrz")
