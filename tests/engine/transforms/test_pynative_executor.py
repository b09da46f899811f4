"""The gradient switches of the executor switch recording, and free recordings are pulled back by run_backward."""

import gc
import weakref

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore._c_expression import ParamInfo, run_backward
from mindspore.common.api import _no_grad
from mindspore.common.api import _pynative_executor as executor


@pytest.fixture
def recording():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    executor.set_grad_flag(True)
    yield
    executor.set_grad_flag(False)
    executor.set_enable_grad(True)


def test_outside_of_grad_nothing_is_recorded():
    assert (executor.enable_grad(), executor.grad_flag(), executor.requires_grad()) == (True, False, False)


def test_inside_of_grad_the_flags_say_so():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    seen = []

    def f(x):
        seen.append((executor.enable_grad(), executor.grad_flag(), executor.requires_grad()))
        with _no_grad():
            seen.append((executor.enable_grad(), executor.grad_flag(), executor.requires_grad()))
        return x * x

    assert ms.grad(f)(Tensor(3.0)).asnumpy() == 6
    assert seen[:2] == [(True, True, True), (False, True, False)]


@pytest.mark.parametrize("switch", [executor.set_enable_grad, executor.set_grad_flag])
def test_what_is_computed_while_switched_off_is_a_constant(switch, mode):
    def f(x):
        switch(False)
        constant = x * x * x
        switch(True)
        return x * x + constant

    value, gradient = ms.value_and_grad(f)(Tensor(3.0))
    assert (value.asnumpy(), gradient.asnumpy()) == (36, 6)
    assert executor.enable_grad() and not executor.grad_flag()


def test_a_switch_left_off_does_not_outlive_its_gradient():
    def f(x):
        executor.set_grad_flag(False)
        return x * x

    assert ms.grad(f)(Tensor(3.0)).asnumpy() == 0
    assert ms.grad(lambda x: x * x)(Tensor(3.0)).asnumpy() == 6


def test_no_gradient_is_asked_for_where_gradients_are_disabled():
    with _no_grad(), pytest.raises(RuntimeError, match="no_grad"):
        ms.grad(lambda x: x * x)
    assert executor.enable_grad()


def test_gradients_step_by_step():
    net, x = nn.Dense(2, 1, weight_init="ones"), Tensor([[1.0, 2.0]])
    executor.new_graph(net, x)
    output = net(x)
    executor.end_graph(net, output, x)
    found = executor.grad(net, ops.GradOperation(get_by_list=True), net.trainable_params(), 0, False, x)
    assert [one.asnumpy().tolist() for one in found] == [[[1, 2]], [1]]


def test_a_custom_bprop_is_attached_to_an_output():
    class Tripled:
        def bprop(self, x, out, dout):
            return (dout * 3,)

    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert ms.grad(lambda x: executor.call_custom_bprop(Tripled(), x * 1, x))(Tensor(2.0)).asnumpy() == 3


def test_hooks_of_saved_tensors_are_pushed_and_popped():
    executor.push_saved_tensor_hook(lambda kept: kept * 10, lambda kept: kept)
    try:
        assert executor.is_saved_tensor_hook_active()
        assert ms.grad(lambda x: x * x)(Tensor(3.0)).asnumpy() == 60
    finally:
        executor.pop_saved_tensor_hook()
    assert not executor.is_saved_tensor_hook_active()


def test_gradients_are_pulled_back_and_accumulated(recording):
    x, w = Tensor([3.0]).requires_grad_(), Parameter(Tensor([2.0]), name="w")
    y = x * x * w
    assert y._requires_grad and not y._is_leaf and x._is_leaf
    run_backward((y,), (Tensor([1.0]),), True, False)
    assert (x._grad.asnumpy().tolist(), w._grad.asnumpy().tolist()) == ([12], [9])
    run_backward((y,), (Tensor([2.0]),), False, False)
    assert (x._grad.asnumpy().tolist(), w._grad.asnumpy().tolist()) == ([36], [27])
    with pytest.raises(RuntimeError, match="does not require grad"):
        run_backward((y,), (Tensor([1.0]),), False, False)


def test_gradients_of_gradients_are_returned(recording):
    x, unused = Tensor([3.0]).requires_grad_(), Tensor([1.0]).requires_grad_()
    y = x * x * x
    first = run_backward((y,), None, True, True, (x,), accumulate_grad=False)
    second = run_backward(first, None, False, False, (x, unused), accumulate_grad=False)
    assert first[0].asnumpy().tolist() == [27] and second[0].asnumpy().tolist() == [18] and second[1] is None
    assert x._grad is None
    with pytest.raises(RuntimeError, match="not used"):
        run_backward((x * x,), None, False, False, (unused,), False, accumulate_grad=False)


def test_a_free_recording_keeps_nothing_alive(recording):
    x = Tensor([3.0]).requires_grad_()
    y = x * x
    seen = weakref.ref(y)
    del y
    gc.collect()
    assert seen() is None
    with _no_grad():
        assert not (x * x)._requires_grad
    assert ms.grad(lambda a: a * a)(Tensor(3.0)).asnumpy() == 6 and executor.grad_flag()


class LibraryParameter(Tensor):
    """A weight as libraries keep it: a Tensor with settings of its own, no Parameter."""

    def __init__(self, data):
        super().__init__(data)
        self.param_info = ParamInfo()
        self.requires_grad = True


def _library_value_and_grad(function, weights, calls_afterwards):
    """A gradient function as libraries build it: the forward pass between two announcements, then the gradients."""

    def call(*args):
        executor.set_grad_flag(True)
        executor.new_graph(function, *args)
        values = function(*args)
        executor.end_graph(function, values, *args)
        gradients = executor.grad(function, ops.GradOperation(False, True, False), weights, None, *args)
        return values, executor() if calls_afterwards else gradients

    return call


@pytest.mark.parametrize("calls_afterwards", [False, True])
def test_libraries_keep_weights_in_tensors_of_their_own(recording, calls_afterwards):
    w, unused = LibraryParameter(Tensor([2.0, 3.0])), LibraryParameter(Tensor([1.0]))
    runs = []

    def loss(x):
        runs.append(x)
        return (w * ops.dropout(x, p=0.5)).sum()

    x = Tensor([5.0, 7.0])
    value, (by_weight, by_unused) = _library_value_and_grad(loss, (w, unused), calls_afterwards)(x)
    assert len(runs) == 1 and by_unused.asnumpy().tolist() == [0]  # the pass that gave the value, not another one
    assert w.grad is None and value.asnumpy() == (by_weight * w).sum().asnumpy()


def test_a_call_that_was_not_recorded_is_run_for_its_gradient():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    w = Tensor([2.0])
    (found,) = executor.grad(lambda x: w * w * x, ops.GradOperation(False, True), (w,), None, Tensor([3.0]))
    assert found.asnumpy().tolist() == [12]
