"""Transforms of an image together with its bounding boxes (x, y, width, height, ...)."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.core.operation import Operation, RandomOperation
from mindspore.dataset.vision._implementation import checks
from mindspore.dataset.vision._implementation.crops import RandomCrop, cut
from mindspore.dataset.vision._implementation.flips import HorizontalFlip, VerticalFlip
from mindspore.dataset.vision._implementation.geometry import pad
from mindspore.dataset.vision._implementation.kinds import Inter
from mindspore.dataset.vision._implementation.resize import resize, resized_shape
from mindspore.dataset.vision._implementation.resizing import _RANDOM_INTERPOLATIONS, RandomResizedCrop
from mindspore.dataset.vision._implementation.subpolicies import apply, check_operation


def _checked(owner: str, inputs: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray]:
    """An array <H,W> or <H,W,C> and boxes <N,4 or more> inside it."""
    if len(inputs) != 2:
        raise RuntimeError(
            f"{owner}: BoundingBox: invalid input, size of input data should be 2 (including image and bounding box), "
            f"but got: {len(inputs)}"
        )
    image, boxes = inputs
    image = np.asarray(image) if isinstance(image, Image.Image) else image
    for name, array in (("image", image), ("bounding boxes", boxes)):
        if not isinstance(array, np.ndarray):
            raise TypeError(f"For '{owner}', the {name} must be a NumPy array, but got {type(array)}.")
    if image.ndim not in (2, 3):
        raise RuntimeError(f"{owner}: image shape should be <H,W> or <H,W,C>, but got {image.shape}.")
    if boxes.ndim != 2 or boxes.shape[1] < 4:
        raise RuntimeError(f"{owner}: bounding boxes should have shape <N,4> or more features, but got {boxes.shape}.")
    height, width = image.shape[:2]
    if (
        (boxes[:, :2] < 0).any()
        or (boxes[:, 0] + boxes[:, 2] > width).any()
        or (boxes[:, 1] + boxes[:, 3] > height).any()
    ):
        raise RuntimeError(
            f"{owner}: bounding boxes is out of bounds of the image, as image width: {width}, image height: {height}, "
            f"boxes (x, y, width, height): {boxes[:, :4].tolist()}."
        )
    return image, boxes


def _cropped(boxes: np.ndarray, top: int, left: int, height: int, width: int) -> np.ndarray:
    """The boxes that meet a crop, cut to it and measured from its corner."""
    x, y = boxes[:, 0], boxes[:, 1]
    right, low = x + boxes[:, 2], y + boxes[:, 3]
    kept = boxes[(x <= left + width) & (y <= top + height) & (right >= left) & (low >= top)].copy()
    ends = kept[:, :2] + kept[:, 2:4]
    starts = np.clip(kept[:, :2] - (left, top), 0, None)
    kept[:, 2:4] = np.minimum(ends - (left, top), (width, height)) - starts
    kept[:, :2] = starts
    return kept


def _scaled(boxes: np.ndarray, old: tuple[int, ...], new: tuple[int, int]) -> np.ndarray:
    down, across = np.float32(new[0] / old[0]), np.float32(new[1] / old[1])
    result = boxes.copy()
    result[:, :4] *= np.array([across, down, across, down], np.float32)
    return result


class _FlipWithBBox(RandomOperation):
    columns = 2
    _axis = 0
    _flip: Any = HorizontalFlip

    def __init__(self, prob: float = 0.5):
        self.prob = checks.probability(type(self).__name__, prob)

    def run(self, random: SampleRandom, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        image, boxes = _checked(type(self).__name__, inputs)
        if random.random() >= self.prob:
            return image, boxes
        boxes, axis = boxes.copy(), self._axis
        boxes[:, axis] = image.shape[1 - axis] - boxes[:, axis] - boxes[:, axis + 2]
        return self._flip().array(image), boxes


class RandomHorizontalFlipWithBBox(_FlipWithBBox):
    """Exchange left and right with a probability, boxes too.

    >>> import numpy as np
    >>> boxes = np.array([[0, 0, 1, 1]], np.float32)
    >>> RandomHorizontalFlipWithBBox(1.0)(np.zeros((4, 6, 3), np.uint8), boxes)[1]
    array([[5., 0., 1., 1.]], dtype=float32)
    """


class RandomVerticalFlipWithBBox(_FlipWithBBox):
    """Exchange top and bottom with a probability, boxes too.

    >>> import numpy as np
    >>> boxes = np.array([[0, 0, 1, 1]], np.float32)
    >>> RandomVerticalFlipWithBBox(1.0)(np.zeros((4, 6, 3), np.uint8), boxes)[1]
    array([[0., 3., 1., 1.]], dtype=float32)
    """

    _axis = 1
    _flip = VerticalFlip


class ResizeWithBBox(Operation):
    """Change the size of an image and of its boxes.

    >>> import numpy as np
    >>> boxes = np.array([[0, 0, 2, 2]], np.float32)
    >>> ResizeWithBBox((8, 6))(np.zeros((4, 6, 3), np.uint8), boxes)[1]
    array([[0., 0., 2., 4.]], dtype=float32)
    """

    columns = 2

    def __init__(self, size: Any, interpolation: Inter = Inter.LINEAR):
        self.size = checks.one_size(type(self).__name__, size)
        self.interpolation = checks.member(type(self).__name__, "interpolation", interpolation, Inter)

    def run(self, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        image, boxes = _checked(type(self).__name__, inputs)
        shape = resized_shape(self.size, *image.shape[:2])
        resized = resize(type(self).__name__, image, shape, self.interpolation)
        return resized, _scaled(boxes, image.shape, shape)


class RandomResizeWithBBox(RandomOperation):
    """As ResizeWithBBox, with a random interpolation.

    >>> import numpy as np
    >>> boxes = np.array([[0, 0, 2, 2]], np.float32)
    >>> RandomResizeWithBBox(8)(np.zeros((4, 4, 3), np.uint8), boxes)[1]
    array([[0., 0., 4., 4.]], dtype=float32)
    """

    columns = 2

    def __init__(self, size: Any):
        self.size = checks.one_size(type(self).__name__, size)

    def run(self, random: SampleRandom, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        image, boxes = _checked(type(self).__name__, inputs)
        shape = resized_shape(self.size, *image.shape[:2])
        resized = resize(type(self).__name__, image, shape, random.choice(_RANDOM_INTERPOLATIONS))
        return resized, _scaled(boxes, image.shape, shape)


class RandomCropWithBBox(RandomCrop):
    """RandomCrop of an image and its boxes; boxes outside the crop are left out.

    >>> import numpy as np
    >>> boxes = np.array([[0, 0, 4, 4]], np.float32)
    >>> RandomCropWithBBox(2)(np.zeros((4, 4, 3), np.uint8), boxes)[1]
    array([[0., 0., 2., 2.]], dtype=float32)
    """

    ranks = (2, 3)

    columns = 2

    def run(self, random: SampleRandom, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        image, boxes = _checked(self.owner, inputs)
        sides = self.sides(image.shape)
        boxes = boxes.copy()
        if any(sides):
            image = pad(image, sides, self.fill_value, self.padding_mode)
            boxes[:, :2] += np.array(sides[:2], boxes.dtype)
        top, left = self.corner(random, image.shape)
        return cut(image, top, left, *self.size), _cropped(boxes, top, left, *self.size)


class RandomResizedCropWithBBox(RandomResizedCrop):
    """RandomResizedCrop of an image and its boxes; boxes outside the crop are left out.

    >>> import numpy as np
    >>> boxes = np.array([[0, 0, 4, 4]], np.float32)
    >>> RandomResizedCropWithBBox(2)(np.zeros((4, 4, 3), np.uint8), boxes)[1]
    array([[0., 0., 2., 2.]], dtype=float32)
    """

    ranks = (2, 3)

    columns = 2

    def run(self, random: SampleRandom, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        image, boxes = _checked(self.owner, inputs)
        box = self.box(random, image.shape[:2])
        part = resize(self.owner, cut(image, *box), self.size, self.interpolation)
        return part, _scaled(_cropped(boxes, *box), box[2:], self.size)


class BoundingBoxAugment(RandomOperation):
    """Apply a transform to the inside of each bounding box, with a probability.

    >>> import numpy as np
    >>> from mindspore.dataset.vision import Invert
    >>> boxes = np.array([[0, 0, 1, 1]], np.float32)
    >>> BoundingBoxAugment(Invert(), 1.0)(np.zeros((1, 2, 3), np.uint8), boxes)[0]
    array([[[255, 255, 255], [ 0, 0, 0]]], dtype=uint8)
    """

    columns = 2

    def __init__(self, transform: Any, ratio: float = 0.3):
        owner = type(self).__name__
        self.transform = check_operation(owner, "transform", transform)
        self.ratio = checks.probability(owner, ratio, "ratio")

    def run(self, random: SampleRandom, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        owner = type(self).__name__
        image, boxes = _checked(owner, inputs)
        image = image.copy()
        for left, top, width, height in boxes[:, :4].astype(np.int64):
            if random.random() >= self.ratio:
                continue
            part = apply(random, self.transform, cut(image, top, left, height, width))
            image[top : top + height, left : left + width] = resize(owner, part, (height, width), Inter.LINEAR)
        return image, boxes
