"""Reductions that XLA's library is slow for are given to a kernel, and only those."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from jax import numpy as jnp

import mindspore as ms
from mindspore import Tensor, mint, nn, ops
from mindspore._kernels import library, rewriting
from mindspore._kernels.passes import folds

pytestmark = pytest.mark.skipif(not library.active(), reason="there are no kernels")
NUMPY = {"sum": np.sum, "max": np.max, "min": np.min}
PLAIN = {"sum": jnp.sum, "max": jnp.max, "min": jnp.min}
# many columns, a whole strip and a part; few; fewer than a vector of each form holds; short rows; axes together
SHAPES = [((5, 9000), 0), ((3, 6, 4099), 1), ((1, 41, 8, 1000), 1), ((300, 200, 3), 1), ((30_000, 2, 5), 1), ((40, 100, 15), 1),
          ((7, 900, 9), 1), ((20_001, 3), 1), ((5000, 15), 1), ((11_003, 3, 2), (1, 2)), ((4, 8, 4100), (0, 1))]  # fmt: skip


@pytest.fixture
def forms(monkeypatch):
    """The forms of what is given to the kernel."""
    found = []
    call = folds._call
    monkeypatch.setattr(
        folds, "_call", lambda operation, form, *rest: found.append(form) or call(operation, form, *rest)
    )
    return found


def numbers(*shape):
    return np.random.RandomState(sum(shape)).randn(*shape).astype(np.float32)


def reduced(name, x, axes):
    """The reduction as the program of JAX that it is, rewritten."""
    return np.asarray(rewriting.compiled(jax.jit(lambda x: PLAIN[name](x, axes)).lower(x))(x))


@pytest.mark.parametrize("name", NUMPY)
@pytest.mark.parametrize("shape, axes", SHAPES, ids=str)
def test_results_are_those_of_numpy(forms, name, shape, axes):
    x = numbers(*shape)
    np.testing.assert_allclose(reduced(name, x, axes), NUMPY[name](x, axes), 1e-4, 1e-3)
    assert any(forms)


@pytest.mark.parametrize("name", NUMPY)
@pytest.mark.parametrize("shape, axes", SHAPES, ids=str)
def test_a_number_that_is_none_makes_its_result_none(name, shape, axes):
    x = numbers(*shape)
    x.reshape(-1)[::977] = np.nan
    found = reduced(name, x, axes)
    np.testing.assert_allclose(found, NUMPY[name](x, axes), 1e-4, 1e-3)
    assert np.isnan(found).any()


def test_other_reductions_are_left_alone(forms):
    x = Tensor(numbers(256, 2048))
    ms.jit(lambda x: (x.sum(1), x.sum(), mint.prod(x, 0), mint.exp(x).sum(0), (x * x).sum(1)))(x)
    ms.jit(lambda x: x[:2].sum(0))(x)  # small
    assert not any(forms)


def test_gradients_of_a_softmax_over_the_first_axis(forms):
    x = numbers(6, 20_000)
    _, found = ms.value_and_grad(lambda x: (ops.softmax(x, 0) ** 2).sum())(Tensor(x))
    p = np.exp(x) / np.exp(x).sum(0)
    np.testing.assert_allclose(found.asnumpy(), p * (2 * p - (2 * p * p).sum(0)), 1e-3, 1e-6)
    assert any(forms)


def test_a_bias_of_a_batch_gets_its_gradient():
    x, bias = numbers(40, 64, 128), numbers(64, 128)
    _, found = ms.value_and_grad(lambda x, b: ((x + b) ** 2).sum(), 1)(Tensor(x), Tensor(bias))
    np.testing.assert_allclose(found.asnumpy(), (2 * (x + bias)).sum(0), 1e-4, 1e-4)


@pytest.mark.parametrize("dtype", [ms.bfloat16, ms.float16, ms.float64])
@pytest.mark.parametrize("shape", [(6, 1, 40), (1, 50, 40), (6, 50, 1), (1,)], ids=str)
def test_gradients_of_what_was_broadcast_are_sums_rounded_once(forms, dtype, shape):
    x, y = Tensor(numbers(6, 50, 40), dtype), Tensor(numbers(*shape), dtype)
    _, found = ms.value_and_grad(lambda x, y: (x * y).sum(), 1)(x, y)
    wide = x.astype(ms.float32).asnumpy()
    axes = tuple(axis for axis, size in enumerate((1, 1, 1, *shape)[-3:]) if size == 1)
    expected = wide.sum(axes).reshape(shape)
    np.testing.assert_allclose(found.astype(ms.float32).asnumpy(), expected, 8e-3, 5e-2)
    assert forms


def test_images_with_channels_last_are_left_as_they_lie(forms):
    net = nn.SequentialCell(nn.Conv2d(3, 16, 3), nn.ReLU())
    x = Tensor(numbers(4, 3, 64, 64))
    text = ms.jit(lambda x: net(x).sum(0))
    plain = net(x).asnumpy().sum(0)
    np.testing.assert_allclose(text(x).asnumpy(), plain, 1e-4, 1e-4)
