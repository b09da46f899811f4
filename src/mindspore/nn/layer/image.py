"""Layers on images: gradients, quality measures, cropping, pixels from channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._utils.checks import check_float_range, check_positive_int, check_type, shown
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer._implementation.avg_pool import AvgPool2d
from mindspore.nn.layer._implementation.plain import PlainCell
from mindspore.nn.layer.activation import ReLU
from mindspore.nn.layer.container import CellList
from mindspore.nn.layer.conv import Conv2d

__all__ = ["MSSSIM", "PSNR", "SSIM", "CentralCrop", "ImageGradients", "PixelShuffle", "PixelUnshuffle"]


def _require_images(owner: str, **images: Tensor) -> None:
    """Two batches of images that can be compared, or one batch alone."""
    shapes = {name: check_type(owner, name, image, Tensor).shape for name, image in images.items()}
    for name, shape in shapes.items():
        if len(shape) != 4:
            raise refused(
                ValueError, f"For '{owner}', the dimension of '{name}' must be 4d (N, C, H, W), but got shape {shape}."
            )
    if len(set(shapes.values())) > 1 or len({image.dtype for image in images.values()}) > 1:
        described = ", ".join(f"'{name}': {image.shape} {image.dtype}" for name, image in images.items())
        raise refused(ValueError, f"For '{owner}', the images must have the same shape and dtype, but got {described}.")


class ImageGradients(PlainCell):
    """The differences of neighbouring pixels, downwards and to the right; the last row and column have 0.

    Inputs:
        images: Tensor (N, C, H, W). The result is a tuple of two Tensors of the same shape.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> dy, dx = nn.ImageGradients()(Tensor([[[[1, 2], [3, 5]]]]))
        >>> print(dy)
        [[[[2 3]
           [0 0]]]]
    """

    def construct(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """The differences of rows and of columns."""
        _require_images("ImageGradients", images=images)
        down = images[:, :, 1:, :] - images[:, :, :-1, :]
        right = images[:, :, :, 1:] - images[:, :, :, :-1]
        return ops.pad(down, (0, 0, 0, 1)), ops.pad(right, (0, 1))


def _as_float32(image: Tensor, max_val: float) -> tuple[Tensor, float]:
    """Pixels and their largest value as floats; those of integers are divided by the largest of their dtype."""
    if "Int" not in str(image.dtype):
        return image.astype(mstype.float32), float(max_val)
    limit = float(np.iinfo(mstype.dtype_to_nptype(image.dtype)).max)
    return image.astype(mstype.float32) / limit, max_val / limit


class PSNR(Cell):
    """The peak signal-to-noise ratio of images in decibels.

    Args:
        max_val: the largest value a pixel can have.

    Inputs:
        img1, img2: Tensors (N, C, H, W). The result has shape (N,).

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.PSNR()(ops.zeros((1, 1, 2, 2)), ops.ones((1, 1, 2, 2))))
        [0.]
    """

    def __init__(self, max_val: float = 1.0):
        super().__init__()
        self.max_val = _checked_max_val("PSNR", max_val)

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        """The ratio for every pair of images."""
        _require_images("PSNR", img1=img1, img2=img2)
        first, largest = _as_float32(img1, self.max_val)
        second, _ = _as_float32(img2, self.max_val)
        error = ops.square(first - second).mean((1, 2, 3))
        return 10 * ops.log10(largest**2 / error)


def _checked_max_val(owner: str, max_val: Any) -> float:
    check_type(owner, "max_val", max_val, (int, float))
    if not max_val > 0:
        raise refused(ValueError, f"For '{owner}', the 'max_val' must be greater than 0, but got {shown(max_val)}.")
    return max_val


def _gaussian(size: int, sigma: float) -> np.ndarray:
    """A Gaussian window of shape (1, 1, size, size) with sum 1."""
    distance = np.arange(size) - (size - 1) / 2
    exponents = (distance**2)[:, None] + (distance**2)[None, :]
    window = np.exp(-exponents / (2 * sigma**2))
    return (window / window.sum()).astype(np.float32)[None, None]


@primitives(reduce_mean=ops.ReduceMean, concat=lambda _: ops.Concat(1))
class _Similarity(Cell):
    """What the two measures of structural similarity share."""

    def __init__(self, max_val: float, filter_size: int, filter_sigma: float, k1: float, k2: float):
        super().__init__()
        owner = self.cls_name
        self.max_val = _checked_max_val(owner, max_val)
        self.filter_size = check_positive_int(owner, "filter_size", filter_size)
        numbers = (("filter_sigma", filter_sigma), ("k1", k1), ("k2", k2))
        infinity = float("inf")
        self.filter_sigma, self.k1, self.k2 = (
            check_float_range(owner, name, check_type(owner, name, value, float), 0.0, infinity, False, False)
            for name, value in numbers
        )

    def _window(self) -> Conv2d:
        weight = Tensor(_gaussian(self.filter_size, self.filter_sigma))
        conv = Conv2d(1, 1, self.filter_size, pad_mode="valid", weight_init=weight)
        conv.weight.requires_grad = False
        return conv

    def _prepared(self, img1: Tensor, img2: Tensor) -> tuple[Tensor, Tensor, float]:
        """Both images as float32, and the largest value of a pixel."""
        owner = self.cls_name
        _require_images(owner, img1=img1, img2=img2)
        if img1.dtype not in (mstype.float16, mstype.float32):
            raise refused(TypeError, f"For '{owner}', the 'img1' must be Float16 or Float32, but got {img1.dtype}.")
        if min(img1.shape[2:]) < self.filter_size:
            raise refused(
                ValueError,
                f"For '{owner}', the 'img1' must be at least as large as the 'filter_size' {self.filter_size}, but got shape "
                f"{img1.shape}.",
            )
        first, largest = _as_float32(img1, self.max_val)
        return first, _as_float32(img2, self.max_val)[0], largest

    def _terms(self, img1: Tensor, img2: Tensor, largest: float, conv: Conv2d) -> tuple[Tensor, Tensor]:
        """Similarity, and its part without brightness, for each image and channel."""
        n, c, h, w = img1.shape
        c1, c2 = (self.k1 * largest) ** 2, (self.k2 * largest) ** 2
        x, y = img1.reshape(n * c, 1, h, w), img2.reshape(n * c, 1, h, w)
        mean_x, mean_y = conv(x), conv(y)
        products = mean_x * mean_y
        squares = ops.square(mean_x) + ops.square(mean_y)
        covariance = conv(x * y) - products
        variances = conv(ops.square(x) + ops.square(y)) - squares
        structure = (2 * covariance + c2) / (variances + c2)
        whole = structure * (2 * products + c1) / (squares + c1)
        return whole.mean((1, 2, 3)).reshape(n, c), structure.mean((1, 2, 3)).reshape(n, c)


class SSIM(_Similarity):
    """The structural similarity of images: 1 for equal images.

    Args:
        max_val: the largest value a pixel can have.
        filter_size, filter_sigma: length and deviation of the Gaussian window.
        k1, k2: small numbers that keep quotients finite.

    Inputs:
        img1, img2: Tensors (N, C, H, W) of Float16 or Float32. The result has shape (N,).

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.SSIM()(ops.ones((2, 3, 16, 16)), ops.ones((2, 3, 16, 16))).shape)
        (2,)
    """

    def __init__(
        self, max_val: float = 1.0, filter_size: int = 11, filter_sigma: float = 1.5, k1: float = 0.01, k2: float = 0.03
    ):
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)
        self.conv = self._window()

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        """The similarity of every pair of images."""
        first, second, largest = self._prepared(img1, img2)
        return self._terms(first, second, largest, self.conv)[0].mean(1)


@primitives(pow=ops.Pow, prod=ops.ReduceProd, stack=lambda _: ops.Stack(-1))
class MSSSIM(_Similarity):
    """The structural similarity of images at several scales, each half of the previous scale.

    Args:
        power_factors: the weight of each scale.
        max_val, filter_size, filter_sigma, k1, k2: as for :class:`SSIM`.

    Inputs:
        img1, img2: Tensors (N, C, H, W) of Float16 or Float32. The result has shape (N,).

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.MSSSIM(power_factors=(0.5, 0.5))
        >>> print(net(ops.ones((1, 3, 32, 32)), ops.ones((1, 3, 32, 32))).shape)
        (1,)
    """

    def __init__(
        self,
        max_val: float = 1.0,
        power_factors: tuple[float, ...] | list[float] = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
        filter_size: int = 11,
        filter_sigma: float = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ):
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)
        check_type("MSSSIM", "power_factors", power_factors, (tuple, list))
        self.power_factors = tuple(power_factors)
        self.multi_convs_list = CellList([self._window() for _ in power_factors])
        self.avg_pool = AvgPool2d(kernel_size=2, stride=2, pad_mode="valid")
        self.relu = ReLU()

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        """The similarity of every pair of images."""
        first, second, largest = self._prepared(img1, img2)
        result = None
        last = len(self.power_factors) - 1
        for level, power in enumerate(self.power_factors):
            whole, structure = self._terms(first, second, largest, self.multi_convs_list[level])
            term = self.relu(whole if level == last else structure) ** power
            result = term if result is None else result * term
            if level < last:
                first, second = self.avg_pool(first), self.avg_pool(second)
        return result.mean(1)  # type: ignore[union-attr]


@primitives(slice=ops.Slice)
class CentralCrop(Cell):
    """The middle of images.

    Args:
        central_fraction: how much of height and width stays, in (0, 1].

    Inputs:
        image: Tensor (C, H, W) or (N, C, H, W).

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.CentralCrop(0.5)(ops.ones((3, 4, 6))).shape)
        (3, 2, 4)
    """

    def __init__(self, central_fraction: float):
        super().__init__()
        check_type("CentralCrop", "central_fraction", central_fraction, float)
        self.central_fraction = check_float_range(
            "CentralCrop", "central_fraction", central_fraction, 0.0, 1.0, include_low=False
        )

    def construct(self, image: Tensor) -> Tensor:
        """The middle of every image."""
        shape = image.shape
        if len(shape) not in (3, 4):
            raise refused(
                ValueError, f"For 'CentralCrop', the dimension of 'image' must be 3d or 4d, but got shape {shape}."
            )
        if self.central_fraction == 1.0:
            return image
        top, left = (int((length - length * self.central_fraction) / 2) for length in shape[-2:])
        return image[..., top : shape[-2] - top, left : shape[-1] - left]


class PixelShuffle(Cell):
    """Groups of channels as blocks of pixels: (*, C * r * r, H, W) becomes (*, C, H * r, W * r).

    Args:
        upscale_factor: r.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.PixelShuffle(2)(ops.ones((1, 12, 3, 4))).shape)
        (1, 3, 6, 8)
    """

    def __init__(self, upscale_factor: int):
        super().__init__()
        self.upscale_factor = check_positive_int("PixelShuffle", "upscale_factor", upscale_factor)

    def construct(self, input: Tensor) -> Tensor:
        """The larger images."""
        return ops.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    """Blocks of pixels as channels: (*, C, H * r, W * r) becomes (*, C * r * r, H, W).

    Args:
        downscale_factor: r.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.PixelUnshuffle(2)(ops.ones((1, 3, 6, 8))).shape)
        (1, 12, 3, 4)
    """

    def __init__(self, downscale_factor: int):
        super().__init__()
        self.downscale_factor = check_positive_int("PixelUnshuffle", "downscale_factor", downscale_factor)

    def construct(self, input: Tensor) -> Tensor:
        """The smaller images."""
        return ops.pixel_unshuffle(input, self.downscale_factor)
