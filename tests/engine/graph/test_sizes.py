"""New sizes: one graph serves many where results are the same, others are compiled, and nothing else changes."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._engine.graph import bucket_graph, sizes
from mindspore._utils import log

RANDOM = np.random.RandomState(0)


def floats(*shape):
    return Tensor(RANDOM.randn(*shape).astype(np.float32))


def ids(*shape):
    return Tensor(RANDOM.randint(0, 50, shape).astype(np.int32))


def compilations(network):
    return network._graphs_of().compilations


@pytest.fixture(params=["default", "graph"])
def graph(request):
    if request.param == "graph":
        ms.set_context(mode=ms.GRAPH_MODE)
    return request.param


def assert_as_in_pynative(network, calls):
    """Every call gives what PyNative mode gives."""
    for args in calls:
        got = network(*args)
        with_python = network._cell_run(*args)
        for one, expected in zip(*[x if isinstance(x, tuple) else (x,) for x in (got, with_python)], strict=True):
            assert one.shape == expected.shape
            np.testing.assert_allclose(one.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-5)


class Mean(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table, self.dense = nn.Embedding(50, 8), nn.Dense(8, 4)

    def construct(self, x):
        return self.dense(self.table(x)).mean(axis=1)


class Attention(nn.Cell):
    def __init__(self):
        super().__init__()
        self.places = ms.Parameter(floats(300, 8))
        self.norm, self.qkv, self.out = nn.LayerNorm((8,)), nn.Dense(8, 24), nn.Dense(8, 8)

    def construct(self, x):
        batch, length, width = x.shape
        parts = self.qkv(self.norm(x + self.places[:length])).reshape(batch, length, 2, 12).transpose(0, 2, 1, 3)
        query, key, value = ops.split(parts, 4, 3)
        later = ops.triu(ops.ones((length, length), ms.bool_), 1)
        scores = ops.matmul(query, key.swapaxes(2, 3)).masked_fill(later, -1e9)
        mixed = ops.matmul(ops.softmax(scores, -1), value).transpose(0, 2, 1, 3).reshape(batch, length, width)
        mixed = x + self.out(mixed)
        return mixed, mixed[:, -1], mixed.reshape(-1, width)


class Cache(nn.Cell):
    def construct(self, past, x):
        keys = ops.concat((past, x), axis=1)
        return ops.bmm(ops.softmax(ops.bmm(x, keys.swapaxes(1, 2)), -1), keys), keys


class Pictures(nn.Cell):
    def __init__(self):
        super().__init__()
        self.convolution, self.norm = nn.Conv2d(2, 4, 3), nn.BatchNorm2d(4)
        self.pool, self.dense = nn.MaxPool2d(2, 2), nn.Dense(4 * 9, 3)

    def construct(self, x):
        return self.dense(ops.flatten(self.pool(ops.relu(self.norm(self.convolution(x))))))


def test_lengths_share_a_graph_though_the_network_takes_their_mean(graph):
    network = Mean()
    assert_as_in_pynative(network, [(ids(2, length),) for length in (9, 12, 3, 40, 2, 12)])
    assert compilations(network) == 2


def test_lengths_share_a_graph_though_positions_attend_to_each_other(graph):
    network = Attention()
    assert_as_in_pynative(network, [(floats(2, length, 8),) for length in (9, 12, 3, 40)])
    assert compilations(network) == 2


def test_a_growing_cache_is_not_compiled_at_every_token(graph):
    network, past, whole = Cache(), floats(1, 1, 4), []
    for _ in range(12):
        x = floats(1, 1, 4)
        expected = network._cell_run(past, x)
        result, past = network(past, x)
        np.testing.assert_allclose(result.asnumpy(), expected[0].asnumpy(), rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(past.asnumpy(), expected[1].asnumpy())
        whole.append(past.shape[1])
    assert whole == list(range(2, 14))
    assert compilations(network) == 2


def test_batches_of_any_size_share_a_graph(graph):
    network = Pictures().set_train(False)
    assert_as_in_pynative(network, [(floats(batch, 2, 6, 6),) for batch in (5, 7, 3)])
    assert compilations(network) == 2


def test_axes_vary_together_or_each_by_itself(graph):
    class Masked(nn.Cell):
        def construct(self, x, mask):
            return ops.softmax(x.masked_fill(mask, -1e9), 1)

    network = Masked()
    calls = [(b, n) for b, n in ((2, 5), (2, 7), (3, 4), (4, 9), (2, 6))]
    assert_as_in_pynative(network, [(floats(b, n, 2), Tensor(RANDOM.rand(b, n, 1) > 0.5)) for b, n in calls])
    assert compilations(network) == 3


WEIGHT = floats(3, 4, 2)
OPERATIONS = {
    "reductions": lambda x: (x.sum(1), ops.amax(x, 1), x.argmax(1), x.prod(1), x.std(1), x.mean(), (x > 0).all(1)),
    "accumulation": lambda x: (ops.cumsum(x, 1), ops.log_softmax(x, 1)),
    "slices": lambda x: (x[:, -1], x[:, 1:], x[:, :-1], x[:, 0]),
    "layout": lambda x: (
        x.reshape(-1, 4),
        x.swapaxes(0, 1),
        ops.stack((x, x), 0),
        x.expand_dims(1),
        x.reshape(-1, 4).sum(0),
    ),
    "joining": lambda x: (ops.concat((x, x), 1), ops.concat((x[:, :1], x), 1), ops.tile(x, (1, 2, 1))),
    "order": lambda x: (ops.sort(x, 1)[0], ops.topk(x, 2, 2)[0]),
    "margins": lambda x: (ops.pad(x, (0, 0, 1, 2)), ops.pad(x, (0, 0, 0, 9 - x.shape[1]), value=2.0)),
    "places": lambda x: (
        ops.arange(x.shape[1]),
        ops.range(1, x.shape[1]),
        ops.arange(0, x.shape[1], 2),
        x * ops.arange(4),
    ),
    "turning": lambda x: (ops.flip(x, (1,)), ops.flip(x, (0, 1)), ops.cumsum(ops.flip(x, (1,)), 1), ops.roll(x, 1, 1)),
    "repeating": lambda x: (ops.tile(x, (1, 2, 1)), ops.tile(x, (2, 3, 1)).sum(1), ops.repeat_interleave(x, 2, 1)),
    "writing": lambda x: (
        ops.tensor_scatter_elements(x, ops.zeros_like(x).astype(ms.int32), x, 1, "add"),
        ops.zeros((9, 4)).index_add(0, ops.arange(x.shape[1]).astype(ms.int32), x[0]),
        ops.tensor_scatter_max(ops.zeros((3, 4)), ops.zeros((x.shape[1], 1), ms.int32), x[0]),
    ),
    "windows": lambda x: ops.conv1d(x.swapaxes(1, 2), WEIGHT),
    "pooling": lambda x: ops.avg_pool1d(x.swapaxes(1, 2), 2, 1),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operators_along_an_open_axis_give_the_same_numbers(name):
    class Network(nn.Cell):
        def construct(self, x):
            return OPERATIONS[name](x)

    network = Network()
    assert_as_in_pynative(network, [(floats(2, length, 4),) for length in (5, 7, 3)])
    assert compilations(network) == (3 if name == "pooling" else 2)  # it counts the elements of each window in NumPy


def test_not_a_number_beyond_a_size_reaches_no_result():
    class Network(nn.Cell):
        def construct(self, x, y):
            return ops.matmul(1 / x, y), (1 / x).sum(1), ops.amax(0 / x, 1)

    calls = [(floats(2, length) ** 2 + 1, floats(length, 3)) for length in (5, 7, 3)]
    network = Network()
    assert_as_in_pynative(network, calls)
    assert compilations(network) == 2


def test_code_that_asks_for_a_size_gets_the_true_one(graph):
    class Asks(nn.Cell):
        def construct(self, x):
            y = x * 2 if x.shape[1] == 7 else x
            return y + 1 if x.shape[1] % 2 else y

    assert_as_in_pynative(Asks(), [(floats(2, length),) for length in (5, 4, 7, 6, 7)])


def test_a_size_that_is_returned_or_kept_is_a_number(graph):
    class Keeps(nn.Cell):
        def construct(self, x):
            self.length = x.shape[1]
            return x * 2, x.shape[1]

    network = Keeps()
    for length in (5, 4, 7):
        assert network(floats(2, length))[1] == length
        assert network.length == length
        assert type(network.length) is int


def test_random_numbers_are_those_of_pynative_mode():
    class Noise(nn.Cell):
        def construct(self, x):
            return x + ops.rand_like(x)

    for length in (5, 7, 9):
        x = floats(2, length)
        ms.set_seed(3)
        got = Noise()(x)
        ms.set_seed(3)
        np.testing.assert_allclose(got.asnumpy(), Noise()._cell_run(x).asnumpy(), rtol=1e-6)


def test_axes_declared_open_share_a_graph_from_the_first_call(graph):
    network = Mean()
    network.set_inputs(Tensor(shape=[None, None], dtype=ms.int32))
    assert_as_in_pynative(network, [(ids(2, 9),), (ids(3, 11),), (ids(5, 30),)])
    assert compilations(network) <= 2


def test_a_size_of_a_program_that_needs_one_graph_each_is_compiled_when_it_comes_back():
    class Loops(nn.Cell):
        def construct(self, x):
            total = x[:, 0]
            for place in range(x.shape[1]):
                total = total * 0.5 + x[:, place]
            return total

    network = Loops()
    assert_as_in_pynative(network, [(floats(2, length),) for length in range(2, 8)])
    assert compilations(network) == 3
    assert_as_in_pynative(network, [(floats(2, 7),), (floats(2, 7),)])
    assert compilations(network) == 4


def test_more_than_ten_compilations_are_told_once_with_the_axis(monkeypatch):
    told = []
    monkeypatch.setattr(log, "once", lambda key, text, level=0: told.append((key, text)))
    ms.set_context(mode=ms.GRAPH_MODE)

    class Loops(nn.Cell):
        def construct(self, x, steps):
            return sum([steps[:, place] for place in range(steps.shape[1])], x)

    network, x = Loops(), floats(2)
    for length in range(2, 2 + sizes.OFTEN + 3):
        network(x, floats(2, length))
    texts = {text for key, text in told if key[0] == "sizes"}
    assert "'Loops'" in min(texts)
    assert "axis 1 of 'steps'" in min(texts)
    assert "set_inputs" in min(texts)


def test_a_size_used_much_leaves_a_bucket_that_is_too_large():
    network = Mean()
    network(ids(2, 9))
    x = ids(2, 12)
    expected = network(x).asnumpy()
    (family,) = network._graphs_of().sizes.families.values()
    family.graphs[0].executable.seconds = 0.0
    for limit in (16, None):
        network(x)
        np.testing.assert_allclose(network(x).asnumpy(), expected, rtol=1e-5)
        if limit is not None:
            assert family.graphs[-1].plan.limits == {"n0": limit}
            family.graphs[-1].executable.seconds = 0.0
    assert ((2, 12),) in family.exact


def test_gradients_and_training_are_compiled_for_each_size():
    network = Mean()
    step = ms.value_and_grad(lambda x: network(x).sum(), None, network.trainable_params())
    for length in (5, 7, 9):
        x = ids(2, length)
        value, gradients = step(x)
        ms.set_context(mode=ms.PYNATIVE_MODE)
        expected, others = step(x)
        ms.set_context(mode=ms.GRAPH_MODE)
        np.testing.assert_allclose(value.asnumpy(), expected.asnumpy(), rtol=1e-5)
        for one, other in zip(gradients, others, strict=True):
            np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-4, atol=1e-6)


def test_a_growing_cache_goes_to_the_device_once_per_call(graph, monkeypatch):
    """What is cut off stays on the host, where the next call fills it up again, and how to cut is worked out once per size."""
    counted = []
    cut_of = bucket_graph.cut_of
    monkeypatch.setattr(bucket_graph, "cut_of", lambda *given: (counted.append(1), cut_of(*given))[1])
    append = ms.jit(lambda cache, x: (ops.concat((cache, x), 0), (cache * 2).sum()))
    for times in (1, 2):
        cache = floats(2, 3)
        for length in range(3, 12):
            cache, _ = append(cache, floats(1, 3))
            assert cache.shape == (length, 3)
        assert isinstance(cache._value, np.ndarray) and not cache._value.flags.writeable
        assert 0 < len(counted) <= 9, times
    cache[0] = 7.0  # a new value; what another Tensor holds is left alone
    assert (cache.asnumpy()[0] == 7).all()
