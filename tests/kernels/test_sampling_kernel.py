"""Images sampled between their pixels by a kernel: values and derivatives of all orders are those of the plain form."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mindspore._kernels import library
from mindspore._kernels.primitive import portable
from mindspore._kernels.sampling import Sample, sample

pytestmark = pytest.mark.skipif(not library.active(), reason="there are no kernels")


def operands(seed=0):
    """Images and positions, some of them outside."""
    random = np.random.RandomState(seed)
    x = random.randn(2, 11, 9, 13)
    return [
        jnp.asarray(a, jnp.float32) for a in (x, random.uniform(-3, 12, (2, 300)), random.uniform(-3, 16, (2, 300)))
    ]


def plain(*operands):
    return Sample().plain(*operands)[0]


def test_values():
    given = operands()
    assert "mycelium_sample" in jax.jit(sample).lower(*given).as_text()
    np.testing.assert_allclose(jax.jit(sample)(*given), plain(*given), 1e-5, 1e-5)


def squares(function):
    return lambda *given: (function(*given) ** 2).sum()


def test_gradients():
    given = operands()
    step = jax.jit(jax.grad(squares(sample), (0, 1, 2)))
    text = step.lower(*given).as_text()
    assert "mycelium_sample_spread" in text and "mycelium_sample_slopes" in text
    for found, expected in zip(step(*given), jax.grad(squares(plain), (0, 1, 2))(*given), strict=True):
        np.testing.assert_allclose(found, expected, 1e-4, 1e-4)


def test_gradients_of_gradients():
    given = operands(1)

    def second(function):
        first = jax.grad(squares(function), (0, 1, 2))
        return jax.jit(jax.grad(lambda *given: sum((part**2).sum() for part in first(*given)), (0, 1, 2)))(*given)

    for found, expected in zip(second(sample), second(plain), strict=True):
        np.testing.assert_allclose(found, expected, 1e-3, 1e-1)


def test_along_a_direction():
    given, along = operands(2), operands(3)
    found, expected = (jax.jit(lambda *a, f=f: jax.jvp(f, a, tuple(along)))(*given) for f in (sample, plain))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, 1e-4, 1e-4)


def test_positions_that_are_no_numbers():
    x, down, right = operands()
    down = down.at[0, 0].set(jnp.nan).at[0, 1].set(jnp.inf).at[0, 2].set(-1e30)
    np.testing.assert_allclose(jax.jit(sample)(x, down, right), plain(x, down, right), 1e-5, 1e-5)


def test_batches_and_files_have_the_plain_form():
    x, down, right = operands()
    stacked = jnp.stack([x, 2 * x])
    np.testing.assert_allclose(
        jax.vmap(lambda x: sample(x, down, right))(stacked)[1], 2 * plain(x, down, right), 1e-4, 1e-4
    )
    with portable():
        assert "mycelium" not in jax.jit(lambda *given: sample(*given)).lower(x, down, right).as_text()
