"""Mirror images."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from PIL import Image

from mindspore._utils.sample_random import SampleRandom, SampleRandoms
from mindspore.dataset.vision._implementation import checks
from mindspore.dataset.vision._implementation.base import ImageOperation, RandomImageOperation, with_channels

_ACROSS, _DOWN = 1, 0  # OpenCV's codes


def mirrored(image: np.ndarray, code: int) -> np.ndarray:
    """An array <..., H, W, C> or <H, W> mirrored left to right or top to bottom."""
    if image.dtype == np.uint8 and (image.ndim == 2 or (image.ndim == 3 and image.shape[2] <= 4)):
        return with_channels(cv2.flip(image, code), image)
    axis = (0, 1)[code] if image.ndim == 2 else (-3, -2)[code]
    return np.ascontiguousarray(np.flip(image, axis))


def mirrored_stack(stack: np.ndarray, code: int) -> np.ndarray:
    """The same for images <N,H,W> or <N,H,W,C>."""
    if code == _DOWN or stack.dtype != np.uint8 or stack.ndim != 4 or stack.shape[3] > 4 or not stack.size:
        return np.flip(stack, (1, 2)[code])
    tall = stack.reshape(-1, *stack.shape[2:])  # stacked along the height, the images form a single image
    return cv2.flip(tall, code).reshape(stack.shape)


class HorizontalFlip(ImageOperation):
    """Exchange left and right.

    >>> import numpy as np
    >>> HorizontalFlip()(np.array([[1, 2, 3]], np.uint8))
    array([[3, 2, 1]], dtype=uint8)
    """

    array_only = True
    ranks = tuple(range(2, 9))

    def array(self, image: np.ndarray) -> np.ndarray:
        return mirrored(image, _ACROSS)

    def block(self, stack: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(mirrored_stack(stack, _ACROSS)) if stack.ndim in (3, 4) else NotImplemented


class VerticalFlip(ImageOperation):
    """Exchange top and bottom.

    >>> import numpy as np
    >>> VerticalFlip()(np.array([[1], [2]], np.uint8))
    array([[2], [1]], dtype=uint8)
    """

    array_only = True
    ranks = tuple(range(2, 9))

    def array(self, image: np.ndarray) -> np.ndarray:
        return mirrored(image, _DOWN)

    def block(self, stack: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(mirrored_stack(stack, _DOWN)) if stack.ndim in (3, 4) else NotImplemented


class RandomHorizontalFlip(RandomImageOperation):
    """Exchange left and right with a probability.

    >>> import numpy as np
    >>> RandomHorizontalFlip(1.0)(np.array([[1, 2, 3]], np.uint8))
    array([[3, 2, 1]], dtype=uint8)
    """

    ranks = tuple(range(2, 9))
    _code = _ACROSS
    _transpose = Image.Transpose.FLIP_LEFT_RIGHT

    def __init__(self, prob: float = 0.5):
        self.prob = checks.probability(self.owner, prob)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        return mirrored(image, self._code) if random.random() < self.prob else image

    def block(self, stack: np.ndarray, randoms: SampleRandoms) -> Any:
        if stack.ndim not in (3, 4):
            return NotImplemented
        chosen = np.flatnonzero(randoms.random() < self.prob)
        result = stack.copy()
        result[chosen] = mirrored_stack(stack[chosen], self._code)
        return result

    def picture(self, random: SampleRandom, image: Image.Image) -> Image.Image:
        return image.transpose(self._transpose) if random.random() < self.prob else image


class RandomVerticalFlip(RandomHorizontalFlip):
    """Exchange top and bottom with a probability.

    >>> import numpy as np
    >>> RandomVerticalFlip(1.0)(np.array([[1], [2]], np.uint8))
    array([[2], [1]], dtype=uint8)
    """

    _code = _DOWN
    _transpose = Image.Transpose.FLIP_TOP_BOTTOM
