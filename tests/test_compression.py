"""Quantization-aware training by the paths of MindSpore 1.x."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.compression.common import QuantDtype
from mindspore.compression.quant import (
    OptimizeOption,
    QuantizationAwareTraining,
    create_quant_config,
    load_nonquant_param_into_quant_net,
)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2dBnAct(1, 4, 3, has_bn=True, activation="relu")
        self.second = nn.SequentialCell(nn.Conv2dBnAct(4, 4, 3), nn.Flatten())
        self.last = nn.DenseBnAct(4 * 36, 2, activation="relu")

    def construct(self, x):
        return self.last(self.second(self.first(x)))


def images(count=4):
    return Tensor(np.random.default_rng(3).uniform(-1, 1, (count, 1, 6, 6)).astype(np.float32))


@pytest.mark.parametrize(
    ("options", "convolution"),
    [
        ({}, nn.Conv2dBnFoldQuantOneConv),
        ({"one_conv_fold": False}, nn.Conv2dBnFoldQuant),
        ({"bn_fold": False}, nn.Conv2dBnWithoutFoldQuant),
    ],
)
def test_layers_are_replaced_and_compute_nearly_the_same(options, convolution, mode):
    ms.set_seed(1)  # with other weights, the last activation may be zero everywhere
    network = Net().set_train(False)
    expected = network(images()).asnumpy()
    weight = network.first.conv.weight.asnumpy()
    quantized = QuantizationAwareTraining(**options).quantize(network)
    assert quantized is network
    assert type(network.first.conv) is convolution and type(network.first.activation) is nn.ActQuant
    assert type(network.second[0].conv) is nn.Conv2dQuant
    assert type(network.second[0].activation) is nn.FakeQuantWithMinMaxObserver
    assert type(network.last.dense) is nn.DenseQuant
    np.testing.assert_array_equal(network.first.conv.weight.asnumpy(), weight)
    network.set_train(True)
    for _ in range(3):
        network(images())  # ranges follow
    network.set_train(False)
    found = network(images()).asnumpy()
    assert np.abs(found - expected).max() < 0.2 and (found != expected).any()


def test_parameters_are_named_after_their_place():
    network = QuantizationAwareTraining(bn_fold=False).quantize(Net())
    names = {parameter.name for parameter in network.get_parameters()}
    assert names == {name for name, _ in network.parameters_and_names()}
    assert {"first.conv.weight", "first.conv.batchnorm.gamma", "second.0.conv.weight", "last.dense.bias"} <= names


def test_a_quantized_network_trains(mode):
    ms.set_seed(1)
    network = QuantizationAwareTraining(quant_delay=2, per_channel=(True, False), symmetric=(True, False)).quantize(
        Net()
    )
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(network, loss), nn.Momentum(network.trainable_params(), 0.1, 0.9))
    step.set_train()
    labels = Tensor(np.array([0, 1, 0, 1], np.int32))
    losses = [float(step(images(), labels).asnumpy()) for _ in range(12)]
    assert losses[-1] < losses[0]


def test_trained_ranges_begin_as_wide_as_the_weight():
    quantizer = QuantizationAwareTraining(
        bn_fold=False,
        per_channel=(True, False),
        symmetric=(True, True),
        narrow_range=(True, True),
        quant_dtype=(QuantDtype.INT4, QuantDtype.INT8),
        optimize_option=OptimizeOption.LEARNED_SCALE,
    )
    network = quantizer.quantize(Net())
    observer = network.first.conv.fake_quant_weight
    widths = np.abs(network.first.conv.weight.asnumpy()).reshape(4, -1).max(1)
    np.testing.assert_allclose(observer.maxq.asnumpy(), widths)
    assert observer.maxq.requires_grad
    levels = observer(network.first.conv.weight).asnumpy()[0] / widths[0] * 7
    np.testing.assert_allclose(levels, levels.round(), atol=1e-4)


def test_weights_of_the_network_without_quantization_are_found():
    plain, quantized = Net(), QuantizationAwareTraining(bn_fold=True).quantize(Net())
    plain.first.batchnorm.gamma.set_data(Tensor(np.arange(4, dtype=np.float32)))
    load_nonquant_param_into_quant_net(quantized, plain.parameters_dict())
    np.testing.assert_array_equal(quantized.first.conv.gamma.asnumpy(), np.arange(4))
    np.testing.assert_array_equal(quantized.last.dense.weight.asnumpy(), plain.last.dense.weight.asnumpy())


def test_weights_of_another_network_are_refused_and_change_nothing():
    quantized = QuantizationAwareTraining().quantize(Net())
    before = quantized.first.conv.weight.asnumpy()
    other = {"conv.weight": ms.Parameter(Tensor(np.zeros((4, 1, 3, 3), np.float32)))}
    with pytest.raises(ValueError, match=r"has no Parameter left for 'first\.conv\.gamma'"):
        load_nonquant_param_into_quant_net(quantized, other)
    np.testing.assert_array_equal(quantized.first.conv.weight.asnumpy(), before)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: create_quant_config(per_channel=True), ValueError, "False for activations"),
        (lambda: create_quant_config(quant_delay=(1, 2, 3)), ValueError, "one value, or two"),
        (lambda: create_quant_config(mode="OTHER"), ValueError, "mode"),
        (lambda: QuantizationAwareTraining(bn_fold=1), TypeError, "bn_fold"),
        (lambda: QuantizationAwareTraining(optimize_option=OptimizeOption.LEARNED_SCALE), ValueError, "must be False with LEARNED_SCALE"),
        (lambda: QuantizationAwareTraining().quantize(nn.ReLU()), ValueError, "nn.Conv2dBnAct or nn.DenseBnAct"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_are_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()
