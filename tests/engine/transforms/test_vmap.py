"""``vmap``: a function of single examples on whole batches, in both modes."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X = Tensor(np.arange(6).reshape(2, 3).astype(np.float32))
Y = Tensor([1.0, 10.0, 100.0])


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=before)


@pytest.fixture(params=["called", "jit"])
def way(request, mode):
    """As it is called: by itself, and as part of a compiled function."""
    return (lambda function: function) if request.param == "called" else ms.jit


def same(found, expected):
    np.testing.assert_allclose(found.asnumpy(), np.asarray(expected), 1e-5, 1e-5)


def test_mapped_tensors_lack_their_axis_inside(way):
    def total(x, y):
        return (x * y).sum(), Tensor(x.shape)

    sums, shapes = way(ops.vmap(total, in_axes=(0, None)))(X, Y)
    same(sums, [210, 543])
    same(shapes, [[3], [3]])


@pytest.mark.parametrize("in_axes, out_axes, turned", [(0, 0, False), (1, 0, True), (-1, -1, False), ([-2], [1], True)])
def test_axes_count_from_both_ends(in_axes, out_axes, turned):
    found = ops.vmap(lambda x: x * 2, in_axes, out_axes)(X)
    same(found, X.asnumpy().T * 2 if turned else X.asnumpy() * 2)


def test_nested_arguments_and_results(way):
    def combined(pair, factor):
        return {"sum": pair[0] + pair[1] * factor}, [pair[0].sum(), 7], None

    first, (second, seven), nothing = way(ops.vmap(combined, in_axes=((0, None), None)))((X, Y), 2.0)
    same(first["sum"], X.asnumpy() + Y.asnumpy() * 2)
    same(second, [3, 12])
    same(seven, [7, 7])
    assert nothing is None


def test_results_that_are_not_mapped():
    found, number, shared = ops.vmap(lambda x, y: (x, 3, y * 2), in_axes=(0, None), out_axes=(1, None, None))(X, Y)
    assert found.shape == (3, 2) and number == 3
    same(shared, Y.asnumpy() * 2)


def test_arguments_by_name_count_at_their_place():
    def scaled(x, factor=1.0, shift=0.0):
        return x * factor + shift

    same(ops.vmap(scaled)(X, factor=Tensor([1.0, 2.0])), X.asnumpy() * [[1], [2]])
    same(ops.vmap(scaled, in_axes=(0, None))(x=X, factor=Y), X.asnumpy() * Y.asnumpy())
    same(ops.vmap(scaled, in_axes=(0,))(X, shift=Y), X.asnumpy() + Y.asnumpy())


def test_inside_itself_and_of_primitives(way):
    table = way(lambda x, y: ops.vmap(ops.vmap(ops.Add(), (None, 0)), (0, None))(x, y))(Y, X[0])
    same(table, Y.asnumpy()[:, None] + X.asnumpy()[0])


def test_branches_and_loops_go_element_by_element(way):
    def collatz(n):
        steps = n * 0
        while n != 1:
            steps = steps + 1
            if n % 2 == 0:
                n = n // 2
                continue
            n = 3 * n + 1
        return steps

    same(way(ops.vmap(collatz))(Tensor([1, 2, 3, 6, 7])), [0, 1, 7, 8, 16])


def test_what_is_done_for_some_elements_alone_is_refused(way):
    def picky(x):
        if x.sum() > 100:
            raise ValueError("too large")
        return x

    def checked(x):
        assert x.sum() < 10, "too large"
        return x

    with pytest.raises(RuntimeError, match="must not print, raise or call Python functions in a branch"):
        way(ops.vmap(picky))(X)
    with pytest.raises(AssertionError, match="too large"):
        way(ops.vmap(checked))(X)
    same(way(ops.vmap(checked))(X / 2), X.asnumpy() / 2)


def test_python_functions_that_keep_their_order_are_refused():
    double = ops.Custom(lambda x: x * 2, lambda shape: shape, lambda dtype: dtype, "pyfunc")
    with pytest.raises(RuntimeError, match=r"must not call Python functions.*stateful=False"):
        ops.vmap(lambda x: double(x))(X)


class Affine(nn.Cell):
    def __init__(self, weight):
        super().__init__()
        self.weight = Parameter(Tensor(weight, ms.float32), name="weight")

    def construct(self, x):
        return ops.tanh(x * self.weight).sum()


def test_gradients_go_through_it_and_through_shared_parameters(mode):
    net = Affine([0.1, 0.2, 0.3])
    by_vmap = ms.grad(lambda x: ops.vmap(net)(x).sum(), 0, net.trainable_params())(X)
    at_once = ms.grad(lambda x: ops.tanh(x * net.weight).sum(), 0, net.trainable_params())(X)
    same(by_vmap[0], at_once[0].asnumpy())
    same(by_vmap[1][0], at_once[1][0].asnumpy())


def test_gradients_inside_are_one_per_element(mode):
    net = Affine([0.1, 0.2, 0.3])
    (found,) = ops.vmap(ms.grad(net, None, net.trainable_params()))(X)
    expected = X.asnumpy() / np.cosh(X.asnumpy() * [0.1, 0.2, 0.3]) ** 2
    same(found, expected)


def test_second_gradients(mode):
    inner = ms.grad(lambda x: ops.vmap(lambda row: (row**3).sum())(x).sum())
    same(ms.grad(lambda x: inner(x).sum())(X), 6 * X.asnumpy())
    hessian = ops.vmap(ms.jacrev(ms.grad(lambda row: (row**3).sum())))(X)
    same(hessian, [np.diag(6 * row) for row in X.asnumpy()])


def test_gradient_of_a_result_that_is_not_mapped_counts_once(mode):
    def loss(x, y):
        rows, shared = ops.vmap(lambda row, y: (row * y, y * y), in_axes=(0, None), out_axes=(0, None))(x, y)
        return rows.sum() + shared.sum()

    same(ms.grad(loss, 1)(X, Y), X.asnumpy().sum(0) + 2 * Y.asnumpy())


def test_random_numbers_are_shared_and_move_on(mode):
    def noisy(x):
        return x * 0 + ops.standard_normal((3,))

    first, second = ops.vmap(noisy)(X).asnumpy(), ops.vmap(noisy)(X).asnumpy()
    np.testing.assert_array_equal(first[0], first[1])
    assert not np.array_equal(first, second)


traces = []


@ms.constexpr
def note_trace():
    traces.append(1)


def test_it_is_traced_once_per_form(mode):
    def double(x):
        note_trace()
        return x * 2

    x = ops.ones((2, 5 + mode))  # a form of its own, for graphs do not ask for the mode
    start = len(traces)
    ops.vmap(double)(x)
    count = len(traces)
    assert count > start
    for _ in range(3):
        same(ops.vmap(double)(x + 1), np.full(x.shape, 4))
    assert len(traces) == count


class Counting(nn.Cell):
    def __init__(self, by_element):
        super().__init__()
        self.count = Parameter(Tensor(0.0), name="count")
        self.by_element = by_element

    def construct(self, x):
        self.count += x.sum() if self.by_element else 1.0
        return x * self.count


def test_assignments_equal_for_all_elements_are_made_once(mode):
    net = Counting(by_element=False)
    same(ops.vmap(net)(X), X.asnumpy())
    assert float(net.count) == 1


def test_assignments_that_differ_are_refused_and_change_nothing(mode):
    net = Counting(by_element=True)
    with pytest.raises(
        RuntimeError, match=r"must not assign the Parameter 'count' a value that differs .*Return the values"
    ):
        ops.vmap(net)(X)
    assert float(net.count) == 0


class Normed(nn.Cell):
    def __init__(self, bias):
        super().__init__()
        self.dense, self.norm = nn.Dense(3, 3, bias_init=bias), nn.BatchNorm1d(3)

    def construct(self, x):
        return self.norm(self.dense(x))


def test_ensemble_is_each_cell_on_its_element(mode):
    inputs = Tensor(np.random.RandomState(0).randn(2, 4, 3).astype(np.float32))
    one_by_one, together = ([Normed(bias).set_train() for bias in (0.5, 2.0)] for _ in range(2))
    for source, copy in zip(one_by_one, together, strict=True):
        ms.load_param_into_net(copy, source.parameters_dict())
    expected = [cell(x).asnumpy() for cell, x in zip(one_by_one, inputs, strict=True)]
    same(ops.vmap(nn.CellList(together))(inputs), expected)
    for alone, member in zip(one_by_one, together, strict=True):
        same(member.norm.moving_mean, alone.norm.moving_mean.asnumpy())


def test_ensemble_with_one_input_for_all_has_gradients_of_its_own(mode):
    cells = nn.CellList([Affine([1.0, 2.0, 3.0]), Affine([0.1, 0.2, 0.3])])
    found = ms.grad(lambda x: ops.vmap(cells, in_axes=None)(x).sum(), None, cells.trainable_params())(X[0])
    expected = [ms.grad(cell, None, cell.trainable_params())(X[0])[0].asnumpy() for cell in cells]
    same(ops.stack(found), expected)


WRONG = [
    (lambda: ops.vmap(3), RuntimeError, "'fn' must be a function, a Cell or a CellList, but got 3"),
    (lambda: ops.vmap(ops.abs, "0"), RuntimeError, "axis in 'in_axes' can only be an int or None.*'0' of type str"),
    (lambda: ops.vmap(ops.abs, 0, (0, 1.5)), RuntimeError, "axis in 'out_axes' can only be an int or None.*1.5"),
    (lambda: ops.vmap(ops.abs, None), RuntimeError, "'in_axes' cannot be a single None"),
    (lambda: ops.vmap(ops.add, (None, None)), RuntimeError, "'in_axes' cannot be all None"),
    (lambda: ops.vmap(ops.abs, 0, None), RuntimeError, "'out_axes' cannot be a single None"),
    (lambda: ops.vmap(ops.add, (0,))(X, X), RuntimeError, "number of arguments of 'fn': 2, but got size 1"),
    (lambda: ops.vmap(ops.abs, ((0, 0),))(X), RuntimeError, "'in_axes' must be nested like"),
    (lambda: ops.vmap(ops.abs, 2)(X), RuntimeError, r"axis 2 in 'in_axes' is out of bounds.*\[-2, 2\)"),
    (lambda: ops.vmap(ops.abs)(Tensor(1.0)), RuntimeError, "0 dimensions there is none to map"),
    (lambda: ops.vmap(ops.abs, 0, -3)(X), RuntimeError, "axis -3 in 'out_axes' is out of bounds"),
    (lambda: ops.vmap(ops.abs, 0, (0, 0))(X), RuntimeError, "number of results of 'fn': 1, but got size 2"),
    (lambda: ops.vmap(lambda x: (x, x.sum()), 0, (0, None))(X), RuntimeError, "axis of result 1 in 'out_axes' must be an int"),
    (lambda: ops.vmap(ops.add)(X, Y), RuntimeError, "must be equal, but got 2 and 3"),
    (lambda: ops.vmap(ops.add)(X, 2.0), RuntimeError, "must be a Tensor, but got 2.0 of type float.*in_axes=.0, None."),
    (lambda: ops.vmap(lambda: X)(), RuntimeError, "at least one argument must be a Tensor that is mapped"),
    (lambda: ops.vmap(nn.CellList([Affine(1.0)])), RuntimeError, "at least two Cells"),
    (lambda: ops.vmap([Affine(1.0), Affine([1.0])]), RuntimeError, "must have the same structure, but Cell 1"),
    (lambda: ops.vmap([Affine(1.0)] * 3)(X), ValueError, "the number of Cells in the 'CellList', 3, but got 2"),
]  # fmt: skip


@pytest.mark.parametrize("call, kind, message", WRONG)
def test_wrong_calls_say_what_is_allowed(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
