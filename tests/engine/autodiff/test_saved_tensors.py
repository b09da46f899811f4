"""What gradients keep, in a form the program chooses; parts without gradients; functions with a backward of their own."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops

MODES = pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["eager", "graph"])


@MODES
def test_backward_sees_what_unpacking_gives(mode):
    ms.set_context(mode=mode)

    def product(x, y):
        with ms.saved_tensors_hooks(lambda kept: kept + 1, lambda kept: kept * 10):
            out = x * y
        return out * 3  # outside: kept as it is

    value, gradients = ms.value_and_grad(product, (0, 1))(Tensor([1.0]), Tensor([2.0]))
    assert value.asnumpy().tolist() == [6]
    assert [g.asnumpy().tolist() for g in gradients] == [[90], [60]]


def test_tensors_can_be_kept_outside_the_device():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    kept = []

    def pack(tensor):
        kept.append(tensor.asnumpy())
        return len(kept) - 1

    @ms.register_saved_tensors_hooks(pack, lambda place: Tensor(kept[place]))
    def square(x):
        return x * x

    assert ms.grad(square)(Tensor(3.0)).asnumpy() == 6
    assert [float(one) for one in kept] == [3, 3]
    assert square(Tensor(2.0)).asnumpy() == 4 and len(kept) == 2  # no gradient, nothing kept


def test_what_unpacking_returns_is_checked():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    with pytest.raises(TypeError, match=r"'unpack_hook' must return a Tensor of the dtype .* float32, but got Float16"):
        ms.grad(ms.register_saved_tensors_hooks(lambda t: t.astype(ms.float16), lambda t: t)(ops.square))(Tensor(3.0))
    with pytest.raises(TypeError, match="the 'pack_hook' must be"):
        ms.saved_tensors_hooks(1, lambda t: t)
    assert ms.grad(ops.square)(Tensor(3.0)).asnumpy() == 6  # the failure left no hooks behind


@MODES
def test_a_cell_keeps_what_its_construct_read_in_its_own_form(mode):
    ms.set_context(mode=mode)
    net = nn.Dense(1, 1, weight_init=2.0, has_bias=False)
    before = ms.grad(net)(Tensor([[3.0]])).asnumpy().item()
    net.register_saved_tensors_hooks(lambda kept: kept, lambda kept: kept * 10)
    assert (before, ms.grad(net)(Tensor([[3.0]])).asnumpy().item()) == (2, 20)


@MODES
def test_parameters_are_replaced_where_construct_reads_them(mode):
    ms.set_context(mode=mode)
    net = nn.SequentialCell(nn.Dense(1, 1, weight_init=2.0, bias_init=1.0), nn.ReLU())
    x = Tensor([[3.0]])
    assert net(x).asnumpy().item() == 7
    net.register_parameter_forward_hook([{"params": [net[0].weight], "hook": lambda weight: weight * 10}])
    assert net(x).asnumpy().item() == 61 and net[0].weight.asnumpy().item() == 2
    gradient = ms.grad(net, None, net.trainable_params())(x)
    assert [g.asnumpy().ravel().tolist() for g in gradient] == [[30], [1]]
    net.register_parameter_forward_hook(lambda parameter: parameter * 0)
    assert net(x).asnumpy().item() == 0


def test_hooks_of_parameters_are_checked_before_anything_changes():
    net = nn.Dense(1, 1, weight_init=2.0, has_bias=False)
    for hook, kind in (([{"params": []}], ValueError), ([{"params": [1], "hook": abs}], TypeError), (3, TypeError)):
        with pytest.raises(kind, match="For 'register_parameter_forward_hook'"):
            net.register_parameter_forward_hook(hook)
    assert net(Tensor([[3.0]])).asnumpy().item() == 6


@MODES
def test_nothing_is_recorded_without_gradients(mode):
    ms.set_context(mode=mode)

    @ms._no_grad()
    def ten_times(x):
        return x * 10

    def total(x):
        with ms._no_grad():
            fixed = x * x
        return x * 3 + fixed + ten_times(x)

    assert ms.grad(total)(Tensor(2.0)).asnumpy() == 3


class Scaled(ms._Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x)
        ctx.factor = factor
        return x * factor, x + 1

    @staticmethod
    def backward(ctx, first, second):
        (x,) = ctx.saved_tensors
        return first * 100 * x + second * ctx.factor, None


@MODES
def test_a_function_of_ones_own_has_the_gradient_it_says(mode):
    ms.set_context(mode=mode)

    def total(x):
        first, second = Scaled.apply(x, 5)
        return first.sum() + second.sum()

    value, gradient = ms.value_and_grad(total)(Tensor([1.0, 2.0]))
    assert value.asnumpy() == 20 and gradient.asnumpy().tolist() == [105, 205]


def test_a_function_without_its_parts_says_so():
    with pytest.raises(NotImplementedError, match="define the static method 'forward"):
        ms._Function.apply(Tensor(1.0))


def test_networks_are_made_without_memory_on_the_meta_device():
    with ms.DeviceCtx("meta"):
        net = nn.Dense(64, 64)
    assert net.weight.has_init and not nn.Dense(2, 2).weight.has_init
    assert np.abs(net(ops.ones((1, 64))).asnumpy()).sum() > 0 and not net.weight.has_init
    with pytest.raises(ValueError, match="'device' must be one of"):
        ms.DeviceCtx("moon")
