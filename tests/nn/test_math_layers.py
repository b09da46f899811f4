"""Mathematical layers: what real MindSpore has no CPU kernel for, and both modes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.nn.layer.math import get_broadcast_matmul_shape


def test_inverse_and_determinant_of_batches(mode):
    x = np.random.default_rng(1).standard_normal((3, 2, 2)).astype(np.float32) + 2 * np.eye(2, dtype=np.float32)
    np.testing.assert_allclose(nn.MatInverse()(Tensor(x)).asnumpy(), np.linalg.inv(x), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(nn.MatDet()(Tensor(x)).asnumpy(), np.linalg.det(x), rtol=1e-4)


def test_special_functions_in_both_modes(mode):
    x = Tensor([0.5, 1.5, 20.0])
    np.testing.assert_allclose(
        nn.LGamma()(x).asnumpy(), [math.lgamma(v) for v in (0.5, 1.5, 20.0)], rtol=1e-5, atol=1e-6
    )
    beta = [math.lgamma(v) + math.lgamma(3.0) - math.lgamma(v + 3) for v in (0.5, 1.5, 20.0)]
    np.testing.assert_allclose(nn.LBeta()(x, Tensor([3.0, 3.0, 3.0])).asnumpy(), beta, rtol=1e-5)
    np.testing.assert_allclose(nn.IGamma()(Tensor([1.0]), Tensor([2.0])).asnumpy(), [1 - math.exp(-2)], rtol=1e-5)


def test_range_gives_the_same_numbers_at_every_call(mode):
    net = nn.Range(0.0, 1.0, 0.25)
    for _ in range(2):
        np.testing.assert_array_equal(net().asnumpy(), [0, 0.25, 0.5, 0.75])


def test_second_derivative_of_the_variance():
    def variance(x):
        return nn.Moments()(x)[1]

    def slope(x):
        return ms.grad(variance)(x)[0]

    np.testing.assert_allclose(ms.grad(slope)(Tensor([1.0, 2.0, 4.0])).asnumpy(), [4 / 9, -2 / 9, -2 / 9], rtol=1e-5)


def test_matmul_of_vectors_ignores_transposing(mode):
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    assert nn.MatMul(True, True)(x, y).asnumpy() == 11


def test_old_shape_helper():
    assert get_broadcast_matmul_shape((5, 1, 2, 3), (4, 3, 2)) == (5, 4)
    with pytest.raises(ValueError, match="For 'MatMul', the shapes must broadcast"):
        get_broadcast_matmul_shape((5, 2, 3), (4, 3, 2))


def test_integers_are_refused(mode):
    with pytest.raises(TypeError, match="For 'LGamma', the 'x' must hold floating-point numbers, but got dtype Int"):
        nn.LGamma()(Tensor([1, 2]))
