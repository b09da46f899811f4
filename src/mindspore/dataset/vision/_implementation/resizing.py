"""Resize, and crops that are resized."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from PIL import Image

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.core.checks import check_int
from mindspore.dataset.core.operation import Implementation
from mindspore.dataset.vision._implementation import checks
from mindspore.dataset.vision._implementation.base import ImageOperation, RandomImageOperation
from mindspore.dataset.vision._implementation.decoding import decode, encoded_bytes
from mindspore.dataset.vision._implementation.kinds import Inter
from mindspore.dataset.vision._implementation.resize import resize, resize_picture, resize_stack, resized_shape

_RANDOM_INTERPOLATIONS = (Inter.LINEAR, Inter.NEAREST, Inter.CUBIC, Inter.AREA)


class Resize(ImageOperation):
    """Change the size of an image; an int is the size of the shorter side.

    >>> import numpy as np
    >>> Resize((4, 6))(np.zeros((8, 8, 3), np.uint8)).shape, Resize(4)(np.zeros((8, 16), np.uint8)).shape
    ((4, 6, 3), (4, 8))
    """

    masks = bool
    ranks = tuple(range(2, 9))

    def __init__(self, size: Any, interpolation: Inter = Inter.LINEAR):
        self.size = checks.one_size(self.owner, size)
        self.interpolation = checks.member(self.owner, "interpolation", interpolation, Inter)
        self.implementation = Implementation.PY if self.interpolation is Inter.ANTIALIAS else None

    def array(self, image: np.ndarray) -> np.ndarray:
        if image.ndim > 3:
            stack = image.reshape(-1, *image.shape[-3:])
            return self.block(stack).reshape(*image.shape[:-3], *resized_shape(self.size, *stack.shape[1:3]), -1)
        return resize(self.owner, image, resized_shape(self.size, *image.shape[:2]), self.interpolation)

    def picture(self, image: Image.Image) -> Image.Image:
        return resize_picture(self.owner, image, self.size, self.interpolation)

    def block(self, stack: np.ndarray) -> np.ndarray:
        if stack.ndim > 4:
            return NotImplemented
        return resize_stack(self.owner, stack, resized_shape(self.size, *stack.shape[1:3]), self.interpolation)


class RandomResize(RandomImageOperation):
    """Change the size of an image with a random interpolation.

    >>> import numpy as np
    >>> RandomResize(4)(np.zeros((8, 8, 3), np.uint8)).shape
    (4, 4, 3)
    """

    masks = bool
    array_only = True

    def __init__(self, size: Any):
        self.size = checks.one_size(self.owner, size)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        shape = resized_shape(self.size, *image.shape[:2])
        return resize(self.owner, image, shape, random.choice(_RANDOM_INTERPOLATIONS))


class ResizedCrop(ImageOperation):
    """Cut a box out of an image and change its size.

    >>> import numpy as np
    >>> ResizedCrop(0, 2, 4, 4, (8, 8))(np.zeros((8, 8, 3), np.uint8)).shape
    (8, 8, 3)
    """

    masks = bool
    array_only = True

    def __init__(self, top: int, left: int, height: int, width: int, size: Any, interpolation: Inter = Inter.BILINEAR):
        self.box = checks.box(self.owner, top, left, height, width)
        self.size = checks.size(self.owner, size)
        self.interpolation = checks.member(self.owner, "interpolation", interpolation, Inter)

    def array(self, image: np.ndarray) -> np.ndarray:
        top, left, height, width = self.box
        if top + height > image.shape[0] or left + width > image.shape[1]:
            raise self.failure(f"the box {self.box} (top, left, height, width) exceeds the image of {image.shape}.")
        part = image[top : top + height, left : left + width]
        return resize(self.owner, part, self.size, self.interpolation)


def half_up(number: float) -> int:
    """The nearest whole number, as C++ rounds; Python's round, which pictures are cut by, rounds 0.5 to even."""
    return math.floor(number + 0.5)


def random_box(
    random: SampleRandom,
    shape: tuple[int, ...],
    scale: tuple[float, float],
    ratio: tuple[float, float],
    attempts: int,
    rounded: Callable[[float], int] = half_up,
) -> tuple[int, int, int, int]:
    """(top, left, height, width) of a box of random area, ratio and position; the middle when no attempt fits."""
    image_height, image_width = shape
    logarithms = math.log(ratio[0]), math.log(ratio[1])
    for _ in range(attempts):
        area = random.uniform(*scale) * image_height * image_width
        aspect = math.exp(random.uniform(*logarithms))
        width = max(rounded(math.sqrt(area * aspect)), 1)
        height = max(rounded(width / aspect), 1)
        if width <= image_width and height <= image_height:
            top, left = random.randint(0, image_height - height), random.randint(0, image_width - width)
            return top, left, height, width
    width, height = image_width, image_height
    if width / height < ratio[0]:
        height = max(rounded(width / ratio[0]), 1)
    elif width / height > ratio[1]:
        width = max(rounded(height * ratio[1]), 1)
    return rounded((image_height - height) / 2), rounded((image_width - width) / 2), height, width


class RandomResizedCrop(RandomImageOperation):
    """Cut out a box of random area and ratio and change its size.

    >>> import numpy as np
    >>> RandomResizedCrop(4)(np.zeros((8, 9, 3), np.uint8)).shape
    (4, 4, 3)
    """

    masks = bool
    ranks = tuple(range(2, 9))

    def __init__(
        self,
        size: Any,
        scale: Any = (0.08, 1.0),
        ratio: Any = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ):
        self.size = checks.size(self.owner, size)
        self.scale = checks.scale_pair(self.owner, "scale", scale)
        self.ratio = checks.ratio_pair(self.owner, "ratio", ratio)
        self.interpolation = checks.member(self.owner, "interpolation", interpolation, Inter)
        self.implementation = Implementation.PY if self.interpolation is Inter.ANTIALIAS else None
        self.max_attempts = check_int(self.owner, "max_attempts", max_attempts, 1, checks.LARGEST_INT)

    def box(
        self, random: SampleRandom, shape: tuple[int, ...], rounded: Callable[[float], int] = half_up
    ) -> tuple[int, int, int, int]:
        """The box that is cut out of an image of this shape."""
        return random_box(random, shape, self.scale, self.ratio, self.max_attempts, rounded)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        if image.ndim > 3:  # one box for all images
            images = image.reshape(-1, *image.shape[-3:])
            top, left, height, width = self.box(random, images.shape[1:3])
            parts = np.ascontiguousarray(images[:, top : top + height, left : left + width])
            resized = resize_stack(self.owner, parts, self.size, self.interpolation)
            return resized.reshape(*image.shape[:-3], *self.size, -1)
        top, left, height, width = self.box(random, image.shape[:2])
        part = image[top : top + height, left : left + width]
        resized = resize(self.owner, part, self.size, self.interpolation)
        return np.ascontiguousarray(resized)

    def picture(self, random: SampleRandom, image: Image.Image) -> Image.Image:
        top, left, height, width = self.box(random, image.size[::-1], round)
        part = image.crop((left, top, left + width, top + height))
        return resize_picture(self.owner, part, self.size, self.interpolation)


class RandomCropDecodeResize(RandomResizedCrop):
    """As RandomResizedCrop, for an image that is still encoded.

    >>> import numpy as np
    >>> from mindspore.dataset.vision import encode_png
    >>> encoded = encode_png(np.zeros((8, 9, 3), np.uint8))
    >>> RandomCropDecodeResize(4)(encoded).shape
    (4, 4, 3)
    """

    array_only = True

    def checked(self, image: Any) -> np.ndarray:
        return encoded_bytes(self.owner, image)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        return super().array(random, decode(self.owner, image))
