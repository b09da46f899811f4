"""Resizing of arrays and pictures, bit for bit as MindSpore does."""

from __future__ import annotations

import contextlib
import math

import cv2
import numpy as np
from PIL import Image

from mindspore.dataset.vision._implementation.base import with_channels
from mindspore.dataset.vision._implementation.kinds import (
    Inter,
    opencv_interpolation,
    pillow_interpolation,
    without_ipp,
)

_LARGEST_FACTOR = 1000


def resized_shape(size: int | tuple[int, int], height: int, width: int) -> tuple[int, int]:
    """(height, width) of the result; an int is the shorter side, the ratio is kept.

    >>> resized_shape(10, 20, 41)
    (10, 20)
    """
    if not isinstance(size, int):
        return size
    if height < width:
        return size, int(size * width / height)
    return int(size * height / width), size


def _rounding_of(inter: Inter, dtype: np.dtype) -> contextlib.AbstractContextManager[None]:
    """Intel's library is faster, and has OpenCV's own bits only where bytes are not mapped by cubics."""
    return contextlib.nullcontext() if dtype == np.uint8 and inter is not Inter.CUBIC else without_ipp()


def resize(owner: str, image: np.ndarray, shape: tuple[int, int], inter: Inter) -> np.ndarray:
    """An array <H,W> or <H,W,C> in another size."""
    height, width = shape
    if image.shape[:2] == shape:
        return image
    if height > image.shape[0] * _LARGEST_FACTOR or width > image.shape[1] * _LARGEST_FACTOR:
        raise RuntimeError(
            f"{owner}: the resizing width or height is too big, it is up to {_LARGEST_FACTOR} times the original "
            f"image, but got image shape {image.shape} and size {shape}."
        )
    if inter is Inter.PILCUBIC:
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise RuntimeError(
                f"{owner}: Interpolation mode PILCUBIC only supports uint8 images with 3 channels, "
                f"but got {image.dtype} of shape {image.shape}."
            )
        return np.array(Image.fromarray(image).resize((width, height), Image.Resampling.BICUBIC))
    number = opencv_interpolation(owner, inter)
    with _rounding_of(inter, image.dtype):
        return with_channels(cv2.resize(image, (width, height), interpolation=number), image)


def resize_stack(owner: str, stack: np.ndarray, shape: tuple[int, int], inter: Inter) -> np.ndarray:
    """Every image of a stack in another size."""
    if stack.shape[1:3] == shape:
        return stack
    result = np.empty((len(stack), *shape, *stack.shape[3:]), stack.dtype)
    if inter is Inter.PILCUBIC:
        for image, target in zip(stack, result, strict=True):
            target[...] = resize(owner, image, shape, inter)
        return result
    number, size = opencv_interpolation(owner, inter), (shape[1], shape[0])
    if inter is Inter.LINEAR and stack.dtype == np.uint8 and stack.shape[3:] in ((), (1,)):
        return _resize_grey(stack, size, number)
    with _rounding_of(inter, stack.dtype):
        for image, target in zip(stack, result, strict=True):
            cv2.resize(image, size, dst=target, interpolation=number)
    return result


_MOST_CHANNELS = 512  # of OpenCV


def _resize_grey(stack: np.ndarray, size: tuple[int, int], number: int) -> np.ndarray:
    """Images of one channel, as the channels of one image: a single call, with the same bits."""
    count, height, width = stack.shape[:3]
    result = np.empty((count, size[1], size[0], *stack.shape[3:]), stack.dtype)
    for start in range(0, count, _MOST_CHANNELS):
        part = stack[start : start + _MOST_CHANNELS].reshape(-1, height, width)
        joined = cv2.resize(np.ascontiguousarray(part.transpose(1, 2, 0)), size, interpolation=number)
        shaped = joined.reshape(size[1], size[0], len(part)).transpose(2, 0, 1)
        result[start : start + len(part)].reshape(len(part), size[1], size[0])[...] = shaped
    return result


def resize_picture(owner: str, image: Image.Image, size: int | tuple[int, int], inter: Inter) -> Image.Image:
    """A PIL image in another size."""
    resampling = pillow_interpolation(owner, inter)
    width, height = image.size
    if isinstance(size, int) and min(width, height) == size:
        return image
    new_height, new_width = resized_picture_shape(size, height, width)
    return image.resize((new_width, new_height), resampling)


def resized_picture_shape(size: int | tuple[int, int], height: int, width: int) -> tuple[int, int]:
    """As ``resized_shape``, with the rounding that PIL images get."""
    if not isinstance(size, int):
        return size
    ratio = width / height
    return (math.floor(size / ratio), size) if width < height else (size, math.floor(size * ratio))
