"""The cross entropy of scores against classes: the kernel is its plain form, and keeps no array of the scores' size."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mindspore._kernels import library
from mindspore._kernels.entropy import ClassEntropy, class_entropy
from mindspore._kernels.primitive import call

SHAPES = [(9, 1000, 1), (2, 9, 300), (3, 21, 77), (5000, 1, 1), (1, 70_001, 1), (700, 7, 1)]


def scores_and_classes(shape, dtype=np.float32):
    random = np.random.RandomState(sum(shape))
    return (random.randn(*shape) * 5).astype(dtype), random.randint(0, shape[1], (shape[0], shape[2])).astype(np.int32)


def by_hand(x, classes):
    """In NumPy, along the axis in the middle."""
    x = x - x.max(1, keepdims=True)
    logarithms = np.log(np.exp(x.astype(np.float64)).sum(1))
    return logarithms - np.take_along_axis(x, classes[:, None], 1)[:, 0]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_kernel_is_its_plain_form(shape):
    operands = scores_and_classes(shape)
    found = jax.jit(lambda *given: call(ClassEntropy(), *given))(*operands)
    for one, other in zip(found, jax.jit(ClassEntropy().plain)(*operands), strict=True):
        np.testing.assert_allclose(one, other, 1e-5, 2e-6)
    np.testing.assert_allclose(found[0], by_hand(*operands), 1e-5, 2e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES[:3])
def test_gradients_of_both_orders_are_those_of_the_formula(shape, dtype):
    x, classes = scores_and_classes(shape, dtype)
    weights = np.random.RandomState(0).rand(shape[0], shape[2]).astype(dtype)

    def formula(x):
        found = jnp.take_along_axis(jax.nn.log_softmax(x, 1), classes[:, None], 1)[:, 0]
        return -(found * weights).sum()

    def entropy(x):
        return (class_entropy(x, classes, 1) * weights).sum()

    def squares(function):
        return jax.grad(lambda x: (jax.grad(function)(x) ** 2).sum())

    for derived in (jax.grad, squares):
        found, wanted = jax.jit(derived(entropy))(x), jax.jit(derived(formula))(x)
        np.testing.assert_allclose(found, wanted, 1e-4, 1e-5 if dtype == np.float32 else 1e-12)
    tangent = np.ones_like(x)
    np.testing.assert_allclose(*(jax.jvp(one, (x,), (tangent,))[1] for one in (entropy, formula)), 1e-3, 1e-3)


@pytest.mark.parametrize("shape", [(64, 100, 1), (4, 100, 50)])
def test_numbers_that_are_none_and_classes_that_do_not_exist(shape):
    x, classes = scores_and_classes(shape)
    x[0, 3, 0], x[1, :, 0], x[2, :5, 0], x[3, 7, 0] = np.nan, -np.inf, -np.inf, np.inf
    classes[2, 0], classes[0, -1] = 99, -1
    for one in (call(ClassEntropy(), x, classes)[0], ClassEntropy().plain(x, classes)[0]):
        assert np.isnan(one[1, 0]) and np.isnan(one[3, 0]) and np.isfinite(one[2, 0])
        assert shape[2] == 1 or (np.isnan(one[0, 0]) and one[0, -1] == 0)
    x, classes = scores_and_classes(shape)
    slope = jax.grad(lambda x: class_entropy(x, jnp.full_like(classes, 100), 1).sum())(x)
    np.testing.assert_allclose(slope, jax.nn.softmax(x, 1), 1e-5, 1e-7)


def test_far_scores_keep_their_digits():
    x = np.float32(10_000) + np.linspace(0, 1, 5000, dtype=np.float32).reshape(5, 1000)
    classes = np.arange(5, dtype=np.int32) * 200
    np.testing.assert_allclose(class_entropy(x, classes, 1), by_hand(x[..., None], classes[:, None])[:, 0], 1e-5)


def test_examples_of_a_map_are_those_of_the_batch():
    x, classes = scores_and_classes((6, 1000, 7))
    mapped = jax.vmap(lambda x, c: class_entropy(x, c, 0))(x, classes)
    np.testing.assert_allclose(mapped, class_entropy(x, classes, 1), 1e-5, 2e-6)


@pytest.mark.skipif(not library.active(), reason="about the C++ part")
def test_no_array_of_the_scores_size_is_kept():
    x, classes = jnp.zeros((64, 10_000)), jnp.zeros(64, jnp.int32)
    step = jax.jit(jax.value_and_grad(lambda x: class_entropy(x, classes, 1).mean()))
    assert step.lower(x).compile().memory_analysis().temp_size_in_bytes < x.nbytes / 10
