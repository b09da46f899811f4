"""Sorting, the largest elements, elements along an axis and running sums: the kernels are their plain forms."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore._kernels import sorting
from mindspore._kernels.matrices.product import Product, worthwhile
from mindspore._kernels.primitive import call, portable


def same(kernel, *operands, tolerance=0.0):
    found = jax.jit(lambda *given: call(kernel, *given))(*operands)
    for one, other in zip(found, jax.jit(kernel.plain)(*operands), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, tolerance, tolerance)


def rows_of(length, dtype):
    rng = np.random.RandomState(length)
    if np.issubdtype(dtype, np.integer):
        return rng.randint(-9, 9, (3, length)).astype(dtype) * (1 << (20 if dtype == np.int32 else 40))
    x = rng.randn(3, length).astype(dtype).round(1)  # many are equal
    x[0, ::5], x[1, ::7], x[2, ::3], x[2, 1::4] = np.nan, -np.inf, -0.0, -np.float32(np.nan)
    return x


NUMBERS = pytest.mark.parametrize("dtype", [np.float32, np.int32, np.float64, np.int64])


@NUMBERS
@pytest.mark.parametrize("descending", [False, True], ids=["rising", "falling"])
def test_rows_are_sorted_as_xla_sorts_them(dtype, descending):
    for length in (1, 6, 64, 65, 700, 20_000):
        same(sorting.Sort(descending), rows_of(length, dtype))


@NUMBERS
@pytest.mark.parametrize("largest", [False, True], ids=["smallest", "largest"])
def test_the_first_of_a_row_in_order(dtype, largest):
    for length, counts in ((9, (1, 9)), (127, (1, 15)), (128, (2,)), (500, (3, 60)), (5000, (1, 17, 600))):
        for count in counts:
            same(sorting.Top(count, largest), rows_of(length, dtype))


@pytest.mark.parametrize("dtype", [ms.float16, ms.float64, ms.int8, ms.int64, ms.uint8, ms.bool_], ids=str)
def test_every_dtype_is_sorted(dtype):
    x = np.random.RandomState(0).randint(0, 90, (4, 33))
    values, places = ops.sort(Tensor(x).astype(dtype), axis=0, descending=True)
    given = Tensor(x).astype(dtype).asnumpy()
    np.testing.assert_array_equal(values.asnumpy(), -np.sort(-given.astype(np.float64), 0))
    np.testing.assert_array_equal(np.take_along_axis(given, places.asnumpy(), 0), values.asnumpy())
    assert values.dtype == dtype and places.dtype == ms.int32


@pytest.mark.parametrize("shape", [(3, 7, 1), (2, 5, 9), (1, 6, 1300)], ids=["rows", "columns", "strips"])
def test_elements_along_an_axis_and_the_way_back(shape):
    rng = np.random.RandomState(1)
    outer, length, inner = shape
    x, y = (rng.randn(outer, n, inner).astype(np.float32) for n in (length, 4))
    places = rng.randint(-2, length + 2, y.shape).astype(np.int32)  # some do not exist
    same(sorting.TakeAlong(), x, places)
    same(sorting.AddAlong(length), y, places, tolerance=1e-6)
    for reverse in (False, True):
        same(sorting.RunningSum(reverse), x, tolerance=1e-5)


def test_gradients_of_every_order_go_where_elements_came_from():
    x = jnp.asarray(np.random.RandomState(2).permutation(24).reshape(2, 12), jnp.float32)
    weights = jnp.arange(24, dtype=jnp.float32).reshape(2, 12)

    def ours(x):
        first, _ = sorting.sort(x**2, -1)
        best, _ = sorting.top(x, 1, largest=True)
        return (weights * sorting.running_sum(first, 1) ** 2).sum() + (best**3).sum()

    def twice(x):
        return jax.grad(lambda x: (jax.grad(ours)(x) * weights).sum())(x)

    with portable():
        wanted = jax.jit(lambda x: twice(x))(x)
    np.testing.assert_allclose(jax.jit(twice)(x), wanted, 1e-5)
    tangent = jax.jit(lambda x: jax.jvp(jax.grad(ours), (x,), (weights,))[1])(x)
    np.testing.assert_allclose(tangent, wanted, 1e-5)


@pytest.mark.parametrize("rows", [1, 2, 7, 15])
@pytest.mark.parametrize("turned", [False, True], ids=["as it lies", "turned"])
def test_few_rows_times_a_matrix(rows, turned):
    rng = np.random.RandomState(rows)
    for depth, columns in ((300, 511), (17, 1030), (1024, 64)):
        x = rng.randn(rows, depth).astype(np.float32)
        y = rng.randn(*((columns, depth) if turned else (depth, columns))).astype(np.float32)
        same(Product(False, turned), x, y, tolerance=2e-4)
    assert worthwhile((rows, 300), (300, 511)) and not worthwhile((rows, 30), (30, 51))


def test_an_infinity_beside_few_rows_stays_where_it_belongs():
    x, y = np.zeros((1, 257), np.float32), np.ones((257, 300), np.float32)
    y[256, 5] = np.inf
    found = jax.jit(lambda x, y: call(Product(False, False), x, y)[0])(x, y)
    assert np.isnan(found[0, 5]) and np.isfinite(np.delete(np.asarray(found), 5)).all()


def test_a_layer_of_one_row_in_both_modes(mode):
    rng = np.random.RandomState(3)
    x, w, b = (rng.randn(*shape).astype(np.float32) for shape in ((1, 256), (512, 256), (512,)))
    by_x, by_w = ms.grad(lambda x, w: (ops.dense(x, w, Tensor(b)) ** 2).sum(), (0, 1))(Tensor(x), Tensor(w))
    y = x @ w.T + b
    np.testing.assert_allclose(by_x.asnumpy(), 2 * y @ w, 1e-3, 1e-3)
    np.testing.assert_allclose(by_w.asnumpy(), 2 * y.T @ x, 1e-3, 1e-3)


def test_sorted_elements_send_gradients_back_in_both_modes(mode):
    x = Tensor([[3.0, 1.0, 2.0], [0.0, 5.0, -1.0]])
    found = ms.grad(lambda x: (ops.sort(x)[0] * Tensor([1.0, 10.0, 100.0])).sum())(x)
    np.testing.assert_array_equal(found.asnumpy(), [[100, 1, 10], [10, 100, 1]])
    found = ms.grad(lambda x: ops.cumsum(x, 1).sum())(x)
    np.testing.assert_array_equal(found.asnumpy(), [[3, 2, 1], [3, 2, 1]])
