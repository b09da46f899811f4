"""Labels and other positions out of range: an error in both modes, in graphs when the results are fetched."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, mint, nn, ops
from mindspore._engine.base import deferred_checks
from mindspore._engine.config import config

X = Tensor(np.arange(12, dtype=np.float32).reshape(3, 4))
ROWS = Tensor(np.ones((2, 4), np.float32))
GOOD, BAD = Tensor([0, 1], ms.int32), Tensor([0, 9], ms.int32)


def fetched(results):
    """The first Tensor among the results, on the host."""
    while isinstance(results, (tuple, list)):
        results = results[0]
    return results.asnumpy()


def in_both_modes(function, *args):
    """The results of a function called as it is, and as a graph."""
    return [lambda: fetched(function(*args)), lambda: fetched(ms.jit(function)(*args))]


def _assigned(x, index, value):
    x = x.copy()
    x[index] = value
    return x


def _with_parameter(function):
    return lambda *args: function(Parameter(X, name="w"), *args)


CASES = {
    "gather": (lambda i: ops.gather(X, i, 0), [3, -4], RuntimeError),
    "gather of an axis": (lambda i: ops.gather(X, i, 1), [4, -5], RuntimeError),
    "gather_d": (lambda i: ops.gather_d(X, 1, i.reshape((1, 2))), [4, -5], RuntimeError),
    "gather_nd": (lambda i: ops.gather_nd(X, ops.stack([i * 0, i], 1)), [4, -1], RuntimeError),
    "index_select": (lambda i: ops.index_select(X, 0, i), [3, -4], RuntimeError),
    "take": (lambda i: ops.take(X, i), [12, -13], RuntimeError),
    "embedding": (lambda i: ops.embedding(i, X), [3, -1], RuntimeError),
    "x[i]": (lambda i: X[i], [3, -4], RuntimeError),
    "x[i], a number": (lambda i: X[i[1]], [3, -4], RuntimeError),
    "x[:, i]": (lambda i: X[:, i], [4, -5], RuntimeError),
    "x[i] = y, high": (lambda i: _assigned(X, i, 1.0), [3], ValueError),
    "x[i] = y, low": (lambda i: _assigned(X, i, 1.0), [-4], RuntimeError),
    "x[i] = y, a number": (lambda i: _assigned(X, i[1], 1.0), [3], ValueError),
    "index_add": (lambda i: X.index_add(0, i, ROWS), [3, -1], RuntimeError),
    "mint.index_add": (lambda i: mint.index_add(X, 0, i, ROWS), [3, -1], RuntimeError),
    "index_fill": (lambda i: ops.index_fill(X, 0, i, 1.0), [3, -4], RuntimeError),
    "index_put": (lambda i: X.index_put((i,), ROWS), [3, -4], ValueError),
    "scatter_update": (_with_parameter(lambda w, i: ops.scatter_update(w, i, ROWS)), [3, -1], RuntimeError),
    "scatter_nd_add": (_with_parameter(lambda w, i: ops.scatter_nd_add(w, i[:, None], ROWS)), [3, -1], RuntimeError),
    "tensor_scatter_add": (lambda i: ops.tensor_scatter_add(X, i[:, None], ROWS), [3, -1], RuntimeError),
    "tensor_scatter_update": (lambda i: ops.tensor_scatter_update(X, i[:, None], ROWS), [3], ValueError),
    "scatter_nd": (lambda i: ops.scatter_nd(i[:, None], Tensor([1.0, 2.0]), (3,)), [3, -1], RuntimeError),
    "unsorted_segment_sum": (lambda i: ops.unsorted_segment_sum(ROWS, i, 3), [3], RuntimeError),
    "cross_entropy": (lambda i: ops.cross_entropy(ROWS, i), [4, -5], RuntimeError),
    "nll_loss": (lambda i: ops.nll_loss(ROWS, i), [4, -5], RuntimeError),
    "NLLLoss": (lambda i: ops.NLLLoss()(ROWS, i, ROWS[0]), [4, -1], ValueError),
    "nn.CrossEntropyLoss": (lambda i: nn.CrossEntropyLoss()(ROWS, i), [4, -5], RuntimeError),
    "nn.SoftmaxCrossEntropyWithLogits": (
        lambda i: nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")(ROWS, i), [4, -1], RuntimeError),
    "SparseSoftmaxCrossEntropyWithLogits": (
        lambda i: ops.SparseSoftmaxCrossEntropyWithLogits()(ROWS, i), [4, -1], RuntimeError),
    "nn.FocalLoss": (lambda i: nn.FocalLoss()(ROWS, i[:, None]), [4, -5], RuntimeError),
    "multi_margin_loss": (lambda i: ops.multi_margin_loss(ROWS, i), [4, -1], ValueError),
    "reverse_sequence": (lambda i: ops.reverse_sequence(ROWS, i, 1), [5, -1], RuntimeError),
    "COOTensor": (
        lambda i: ms.COOTensor(i.reshape((1, 2)), Tensor([1.0]), (3, 3)).to_dense(), [3, -1], RuntimeError),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_position_out_of_range_is_refused(name):
    function, positions, kind = CASES[name]
    for call in in_both_modes(function, Tensor([1, 0], ms.int32)):
        call()
    for position in positions:
        for call in in_both_modes(function, Tensor([0, position], ms.int32)):
            with pytest.raises(kind, match=rf"must be (in \[.*\)|less than \d).*, but got {position}\."):
                call()


def test_the_label_that_is_ignored_is_allowed():
    for labels, ignored in (([0, -100], -100), ([255, 1], 255)):
        for call in in_both_modes(
            lambda y, i=ignored: ops.cross_entropy(ROWS, y, ignore_index=i), Tensor(labels, ms.int32)
        ):
            assert np.isfinite(call())


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(3, 4)
        self.dense = nn.Dense(4, 5)

    def construct(self, ids):
        rows = self.table(ids)  # the line that the message shows
        return self.dense(rows)


def test_the_message_names_operator_position_bounds_cells_and_line(mode):
    with pytest.raises(RuntimeError) as caught:
        Net()(BAD).asnumpy()
    message = str(caught.value)
    assert "For 'Gather', the 'input_indices' must be in [-3, 3), but got 9." in message
    assert "Net > Embedding" in message
    assert "test_index_checks.py" in message and "the line that the message shows" in message


def test_the_error_comes_with_the_results_and_once():
    pick = ms.jit(lambda x, i: ops.gather(x, i, 0))
    picked = pick(X, BAD)
    with pytest.raises(RuntimeError, match="Gather"):
        print(picked)
    np.testing.assert_array_equal(pick(X, GOOD).asnumpy(), X.asnumpy()[:2])
    assert not deferred_checks.pending


@pytest.mark.parametrize("ask", [float, int, bool, str, repr, np.asarray, lambda x: x.item(), lambda x: x.tolist(),
                                 lambda x: ms.runtime.synchronize(), lambda x: (x + 1).asnumpy()])  # fmt: skip
def test_every_way_to_look_at_a_result_tells(ask):
    picked = ms.jit(lambda x, i: x[i])(Tensor([1.0, 2.0]), Tensor(5))
    with pytest.raises(RuntimeError, match="got 5"):
        ask(picked)


def test_the_next_graph_tells_if_nobody_looked():
    pick = ms.jit(lambda x, i: ops.gather(x, i, 0))
    pick(X, BAD)._value.block_until_ready()
    with pytest.raises(RuntimeError, match="got 9"):
        pick(X, GOOD)


def test_the_end_of_the_program_tells_if_nobody_ever_looked(monkeypatch):
    told = []
    monkeypatch.setattr(deferred_checks.log, "error", lambda text, *args: told.append(text % args))
    ms.jit(lambda x, i: ops.gather(x, i, 0))(X, BAD)
    deferred_checks.look_at_the_end()
    assert len(told) == 1 and "got 9" in told[0]


def test_a_constant_out_of_range_is_refused_when_the_graph_is_compiled():
    with pytest.raises(RuntimeError, match="While compiling"):
        ms.jit(lambda x: ops.gather(x, Tensor([0, 9]), 0))(X)


# -- where checks have to find their way ------------------------------------------------------------------------------
def branches(x, i):
    if x.sum() > 0:
        return ops.gather(x, i, 0) * 2
    return x[:2]


def loop(x, i):
    step, total = Tensor(0), x[0] * 0
    while step < 2:
        total = total + x[i[step]]
        step = step + 1
    return total


def steps(x, i):
    total = x[0] * 0
    for number in i:
        total = total + x[number]
    return total


@ms.jit
def inner(x, i):
    return x[i]


def nested(x, i):
    return inner(x, i) * 2


def mapped(x, i):
    return ops.vmap(lambda number: x[number] * 1.0)(i)


WAYS = (branches, loop, steps, nested, mapped)


@pytest.mark.parametrize("function", WAYS)
def test_checks_pass_through(function, mode):
    for way in (function, ms.jit(function)):
        fetched(way(X, GOOD))
        with pytest.raises(RuntimeError, match="got 9"):
            fetched(way(X, BAD))


@pytest.mark.parametrize("function", WAYS)
def test_gradients_check_too(function, mode):
    for gradient in (ms.grad(function), ms.value_and_grad(function), ms.grad(ms.jit(function))):
        fetched(gradient(X, GOOD))
        with pytest.raises(RuntimeError, match="got 9"):
            fetched(gradient(X, BAD))


def test_the_branch_that_is_not_taken_does_not_check():
    assert fetched(ms.jit(branches)(-X, BAD)).shape == (2, 4)


def test_a_position_out_of_range_writes_nothing():
    @ms.jit
    def write(x, i):
        x[i] = -1.0
        return x

    with pytest.raises(ValueError, match="got 3"):
        fetched(write(X.copy(), Tensor(3)))


def test_recomputed_cells_check(mode):
    net = Net()
    net.table.recompute()
    gradient = ms.grad(lambda ids: net(ids).sum(), None, net.trainable_params())
    fetched(gradient(GOOD))
    with pytest.raises(RuntimeError, match="got 9"):
        fetched(gradient(BAD))


def test_a_training_step_that_fails_leaves_everything_as_it_was():
    net, loss = Net(), nn.CrossEntropyLoss()
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer)
    labels, wrong = Tensor([1, 2], ms.int32), Tensor([1, 7], ms.int32)
    step(GOOD, labels)
    before = [p.asnumpy() for p in (*optimizer.get_parameters(), *net.get_parameters())]
    with pytest.raises(RuntimeError, match=r"'cross_entropy'.* must be in \[-5, 5\), but got 7"):
        step(GOOD, wrong).asnumpy()
    after = [p.asnumpy() for p in (*optimizer.get_parameters(), *net.get_parameters())]
    for old, new in zip(before, after, strict=True):
        np.testing.assert_array_equal(old, new)
    step(GOOD, labels).asnumpy()
    assert any((old != p.asnumpy()).any() for old, p in zip(before, optimizer.get_parameters()))


def test_memory_is_reused_by_steps_that_check():
    net = nn.SequentialCell(nn.Embedding(2000, 1024), nn.Dense(1024, 8))
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer)
    step(GOOD, GOOD).asnumpy()
    ((graph,),) = step._graphs_of().graphs.values()
    assert graph.trace.checked and graph.placement.donated
    table = net[0].embedding_table.asnumpy()
    with pytest.raises(RuntimeError, match="got 9"):
        step(GOOD, BAD).asnumpy()
    np.testing.assert_array_equal(net[0].embedding_table.asnumpy(), table)


def test_gradients_of_a_graph_that_failed_are_not_applied(mode):
    net, loss = Net(), nn.CrossEntropyLoss()
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    gradient = ms.value_and_grad(lambda ids, labels: loss(net(ids), labels), None, optimizer.parameters)
    before = [p.asnumpy() for p in net.get_parameters()]
    with pytest.raises(RuntimeError, match="got 7"):
        optimizer(gradient(GOOD, Tensor([1, 7], ms.int32))[1])
    for old, p in zip(before, net.get_parameters(), strict=True):
        np.testing.assert_array_equal(old, p.asnumpy())


def test_checks_need_no_copies_of_optimizer_states():
    def copies():
        net = nn.SequentialCell(nn.Embedding(3000, 512), nn.Dense(512, 8))
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), nn.Adam(net.trainable_params()))
        step(GOOD, GOOD).asnumpy()
        ((graph,),) = step._graphs_of().graphs.values()
        assert graph.placement.donated
        return graph.executable.as_text().count(" copy(")

    with_checks = copies()
    config.check_indices.settle(False)
    try:
        assert with_checks <= copies()
    finally:
        config.check_indices.settle(True)


@pytest.mark.parametrize("sink", [False, True])
def test_model_train_stops_at_a_wrong_label(sink, mode):
    images = np.zeros((8, 4), np.float32)
    labels = np.array([0, 1, 2, 3, 4, 0, 1, 9], np.int32)
    data = ms.dataset.NumpySlicesDataset((images, labels), ["x", "y"], shuffle=False).batch(2)
    net = nn.Dense(4, 5)
    model = ms.train.Model(net, nn.CrossEntropyLoss(), nn.SGD(net.trainable_params(), 0.1))
    with pytest.raises(RuntimeError, match="got 9"):
        model.train(1, data, dataset_sink_mode=sink)


# -- what it costs, and the switch ------------------------------------------------------------------------------------
def test_a_graph_without_positions_has_no_checks():
    compiled = ms.jit(lambda x: x * 2)
    compiled(X)
    ((graph,),) = compiled.compiled.graphs.values()
    assert not graph.trace.checked


def test_checks_can_be_switched_off():
    config.check_indices.settle(False)
    try:
        np.testing.assert_array_equal(ms.jit(lambda x, i: ops.gather(x, i, 0))(X, BAD).asnumpy()[1], [0, 0, 0, 0])
        np.testing.assert_array_equal(ops.gather(X, BAD, 0).asnumpy()[1], [0, 0, 0, 0])
    finally:
        config.check_indices.settle(True)


def test_exported_graphs_hold_no_checks(tmp_path):
    for form in ("MINDIR", "ONNX"):
        ms.export(Net(), GOOD, file_name=str(tmp_path / "net"), file_format=form)
    net = nn.GraphCell(ms.load(str(tmp_path / "net.mindir")))
    assert net(GOOD).shape == (2, 5)


def test_large_positions_and_those_still_being_computed_are_checked_eagerly():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    many = np.zeros(100_000, np.int32)
    many[77_777] = 3
    with pytest.raises(RuntimeError, match="got 3"):
        ops.gather(X, Tensor(many), 0).asnumpy()
