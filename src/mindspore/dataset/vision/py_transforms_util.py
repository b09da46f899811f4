"""The functions behind ``py_transforms``: changes of PIL images by given amounts, and the random changes used alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image, ImageEnhance

from mindspore.dataset.vision import py_transforms
from mindspore.dataset.vision._implementation import checks, colour, geometry
from mindspore.dataset.vision._implementation.base import augment_error_message, pillow_fill
from mindspore.dataset.vision._implementation.kinds import Border, Inter, pillow_interpolation


def is_pil(img: Any) -> bool:
    """Whether this is a PIL image."""
    return isinstance(img, Image.Image)


def is_numpy(img: Any) -> bool:
    """Whether this is a NumPy array."""
    return isinstance(img, np.ndarray)


def _picture(img: Any) -> Image.Image:
    if not isinstance(img, Image.Image):
        raise TypeError(augment_error_message.format(type(img)))
    return img


def decode(img: Any) -> Image.Image:
    """The PIL image of an image file's bytes."""
    return py_transforms.Decode()(img)


def hwc_to_chw(img: np.ndarray) -> np.ndarray:
    """An array with its channels first."""
    return py_transforms.HWC2CHW()(img)


def to_tensor(img: Any, output_type: Any) -> np.ndarray:
    """An array <C,H,W> with values from 0.0 to 1.0."""
    return py_transforms.ToTensor(output_type)(img)


def to_pil(img: Any) -> Image.Image:
    """A PIL image of an array."""
    return py_transforms.ToPIL()(img)


def to_type(img: np.ndarray, output_type: Any) -> np.ndarray:
    """An array of another dtype."""
    return py_transforms.ToType(output_type)(img)


def normalize(img: np.ndarray, mean: Any, std: Any) -> np.ndarray:
    """An array <C,H,W> less its means, divided by its deviations."""
    return py_transforms.Normalize(mean, std)(img)


def horizontal_flip(img: Image.Image) -> Image.Image:
    """Left and right exchanged."""
    return _picture(img).transpose(Image.Transpose.FLIP_LEFT_RIGHT)


def vertical_flip(img: Image.Image) -> Image.Image:
    """Top and bottom exchanged."""
    return _picture(img).transpose(Image.Transpose.FLIP_TOP_BOTTOM)


def crop(img: Image.Image, top: int, left: int, height: int, width: int) -> Image.Image:
    """A box of an image."""
    return _picture(img).crop((left, top, left + width, top + height))


def center_crop(img: Image.Image, size: Any) -> Image.Image:
    """The middle of an image."""
    return py_transforms.CenterCrop(size)(img)


def random_crop(
    img: Image.Image, size: Any, padding: Any, pad_if_needed: bool, fill_value: Any, padding_mode: Any
) -> Image.Image:
    """A box at a random position, after padding."""
    return py_transforms.RandomCrop(size, padding, pad_if_needed, fill_value, Border(padding_mode))(img)


def pad(img: Image.Image, padding: Any, fill_value: Any, padding_mode: Any) -> Image.Image:
    """An image with a border."""
    return py_transforms.Pad(padding, fill_value, Border(padding_mode))(img)


def adjust_brightness(img: Image.Image, brightness_factor: float) -> Image.Image:
    """An image as bright as this times before."""
    return ImageEnhance.Brightness(_picture(img)).enhance(brightness_factor)


def adjust_contrast(img: Image.Image, contrast_factor: float) -> Image.Image:
    """An image with this times its contrast."""
    return ImageEnhance.Contrast(_picture(img)).enhance(contrast_factor)


def adjust_saturation(img: Image.Image, saturation_factor: float) -> Image.Image:
    """An image with this times its saturation."""
    return ImageEnhance.Color(_picture(img)).enhance(saturation_factor)


def adjust_hue(img: Image.Image, hue_factor: float) -> Image.Image:
    """An image with its hues turned by a fraction of the circle."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"For 'adjust_hue', the 'hue_factor' must be in range [-0.5, 0.5], but got {hue_factor}.")
    return colour.hue_picture(_picture(img), hue_factor)


def rotate(img: Image.Image, angle: float, resample: Any, expand: bool, center: Any, fill_value: Any) -> Image.Image:
    """An image turned counter-clockwise; ``resample`` is an Inter or Pillow's own constant.

    >>> rotate(Image.new("RGB", (4, 2)), 90, Inter.NEAREST, True, None, 0).size
    (2, 4)
    """
    image = _picture(img)
    resampling = pillow_interpolation("rotate", resample) if isinstance(resample, Inter) else resample
    fill = checks.fill("rotate", fill_value)
    return image.rotate(angle % 360.0, resampling, expand, center, fillcolor=pillow_fill(fill, image))


def grayscale(img: Image.Image, num_output_channels: int) -> Image.Image:
    """A gray image with 1 or 3 channels."""
    return py_transforms.Grayscale(num_output_channels)(img)


def perspective(
    img: Image.Image, start_points: Any, end_points: Any, interpolation: Inter = Inter.BICUBIC
) -> Image.Image:
    """An image mapped so that four points go to four others."""
    return geometry.perspective_picture("perspective", _picture(img), start_points, end_points, interpolation)
