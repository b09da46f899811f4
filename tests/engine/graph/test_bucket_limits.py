"""How far inputs are filled up: far where that costs less than compiling again."""

import numpy as np
import pytest

from mindspore import Tensor, nn, ops
from tests.engine.graph.test_sizes import compilations, floats, ids


class Encoder(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table, self.dense = nn.Embedding(50, 64), nn.Dense(64, 10)
        layer = nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)

    def construct(self, x):
        return self.dense(self.encoder(self.table(x)).mean(1))


class Sentences(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table, self.lstm, self.dense = nn.Embedding(50, 8), nn.LSTM(8, 16, batch_first=True), nn.Dense(16, 4)

    def construct(self, x):
        return self.dense(self.lstm(self.table(x))[0][:, -1])


class Pictures(nn.Cell):
    def __init__(self):
        super().__init__()
        self.convolution, self.norm, self.pool = nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.MaxPool2d(2, 2)
        self.dense = nn.Dense(16 * 16 * 16, 10)

    def construct(self, x):
        return self.dense(ops.flatten(self.pool(ops.relu(self.norm(self.convolution(x))))))


def limits(network):
    """Of the bucket that was made last."""
    (family,) = network._graphs_of().sizes.families.values()
    return family.graphs[-1].plan.limits


def test_a_network_that_computes_little_is_filled_up_far():
    network = nn.Dense(8, 8)
    for rows in (9, 12):
        network(floats(rows, 8))
    assert limits(network) == {"n0": 256}


def test_a_network_that_computes_much_is_filled_up_less():
    network = nn.Dense(1024, 1024)
    for rows in (9, 12):
        network(floats(rows, 1024))
    assert limits(network) == {"n0": 64}


def test_a_size_that_is_much_work_already_goes_to_the_next_power_of_two():
    network = nn.Dense(1024, 1024)
    for rows in (9, 200):
        network(floats(rows, 1024))
    assert limits(network) == {"n0": 256}


def test_work_inside_of_loops_counts():
    network = nn.LSTM(256, 256, batch_first=True).set_train(False)
    for length in (9, 12):
        network(floats(16, length, 256))
    assert limits(network)["n0"] < 64


@pytest.mark.heavy
@pytest.mark.parametrize("lengths", [range(10, 501, 10), range(9, 59)], ids=["far", "near"])
@pytest.mark.parametrize("kind", [Encoder, Sentences, Pictures], ids=lambda kind: kind.__name__)
def test_fifty_sizes_need_few_graphs(kind, lengths):
    network = kind().set_train(False)
    for size in lengths:
        x = floats(size, 3, 32, 32) if kind is Pictures else ids(2, size)
        got = network(x).asnumpy()
        if size % 7 == 0:
            np.testing.assert_allclose(got, network._cell_run(x).asnumpy(), rtol=1e-4, atol=1e-5)
    most = {Encoder: 2, Sentences: 2, Pictures: 5 if lengths[-1] == 500 else 2}[kind]
    assert compilations(network) <= most


@pytest.mark.heavy
def test_hundreds_of_tokens_need_few_graphs():
    class Cache(nn.Cell):
        def construct(self, past, x):
            keys = ops.concat((past, x), axis=1)
            return ops.bmm(ops.softmax(ops.bmm(x, keys.swapaxes(1, 2)), -1), keys), keys

    network, past = Cache(), floats(1, 1, 4)
    for _ in range(300):
        past = network(past, Tensor(np.ones((1, 1, 4), np.float32)))[1]
    assert past.shape == (1, 301, 4)
    assert compilations(network) <= 4
