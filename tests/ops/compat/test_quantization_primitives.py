"""Primitive classes of quantization-aware training, as libraries of compression use them."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.nn.layer.quant import QuantDtype
from mindspore.ops.operations import _quant_ops as Q
from mindspore.ops.operations._inner_ops import Dequant

IMAGES = np.random.default_rng(0).normal(size=(2, 3, 4, 4)).astype(np.float32)


class Quantizer(nn.Cell):
    """Observes and rounds as quantizers of libraries do: Parameters are replaced by what the observer says."""

    def __init__(self, observe, quantize, channels):
        super().__init__()
        self.observe, self.quantize = observe, quantize
        self.low = Parameter(Tensor(np.full(channels, -6, np.float32)), name="low", requires_grad=False)
        self.high = Parameter(Tensor(np.full(channels, 6, np.float32)), name="high", requires_grad=False)

    def construct(self, x):
        self.low, self.high = self.observe(x, self.low, self.high)
        return self.quantize(x, self.low, self.high)


def test_a_quantizer_observes_the_range_and_rounds_to_its_levels(mode):
    net = Quantizer(Q.MinMaxUpdatePerLayer(), Q.FakeQuantPerLayer(), 1)
    result = net(Tensor(IMAGES)).asnumpy()
    np.testing.assert_array_equal(net.low.asnumpy(), [IMAGES.min()])
    np.testing.assert_array_equal(net.high.asnumpy(), [IMAGES.max()])
    step = (IMAGES.max() - IMAGES.min()) / 255
    np.testing.assert_allclose(result, IMAGES, atol=step)
    np.testing.assert_allclose(result / step, np.round(result / step), atol=1e-3)


def test_channels_have_ranges_of_their_own(mode):
    net = Quantizer(Q.MinMaxUpdatePerChannel(channel_axis=1), Q.FakeQuantPerChannel(symmetric=True, channel_axis=1), 3)
    result = net(Tensor(IMAGES)).asnumpy()
    np.testing.assert_array_equal(net.high.asnumpy(), IMAGES.max((0, 2, 3)))
    for channel in range(3):
        step = 2 * np.abs(IMAGES[:, channel]).max() / 255
        np.testing.assert_allclose(result[:, channel], IMAGES[:, channel], atol=step)


def test_a_moving_range_follows_slowly():
    low, high = Q.MinMaxUpdatePerLayer(ema=True, ema_decay=0.75)(Tensor([-1.0, 3.0]), Tensor([-2.0]), Tensor([2.0]))
    assert (low.asnumpy().item(), high.asnumpy().item()) == (-1.75, 2.25)


def test_the_gradient_passes_inside_the_range():
    quantize = Q.FakeQuantPerLayer()
    gradient = ms.grad(lambda x: quantize(x, Tensor([-1.0]), Tensor([1.0])).sum())(Tensor([-3.0, 0.2, 0.7, 5.0]))
    np.testing.assert_array_equal(gradient.asnumpy(), [0, 1, 1, 0])


def test_rounding_begins_after_the_delay(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.quantize = Q.FakeLearnedScaleQuantPerLayer(quant_delay=2)

        def construct(self, x):
            return self.quantize(x, Tensor([1.0]), Tensor([7.0]))

    net, x = Net(), Tensor([0.4])
    assert [round(net(x).asnumpy().item(), 4) for _ in range(4)] == [0.4, 0.4, 0.4286, 0.4286]
    assert Q.FakeLearnedScaleQuantPerLayer(2, training=False)(x, Tensor([1.0]), Tensor([7.0])).asnumpy().item() != 0.4


def test_a_folded_convolution_is_a_normalized_one():
    """The output of a convolution with a folded weight, corrected, is batch normalization."""
    gamma, beta = np.array([1.5, 0.5, 2.0], np.float32), np.array([0.1, -0.2, 0.3], np.float32)
    mean, variance = Parameter(Tensor(np.zeros(3, np.float32))), Parameter(Tensor(np.full(3, 4, np.float32)))
    step = Tensor([0], ms.int32)
    batch_mean, batch_std, running_mean, running_std = Q.BatchNormFold(0.9, freeze_bn=1)(
        Tensor(IMAGES), mean, variance, step
    )
    folded = Q.CorrectionMul(channel_axis=1)(Tensor(IMAGES), Tensor(gamma), running_std)
    arguments = (folded, Tensor(beta), Tensor(gamma), batch_std, batch_mean, running_std)
    expected = (IMAGES - IMAGES.mean((0, 2, 3), keepdims=True)) / np.sqrt(IMAGES.var((0, 2, 3), keepdims=True) + 1e-5)
    expected = expected * gamma[:, None, None] + beta[:, None, None]
    np.testing.assert_allclose(Q.BatchNormFold2(1)(*arguments, running_mean, step).asnumpy(), expected, atol=1e-5)
    np.testing.assert_allclose(Q.BatchNormFold2D()(*arguments).asnumpy(), expected, atol=1e-5)
    np.testing.assert_allclose(mean.asnumpy(), 0.1 * IMAGES.mean((0, 2, 3)), atol=1e-6)
    sums = Tensor(IMAGES.sum((0, 2, 3))), Tensor((IMAGES**2).sum((0, 2, 3)))
    results = Q.BatchNormFoldD()(Tensor(IMAGES), *sums, Tensor(np.zeros(3, np.float32)), Tensor(np.ones(3, np.float32)))
    np.testing.assert_allclose(results[1].asnumpy(), batch_mean.asnumpy(), atol=1e-6)
    np.testing.assert_allclose(results[2].asnumpy(), batch_std.asnumpy(), atol=1e-5)


def test_frozen_statistics_leave_the_moving_averages_alone():
    mean, variance = Parameter(Tensor([1.0, 2.0, 3.0])), Parameter(Tensor([4.0, 4.0, 4.0]))
    results = Q.BatchNormFold(freeze_bn=0)(Tensor(IMAGES), mean, variance, Tensor([5], ms.int32))
    np.testing.assert_array_equal(results[0].asnumpy(), np.zeros(3))
    np.testing.assert_array_equal(results[1].asnumpy(), np.ones(3))
    np.testing.assert_array_equal(mean.asnumpy(), [1, 2, 3])


def test_parameters_of_quantization_are_attributes():
    param = Q.FakeQuantParam.linear_quant_param(QuantDtype.INT8, 0.5, 3, True)
    assert param.attrs["linear_quant_scale"] == [0.5]
    assert param.attrs["linear_quant_zero_point"] == [3]
    assert (param.attrs["quant_dtype"], param.attrs["quant_algo_name"]) == (7, "linear_quant_algo")
    np.testing.assert_array_equal(param(Tensor(IMAGES)).asnumpy(), IMAGES)


@pytest.mark.parametrize(("name", "arguments", "error"), [
    ("FakeQuantPerLayer", {"num_bits": 9}, ValueError),
    ("FakeQuantPerLayer", {"ema": True, "ema_decay": 0.0}, ValueError),
    ("FakeQuantPerLayer", {"quant_delay": -1}, ValueError),
    ("FakeQuantPerChannel", {"symmetric": 1}, TypeError),
    ("FakeQuantPerChannel", {"channel_axis": -1}, ValueError),
    ("MinMaxUpdatePerLayer", {"ema": 1}, TypeError),
    ("FakeLearnedScaleQuantPerLayer", {"neg_trunc": 1}, TypeError),
    ("BatchNormFold", {"momentum": 2}, TypeError),
])  # fmt: skip
def test_wrong_arguments_are_refused(name, arguments, error):
    with pytest.raises(error, match=f"For '{name}'.*{next(reversed(arguments))}"):
        getattr(Q, name)(**arguments)


def test_integers_are_scaled_back_by_a_scale_in_bits():
    bits = np.array([0.5], np.float32).view(np.uint32).astype(np.uint64)
    result = Dequant(relu_flag=True)(Tensor([100, -50], ms.int32), Tensor(bits))
    assert result.dtype == ms.float16
    np.testing.assert_array_equal(result.asnumpy(), [50, 0])
