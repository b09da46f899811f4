"""In PyNative mode the backward pass is one compiled program wherever nobody can look inside."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore._engine.execution import backward, backward_program, recorded_walk, tape
from mindspore._engine.interpreter import choice


@pytest.fixture(autouse=True)
def walks(monkeypatch):
    """How often a step of a tape was run on its own."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    monkeypatch.setattr(choice.tier, "settled", 1)  # programs are compiled at once
    calls = []
    pull = backward._PULL[tape.KernelNode]
    monkeypatch.setitem(
        backward._PULL, tape.KernelNode, lambda node, given: calls.append(node.kernel.name) or pull(node, given)
    )
    return calls


class Net(nn.Cell):
    def __init__(self, depth=3):
        super().__init__()
        self.depth = depth
        self.w = Parameter(Tensor(np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32)), name="w")

    def construct(self, x):
        y = ops.matmul(x, self.w)
        for _ in range(self.depth):
            y = ops.tanh(y) * y + 2.0
        return ops.reduce_sum(y)


X = Tensor(np.random.RandomState(0).randn(2, 3).astype(np.float32))


def gradients(net, x=X):
    return ms.grad(net, 0, net.trainable_params())(x)


def test_all_gradients_come_from_one_program_and_are_those_of_the_walk(walks, monkeypatch):
    net = Net()
    (dx,), (dw,) = [part if isinstance(part, tuple) else (part,) for part in gradients(net)]
    assert not walks
    monkeypatch.setattr(backward_program, "MOST", 0)
    (wx,), (ww,) = [part if isinstance(part, tuple) else (part,) for part in gradients(net)]
    assert walks
    np.testing.assert_allclose(dx.asnumpy(), wx.asnumpy(), 1e-5, 1e-6)
    np.testing.assert_allclose(dw.asnumpy(), ww.asnumpy(), 1e-5, 1e-6)


def test_networks_of_all_common_layers_are_programs(walks):
    layers = [nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Conv2d(6, 8, 3), nn.BatchNorm2d(8),
              nn.ReLU(), nn.AvgPool2d(2, 2), nn.Flatten(), nn.Dense(72, 10), nn.LayerNorm((10,)), nn.GELU()]  # fmt: skip
    net = nn.SequentialCell(layers).set_train()
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    x, y = Tensor(np.random.RandomState(0).rand(2, 1, 16, 16).astype(np.float32)), Tensor([1, 2], ms.int32)
    found = ms.grad(loss, None, net.trainable_params())(x, y)
    assert len(found) == len(net.trainable_params()) and not walks


def test_every_call_gives_the_same_bits(walks):
    net = Net(4)
    first = gradients(net)[1][0].asnumpy()
    assert all((gradients(net)[1][0].asnumpy() == first).all() for _ in range(3))


def test_other_shapes_of_data_are_other_programs(walks):
    net = Net()
    for rows in (1, 5):
        x = np.random.RandomState(rows).randn(rows, 3).astype(np.float32)
        found = gradients(net, Tensor(x))[0].asnumpy()
        with_one_more = gradients(net, Tensor(np.concatenate([x, x[:1]])))[0].asnumpy()
        np.testing.assert_allclose(found, with_one_more[:rows], 1e-5, 1e-6)
    assert not walks


def test_an_array_used_twice_and_a_number_keep_their_places(walks):
    weight, other = Parameter(Tensor([1.0, 2.0]), name="weight"), Parameter(Tensor([3.0, 4.0]), name="other")

    def function(x, factor):
        return (weight * x * other * factor + weight * weight * factor).sum()

    x = Tensor([1.0, 1.0])
    for factor in (2.0, 3.0, 2.0):
        dw, do = ms.grad(function, None, (weight, other))(x, factor)
        np.testing.assert_allclose(dw.asnumpy(), factor * (other.asnumpy() + 2 * weight.asnumpy()))
        np.testing.assert_allclose(do.asnumpy(), factor * weight.asnumpy())
    assert not walks


def test_gradients_of_inputs_alone_are_walked(walks):
    dx = ms.grad(lambda x: (x * x * x).sum())(Tensor([1.0, 2.0]))
    np.testing.assert_allclose(dx.asnumpy(), [3, 12])
    assert walks


def test_what_nothing_leads_to_has_the_gradient_zero(walks):
    unused = Parameter(Tensor([1.0, 2.0]), name="unused")
    net = Net()
    found = ms.grad(net, None, (net.w, unused))(X)
    assert found[1].asnumpy().tolist() == [0, 0] and not walks


def test_hooks_see_every_step(walks):
    seen = []

    def function(x):
        y = ops.tanh(x) * x
        y.register_hook(lambda gradient: seen.append(gradient.asnumpy()))
        return (y * y * 2.0).sum()

    x = np.array([0.5, -1.5], np.float32)
    for _ in range(2):
        ms.grad(function)(Tensor(x))
    np.testing.assert_allclose(seen, [4 * np.tanh(x) * x] * 2, 1e-5)
    assert walks


def test_a_tape_that_is_new_every_time_is_soon_walked(walks):
    weight = Parameter(Tensor([1.0, 2.0]), name="weight")
    for length in range(2, 2 + backward_program.PLANS_OF_ONE_KIND + 4):

        def function(length=length):
            x = weight
            for _ in range(length):
                x = x * 1.5 + 0.25
            return x.sum().reshape((1,))

        found = ms.grad(function, None, weight)().asnumpy()
        np.testing.assert_allclose(found, [1.5**length] * 2, 1e-5)
    assert walks


def test_gradients_of_gradients_are_recorded_as_before(walks):
    def cube(x):
        return (x * x * x).sum()

    def second(x):
        return ms.grad(cube)(x).sum()

    np.testing.assert_allclose(ms.grad(second)(Tensor([1.0, 2.0])).asnumpy(), [6, 12], 1e-6)


def test_synchronous_mode_runs_step_by_step(walks):
    ms.set_context(pynative_synchronize=True)
    gradients(Net())
    assert walks


def test_gradients_of_inputs_are_a_program_once_they_have_come_often(walks):
    gradient = ms.grad(lambda x, y: ops.reduce_sum((x * y + x) * y), (0, 1))
    y = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    for _ in range(recorded_walk.WALKS):
        first = gradient(X, y)
    assert walks
    walks.clear()
    later = gradient(X, y)
    assert not walks
    for one, other in zip(first, later, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-6)


def test_programs_of_many_sizes_are_bounded_and_come_back(walks, monkeypatch):
    monkeypatch.setattr(backward_program, "KEPT", 3)
    kept = backward_program._executables
    kept.clear()
    weight = Parameter(Tensor([1.0, 2.0]), name="weight")
    gradient = ms.grad(lambda x: (x * weight * weight).sum(), None, weight)
    for rows in [1, 2, 3, 4, 1, 4]:
        found = gradient(Tensor(np.ones((rows, 2), np.float32))).asnumpy()
        np.testing.assert_allclose(found, [2 * rows, 4 * rows], 1e-6)
    assert len(kept) == 3 and not walks
    last = list(kept)
    gradient(Tensor(np.ones((3, 2), np.float32)))  # the least recently used one goes
    assert last[0] not in kept or last[0] == list(kept)[-1]
    assert len(kept) == 3


def test_a_program_serves_arrays_of_another_device_after_one_more_compilation(walks, monkeypatch):
    weight = Parameter(Tensor([1.0, 2.0]), name="weight")
    gradient = ms.grad(lambda x: (x * weight * weight).sum(), None, weight)
    x = Tensor(np.ones((3, 2), np.float32))
    gradient(x)

    def elsewhere(*_):
        raise ValueError("Computation was compiled for input shardings that disagree with the shardings of arguments")

    monkeypatch.setitem(backward_program._executables, next(reversed(backward_program._executables)), elsewhere)
    np.testing.assert_allclose(gradient(x).asnumpy(), [6, 12], 1e-6)
    assert not walks


def test_equal_calls_around_an_inner_gradient_are_saved_once(walks, monkeypatch):
    described = []
    describe = backward_program._describe
    monkeypatch.setattr(backward_program, "_describe", lambda *args: described.append(describe(*args)) or described[-1])
    w = Parameter(Tensor(np.ones((3, 4), np.float32)), name="w")
    inner = ms.grad(lambda x: ops.tanh(ops.matmul(x, w)).sum())
    outer = ms.value_and_grad(lambda x, y: (inner(x) * inner(x) + inner(y)).sum(), None, [w])
    Y = Tensor(X.asnumpy() + 1)
    value, (found,) = outer(X, Y)
    saved = [array.shape for array in described[-1][1]]
    assert saved.count((2, 4)) == 4  # the product and its tanh, of X, which two calls have, and of Y
    monkeypatch.setattr(backward_program, "MOST", 0)
    monkeypatch.setattr(recorded_walk, "_kernels", {})
    walked, (expected,) = outer(X, Y)
    np.testing.assert_allclose(value.asnumpy(), walked.asnumpy(), 1e-5)
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), 1e-5, 1e-6)
