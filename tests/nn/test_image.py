"""Layers on images. The expected numbers were computed by real MindSpore in graph mode, which alone can compute them."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops


@pytest.fixture
def images():
    random = np.random.RandomState(0)
    first = random.rand(2, 3, 12, 12).astype(np.float32)
    return first, (first + 0.1 * random.rand(2, 3, 12, 12)).astype(np.float32)


@pytest.mark.parametrize(("net", "expected"), [
    (nn.PSNR(), [24.627693, 24.420172]), (nn.SSIM(), [0.9901094, 0.98820084]),
    (nn.SSIM(filter_size=5), [0.9894019, 0.9889633]),
    (nn.MSSSIM(power_factors=(0.3, 0.5), filter_size=5), [0.99261475, 0.9925458]),
])  # fmt: skip
def test_quality_is_that_of_mindspore(mode, images, net, expected):
    output = net(*map(Tensor, images))
    assert output.dtype == ms.float32
    np.testing.assert_allclose(output.asnumpy(), expected, rtol=1e-5)


def test_quality_of_pixels_that_are_integers(images):
    first, second = ((images[0] * 255).astype(np.uint8), (images[1] * 200).astype(np.uint8))
    np.testing.assert_allclose(nn.PSNR(255)(Tensor(first), Tensor(second)).asnumpy(), [20.41134, 20.405277], rtol=1e-5)


def test_half_precision_is_compared_in_float32(images):
    output = nn.SSIM()(*(Tensor(one, ms.float16) for one in images))
    assert output.dtype == ms.float32
    np.testing.assert_allclose(output.asnumpy(), [0.99010247, 0.98819804], rtol=1e-5)


def test_quality_can_be_trained(images):
    first, second = map(Tensor, images)
    gradient = ms.grad(lambda x: nn.SSIM(filter_size=5)(x, second).sum())(first).asnumpy()
    step = 1e-2 * gradient / np.abs(gradient).max()
    before = nn.SSIM(filter_size=5)(first, second).asnumpy().sum()
    assert nn.SSIM(filter_size=5)(Tensor(images[0] + step), second).asnumpy().sum() > before


def test_windows_are_not_trained():
    assert [(one.name, one.requires_grad) for one in nn.SSIM().get_parameters()] == [("conv.weight", False)]
    assert nn.MSSSIM().trainable_params() == []


def test_shuffled_pixels_come_back(mode):
    x = Tensor(np.arange(72, dtype=np.float32).reshape(2, 4, 3, 3))
    np.testing.assert_array_equal(nn.PixelUnshuffle(2)(nn.PixelShuffle(2)(x)).asnumpy(), x.asnumpy())


def test_middle_of_images(mode):
    x = Tensor(np.arange(32).reshape(2, 4, 4))
    np.testing.assert_array_equal(nn.CentralCrop(0.5)(x).asnumpy(), x.asnumpy()[:, 1:3, 1:3])


@pytest.mark.parametrize(("net", "shapes", "text"), [
    (nn.PSNR(), ((1, 1, 2, 2), (1, 1, 2, 3)), "must have the same shape and dtype"),
    (nn.SSIM(), ((1, 4, 4), (1, 4, 4)), "dimension of 'img1' must be 4d"),
    (nn.SSIM(filter_size=5), ((1, 1, 4, 4), (1, 1, 4, 4)), "at least as large as the 'filter_size' 5"),
    (nn.CentralCrop(0.5), ((4, 4),), "dimension of 'image' must be 3d or 4d"),
])  # fmt: skip
def test_errors_say_what_is_allowed(mode, net, shapes, text):
    with pytest.raises(ValueError, match=text):
        net(*map(ops.ones, shapes))
