"""Pooling layers: channels last, random places, the way back, layers real MindSpore has no CPU kernel for."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops


def plane(*shape):
    return Tensor(np.random.default_rng(1).standard_normal(shape), ms.float32)


@pytest.mark.parametrize("options", [(2, 2), (3, 2, "same"), (2, 2, "pad", 1)])
@pytest.mark.parametrize("kind", [nn.MaxPool2d, nn.AvgPool2d])
def test_channels_last_computes_the_same(kind, options):
    x = plane(2, 3, 5, 6)
    expected = kind(*options)(x).asnumpy().transpose(0, 2, 3, 1)
    output = kind(*options, data_format="NHWC")(x.transpose(0, 2, 3, 1))
    np.testing.assert_allclose(output.asnumpy(), expected, atol=1e-6)


def test_places_of_the_largest_with_channels_last():
    x = plane(1, 2, 4, 4)
    places = nn.MaxPool2d(2, 2, "pad", return_indices=True)(x)[1].asnumpy()
    last = nn.MaxPool2d(2, 2, "pad", return_indices=True, data_format="NHWC")(x.transpose(0, 2, 3, 1))[1]
    np.testing.assert_array_equal(last.asnumpy(), places.transpose(0, 2, 3, 1))


def test_modes_agree():
    net = nn.SequentialCell(nn.MaxPool2d(3, 2, "same"), nn.AvgPool2d(2, 1, "pad", 1, True), nn.LPPool2d(2, 2))
    x = plane(2, 3, 7, 7)
    results = []
    for one in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=one)
        results.append((net(x).asnumpy(), ms.grad(net)(x).asnumpy()))
    for graph, pynative in zip(*results, strict=True):
        np.testing.assert_allclose(graph, pynative, atol=1e-5)


@pytest.mark.parametrize(("pool", "unpool", "shape"), [
    (nn.MaxPool1d, nn.MaxUnpool1d, (2, 3, 8)), (nn.MaxPool2d, nn.MaxUnpool2d, (2, 3, 4, 6)),
    (nn.MaxPool3d, nn.MaxUnpool3d, (1, 2, 4, 2, 4)),
])  # fmt: skip
def test_unpooling_puts_the_largest_back(mode, pool, unpool, shape):
    x = plane(*shape)
    values, places = pool(2, 2, "pad", return_indices=True)(x)
    back = unpool(2)(values, places).asnumpy()
    assert back.shape == shape
    kept = back != 0
    np.testing.assert_array_equal(back[kept], x.asnumpy()[kept])
    assert kept.sum() == values.size


def test_unpooling_refuses_places_outside():
    ms.set_context(mode=ms.PYNATIVE_MODE)  # a graph cannot see them
    with pytest.raises(RuntimeError, match=r"'indices' must be in \[0, 4\), but got 9"):
        nn.MaxUnpool1d(2)(ops.ones((1, 1, 2)), Tensor([[[0, 9]]]))


def test_fractional_pooling_picks_other_windows_each_time(mode):
    net = nn.FractionalMaxPool2d(2, (4, 4), return_indices=True)
    x = plane(1, 8, 12, 12)
    values, places = net(x)
    flat = x.asnumpy().reshape(8, -1)
    picked = np.take_along_axis(flat, places.asnumpy().reshape(8, -1), 1)
    np.testing.assert_array_equal(values.asnumpy().reshape(8, -1), picked)
    assert (net(x)[1].asnumpy() != places.asnumpy()).any()


def test_fractional_pooling_of_a_single_volume():
    output = nn.FractionalMaxPool3d(2, output_ratio=(0.5, 0.5, 0.5))(plane(2, 6, 7, 8))
    assert output.shape == (2, 3, 3, 4)


@pytest.mark.parametrize(("net", "plain", "shape"), [
    (nn.MaxPool2dExt(2), nn.MaxPool2d(2, 2), (1, 2, 4, 4)), (nn.AvgPool1dExt(2), nn.AvgPool1d(2, 2), (1, 2, 4)),
    (nn.AvgPool2dExt(2, 1, (1, 0)), nn.AvgPool2d(2, 1, "pad", (1, 0)), (1, 2, 4, 4)),
    (nn.AvgPool3dExt(2, divisor_override=3), nn.AvgPool3d(2, 2, divisor_override=3), (1, 2, 4, 4, 4)),
])  # fmt: skip
def test_ext_layers_are_the_plain_ones_with_other_defaults(net, plain, shape):
    x = plane(*shape)
    np.testing.assert_allclose(net(x).asnumpy(), plain(x).asnumpy(), rtol=1e-6)


def test_adaptive_pooling_of_lengths_that_do_not_divide():
    x = np.arange(5, dtype=np.float32).reshape(1, 1, 5)
    np.testing.assert_allclose(nn.AdaptiveAvgPool1d(2)(Tensor(x)).asnumpy(), [[[1, 3]]])
    np.testing.assert_allclose(nn.AdaptiveMaxPool1d(2)(Tensor(x)).asnumpy(), [[[2, 4]]])


@pytest.mark.parametrize(("make", "text"), [
    (lambda: nn.MaxPool2d(0), "'kernel_size' must be an int or a tuple of 2 ints, each greater than or equal to 1, but got 0"),
    (lambda: nn.MaxPool2d(2, 2, "valid", 1), "default values when 'pad_mode' is not 'pad'"),
    (lambda: nn.MaxPool2d((2, 2, 2)), "'kernel_size' must be an int or a tuple of 2 ints, but got 3"),
    (lambda: nn.AvgPool2d(2, 2, "pad", 2), "'padding' must be at most half of the 'kernel_size', but got 2 and 2"),
    (lambda: nn.AdaptiveAvgPool2d((1, 2, 3)), "'output_size' must be an int or 2 ints or None"),
])  # fmt: skip
def test_errors_say_what_is_allowed(make, text):
    with pytest.raises(ValueError, match=text):
        make()
