"""Layers that `construct` makes are part of the graph: it is compiled once, also in branches, and runs as nowhere else."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X = Tensor([1.0, 2.0])


class Clipped(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([3.0, 4.0]), name="weight")

    def construct(self, x):
        clipped = nn.ClipByNorm()(x * self.weight, ops.cast(ops.tuple_to_array((1.0,)), ms.float32))
        ops.assign(self.weight, self.weight * 1.5)
        return clipped


class Branching(nn.Cell):
    def construct(self, x):
        if x.sum() > 0:
            return nn.Norm(axis=-1)(x)
        return nn.L1Loss()(x, x * 2)


class Counting(nn.Cell):
    factor = 7

    def __init__(self):
        super().__init__()
        self.factor = 1
        self.count = 0
        self.shift = Tensor([1.0, 2.0])

    def construct(self, x):
        self.count += 1
        return x * self.factor + self.shift + self.count


class Passing(nn.Cell):
    def construct(self, x):
        return Counting()(x)


class Holding(nn.Cell):
    def __init__(self, doubled):
        super().__init__()
        self.doubled = doubled * 2

    def construct(self, x):
        return self.doubled + x


class Given(nn.Cell):
    def construct(self, x):
        return Holding(x)(x)


@pytest.mark.parametrize("kind", [Clipped, Branching, Passing, Given])
def test_a_layer_that_construct_makes_costs_no_compilation_at_later_calls(kind):
    results = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        net = kind()
        results.append([net(x).asnumpy() for x in (X, -X, X, X)])
    np.testing.assert_allclose(results[0], results[1], rtol=1e-6)
    assert net._graphs_of().compilations == 1
    assert not net._graphs_of().broken


class Lazy(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = None

    def construct(self, x):
        if self.layer is None:
            self.layer = Counting()
        return self.layer(x)


def test_a_layer_that_construct_makes_and_keeps_has_its_state_at_later_calls():
    results = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        net = Lazy()
        results.append([net(x).asnumpy().tolist() for x in (X, -X, X, X)])
    assert results[0] == results[1] == [[3.0, 5.0], [2.0, 2.0], [5.0, 7.0], [6.0, 8.0]]


def test_a_range_that_a_graph_makes_is_a_tuple():
    class Net(nn.Cell):
        def construct(self, x):
            sizes = range(2, 5)
            steps = ops.tuple_to_array(range(x.shape[1])).astype(ms.float32)
            return ops.transpose(x, range(3)).reshape(sizes).sum(range(2)) + steps.sum() + sum((*range(1), 4))

    ms.set_context(mode=ms.GRAPH_MODE)
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    np.testing.assert_array_equal(Net()(Tensor(x)).asnumpy(), x.sum((0, 1)) + 3 + 4)


def test_tuple_to_array_takes_a_range_in_either_mode():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    vector = ops.tuple_to_array(range(3))
    assert vector.dtype == ms.int32 and vector.asnumpy().tolist() == [0, 1, 2]


def test_range_of_many_steps_stays_small_in_graphs():
    class Net(nn.Cell):
        def construct(self, x):
            return x if 5 in range(1 << 40) else -x

    ms.set_context(mode=ms.GRAPH_MODE)
    assert Net()(X).asnumpy().tolist() == [1.0, 2.0]
