"""Convolution layers: what real MindSpore cannot show here, and what programs build on."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._engine.config import config
from mindspore.common.initializer import initializer
from mindspore.nn.layer.conv import _check_input_3d, _Conv


@pytest.fixture
def old_weights():
    """Layers draw their weights as in MindSpore 1.x."""
    config.reload({"MYCELIUM_INITIAL_WEIGHTS": "1.x"})
    yield
    config.reload()


def image(*shape):
    return Tensor(np.random.default_rng(1).standard_normal(shape), ms.float32)


def test_channels_last_computes_the_same(mode):
    first = nn.Conv2d(4, 6, 3, stride=2, group=2, has_bias=True)
    last = nn.Conv2d(4, 6, 3, stride=2, group=2, has_bias=True, data_format="NHWC")
    assert last.weight.shape == (6, 3, 3, 2)
    last.weight.set_data(first.weight.transpose(0, 2, 3, 1))
    last.bias.set_data(first.bias.value())
    x = image(2, 4, 6, 5)
    expected = first(x).asnumpy().transpose(0, 2, 3, 1)
    np.testing.assert_allclose(last(x.transpose(0, 2, 3, 1)).asnumpy(), expected, atol=1e-5)


def test_modes_agree_on_output_and_gradient():
    net = nn.SequentialCell(nn.Conv2d(2, 3, 3, has_bias=True), nn.Conv2dTranspose(3, 1, 3, 2))
    x = image(1, 2, 4, 4)
    results = []
    for one in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=one)
        gradients = ms.grad(net, None, weights=net.trainable_params())(x)
        results.append([net(x).asnumpy(), *(g.asnumpy() for g in gradients)])
    for graph, pynative in zip(*results, strict=True):
        np.testing.assert_allclose(graph, pynative, atol=1e-4)


@pytest.mark.parametrize("make", [
    lambda: nn.Conv2d(2, 3, 3, has_bias=True), lambda: nn.Conv1d(2, 3, 3, has_bias=True),
    lambda: nn.Conv3dTranspose(2, 3, 3, has_bias=True), lambda: nn.Dense(2, 3),
])  # fmt: skip
def test_weights_of_1x_are_normal_and_zeros(old_weights, make):
    net = make()
    assert 0 < float(net.weight.asnumpy().std()) < 0.02
    assert (net.bias.asnumpy() == 0).all()


def test_weights_of_1x_are_shown(old_weights):
    assert "weight_init=normal, bias_init=zeros" in repr(nn.Conv2d(2, 3, 3, has_bias=True))


def test_programs_derive_from_conv2d_and_call_its_operators(mode):
    class Standardized(nn.Conv2d):
        def construct(self, x):
            weight = self.weight - self.weight.mean((1, 2, 3), True)
            output = self.conv2d(x, weight)
            return self.bias_add(output, self.bias) if self.has_bias else output

    net = Standardized(2, 3, 3, has_bias=True, bias_init="ones")
    np.testing.assert_allclose(net(ops.ones((1, 2, 5, 5)))[:, :, 1:4, 1:4].asnumpy(), 1, atol=1e-6)


def test_programs_derive_from_the_base():
    class Pointwise(_Conv):
        def __init__(self):
            super().__init__(2, 3, (1, 1), (1, 1), "same", 0, (1, 1), 1, False, "ones", "zeros")

        def construct(self, x):
            return ops.conv2d(x, self.weight)

    np.testing.assert_array_equal(Pointwise()(ops.ones((1, 2, 2, 2))).asnumpy(), 2)


def test_output_padding_adds_zeros_behind_the_result():
    net = nn.Conv2dTranspose(1, 1, 3, 2, "pad", 1, output_padding=(1, 0), has_bias=True, bias_init=10.0)
    without = nn.Conv2dTranspose(1, 1, 3, 2, "pad", 1, has_bias=True, bias_init=10.0, weight_init=net.weight.value())
    x = image(1, 1, 3, 3)
    output = net(x).asnumpy()
    assert output.shape == (1, 1, 6, 5)
    np.testing.assert_array_equal(output[:, :, -1], 0)
    np.testing.assert_array_equal(output[:, :, :-1], without(x).asnumpy())


def test_half_precision_keeps_parameters_wide():
    net = nn.Conv2d(2, 3, 3).to_float(ms.float16)
    assert net(image(1, 2, 4, 4)).dtype == ms.float16
    assert net.weight.dtype == ms.float32


def test_bias_is_none_without_one():
    net = nn.Conv2d(2, 3, 3, bias_init="ones")
    assert net.bias is None
    assert [one.name for one in net.get_parameters()] == ["weight"]


@pytest.mark.parametrize(("make", "text"), [
    (lambda: nn.Conv2d(0, 3, 3), "'Conv2d', the 'in_channels' must be greater than or equal to 1, but got 0"),
    (lambda: nn.Conv2d(2, 3, 3, pad_mode="sam"), "'pad_mode' must be one of .* Did you mean 'same'"),
    (lambda: nn.Conv2d(4, 6, 3, group=4), "'group' must divide .* group: 4, in_channels: 4, out_channels: 6"),
    (lambda: nn.Conv2d(2, 3, 3, padding=1), "'pad' must be zero when 'pad_mode' is not 'pad'"),
    (lambda: nn.Conv3d(2, 3, 3, data_format="NDHWC"), "'data_format' must be one of"),
    (lambda: nn.Conv2dTranspose(2, 3, 3, output_padding=1), "'output_padding' must be zero when 'pad_mode' is not"),
    (lambda: nn.Conv2dTranspose(2, 3, 3, 2, "pad", 1, 2), "'output_padding' must be smaller than the stride"),
])  # fmt: skip
def test_errors_say_what_is_allowed(make, text):
    with pytest.raises(ValueError, match=text):
        make()


def test_wrong_number_of_channels_is_explained(mode):
    with pytest.raises(RuntimeError, match=r"Conv2d\(in_channels=2\) got 3 channels"):
        nn.Conv2d(2, 3, 3)(ops.ones((1, 3, 4, 4)))


def test_old_check_of_rows():
    _check_input_3d((1, 2, 3), "Conv1d")
    with pytest.raises(ValueError, match="For 'Conv1d', the dimension of input must be 3d, but got 2"):
        _check_input_3d((1, 2), "Conv1d")


@pytest.mark.parametrize(
    "given", [lambda x: x, lambda x: ms.Parameter(x, name="given"), lambda x: x.astype(ms.float16)]
)
@pytest.mark.parametrize(("layer", "shape", "total"), [
    (lambda **more: nn.Conv1d(4, 6, 3, **more), (6, 4, 3), 490608),
    (lambda **more: nn.Conv1dTranspose(4, 6, 3, **more), (4, 6, 3), 616176),
])  # fmt: skip
def test_layers_on_rows_take_weights_of_three_axes(given, layer, shape, total):
    weight = given(ms.Tensor(np.arange(72, dtype=np.float32).reshape(shape)))
    net = layer(weight_init=weight)
    assert net.weight.shape == (*shape[:2], 1, 3) and net.weight.name == "weight" and net.weight.dtype == weight.dtype
    x = ms.Tensor(np.arange(40).reshape(1, 4, 10), net.weight.dtype)
    np.testing.assert_allclose(net(x).astype(ms.float32).asnumpy().sum(), total, rtol=2e-3)


def test_layers_on_rows_take_weights_not_drawn_yet():
    assert nn.Conv1d(4, 6, 3, group=2, weight_init=initializer("ones", (6, 2, 3))).weight.asnumpy().sum() == 36
    with pytest.raises(ValueError, match="shape"):
        nn.Conv1d(4, 6, 3, weight_init=initializer("ones", (4, 6, 3)))


def test_the_base_of_convolutions_takes_sizes_of_different_lengths():
    class Row(_Conv):
        def __init__(self):
            super().__init__(2, 3, (5,), (1, 2), "pad", 0, (1, 1), 1, True, None, None)

    row = Row()
    assert (row.kernel_size, row.stride, row.dilation, row.weight.shape) == ((5,), (1, 2), (1, 1), (3, 2, 5))
