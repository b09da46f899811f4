"""Activations where calculus leaves a choice, and on integers. The numbers are those of MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

POINTS = [-5.0, -3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0, 7.0]


@pytest.mark.parametrize(
    ("function", "slopes"),
    [
        (ops.relu, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]),
        (ops.relu6, [0, 0, 0, 0, 0, 1, 1, 1, 1, 0]),
        (ops.leaky_relu, [0.2, 0.2, 0.2, 0.2, 0.6, 1, 1, 1, 1, 1]),
        (ops.hardsigmoid, [0, 0, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 0, 0, 0]),
        (ops.hardswish, [0, -0.5, 1 / 6, 1 / 3, 0.5, 2 / 3, 5 / 6, 1.5, 1, 1]),
        (ops.hardtanh, [0, 0, 0.5, 1, 1, 1, 0.5, 0, 0, 0]),
        (ops.hardshrink, [1, 1, 1, 0, 0, 0, 1, 1, 1, 1]),
        (ops.softshrink, [1, 1, 1, 0, 0, 0, 1, 1, 1, 1]),
        (ops.elu, [0.0067379, 0.0497871, 0.3678794, 0.6065307, 1, 1, 1, 1, 1, 1]),
        (ops.softsign, [0.0277778, 0.0625, 0.25, 0.4444444, 1, 0.4444444, 0.25, 0.0625, 0.0204082, 0.015625]),
    ],
)
def test_slopes_at_corners(function, slopes, mode):
    np.testing.assert_allclose(ms.grad(function)(Tensor(POINTS)).asnumpy(), slopes, 1e-5)


def test_the_weight_of_prelu_holds_at_zero(mode):
    x = Tensor([[-1.0, -0.5, 0.0], [0.5, 1.0, 1.5]])
    by_input, by_weight = ms.grad(ops.prelu, (0, 1))(x, Tensor([0.25]))
    assert by_input.tolist() == [[0.25, 0.25, 0.25], [1, 1, 1]]
    assert by_weight.tolist() == [-1.5]


def test_large_inputs_have_finite_values_and_slopes(mode):
    x = Tensor([-1000.0, 1000.0])
    for function in (
        ops.softplus,
        ops.logsigmoid,
        ops.selu,
        ops.elu,
        ops.celu,
        ops.mish,
        ops.silu,
        ops.sigmoid,
        ops.gelu,
    ):
        assert np.isfinite(function(x).asnumpy()).all()
        assert np.isfinite(ms.grad(function)(x).asnumpy()).all()


def test_the_function_gelu_is_exact_and_the_class_is_the_tanh_formula():
    x = Tensor([-3.0])
    np.testing.assert_allclose(ops.gelu(x).asnumpy(), -0.00405, atol=1e-5)
    np.testing.assert_allclose(ops.GeLU()(x).asnumpy(), -0.003637, atol=1e-5)
    np.testing.assert_array_equal(ops.GeLU()(x).asnumpy(), ops.gelu(x, "tanh").asnumpy())


def test_integers_stay_integers_where_mindspore_keeps_them():
    x = Tensor([-2, 0, 7], ms.int32)
    assert ops.relu(x).dtype == ms.int32
    assert ops.hardtanh(x, 0, 1).tolist() == [0, 0, 1]
    assert ops.leaky_relu(x).tolist() == [0, 0, 7]
    assert ops.threshold(x, 0, 9).tolist() == [9, 9, 7]
    assert ops.sigmoid(x).dtype == ms.float32


def test_softmax_over_several_axes_and_in_another_dtype():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    np.testing.assert_allclose(ops.Softmax(axis=(0, 1))(x).asnumpy().sum(), 1, 1e-6)
    assert ops.softmax(x, dtype=ms.float16).dtype == ms.float16
    with pytest.raises(ValueError, match=r"For 'Softmax', the 'axis' must be in \[-2, 2\), but got 5"):
        ops.softmax(x, 5)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda x: ops.prelu(x, Tensor([0.1, 0.2])), "'weight' must have shape"),
        (lambda x: ops.glu(x), "even length"),
        (lambda x: ops.celu(x, 0.0), "'alpha' must not be 0"),
        (lambda x: ops.softshrink(x, -1.0), "'lambd' must not be negative"),
        (lambda x: ops.gelu(x, "abc"), "'approximate' must be one of"),
        (lambda x: ops.relu(x, inplace=True), "x = ops.relu"),
    ],
)
def test_what_does_not_fit_is_named(call, text):
    with pytest.raises(ValueError, match=text):
        call(ops.ones((2, 3)))


def test_a_number_is_no_tensor():
    with pytest.raises(TypeError, match="For 'ReLU', the 'input' must be a Tensor"):
        ops.ReLU()(2)
