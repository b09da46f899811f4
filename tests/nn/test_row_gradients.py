"""Gradients of tables keep the rows that were looked up, from EmbeddingLookup to the update of those rows."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, RowTensor, Tensor, nn, ops
from mindspore._engine.execution.row_gradient import RowGradient
from mindspore._engine.graph.graph import Graph
from mindspore._engine.interpreter import choice

BATCHES = ([1, 3, 4], [3, 0, 2], [1, 2, 5])
# Tables of MindSpore 2.10 in graph mode after these batches.
EXPECTED = [
    ("LazyAdam", {},
     [-0.074413, 0.025587, 0.028599, 0.123927, 0.245176, 0.342768, 0.405499, 0.503391, 0.7, 0.8, 0.936119, 1.036119]),
    ("LazyAdam", {"weight_decay": 0.1},
     [-0.074413, 0.025587, 0.02822, 0.123695, 0.244762, 0.342677, 0.405191, 0.503301, 0.7, 0.8, 0.936119, 1.036119]),
    ("LazyAdam", {"loss_scale": 2.0, "use_nesterov": True},
     [-0.141384, -0.041385, -0.048917, 0.042472, 0.169939, 0.25812, 0.313987, 0.400936, 0.61, 0.71, 0.878626, 0.978626]),
    ("Adam", {},
     [-0.131935, -0.031935, -0.027986, 0.068226, 0.245176, 0.342768, 0.332449, 0.428713, 0.581199, 0.681199, 0.936119,
      1.036119]),
    ("Adam", {"use_lazy": True},
     [-0.074413, 0.025587, 0.028599, 0.123927, 0.245176, 0.342768, 0.405499, 0.503391, 0.7, 0.8, 0.936119, 1.036119]),
    ("FTRL", {},
     [-0.022034, -0.037842, -0.000798, 0.108561, 0.06011, 0.242506, 0.331749, 0.487874, 0.558368, 0.727819, 0.582677,
      0.870291]),
]  # fmt: skip


class Net(nn.Cell):
    """Squares of rows times a matrix."""

    def __init__(self, rows=6):
        super().__init__()
        table = Tensor(np.arange(2 * rows).reshape(rows, 2).astype(np.float32) / 10)
        self.lookup = nn.EmbeddingLookup(rows, 2, param_init=table)
        self.weight = Parameter(Tensor(np.array([[1, 2], [3, 4]], np.float32) / 4), name="weight")

    def construct(self, indices):
        return (ops.matmul(self.lookup(indices).reshape((-1, 2)), self.weight) ** 2).sum()


def indices(*rows):
    return Tensor(np.array(rows, np.int32))


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize(("name", "options", "expected"), EXPECTED)
def test_tables_become_what_they_become_in_mindspore(mode, name, options, expected):
    ms.set_context(mode=mode)
    net = Net()
    step = nn.TrainOneStepCell(net, getattr(nn, name)(net.trainable_params(), learning_rate=0.1, **options))
    for batch in BATCHES:
        step(indices(*batch))
    np.testing.assert_allclose(net.lookup.embedding_table.asnumpy().ravel(), expected, atol=2e-5)


def lazy_adam(table, moments, gradient, rows, step, rate=0.1):
    """Every row once, with the sum of its gradients."""
    first, second = moments
    for row in sorted(set(rows)):
        first[row] = 0.9 * first[row] + 0.1 * gradient[row]
        second[row] = 0.999 * second[row] + 0.001 * gradient[row] ** 2
        corrected = rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        table[row] -= corrected * first[row] / (np.sqrt(second[row]) + 1e-8)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_rows_that_come_twice_add_up_and_others_keep_their_moments(mode):
    ms.set_context(mode=mode)
    net = Net()
    table = net.lookup.embedding_table
    optimizer = nn.LazyAdam([table], 0.1)
    gradient_of = ms.grad(net, None, optimizer.parameters)
    expected, moments = table.asnumpy().copy(), np.zeros((2, 6, 2), np.float32)
    for step in range(1, 13):  # beyond the walks after which PyNative compiles
        rows = [1, 3, 3, step % 5]
        (gradient,) = gradient_of(indices(*rows))
        assert gradient.shape == (6, 2)
        lazy_adam(expected, moments, gradient.asnumpy().copy(), rows, step)
        optimizer((gradient,))
        np.testing.assert_allclose(table.asnumpy(), expected, atol=1e-5)
        np.testing.assert_allclose(optimizer.moment1[0].asnumpy(), moments[0], atol=1e-5)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_a_gradient_of_rows_is_a_tensor_like_any_other(mode):
    ms.set_context(mode=mode)
    net = Net()
    gathered = ops.Gather()

    def dense(rows):
        return (ops.matmul(gathered(net.lookup.embedding_table, rows, 0), net.weight) ** 2).sum()

    table = [net.lookup.embedding_table]
    (found,), (expected,) = ms.grad(net, None, table)(indices(2, 5, 2)), ms.grad(dense, None, table)(indices(2, 5, 2))
    assert isinstance(found, RowGradient) and isinstance(found, Tensor)
    assert not isinstance(expected, RowGradient)
    assert (found.dtype, found.ndim, found.size) == (expected.dtype, 2, 12)
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-6)
    np.testing.assert_allclose((found * 2 + 1).asnumpy(), expected.asnumpy() * 2 + 1, rtol=1e-6)
    np.testing.assert_allclose(
        ops.clip_by_norm(found, 1.0).asnumpy(), ops.clip_by_norm(expected, 1.0).asnumpy(), rtol=1e-5
    )
    with choice.compiled_at_once():
        ops.exp(found)  # its dense form goes to the device
    found.asnumpy()[:] = 0  # a copy
    np.testing.assert_array_equal(np.unique(found.indices.asnumpy()), [2, 5])
    found += 1.0
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy() + 1, rtol=1e-6)


def test_a_lookup_that_is_not_sparse_has_a_dense_gradient():
    lookup = nn.EmbeddingLookup(6, 2, target="DEVICE", sparse=False)
    (gradient,) = ms.grad(lambda rows: lookup(rows).sum(), None, lookup.trainable_params())(indices(2, 2, 5))
    assert not isinstance(gradient, RowGradient)
    assert gradient.asnumpy()[:, 0].tolist() == [0, 0, 2, 0, 0, 1]


def test_a_gradient_that_was_assigned_is_dense():
    net = Net()
    (gradient,) = ms.grad(net, None, [net.lookup.embedding_table])(indices(2, 5))
    ops.assign(gradient, Tensor(np.ones((6, 2), np.float32)))
    optimizer = nn.LazyAdam([net.lookup.embedding_table], 0.1)
    before = net.lookup.embedding_table.asnumpy().copy()
    optimizer((gradient,))
    np.testing.assert_allclose(net.lookup.embedding_table.asnumpy(), before - 0.1, atol=1e-5)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_lookups_of_one_table_add_up_and_a_dense_use_makes_it_dense(mode):
    ms.set_context(mode=mode)
    net = Net()
    table = net.lookup.embedding_table

    def twice(first, second):
        return net(first) + net(second)

    def beside(rows):
        return net(rows) + table.sum()

    for _ in range(10):
        (both,) = ms.grad(twice, None, [table])(indices(1, 2), indices(2, 0))
        (single,) = ms.grad(net, None, [table])(indices(1, 2, 2, 0))
        assert isinstance(both, RowGradient)
        np.testing.assert_allclose(both.asnumpy(), single.asnumpy(), rtol=1e-6)
        (mixed,) = ms.grad(beside, None, [table])(indices(1, 2, 2, 0))
        np.testing.assert_allclose(mixed.asnumpy(), single.asnumpy() + 1, rtol=1e-6)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_derivatives_of_derivatives_are_dense(mode):
    ms.set_context(mode=mode)
    net = Net()
    table = net.lookup.embedding_table

    def slope(rows):
        return (ms.grad(net, None, [table])(rows)[0] ** 2).sum()

    (second,) = ms.grad(slope, None, [table])(indices(1, 2))
    assert (np.abs(second.asnumpy()).sum(1) > 0).tolist() == [False, True, True, False, False, False]


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_a_scaled_loss_leaves_rows_alone_and_an_overflow_everything(mode):
    ms.set_context(mode=mode)
    net, plain = Net(), Net()
    optimizer = nn.LazyAdam(net.trainable_params(), 0.1)
    scaled = nn.TrainOneStepWithLossScaleCell(net, optimizer, Tensor(256.0))
    step = nn.TrainOneStepCell(plain, nn.LazyAdam(plain.trainable_params(), 0.1))
    for batch in BATCHES[:2]:
        scaled(indices(*batch))
        step(indices(*batch))
    table = net.lookup.embedding_table
    np.testing.assert_allclose(table.asnumpy(), plain.lookup.embedding_table.asnumpy(), atol=1e-5)
    assert table.asnumpy()[5].tolist() == pytest.approx([1.0, 1.1])
    before = table.asnumpy().copy()
    scaled.set_sense_scale(Tensor(3e38))
    assert bool(scaled(indices(1, 2, 5))[1])
    np.testing.assert_array_equal(table.asnumpy(), before)


def test_a_failed_check_writes_no_row():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    loss = nn.WithLossCell(nn.SequentialCell(net.lookup, nn.Dense(2, 3)), nn.CrossEntropyLoss())
    step = nn.TrainOneStepCell(loss, nn.LazyAdam(loss.trainable_params(), 0.1))
    step(indices(1, 2), indices(0, 2))
    before = net.lookup.embedding_table.asnumpy().copy()
    with pytest.raises(RuntimeError, match="cross_entropy"):
        step(indices(1, 3), indices(0, 7))
        net.lookup.embedding_table.asnumpy()
    np.testing.assert_array_equal(net.lookup.embedding_table.asnumpy(), before)


def test_a_step_needs_no_memory_of_the_size_of_the_table():
    ms.set_context(mode=ms.GRAPH_MODE)
    rows = 50_000
    net = Net(rows)
    step = nn.TrainOneStepCell(net, nn.LazyAdam(net.trainable_params(), 0.1))
    graphs, compile_graph = [], Graph._finish
    Graph._finish = lambda self, *args: (graphs.append(self), compile_graph(self, *args))[1]
    try:
        step(indices(1, 3, rows - 1))
    finally:
        Graph._finish = compile_graph
    needed = max(graph.executable.memory_analysis().temp_size_in_bytes for graph in graphs)
    assert needed < rows * 2 * 4 * 0.8  # one number for each row, no row


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_optimizers_take_row_tensors(mode):
    ms.set_context(mode=mode)
    for name, moved in (("LazyAdam", 0.1), ("ProximalAdagrad", 0.1), ("Momentum", None)):
        table = Parameter(Tensor(np.ones((4, 2), np.float32)), name="table")
        optimizer = nn.Momentum([table], 0.1, 0.9) if moved is None else getattr(nn, name)([table], learning_rate=0.1)
        rows = RowTensor(indices(2, 0), Tensor(np.full((2, 2), 1.0, np.float32)), (4, 2))
        optimizer((rows,))
        left = (table.asnumpy() == 1).all(1).tolist()
        assert left == [False, True, False, True]


def test_forms_for_rows_go_before_forms_for_tensors():
    kind = ops.MultitypeFuncGraph("kind")

    @kind.register("Tensor")
    def tensor(x):
        return "Tensor"

    @kind.register("RowTensor")
    def rows(x):
        return "RowTensor"

    net = Net()
    gradients = ms.grad(net, None, net.trainable_params())(indices(1, 2))
    assert sorted(map(kind, gradients)) == ["RowTensor", "Tensor"]
