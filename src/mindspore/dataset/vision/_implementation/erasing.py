"""Transforms that blank out parts of an image."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.core.checks import check_bool, check_int, shown
from mindspore.dataset.core.operation import Implementation
from mindspore.dataset.vision._implementation import checks
from mindspore.dataset.vision._implementation.base import ImageOperation, RandomImageOperation


class CutOut(RandomImageOperation):
    """Blank out squares at random positions; they may reach over the edge.

    >>> import numpy as np
    >>> bool((CutOut(2)(np.ones((4, 4, 3), np.uint8)) == 1).any())
    True
    """

    array_only = True
    ranks = (3,)

    def __init__(self, length: int, num_patches: int = 1, is_hwc: bool = True):
        self.length = check_int(self.owner, "length", length, 1, int(checks.LARGEST))
        self.num_patches = check_int(self.owner, "num_patches", num_patches, 1, int(checks.LARGEST))
        self.is_hwc = check_bool(self.owner, "is_hwc", is_hwc)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        result = image.copy()
        pixels = result if self.is_hwc else result.transpose(1, 2, 0)
        height, width, length = *pixels.shape[:2], self.length
        if length > height or length > width:
            raise self.failure(
                f"box size is too large for image erase, got length {length} and image height {height}, width {width}."
            )
        for _ in range(self.num_patches):
            top, left = random.randint(-length, height), random.randint(-length, width)
            pixels[max(top, 0) : max(top + length, 0), max(left, 0) : max(left + length, 0)] = 0
        return result


class Erase(ImageOperation):
    """Fill a box of an image <H,W,3> with a value or a colour.

    >>> import numpy as np
    >>> Erase(0, 1, 1, 1, value=9)(np.zeros((1, 2, 3), np.uint8))
    array([[[0, 0, 0], [9, 9, 9]]], dtype=uint8)
    """

    array_only = True

    def __init__(self, top: int, left: int, height: int, width: int, value: Any = 0.0, inplace: bool = False):
        self.box = checks.box(self.owner, top, left, height, width)
        self.inplace = check_bool(self.owner, "inplace", inplace)
        colour = (value,) * 3 if checks.is_number(value) else value
        if not isinstance(colour, tuple) or len(colour) != 3:
            raise TypeError(
                f"For '{self.owner}', the 'value' must be a number or a tuple of three, got {shown(value)}."
            )
        self.value = tuple(checks.number(self.owner, "value", channel, 0, 255) for channel in colour)

    def array(self, image: np.ndarray) -> np.ndarray:
        self.three_channels(image)
        top, left, height, width = self.box
        if height > image.shape[0] or width > image.shape[1]:
            raise self.failure(
                f"box size is too large for image erase, got box height: {height}, width: {width} and image shape "
                f"{image.shape}."
            )
        result = image if self.inplace and image.flags.writeable else image.copy()
        result[top : top + height, left : left + width] = np.array(self.value).astype(image.dtype)
        return result


class RandomErasing(RandomImageOperation):
    """Fill a random box of an array <C,H,W> with a value, a colour or noise ('random'), with a probability.

    >>> import numpy as np
    >>> RandomErasing(prob=1.0, value=7)(np.zeros((3, 8, 8), np.float32)).max()
    np.float32(7.0)
    """

    implementation = Implementation.PY
    ranks = (3,)
    array_only = True

    def __init__(
        self,
        prob: float = 0.5,
        scale: Any = (0.02, 0.33),
        ratio: Any = (0.3, 3.3),
        value: Any = 0,
        inplace: bool = False,
        max_attempts: int = 10,
    ):
        self.prob = checks.probability(self.owner, prob)
        self.scale = checks.scale_pair(self.owner, "scale", scale)
        self.ratio = checks.ratio_pair(self.owner, "ratio", ratio)
        self.value = self._checked_value(value)
        self.inplace = check_bool(self.owner, "inplace", inplace)
        self.max_attempts = check_int(self.owner, "max_attempts", max_attempts, 1, int(checks.LARGEST))

    def _checked_value(self, value: Any) -> Any:
        if checks.is_int(value):
            return check_int(self.owner, "value", value, 0, 255)
        if isinstance(value, (list, tuple)) and len(value) == 3:
            return np.array([check_int(self.owner, "value", element, 0, 255) for element in value])[:, None, None]
        if value == "random":
            return value
        error = ValueError if isinstance(value, (str, list, tuple)) else TypeError
        raise error(f"For '{self.owner}', the 'value' must be an int, three ints or 'random', but got {shown(value)}.")

    def _region(self, random: SampleRandom, height: int, width: int) -> tuple[int, int, int, int] | None:
        for _ in range(self.max_attempts):
            area, aspect = random.uniform(*self.scale) * height * width, random.uniform(*self.ratio)
            box_width = round(math.sqrt(area * aspect))
            box_height = round(box_width / aspect)
            if box_height < height and box_width < width:
                top, left = random.randint(0, height - box_height), random.randint(0, width - box_width)
                return top, left, box_height, box_width
        return None

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        if random.random() >= self.prob:
            return image
        region = self._region(random, *image.shape[1:])
        if region is None:
            return image
        top, left, height, width = region
        result = image if self.inplace and image.flags.writeable else image.copy()
        part = result[:, top : top + height, left : left + width]
        part[...] = random.numpy().normal(size=part.shape) if isinstance(self.value, str) else self.value
        return result
