"""Products and matrices: the operator, broadcasting, precision and errors."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize(
    ("first", "second"), [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((4, 2, 3), (3, 2)), ((4, 1, 2, 3), (5, 3, 2))]
)
def test_the_operator_multiplies_like_numpy(first, second, mode):
    x, y = normal(*first), normal(*second)
    np.testing.assert_allclose((Tensor(x) @ Tensor(y)).asnumpy(), x @ y, 1e-5, 1e-6)


def test_integers_and_half_precision_keep_their_dtype():
    ones = Tensor(np.ones((2, 2000)))
    assert (Tensor([[1, 2]]) @ Tensor([[3], [4]])).tolist() == [[11]]
    half = ops.matmul(ones.astype(ms.float16), ones.astype(ms.float16).T)
    assert half.dtype == ms.float16
    small = Tensor(np.full((1, 4096), 0.1, np.float16))
    exact = float((small.asnumpy().astype(np.float64) ** 2).sum())
    assert float(ops.matmul(small, small.T)) == pytest.approx(exact, rel=1e-3)  # added up in float32


def test_transposed_factors():
    x, y = normal(3, 2), normal(4, 3)
    np.testing.assert_allclose(ops.MatMul(True, True)(Tensor(x), Tensor(y)).asnumpy(), x.T @ y.T, 1e-5, 1e-6)
    x, y = normal(5, 2, 3), normal(5, 4, 3)
    result = ops.BatchMatMul(transpose_b=True)(x=Tensor(x), y=Tensor(y)).asnumpy()
    np.testing.assert_allclose(result, x @ y.swapaxes(1, 2), 1e-5, 1e-6)


def test_scaled_sums_promote_integers_with_fractions():
    a, b, c = Tensor([[1, 2]]), Tensor([[3], [4]]), Tensor([[1]])
    assert ops.addmm(c, a, b, beta=2, alpha=3).dtype == ms.int64
    result = ops.addmm(c, a, b, beta=2, alpha=0.5)
    assert result.dtype == ms.float32 and result.tolist() == [[7.5]]


def test_distances_between_equal_points_have_finite_gradients(mode):
    x = Tensor([[-1.0, -0.5, 0.0], [0.5, 1.0, 1.5]])

    def distances(a, b):
        return ops.cdist(a, b)

    for gradient in ms.grad(distances, (0, 1))(x, x * 1):
        np.testing.assert_allclose(gradient.asnumpy(), [[-0.57735] * 3, [0.57735] * 3], 1e-4)


def test_normalized_vectors_near_zero_are_divided_by_the_root_of_epsilon(mode):
    x = Tensor([[0.0, 0.0], [3.0, 4.0], [0.001, 0.0]])
    np.testing.assert_allclose(ops.L2Normalize(axis=-1)(x).asnumpy(), [[0, 0], [0.6, 0.8], [0.1, 0]], 1e-6)

    def first(x):
        return ops.L2Normalize(axis=-1)(x)[:, 0]

    np.testing.assert_allclose(ms.grad(first)(x).asnumpy(), [[100, 0], [0.128, -0.096], [100, 0]], 1e-4, 1e-6)


def test_singular_vectors_rebuild_the_matrix():
    x = normal(4, 3)
    s, u, v = ops.svd(Tensor(x))
    np.testing.assert_allclose((u.asnumpy() * s.asnumpy()) @ v.asnumpy().T, x, 1e-4, 1e-5)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: x @ x, ValueError, r"'x1_col' and 'x2_row' must be equal, but got 3 and 2"),
        (lambda x: x @ 2, TypeError, "'other' must be a Tensor"),
        (lambda x: [1, 2] @ x, TypeError, "'input' must be a Tensor"),
        (lambda x: x @ x.astype(ms.int32).T, TypeError, "must have the same dtype"),
        (lambda x: ops.MatMul()(x[None], x[None]), ValueError, "For 'MatMul', the 'input' must have 2 dimensions"),
        (lambda x: ops.matmul(ops.ones((2, 1, 3)), ops.ones((3, 3, 1))), ValueError, "must broadcast"),
        (lambda x: ops.mv(x, x), ValueError, "'vec' must have 1 dimensions"),
        (lambda x: ops.dot(x[0], x[0]), ValueError, "at least 2 dimensions"),
        (lambda x: ops.tensor_dot(x, x, 3), ValueError, r"'axes' must be in \[0, 2\]"),
        (lambda x: ops.tensor_dot(x, x, ((1,), (0,))), ValueError, "equal lengths"),
        (lambda x: ops.batch_dot(x, x, 0), ValueError, "must not contain 0"),
        (lambda x: ops.dense(x, x, x[0]), ValueError, "need to broadcast"),
        (lambda x: ops.bias_add(x, x[:, 0]), ValueError, "'bias' must have shape"),
        (lambda x: ops.inverse(x), ValueError, "square matrix"),
        (lambda x: ops.inverse(ops.ones((2, 2), ms.int32)), TypeError, "floating-point"),
        (lambda x: ops.cross(x, x, 0), ValueError, "axis of length 3"),
        (lambda x: ops.cdist(x, x[:, :2]), ValueError, "same number of columns"),
        (lambda x: ops.qr(x, "raw"), ValueError, "'mode' must be one of"),
        (lambda x: ops.L2Normalize(axis=(0, 1))(x), TypeError, "a tuple of one int"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(call, error, text):
    with pytest.raises(error, match=text):
        call(Tensor(normal(2, 3)))


def test_distances_of_rows_that_nearly_agree_are_exact(mode):
    x = np.random.RandomState(4).randn(5, 8).astype(np.float32) * 100
    y = np.concatenate([x[:2] + np.float32(1e-3), x[2:]])
    found = ops.cdist(Tensor(x), Tensor(y)).asnumpy()
    np.testing.assert_allclose(found, np.sqrt(((x[:, None] - y) ** 2).sum(-1)), 1e-5, 1e-7)
    by_x = ms.grad(lambda x: ops.cdist(x, Tensor(y)).sum())(Tensor(x)).asnumpy()
    assert np.isfinite(by_x).all()  # rows 2 to 4 lie upon each other: their distance adds nothing


def test_second_derivatives_of_distances_follow():
    x, y = Tensor([[1.0, 2.0]]), Tensor([[0.0, 0.0], [3.0, 1.0]])
    first = ms.grad(lambda x: (ops.cdist(x, y) ** 3).sum())
    found = ms.grad(lambda x: (first(x) * Tensor([[1.0, 0.5]])).sum())(x).asnumpy()
    step, point = 1e-3, x.asnumpy()
    for axis in range(2):
        moved = np.zeros_like(point)
        moved[0, axis] = step
        rise = first(Tensor(point + moved)).asnumpy() - first(Tensor(point - moved)).asnumpy()
        np.testing.assert_allclose(found[0, axis], (rise * [[1.0, 0.5]]).sum() / (2 * step), 2e-3)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_many_small_matrices_are_inverted_exactly(size):
    x = np.random.RandomState(size).randn(4, 10, size, size).astype(np.float32)
    exact = np.linalg.inv(x.astype(np.float64))
    np.testing.assert_allclose(ops.inverse(Tensor(x)).asnumpy(), exact, rtol=1e-5, atol=1e-5 * np.abs(exact).max())
    gradient = ms.grad(lambda x: (ops.inverse(x) ** 2).sum())(Tensor(x)).asnumpy()
    turned = exact.swapaxes(-1, -2)
    wanted = -2 * turned @ exact @ turned
    scale = np.abs(wanted).max((-1, -2), keepdims=True)
    np.testing.assert_allclose(gradient / scale, wanted / scale, atol=1e-5)
