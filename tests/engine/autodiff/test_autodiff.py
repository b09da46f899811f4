"""Gradients: every way to ask for them, in both modes."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore._engine.graph import jit


class Net(nn.Cell):
    """x * w + y * z"""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")
        self.z = Parameter(Tensor([4.0, 5.0]), name="z")
        self.unused = Parameter(Tensor([1.0]), name="unused")

    def construct(self, x, y):
        return x * self.w + y * self.z


X, Y = np.array([1.0, 2.0], np.float32), np.array([3.0, 4.0], np.float32)


def numbers(value):
    """The nested result as NumPy arrays."""
    if isinstance(value, (tuple, list)):
        return tuple(numbers(v) for v in value)
    return value.asnumpy() if isinstance(value, Tensor) else value


def same(got, expected):
    got = numbers(got)
    if isinstance(expected, tuple):
        assert isinstance(got, tuple) and len(got) == len(expected), (got, expected)
        for g, e in zip(got, expected, strict=True):
            same_array(g, e) if not isinstance(e, tuple) else same(g, e)
    else:
        same_array(got, expected)


def same_array(got, expected):
    np.testing.assert_allclose(np.asarray(got, np.float64), np.asarray(expected, np.float64), rtol=1e-5)


@pytest.mark.parametrize("flags, weights, expected", [
    ({}, None, [2, 3]),
    ({"get_all": True}, None, ([2, 3], [4, 5])),
    ({"get_by_list": True}, "list", ([1, 2], [3, 4])),
    ({"get_by_list": True}, "one", [1, 2]),
    ({"get_by_list": True}, "single-list", ([1, 2],)),
    ({"get_by_list": True}, None, ([1, 2], [3, 4], [0])),
    ({"get_all": True, "get_by_list": True}, "list", (([2, 3], [4, 5]), ([1, 2], [3, 4]))),
])  # fmt: skip
@pytest.mark.parametrize("sens", [False, True])
def test_grad_operation_returns_what_its_flags_say(mode, flags, weights, expected, sens):
    net = Net()
    given = {"list": ParameterTuple([net.w, net.z]), "one": net.w, "single-list": [net.w], None: None}[weights]
    gradient = ops.GradOperation(**flags, sens_param=sens)(net, given)
    inputs = [Tensor(X), Tensor(Y)]
    if sens:
        same(gradient(*inputs, Tensor([1.0, 1.0])), expected)
        doubled = gradient(*inputs, Tensor([2.0, 2.0]))
        same(doubled, _scaled(expected, 2))
    else:
        same(gradient(*inputs), expected)


def _scaled(value, factor):
    return tuple(_scaled(v, factor) for v in value) if isinstance(value, tuple) else np.asarray(value) * factor


@pytest.mark.parametrize("position, weights, expected", [
    (0, None, [2, 3]),
    (1, None, [4, 5]),
    ((0, 1), None, ([2, 3], [4, 5])),
    ((1,), None, [4, 5]),
    (None, "list", ([1, 2], [3, 4])),
    (None, "one", [1, 2]),
    (0, "list", ([2, 3], ([1, 2], [3, 4]))),
])  # fmt: skip
def test_grad_returns_what_positions_and_weights_say(mode, position, weights, expected):
    net = Net()
    given = {"list": [net.w, net.z], "one": net.w, None: None}[weights]
    same(ms.grad(net, position, given)(Tensor(X), Tensor(Y)), expected)
    value, gradients = ms.value_and_grad(net, position, given)(Tensor(X), Tensor(Y))
    same(value, X * [2, 3] + Y * [4, 5])
    same(gradients, expected)


def test_has_aux_differentiates_the_first_output_only(mode):
    def function(x, y):
        return x * y, x + y, y

    gradients, aux = ms.grad(function, (0, 1), has_aux=True)(Tensor(X), Tensor(Y))
    same(gradients, (Y, X))
    same(aux, (X + Y, Y))
    outputs, gradients = ms.value_and_grad(function, 0, has_aux=True)(Tensor(X), Tensor(Y))
    same(outputs, (X * Y, X + Y, Y))
    same(gradients, Y)


def test_without_aux_all_outputs_are_summed(mode):
    same(ms.grad(lambda x: (x * 2, x * x))(Tensor(X)), 2 + 2 * X)


def test_return_ids_pairs_gradients_with_positions_and_names(mode):
    net = Net()
    result = ms.grad(net, 0, [net.w, net.z], return_ids=True)(Tensor(X), Tensor(Y))
    assert result[0][0] == 0
    assert [name for name, _ in result[1]] == ["w", "z"]
    same(ms.get_grad(result, 0), [2, 3])
    same(ms.get_grad(result, net.z), Y)
    with pytest.raises(RuntimeError, match="no gradient for"):
        ms.get_grad(result, net.unused)


def test_higher_orders_compose(mode):
    x = Tensor(2.0)
    cube, fourth = (lambda x: x * x * x), (lambda x: x * x * x * x)
    same(ms.grad(ms.grad(cube))(x), 12.0)
    same(ms.grad(ms.grad(ms.grad(fourth)))(x), 48.0)
    mixed = ms.grad(ms.grad(lambda x, y: x * x * y, 0), 1)
    same(mixed(Tensor(3.0), Tensor(5.0)), 6.0)
    operation = ops.GradOperation()
    same(operation(operation(cube))(x), 12.0)


def test_inner_gradient_does_not_see_the_outer_variable(mode):
    def outer(x):
        return ms.grad(lambda y: x * y)(x)  # d(x*y)/dy = x

    same(outer(Tensor(3.0)), 3.0)
    same(ms.grad(outer)(Tensor(3.0)), 1.0)


def test_the_same_tensor_in_two_places_has_two_gradients(mode):
    x = Tensor(3.0)
    same(ms.grad(lambda a, b: a * a * b, (0, 1))(x, x), (18.0, 9.0))


def test_unused_inputs_and_weights_have_zero_gradients(mode):
    net = Net()
    same(ms.grad(lambda x, y: x * x, (0, 1))(Tensor(X), Tensor(Y)), (2 * X, [0, 0]))
    same(ms.grad(net, None, [net.unused])(Tensor(X), Tensor(Y)), ([0],))


def test_integer_inputs_have_integer_gradients(mode):
    gradient = ms.grad(lambda x: x * x * 3)(Tensor([1, 2, 3]))
    assert gradient.dtype == ms.int64
    same(gradient, [6, 12, 18])


def test_python_numbers_are_skipped_by_get_all(mode):
    same(ops.GradOperation(get_all=True)(lambda x, n, y: x * n + y)(Tensor(X), 3, Tensor(Y)), ([3, 3], [1, 1]))


def test_stop_gradient_cuts(mode):
    same(ms.grad(lambda x: ops.stop_gradient(x * x) * x)(Tensor(X)), X * X)


def test_gradient_of_an_assignment_keeps_the_side_effect(mode):
    total = Parameter(Tensor([0.0, 0.0]), name="total", requires_grad=False)

    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.total = total

        def construct(self, x):
            ops.assign_add(self.total, x)
            return x * x

    net = Counting()
    for _ in range(3):
        same(ms.grad(net)(Tensor(X)), 2 * X)
    same(total, 3 * X)


def test_slice_assignment_is_differentiated(mode):
    def function(x, y):
        z = x * 2
        z[0] = y[1] * 5
        return z

    same(ms.grad(function, (0, 1))(Tensor(X), Tensor(Y)), ([0, 2], [0, 5]))


def test_gradients_of_nested_arguments(mode):
    def function(pair, factor):
        return pair[0] * pair[1]["b"] * factor

    gradient = ms.grad(function)((Tensor(X), {"b": Tensor(Y)}), 2.0)
    same(gradient[0], Y * 2)
    same(gradient[1]["b"], X * 2)


def test_vjp_jvp_and_jacobians_agree(mode):
    def function(x):
        return x * x * Tensor([1.0, 2.0])

    x = Tensor(X)
    outputs, pull = ms.vjp(function, x)
    same(outputs, X * X * [1, 2])
    same(pull(Tensor([1.0, 1.0])), (2 * X * [1, 2],))
    value, tangent = ms.jvp(function, x, Tensor([1.0, 10.0]))
    same(value, X * X * [1, 2])
    same(tangent, 2 * X * [1, 2] * [1, 10])
    expected = np.diag(2 * X * [1, 2])
    same(ms.jacrev(function)(x), expected)
    same(ms.jacfwd(function)(x), expected)


def test_jacobians_have_output_shape_then_input_shape(mode):
    def function(x, y):
        return x.sum() * y

    x, y = Tensor(np.ones((2, 3), np.float32)), Tensor(Y)
    for jacobian in (ms.jacrev, ms.jacfwd):
        dx, dy = jacobian(function, (0, 1))(x, y)
        assert dx.shape == (2, 2, 3) and dy.shape == (2, 2)
        same(dx, np.broadcast_to(Y[:, None, None], (2, 2, 3)))
        same(dy, np.eye(2) * 6)


def test_jitted_functions_are_differentiable(mode):
    @ms.jit
    def function(x, y):
        return x * x * y

    same(ms.grad(function, (0, 1))(Tensor(X), Tensor(Y)), (2 * X * Y, X * X))
    same(ms.grad(lambda x: ms.grad(function)(x, Tensor(Y)))(Tensor(X)), 2 * Y)


def test_gradient_inside_construct(mode):
    class Step(nn.Cell):
        def __init__(self, net):
            super().__init__(auto_prefix=False)
            self.net = net
            self.weights = ParameterTuple(net.trainable_params())
            self.grad = ops.GradOperation(get_by_list=True, sens_param=True)

        def construct(self, x, y):
            loss = self.net(x, y)
            sens = ops.fill(loss.dtype, loss.shape, 2.0)
            grads = self.grad(self.net, self.weights)(x, y, sens)
            for weight, gradient in zip(self.weights, grads):
                ops.assign_sub(weight, gradient * 0.5)
            return loss

    net = Net()
    same(Step(net)(Tensor(X), Tensor(Y)), X * [2, 3] + Y * [4, 5])
    same(net.w, [1, 1])
    same(net.z, [1, 1])


@pytest.mark.parametrize("call, error, text", [
    (lambda: ms.grad(lambda x: x, 5)(Tensor(X), Tensor(Y)), RuntimeError, "Position index 5 is exceed input size"),
    (lambda: ms.grad(lambda x: x, -1), ValueError, "grad_position must be >= 0"),
    (lambda: ms.grad(lambda x: x, "a"), TypeError, "must be int or tuple"),
    (lambda: ms.grad(lambda x: x, [0]), TypeError, "must be int or tuple"),
    (lambda: ms.grad(lambda x: x, None), ValueError, "can not be None at the same time"),
    (lambda: ms.grad(lambda x: x, has_aux=True)(Tensor(X)), ValueError, "more than one outputs"),
    (lambda: ms.grad(lambda x: x, has_aux=1), TypeError, "should be bool"),
    (lambda: ms.grad(lambda x: x, 0, [X]), TypeError, "must be a Parameter"),
    (lambda: ms.grad(3), TypeError, "must be a function or a Cell"),
    (lambda: ms.grad(lambda x: None)(Tensor(X)), TypeError, "must return a Tensor"),
    (lambda: ms.grad(lambda x: x, ())(Tensor(X)), RuntimeError, "grad_position should not be empty"),
    (lambda: ms.jacrev(lambda x: x)(3.0), TypeError, "must be a Tensor to be differentiated"),
    (lambda: ops.GradOperation(get_all=1), TypeError, "'get_all' should be bool, but got int"),
    (lambda: ops.GradOperation(sens_param=True)(lambda x: x)(Tensor(X), Tensor([1.0])), ValueError, "must have the shape"),
    (lambda: ops.GradOperation(get_by_list=True)(lambda x: x), ValueError, "needs the 'weights'"),
    (lambda: ms.jvp(lambda x: x, Tensor(X), (Tensor(X), Tensor(X))), ValueError, "one Tensor per input"),
])  # fmt: skip
def test_bad_requests_are_refused_in_words(mode, call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_a_failing_function_leaves_no_recording_behind(mode):
    net = Net()

    def fails(x):
        ops.assign(net.w, x)
        raise KeyError("stop")

    for _ in range(2):
        with pytest.raises(KeyError):
            ms.grad(fails, 0, [net.w])(Tensor(X))
    same(ms.grad(net, 0, [net.w])(Tensor(X), Tensor(Y))[1], (X,))


def test_gradients_leave_no_graph_alive():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    state = Parameter(Tensor([0.0, 0.0]), name="state", requires_grad=False)

    def function(x):
        ops.assign(state, state + x)
        return (state * x).sum()

    for _ in range(60):  # until nothing more is compiled and cached
        ms.grad(function)(Tensor(X))
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(50):
        ms.grad(function)(Tensor(X))
    gc.collect()
    assert len(gc.get_objects()) - before < 50


def test_gradient_functions_made_anew_share_their_graph():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    before = len(jit._functions)
    for _ in range(5):
        ms.grad(lambda x: net(x, Tensor(Y)))(Tensor(X))
    assert len(jit._functions) - before == 1


class Moving(nn.Cell):
    """Counts its own calls, as BatchNorm's moving averages do."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")
        self.calls = Parameter(Tensor(0.0), name="calls", requires_grad=False)

    def construct(self, x):
        self.calls = self.calls + 1.0
        return x * self.w * self.calls


class OldStep(nn.Cell):
    """The training cell of 1.x programs: forward, then the gradient of the same call."""

    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net = net
        self.net.set_grad()
        self.weights = ParameterTuple(net.trainable_params())
        self.grad = ops.GradOperation(get_all=True, get_by_list=True)

    def construct(self, x):
        loss = self.net(x)
        return loss, self.grad(self.net, self.weights)(x)


def test_gradient_after_a_forward_call_of_the_same_cell_does_not_run_it_twice(mode):
    net = Moving()
    step = OldStep(net).set_train()
    for count in (1, 2, 3):
        loss, (dx, dw) = step(Tensor(X))
        same(loss, X * [2, 3] * count)
        same(dx[0], np.array([2, 3]) * count)
        same(dw[0], X * count)
        assert net.calls.item() == count


def test_a_recorded_forward_is_not_used_for_other_inputs_or_changed_weights():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = Moving().set_train().set_grad()
    net(Tensor(X))
    same(ms.grad(net)(Tensor(Y)), np.array([2, 3]) * 2)
    net(Tensor(X))
    ops.assign(net.w, Tensor([5.0, 5.0]))
    same(ms.grad(net, 0, [net.w])(Tensor(X))[0], np.array([5, 5]) * 4)


def test_hooks_on_inputs_and_weights_see_and_change_their_gradients(mode):
    net = Net()
    x = Tensor(X)
    handles = [net.w.register_hook(lambda g: g * 2), x.register_hook(lambda g: g * 3)]
    gradient = ms.grad(net, 0, [net.w, net.z])
    same(gradient(x, Tensor(Y)), (np.array([2, 3]) * 3, (X * 2, Y)))
    handles[0].remove()
    same(gradient(x, Tensor(Y)), (np.array([2, 3]) * 3, (X, Y)))
    handles[1].remove()
    same(ms.grad(net, 0, [net.w, net.z])(x, Tensor(Y)), ([2, 3], (X, Y)))


def test_hooks_on_a_result_run_once_each_in_their_order(mode):
    def loss(x):
        y = x * 2
        y.register_hook(lambda g: g + 1)
        y.register_hook(lambda g: g * 3)
        return (y * y).sum()

    same(ms.grad(loss)(Tensor([1.0, 2.0])), [30, 54])  # ((4 x + 1) * 3) * 2


def test_hooks_on_what_is_written_over_keep_their_value(mode):
    def loss(x):
        y = x * 2
        y.register_hook(lambda g: g * 5)
        y[0] = 3.0
        y.register_hook(lambda g: g + 1)
        return (y * y).sum()

    same(ms.grad(loss)(Tensor([1.0, 2.0])), [0, 90])


def test_a_hook_may_return_another_precision(mode):
    def loss(x):
        y = x * 2
        y.register_hook(lambda g: (g * 2).astype(ms.float16))
        return y.sum()

    gradient = ms.grad(loss)(Tensor([1.0, 2.0]))
    assert gradient.dtype == ms.float32
    same(gradient, [4, 4])


def test_a_hook_that_returns_no_tensor_is_refused(mode):
    def loss(x):
        y = x * 2
        y.register_hook(lambda g: 3)
        return y.sum()

    for kind in (TypeError, RuntimeError):
        with pytest.raises(kind, match="should be a tensor, but got 3"):
            ms.grad(loss)(Tensor([1.0, 2.0]))
