"""Which inputs have gradients, what a recorded call is used for, and what sens may be. Facts: MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


def numbers(value):
    """Gradients as nested lists."""
    return tuple(map(numbers, value)) if isinstance(value, tuple) else value.asnumpy().tolist()


def product(x, y):
    return x * x * y


def tensor(*values):
    return Tensor(list(values), ms.float32)


@pytest.mark.parametrize("position, inputs, expected", [
    (1, (tensor(2, 3), 3.0), ()),
    ((0, 1), (tensor(2, 3), 3.0), [12, 18]),
    ((1, 0), (3.0, tensor(4, 5)), [9, 9]),
    ((0, 1), (2.0, 3), ()),
    ((0, 1), (tensor(2, 3), tensor(4, 5)), ([16, 30], [4, 9])),
])  # fmt: skip
def test_what_is_no_tensor_is_left_out(mode, position, inputs, expected):
    assert numbers(ms.grad(product, position)(*inputs)) == expected
    assert numbers(ms.value_and_grad(product, position)(*inputs)[1]) == expected


def test_gradients_of_a_first_input_that_is_a_number_are_none(mode):
    assert ops.GradOperation()(product)(3.0, tensor(4, 5)) == ()
    assert ops.GradOperation(get_all=True)(product)(3.0, 2.0) == ()
    assert numbers(ops.GradOperation(get_all=True)(product)(3.0, tensor(4, 5))) == ([9, 9],)


def test_numbers_that_change_from_call_to_call_stay_left_out(mode):
    gradient = ms.grad(product, (0, 1))
    assert [numbers(gradient(tensor(1, 2), k)) for k in (2.0, 3.0, 4.0, 5.0)] == [[2 * k, 4 * k] for k in (2, 3, 4, 5)]


@pytest.mark.parametrize("result", [2, 2.5, True, "word", (1, 2)])
def test_what_depends_on_nothing_has_gradient_zero(mode, result):
    weight = Parameter(tensor(1, 2), name="weight")
    assert numbers(ms.grad(lambda x: result, 0, [weight])(tensor(2, 3))) == ([0, 0], ([0, 0],))
    assert ms.value_and_grad(lambda x: result)(tensor(2, 3))[0] == result


def test_arguments_given_by_name_come_after_the_others(mode):
    assert numbers(ms.grad(product, (0, 1))(tensor(2, 3), y=tensor(4, 5))) == ([16, 30], [4, 9])
    assert numbers(ops.GradOperation(get_all=True)(product)(tensor(2, 3), y=tensor(4, 5))) == ([16, 30], [4, 9])
    found = ops.GradOperation(get_all=True, sens_param=True)(product)(tensor(2, 3), y=tensor(4, 5), sens=tensor(1, 2))
    assert numbers(found) == ([16, 60], [4, 18])


def test_integers_that_mean_something_else_as_floats_have_gradient_zero(mode):
    scores, labels = Tensor([[1.0, 2.0], [3.0, 5.0]]), Tensor([0, 1], ms.int32)
    by_scores, by_labels = ops.GradOperation(get_all=True)(lambda x, y: ops.cross_entropy(x, y))(scores, labels)
    np.testing.assert_allclose(by_scores.asnumpy(), [[-0.36552948, 0.36552945], [0.05960143, -0.05960143]], rtol=1e-5)
    assert by_labels.dtype == ms.int32 and numbers(by_labels) == [0, 0]


@pytest.mark.parametrize("sens", [2.0, [2.0], [[2.0]]])
@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_one_number_weighs_one_number_in_any_shape(mode, sens, shape):
    found = ops.GradOperation(sens_param=True)(lambda x: x.sum().reshape(shape))(tensor(2, 3), Tensor(sens, ms.float32))
    assert numbers(found) == [2, 2]


def test_a_jacobian_of_one_position_is_no_tuple(mode):
    assert numbers(ms.jacrev(product, (0,))(tensor(2, 3), tensor(4, 5))) == [[16, 0], [0, 30]]
    assert numbers(ops.jacfwd(product, (0,))(tensor(2, 3), tensor(4, 5))) == [[16, 0], [0, 30]]


def test_directions_of_numbers_are_passed_over(mode):
    assert numbers(ms.jvp(product, (tensor(2, 3), 3.0), (tensor(1, 1), tensor(1, 1)))[1]) == [12, 18]


# -- a forward pass that was recorded ------------------------------------------------------------------------------------
class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(tensor(2, 3), name="weight")
        self.runs = []

    def construct(self, x):
        self.runs.append(1)
        return x * x * self.weight


@pytest.fixture
def marked():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    return Counting().set_grad()


@pytest.mark.parametrize("ask", [
    lambda net, x: ops.GradOperation()(net)(x), lambda net, x: ops.GradOperation(get_all=True)(net)(x)[0],
    lambda net, x: ms.grad(net)(x), lambda net, x: ms.value_and_grad(net)(x)[1],
    lambda net, x: ms.vjp(net, x)[1](tensor(1, 1))[0],
])  # fmt: skip
def test_a_gradient_after_a_marked_forward_pass_does_not_run_it_again(marked, ask):
    x = tensor(2, 3)
    marked(x)
    assert numbers(ask(marked, x)) == [8, 18] and len(marked.runs) == 1
    assert numbers(ask(marked, x)) == [8, 18] and len(marked.runs) == 2  # a recording serves one gradient


def test_two_forward_passes_serve_their_two_gradients(marked):
    first, second = tensor(2, 3), tensor(5, 5)
    marked(first)
    marked(second)
    assert numbers(ms.grad(marked)(first)) == [8, 18] and numbers(ms.grad(marked)(second)) == [20, 30]
    assert len(marked.runs) == 2


def test_a_changed_weight_or_input_makes_a_forward_pass_worthless(marked):
    x = tensor(2, 3)
    marked(x)
    marked.weight.set_data(tensor(10, 10))
    assert numbers(ops.GradOperation()(marked)(x)) == [40, 60]
    marked(x)
    x[0] = 7.0
    assert numbers(ops.GradOperation()(marked)(x)) == [140, 60]


def test_a_cell_that_is_not_marked_runs_again(marked):
    marked.set_grad(False)
    x = tensor(2, 3)
    marked(x)
    assert numbers(ms.grad(marked)(x)) == [8, 18] and len(marked.runs) == 2


def test_a_vjp_runs_its_function_once(marked):
    marked.set_grad(False)
    _, pull = ms.vjp(marked, tensor(2, 3))
    assert numbers(pull(tensor(1, 1))) == ([8, 18],) and len(marked.runs) == 1
    assert numbers(pull(tensor(1, 2))) == ([8, 36],)


def test_evaluation_keeps_no_forward_pass(marked):
    ms.Model(marked).predict(tensor(2, 3))
    assert not marked.__dict__.get("_recorded")


class Weighted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.frozen = Parameter(tensor(2), name="frozen", requires_grad=False)
        self.trained = Parameter(tensor(3), name="trained")

    def construct(self, x):
        return self.frozen * x + self.trained * self.frozen


def test_pynative_gives_zeros_for_weights_that_require_no_gradient():
    for chosen, frozen in ((ms.PYNATIVE_MODE, [0]), (ms.GRAPH_MODE, [8])):
        ms.set_context(mode=chosen)
        net = Weighted()
        weights = [net.frozen, net.trained]
        assert numbers(ms.grad(net, None, weights)(tensor(5))) == (frozen, [2])
        assert numbers(ops.GradOperation(get_by_list=True)(net, weights)(tensor(5))) == (frozen, [2])
        net.frozen.requires_grad = True
        assert numbers(ms.grad(net, None, weights)(tensor(5))) == ([8], [2])
