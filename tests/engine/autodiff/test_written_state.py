"""What is written to a Parameter is no step of a derivative: it stays the leaf it is, and what reads it later adds to its
gradient. The numbers are MindSpore's in both modes."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

pytestmark = pytest.mark.usefixtures("mode")
X = [2.0, 5.0]


def add_assign(cell, x):
    cell.w += x


def set_attribute(cell, x):
    cell.w = x * x


def keep_average(cell, x):
    ops.assign(cell.w, 0.5 * cell.w + x)


def update(cell, x):
    nn.SGD([cell.w], 0.1)((x * x,))


WRITES = {
    "assign": lambda cell, x: ops.assign(cell.w, x * x),
    "Assign": lambda cell, x: ops.Assign()(cell.w, x * x),
    "assign_add": lambda cell, x: ops.assign_add(cell.w, x),
    "assign_sub": lambda cell, x: ops.assign_sub(cell.w, x * cell.w),
    "scatter": lambda cell, x: ops.scatter_update(cell.w, Tensor([0]), x[1:]),
    "scatter_nd": lambda cell, x: ops.scatter_nd_add(cell.w, Tensor([[0]]), x[1:]),
    "element": lambda cell, x: cell.w.__setitem__(0, x[1]),
    "mask": lambda cell, x: cell.w.__setitem__(cell.w > 1, x[1]),
    "copy_": lambda cell, x: cell.w.copy_(x * x),
    "attribute": set_attribute,
    "augmented": add_assign,
    "average": keep_average,
    "rule": update,
}


class Writing(nn.Cell):
    """Reads its weight before and after it is written."""

    def __init__(self, write):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0]), name="w")
        self.write = write

    def construct(self, x):
        before = (self.w * x).sum()
        self.write(self, x)
        return before + (self.w * x).sum()


@pytest.mark.parametrize("name", WRITES)
def test_reads_before_and_after_a_write_add_to_the_gradient(name):
    net = Writing(WRITES[name])
    by_input, (by_weight,) = ms.grad(net, 0, net.trainable_params())(Tensor(X))
    assert by_weight.asnumpy().tolist() == [4.0, 10.0]  # x, twice
    np.testing.assert_allclose(by_input.asnumpy(), np.array([1.0, 2.0]) + net.w.asnumpy(), rtol=1e-6)


def test_no_gradient_passes_through_a_frozen_parameter():
    class Averaging(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2, 2, weight_init="ones")
            self.average = Parameter(ops.zeros((2, 2)), name="average", requires_grad=False)

        def construct(self, x):
            ops.assign(self.average, 0.9 * self.average + 0.1 * self.dense.weight)
            return (self.dense(x) - ops.matmul(x, self.average)).sum()

    net = Averaging()
    (weight, _) = ms.grad(net, None, net.trainable_params())(Tensor([X]))
    np.testing.assert_allclose(weight.asnumpy(), [X, X], rtol=1e-6)


@pytest.mark.parametrize("add, expected", [(ops.assign_add, [3.0, 6.0, 9.0]), (ops.assign_sub, [-1.0, -2.0, -3.0])])
def test_the_result_of_assign_add_is_a_sum(add, expected):
    w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")

    def loss(x):
        return (x * add(w, x)).sum()

    by_input, by_weight = ms.grad(loss, 0, [w])(Tensor([1.0, 2.0, 3.0]))
    assert by_input.asnumpy().tolist() == expected
    assert by_weight[0].asnumpy().tolist() == [1.0, 2.0, 3.0]


def test_loops_and_branches_write_state_like_straight_code():
    class Stepping(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([1.0, 2.0]), name="w")

        def construct(self, x):
            step, y = Tensor(0), x * 0
            while step < 3:
                if x.sum() > 0:
                    self.w = self.w * x
                y = y + self.w * x
                step = step + 1
            return y

    net = Stepping()
    by_input, (by_weight,) = ms.grad(net, 0, [net.w])(Tensor(X))
    assert by_weight.asnumpy().tolist() == [6.0, 15.0]  # x, three times
    assert by_input.asnumpy().tolist() == [14.0, 310.0]  # the weights of the three steps
    assert net.w.asnumpy().tolist() == [8.0, 250.0]


def test_a_compiled_function_within_a_derivative_writes_state_alike():
    w = Parameter(Tensor([1.0, 2.0]), name="w")

    @ms.jit
    def inner(x):
        ops.assign(w, x * x)
        return w * x

    by_input, (by_weight,) = ms.grad(inner, 0, [w])(Tensor(X))
    assert by_input.asnumpy().tolist() == [4.0, 25.0]
    assert by_weight.asnumpy().tolist() == X


def test_derivatives_forward_and_of_second_order_agree():
    w = Parameter(Tensor([1.0, 2.0]), name="w")

    def cube(x):
        ops.assign(w, x * x)
        return w * x * x

    x, ones = Tensor(X), Tensor([1.0, 1.0])
    assert ms.grad(ms.grad(cube))(x).asnumpy().tolist() == [8.0, 50.0]
    assert ms.vjp(cube, x)[1](ones)[0].asnumpy().tolist() == [16.0, 250.0]
    assert ms.jvp(cube, x, ones)[1].asnumpy().tolist() == [16.0, 250.0]


def test_what_a_differentiated_function_writes_to_its_argument_is_kept():
    def loss(x, y):
        ops.assign(y, x * x)
        return (y * x).sum()

    y = Tensor([3.0, 4.0])
    by_x, by_y = ms.grad(loss, (0, 1))(Tensor(X), y)
    assert by_x.asnumpy().tolist() == [4.0, 25.0]
    assert by_y.asnumpy().tolist() == X
    assert y.asnumpy().tolist() == [4.0, 25.0]


def test_a_cell_that_is_recorded_for_a_gradient_writes_to_its_argument():
    class Tripling(nn.Cell):
        def construct(self, x):
            ops.assign(x, x * 3)
            return x * 2

    net, x = Tripling(), Tensor([1.0, 2.0])
    net.set_grad()
    net.set_train()
    assert net(x).asnumpy().tolist() == [6.0, 12.0]
    assert x.asnumpy().tolist() == [3.0, 6.0]
