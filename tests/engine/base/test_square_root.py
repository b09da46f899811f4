"""Square roots and their reciprocals have the bits that IEEE 754 defines, on every processor."""

import jax
import numpy as np
import pytest
from jax import lax

import mindspore as ms
from mindspore import Tensor, nn, ops

X = (np.random.default_rng(3).random(5000) * 10).astype(np.float32)
ONE, HALF, THREE = np.float32(1), np.float32(0.5), np.float32(3)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        pytest.param(ops.rsqrt, ONE / np.sqrt(X), id="rsqrt"),
        pytest.param(lambda x: 1 / ops.sqrt(x), ONE / np.sqrt(X), id="reciprocal"),
        pytest.param(lambda x: (x + 3) / ops.sqrt(x), (X + THREE) / np.sqrt(X), id="quotient"),
        pytest.param(ms.grad(ops.sqrt), HALF / np.sqrt(X), id="gradient"),
    ],
)
def test_roots_are_rounded_correctly(mode, function, expected):
    for one in (function, ms.jit(function)):
        np.testing.assert_array_equal(one(Tensor(X)).asnumpy(), expected)


def test_half_precision_is_rounded_after_each_operation():
    halves = X.astype(np.float16)
    np.testing.assert_array_equal(ops.rsqrt(Tensor(halves)).asnumpy(), np.float16(1) / np.sqrt(halves))


def test_special_values_of_rsqrt():
    given = Tensor([0.0, -0.0, -1.0, np.inf, np.nan], ms.float32)
    np.testing.assert_array_equal(ops.rsqrt(given).asnumpy(), np.float32([np.inf, -np.inf, np.nan, 0, np.nan]))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex64])
@pytest.mark.parametrize(
    "function", [lax.rsqrt, lambda x: x / lax.sqrt(x + 1), jax.grad(lambda x: abs(lax.rsqrt(x)).sum())]
)
def test_no_program_asks_the_processor_for_an_estimate(function, dtype):
    text = jax.jit(function).lower(X.astype(dtype)).compile().as_text()
    assert " rsqrt(" not in text and " sqrt(" in text


def test_a_root_and_its_division_are_one_loop():
    text = jax.jit(lambda x: (x + 1) * lax.rsqrt(x)).lower(X).compile().as_text()
    assert text.count(" fusion(") == 1
    assert "opt-barrier" not in text


def test_batch_normalization_divides_by_a_root(mode):
    net = nn.BatchNorm2d(2)
    x = Tensor(X[:16].reshape(2, 2, 2, 2))
    variance = np.float32([1.7, 0.3])
    net.moving_variance.set_data(Tensor(variance))
    factor = (ONE / np.sqrt(variance + np.float32(1e-5))).reshape(1, 2, 1, 1)
    np.testing.assert_array_equal(net(x).asnumpy(), x.asnumpy() * factor)
