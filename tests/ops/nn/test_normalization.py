"""Normalization: statistics, running averages, gradients. The numbers are those of MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

SQUARES = (np.arange(16, dtype=np.float32) ** 2).reshape(2, 2, 2, 2)


def vectors(*rows: list) -> list[Tensor]:
    return [Tensor(np.array(row, np.float32)) for row in rows]


# -- batch normalization -----------------------------------------------------------------------------------------------
def test_training_uses_the_batch_and_updates_the_running_statistics():
    scale, bias, mean, variance = vectors([1, 2], [0.5, -0.5], [0.1, 0.2], [1.5, 2.5])
    outputs = ops.BatchNorm(is_training=True)(Tensor(SQUARES), scale, bias, mean, variance)
    assert len(outputs) == 5
    expected = [[[-0.520091, -0.498615], [-0.434189, -0.326811]], [[-2.804075, -2.577445], [-2.300452, -1.973097]]]
    np.testing.assert_allclose(outputs[0].asnumpy()[0], expected, 1e-5)
    np.testing.assert_allclose(outputs[3].asnumpy(), [47.5, 107.5])
    np.testing.assert_allclose(outputs[4].asnumpy(), [2168.25, 6308.25])  # divided by n
    np.testing.assert_allclose(mean.asnumpy(), [4.84, 10.93], 1e-6)
    np.testing.assert_allclose(variance.asnumpy(), [249.15, 723.19287], 1e-6)  # of values divided by n - 1


def test_inference_uses_the_running_statistics_and_leaves_them():
    scale, bias, mean, variance = vectors([1, 2], [0.5, -0.5], [0.1, 0.2], [1.5, 2.5])
    x = Tensor(np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2))
    result = ops.BatchNorm()(x, scale, bias, mean, variance)[0].asnumpy()
    np.testing.assert_allclose(result[0, :, 0, 0], [0.418351, 4.306653], 1e-5)
    np.testing.assert_array_equal(result, ops.batch_norm(x, mean, variance, scale, bias).asnumpy())
    assert mean.tolist() == pytest.approx([0.1, 0.2])


class Normalizer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.mean = Parameter(Tensor([0.1, 0.2]), requires_grad=False)
        self.variance = Parameter(Tensor([1.5, 2.5]), requires_grad=False)

    def construct(self, x):
        return ops.batch_norm(x, self.mean, self.variance, ops.ones((2,)), ops.zeros((2,)), True, 0.3)


def test_running_statistics_move_in_both_modes(mode):
    network = Normalizer()
    network(Tensor(SQUARES))
    np.testing.assert_allclose(network.mean.asnumpy(), [0.7 * 0.1 + 0.3 * 47.5, 0.7 * 0.2 + 0.3 * 107.5], 1e-6)
    network(Tensor(SQUARES))
    np.testing.assert_allclose(network.variance.asnumpy(), [1264.515, 3678.0337], 1e-6)


def test_gradients_of_training_and_inference(mode):
    scale, bias, mean, variance = vectors([1, 2], [0.5, -0.5], [0.1, 0.2], [1.5, 2.5])

    def inference(x, scale, bias, mean, variance):
        return ops.BatchNorm()(x, scale, bias, mean, variance)[0]

    gradients = ms.grad(inference, (0, 1, 2, 3, 4))(Tensor(SQUARES), scale, bias, mean, variance)
    factor = np.array([1, 2]) / np.sqrt(np.array([1.5, 2.5]) + 1e-5)
    np.testing.assert_allclose(gradients[0].asnumpy()[0, :, 0, 0], factor, 1e-5)
    assert gradients[2].tolist() == [8, 8]
    assert not gradients[3].asnumpy().any() and not gradients[4].asnumpy().any()

    def training(x):
        return ops.BatchNorm(is_training=True)(x, scale, bias, Tensor([0.0, 0.0]), Tensor([1.0, 1.0]))

    # the gradient of a sum over standardized numbers is zero, and statistics have none
    np.testing.assert_allclose(ms.grad(training)(Tensor(SQUARES)).asnumpy(), 0, atol=1e-4)


def test_training_matches_the_slope_of_the_formula():
    x = np.random.default_rng(0).standard_normal((4, 3, 2))
    weights = np.random.default_rng(1).standard_normal(x.shape)

    def loss(values):
        standard = (values - values.mean((0, 2), keepdims=True)) / np.sqrt(values.var((0, 2), keepdims=True) + 1e-5)
        return (standard * weights).sum()

    def ours(values):
        ones, zeros = Tensor(np.ones(3)), Tensor(np.zeros(3))
        return (ops.batch_norm(values, zeros, ones, ones, zeros, True) * Tensor(weights)).sum()

    gradient = ms.grad(ours)(Tensor(x)).asnumpy()
    step = 1e-6 * np.eye(x.size).reshape(-1, *x.shape)
    slopes = [(loss(x + one) - loss(x - one)) / 2e-6 for one in step]
    np.testing.assert_allclose(gradient.ravel(), slopes, 1e-4, 1e-6)


def test_half_precision_is_computed_in_single_precision():
    x = Tensor(SQUARES + 100).astype(ms.float16)
    scale, bias, mean, variance = vectors([1, 1], [0, 0], [0, 0], [1, 1])
    result = ops.BatchNorm(is_training=True)(x, scale, bias, mean, variance)
    assert result[0].dtype == ms.float16 and result[3].dtype == ms.float32
    np.testing.assert_allclose(result[3].asnumpy(), [147.5, 207.5])


def test_channels_last():
    scale, bias, mean, variance = vectors([1, 2], [0.5, -0.5], [0.1, 0.2], [1.5, 2.5])
    first = ops.BatchNorm()(Tensor(SQUARES), scale, bias, mean, variance)[0].asnumpy()
    moved = Tensor(SQUARES.transpose(0, 2, 3, 1))
    last = ops.BatchNorm(data_format="NHWC")(moved, scale, bias, mean, variance)[0].asnumpy()
    np.testing.assert_allclose(last.transpose(0, 3, 1, 2), first, 1e-6)


def test_a_failed_call_leaves_the_running_statistics_alone():
    scale, bias, mean, variance = vectors([1, 1], [0, 0], [0.1, 0.2], [1, 1])
    with pytest.raises(ValueError, match="one per channel"):
        ops.BatchNorm(is_training=True)(Tensor(np.ones((4, 3), np.float32)), scale, bias, mean, variance)
    assert mean.tolist() == pytest.approx([0.1, 0.2])


# -- inside a sample ---------------------------------------------------------------------------------------------------
def test_the_layer_norm_primitive_returns_statistics_without_gradient(mode):
    x = Tensor(np.array([[-1, -0.5, 0], [0.5, 1, 1.5]], np.float32))
    gamma, beta = vectors([-1, -0.5, 0], [-1, -0.5, 0])
    result, mean, variance = ops.LayerNorm()(x, gamma, beta)
    np.testing.assert_allclose(result.asnumpy()[0], [0.224744, -0.5, 0], 1e-5)
    assert mean.tolist() == [[-0.5], [1.0]]
    np.testing.assert_allclose(variance.asnumpy(), [[1 / 6], [1 / 6]], 1e-6)

    def outputs(x, gamma, beta):
        return ops.LayerNorm()(x, gamma, beta)

    gradients = ms.grad(outputs, (0, 1, 2))(x, gamma, beta)
    np.testing.assert_allclose(gradients[1].asnumpy(), [-2.449489, 0, 2.449489], 1e-5, 1e-5)
    assert gradients[2].tolist() == [2, 2, 2]


def test_axes_of_layer_norm():
    x = np.random.default_rng(0).standard_normal((2, 3, 4)).astype(np.float32)
    gamma = Tensor(np.ones(4, np.float32))
    result = ops.LayerNorm(1, 2)(Tensor(x), gamma, gamma * 0)[0].asnumpy()
    expected = (x - x.mean((1, 2), keepdims=True)) / x.std((1, 2), keepdims=True)
    np.testing.assert_allclose(result, expected, 1e-4, 1e-5)
    last = ops.LayerNorm(-1, -1)(Tensor(x), gamma, gamma * 0)[0].asnumpy()
    np.testing.assert_allclose(last, ops.layer_norm(Tensor(x), (4,), eps=1e-7).asnumpy(), 1e-5)


def test_local_response():
    x = Tensor(np.array([-1, -0.5, 0, 0.5, 1, 1.5, 2], np.float32).reshape(1, 7, 1, 1))
    result = ops.lrn(x, 2).reshape(-1).asnumpy()
    np.testing.assert_allclose(result, [-0.666667, -0.316228, 0, 0.229416, 0.342997, 0.514496, 0.696311], 1e-5)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: ops.BatchNorm(momentum=1.5), ValueError, "'momentum' must be in range"),
        (lambda x: ops.BatchNorm(data_format="NCWH"), ValueError, "Did you mean 'NCHW'"),
        (lambda x: ops.layer_norm(x, (2,)), ValueError, "'normalized_shape' must be the end of"),
        (lambda x: ops.LayerNorm(5)(x, x[0], x[0]), ValueError, "'begin_norm_axis' must be in"),
        (lambda x: ops.LayerNorm()(x, x, x), ValueError, "'gamma' must have shape"),
        (lambda x: ops.group_norm(x, 2), ValueError, "'num_groups' must divide"),
        (lambda x: ops.group_norm(x.astype(ms.int32), 3), TypeError, "floating-point"),
        (lambda x: ops.LRN(norm_region="x")(x), ValueError, "'norm_region' must be one of"),
    ],
)
def test_what_does_not_fit_is_named(call, error, text):
    with pytest.raises(error, match=text):
        call(ops.ones((2, 3)))
