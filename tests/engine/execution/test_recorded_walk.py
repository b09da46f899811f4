"""Backward passes inside an enclosing grad become one kernel when they come again, with the same results."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore._engine.execution import recorded_walk
from mindspore._engine.interpreter import choice


@pytest.fixture(autouse=True)
def eager_and_nothing_known(monkeypatch):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    monkeypatch.setattr(recorded_walk, "_kernels", {})


def repeated(function, *inputs, times=recorded_walk.WALKS + 12):
    """The results of the first call, walked step by step, and of the last."""
    results = [function(*inputs) for _ in range(times)]
    return results[0], results[-1]


def arrays(results):
    return [each.asnumpy() for each in (results if isinstance(results, tuple) else (results,))]


def known():
    return [each for each in recorded_walk._kernels.values() if each is not None and each[0].shapes.compiled]


def test_a_third_derivative_comes_from_kernels_of_walks():
    def function(x, w):
        return ops.tanh(x * w).sum() + (w * x * x * x).sum()

    by_x = ms.grad(function)
    second = ms.grad(lambda x, w: by_x(x, w).sum())
    third = ms.grad(lambda x, w: second(x, w).sum(), (0, 1))
    x, w = Tensor([0.3, -0.7, 1.1], ms.float32), Tensor([0.5, 2.0, -1.0], ms.float32)
    first, last = repeated(third, x, w)
    assert len(known()) == 2  # the walk of the first derivative, and that of the second
    for before, after in zip(arrays(first), arrays(last), strict=True):
        np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-6)
    values, weights = x.asnumpy().astype(np.float64), w.asnumpy().astype(np.float64)
    bend = np.tanh(values * weights)
    expected = weights**3 * (1 - bend**2) * (6 * bend**2 - 2) + 6 * weights
    np.testing.assert_allclose(arrays(last)[0], expected, rtol=1e-4, atol=1e-5)


def test_parameters_inside_a_differentiated_gradient_get_theirs():
    ms.set_seed(1)
    network = nn.SequentialCell(nn.Dense(2, 8), nn.Tanh(), nn.Dense(8, 1))
    slope = ms.grad(lambda x: network(x).sum())
    loss = ms.value_and_grad(lambda x: (slope(x) ** 2).mean(), None, network.trainable_params())
    x = Tensor(np.linspace(-1, 1, 12).reshape(6, 2).astype(np.float32))
    first, last = repeated(loss, x)
    assert len(known()) == 1
    for before, after in zip((first[0], *first[1]), (last[0], *last[1]), strict=True):
        np.testing.assert_allclose(after.asnumpy(), before.asnumpy(), rtol=1e-5, atol=1e-6)
    assert any(np.abs(each.asnumpy()).max() > 1e-3 for each in last[1])


def test_new_values_and_new_sizes_are_computed_with_what_is_known():
    inner = ms.grad(lambda x: (ops.sin(x) * x * x).sum())
    outer = ms.grad(lambda x: inner(x).sum())

    def expected(x):
        return (2 - x**2) * np.sin(x) + 4 * x * np.cos(x)

    for size in (5,) * 12 + (7, 5, 9):
        x = np.random.default_rng(size).normal(size=size).astype(np.float32)
        np.testing.assert_allclose(outer(Tensor(x)).asnumpy(), expected(x), rtol=1e-4, atol=1e-5)


def test_a_training_of_model_has_the_same_bits_from_its_first_step_on():
    scale = Parameter(Tensor(np.linspace(0.5, 1.5, 50).astype(np.float32)), name="scale")
    inner = ms.grad(lambda x: (ops.sin(x * scale) * x * x).sum())
    outer = ms.value_and_grad(lambda x: (inner(x) ** 2).sum(), None, [scale])
    x = Tensor(np.random.default_rng(0).normal(size=50).astype(np.float32))
    with choice.compiled_at_once():
        outer(x)
        assert len(known()) == 1
        first, last = repeated(outer, x)
    assert len(known()) == 1
    assert first[1][0].asnumpy().tobytes() == last[1][0].asnumpy().tobytes()


def test_an_input_that_does_not_take_part_has_a_gradient_of_zeros():
    inner = ms.grad(lambda x, y: (ops.exp(x) * x).sum(), (0, 1))
    outer = ms.grad(lambda x, y: (inner(x, y)[0] + y).sum(), (0, 1))
    x, y = Tensor([0.1, 0.2], ms.float32), Tensor([3.0, 4.0], ms.float32)
    first, last = repeated(outer, x, y)
    for before, after in zip(arrays(first), arrays(last), strict=True):
        np.testing.assert_allclose(after, before, rtol=1e-6)


@pytest.mark.parametrize("points", [6, 3000])
def test_a_residual_of_a_network_called_several_times_on_the_same_points(points):
    ms.set_seed(1)
    network = nn.SequentialCell(nn.Dense(1, 16), nn.Tanh(), nn.Dense(16, 1))
    slope = ms.grad(lambda x: network(x).sum())
    curvature = ms.grad(lambda x: slope(x).sum())

    def loss(x, shift):
        return ((curvature(x) - slope(x) * network(x) + network(x * shift)) ** 2).mean()

    x = Tensor(np.linspace(-1, 1, points).reshape(points, 1).astype(np.float32))
    first, last = repeated(ms.value_and_grad(loss, None, network.trainable_params()), x, Tensor(0.5), times=26)
    for before, after in zip((first[0], *first[1]), (last[0], *last[1]), strict=True):
        np.testing.assert_allclose(after.asnumpy(), before.asnumpy(), rtol=1e-4, atol=1e-5)
    on_host = [form.call is not None for kernel, _ in known() for form in kernel.forms.values()]
    assert on_host and all(on_host) == (points == 6)


def test_a_hook_in_the_inner_pass_is_called_every_time():
    seen = []

    class Watched(nn.Cell):
        def __init__(self):
            super().__init__()
            self.scale = Parameter(Tensor([2.0], ms.float32), name="scale")

        def construct(self, x):
            return x * x * self.scale

    network = Watched()
    network.register_backward_hook(lambda cell, into, out: seen.append(1))
    inner = ms.grad(lambda x: network(x).sum())
    outer = ms.grad(lambda x: (inner(x) * x).sum())
    first, last = repeated(outer, Tensor([3.0], ms.float32))
    np.testing.assert_allclose(last.asnumpy(), first.asnumpy(), rtol=1e-6)
    assert len(seen) >= recorded_walk.WALKS + 12
