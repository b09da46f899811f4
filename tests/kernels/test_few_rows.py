"""Broadcasting whose gradient is a sum of few rows or of halves, diagonals."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mindspore import Tensor, grad, ops
from mindspore._kernels.matrices.diagonal import trace
from mindspore._kernels.matrices.few_rows import lined_up

_SHAPES = [((8, 16, 128), (16, 128)), ((4, 2048), (2048,)), ((512, 64), (64,))]


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_operands_that_are_lined_up_have_the_gradients_of_broadcasting(dtype):
    rng = np.random.RandomState(0)
    for wide, narrow in _SHAPES:
        x, y, g = (jnp.asarray(rng.rand(*shape) + 1, dtype) for shape in (wide, narrow, wide))
        found = jax.jit(jax.grad(lambda x, y: (jnp.multiply(*lined_up(x, y)) * g).sum(), (0, 1)))(x, y)  # noqa: B023
        exact = (np.asarray(g, np.float64) * np.asarray(x, np.float64)).sum(tuple(range(len(wide) - len(narrow))))
        assert found[1].dtype == y.dtype and found[1].shape == y.shape
        np.testing.assert_allclose(
            found[1].astype(jnp.float64), exact, {"float32": 1e-5, "float16": 2e-3}.get(dtype, 2e-2)
        )
        np.testing.assert_allclose(found[0].astype(jnp.float64), (g * y).astype(jnp.float64), 1e-2)


def test_lined_up_operands_have_second_derivatives_and_batches():
    x, y = jnp.arange(8192.0, dtype=jnp.float32).reshape(4, 2048) / 8192, jnp.ones(2048, jnp.float32) / 2
    second = jax.grad(lambda y: jax.grad(lambda y: (jnp.multiply(*lined_up(x, y)) ** 3).sum())(y).sum())(y)
    np.testing.assert_allclose(second, (6 * x**3 * y).sum(0), 1e-4)
    batch = jax.vmap(lambda x: sum(lined_up(x, y)))(jnp.stack([x, x + 1]))
    np.testing.assert_allclose(batch[1], x + 1 + y, 1e-6)


def test_the_trace_of_any_matrix_and_its_gradient():
    for shape in ((5, 5), (3, 7), (7, 3), (1, 4), (0, 3)):
        x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        assert float(trace(x)) == np.trace(x)
        np.testing.assert_array_equal(jax.grad(trace)(x), np.eye(*shape))


def test_norms_of_batches_of_one_are_those_of_more():
    x = np.random.RandomState(0).randn(1, 3, 4, 5).astype(np.float32)
    for function in (
        lambda x: ops.softmax(x, -1), lambda x: ops.softmax(x, 1), lambda x: ops.log_softmax(x, 2), lambda x: ops.layer_norm(x, (5,)),
        lambda x: ops.rms_norm(x, ops.ones((4, 5)))[0],
    ):  # fmt: skip
        one, two = (function(Tensor(given)).asnumpy() for given in (x, np.concatenate([x, x])))
        np.testing.assert_allclose(one[0], two[0], atol=1e-6)
        gradient = grad(lambda x: (function(x) ** 3).sum())  # noqa: B023
        np.testing.assert_allclose(
            gradient(Tensor(x)).asnumpy()[0], gradient(Tensor(np.concatenate([x, x]))).asnumpy()[1], atol=1e-5
        )
