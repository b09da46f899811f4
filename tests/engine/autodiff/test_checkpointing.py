"""Recomputation: the same values and gradients, with the forward pass run a second time in the backward pass."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.common.recompute import recompute


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=before)


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense, self.norm, self.drop = nn.Dense(4, 4), nn.BatchNorm1d(4), nn.Dropout(p=0.5)

    def construct(self, x):
        return ops.tanh(self.drop(self.norm(self.dense(x))))


class Network(nn.Cell):
    def __init__(self, way):
        super().__init__()
        self.first, self.second, self.way = Block(), Block(), way
        if way == "flag":
            self.first.recompute()
            self.second.recompute()

    def construct(self, x):
        if self.way == "function":
            return recompute(self.second, recompute(self.first, x)).sum()
        return self.second(self.first(x)).sum()


def outcome(way):
    ms.set_seed(1)
    network = Network(way).set_train()
    x = Tensor(np.random.RandomState(0).randn(3, 4).astype(np.float32))
    step = ms.value_and_grad(network, 0, network.trainable_params())
    results = []
    for _ in range(2):
        value, (gradient, of_weights) = step(x)
        results += [value, gradient, *of_weights, network.first.norm.moving_mean]
    return [one.asnumpy() for one in results]


@pytest.mark.parametrize("way", ["function", "flag"])
def test_random_numbers_and_moving_averages_are_those_of_one_run(mode, way):
    for found, expected in zip(outcome(way), outcome("plain"), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-4)  # sums that cancel to zero


class Cube(nn.Cell):
    def construct(self, x):
        return x * x * x


class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.calls = []

    def construct(self, x):
        self.calls.append(1)
        return x * x * x if x > 0 else x


def test_the_block_runs_again_in_the_backward_pass():
    before = ms.get_context("mode")
    ms.set_context(mode=ms.PYNATIVE_MODE)
    try:
        plain, again = Counting(), Counting()
        assert float(ms.grad(plain)(Tensor(2.0))) == float(ms.grad(lambda x: recompute(again, x))(Tensor(2.0))) == 12
        assert (len(plain.calls), len(again.calls)) == (1, 2)
    finally:
        ms.set_context(mode=before)


def test_second_derivatives(mode):
    assert float(ms.grad(ms.grad(lambda x: recompute(Cube(), x)))(Tensor(2.0))) == 12


def test_only_cells_are_recomputed():
    with pytest.raises(TypeError, match="'block' must be a Cell, but got function"):
        recompute(lambda x: x, Tensor(1.0))
