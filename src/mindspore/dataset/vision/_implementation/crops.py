"""Crops, borders and patches."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image

from mindspore._utils.sample_random import SampleRandom, SampleRandoms
from mindspore.dataset.core.checks import check_bool, check_int
from mindspore.dataset.core.operation import Implementation
from mindspore.dataset.vision._implementation import checks
from mindspore.dataset.vision._implementation.base import ImageOperation, RandomImageOperation
from mindspore.dataset.vision._implementation.geometry import pad, pad_picture
from mindspore.dataset.vision._implementation.kinds import Border
from mindspore.dataset.vision.utils import SliceMode


def cut(image: np.ndarray, top: int, left: int, height: int, width: int) -> np.ndarray:
    """A box of an array, as an array of its own so that the whole image need not be kept."""
    return np.ascontiguousarray(image[top : top + height, left : left + width])


def cut_beyond(image: np.ndarray, top: int, left: int, height: int, width: int, fill: int) -> np.ndarray:
    """A box that may reach over the edge, where the fill value stands; the padded image is never made.

    >>> cut_beyond(np.array([[1, 2]], np.uint8), 0, -1, 1, 2, 7)
    array([[7, 1]], dtype=uint8)
    """
    shape = (height, width, *image.shape[2:])
    result = np.full(shape, fill, image.dtype) if fill else np.zeros(shape, image.dtype)
    part = image[max(top, 0) : max(top + height, 0), max(left, 0) : max(left + width, 0)]
    down, across = max(-top, 0), max(-left, 0)
    result[down : down + part.shape[0], across : across + part.shape[1]] = part
    return result


def cut_each(stack: np.ndarray, tops: np.ndarray, lefts: np.ndarray, height: int, width: int) -> np.ndarray:
    """A box of each image of a stack <N,H,W> or <N,H,W,C>, at a position of its own.

    >>> cut_each(np.array([[[1, 2]], [[3, 4]]], np.uint8), np.array([0, 0]), np.array([1, 0]), 1, 1).ravel()
    array([2, 3], dtype=uint8)
    """
    pixels = np.ascontiguousarray(stack).reshape(*stack.shape[:3], -1)
    across, item = pixels.shape[3], pixels.itemsize
    # windows[n, y, x] is a view of the box at (y, x), with whole lines along its last axis
    windows = np.lib.stride_tricks.as_strided(
        pixels,
        (len(pixels), pixels.shape[1] - height + 1, pixels.shape[2] - width + 1, height, width * across),
        (*pixels.strides[:3], pixels.strides[1], item),
        writeable=False,
    )
    return windows[np.arange(len(pixels)), tops, lefts].reshape(len(stack), height, width, *stack.shape[3:])


def cut_picture(image: Image.Image, top: int, left: int, height: int, width: int) -> Image.Image:
    """A box of a PIL image."""
    return image.crop((left, top, left + width, top + height))


def center_picture(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The middle of a PIL image."""
    top, left = round((image.height - size[0]) / 2), round((image.width - size[1]) / 2)
    return cut_picture(image, top, left, *size)


class Pad(ImageOperation):
    """Add a border; padding is an int, (left and right, top and bottom) or (left, top, right, bottom).

    >>> import numpy as np
    >>> Pad((1, 0, 2, 0), fill_value=5)(np.zeros((1, 1), np.uint8))
    array([[5, 0, 5, 5]], dtype=uint8)
    """

    masks = np.uint8

    def __init__(self, padding: Any, fill_value: Any = 0, padding_mode: Border = Border.CONSTANT):
        self.padding = checks.padding(self.owner, padding)
        self.fill_value = checks.fill(self.owner, fill_value)
        self.padding_mode = checks.member(self.owner, "padding_mode", padding_mode, Border)

    def array(self, image: np.ndarray) -> np.ndarray:
        return pad(image, self.padding, self.fill_value, self.padding_mode)

    def picture(self, image: Image.Image) -> Image.Image:
        return pad_picture(image, self.padding, self.fill_value, self.padding_mode)


class PadToSize(ImageOperation):
    """Add a border that makes the image as large as asked; offset is where the image starts, by default centred.

    >>> import numpy as np
    >>> PadToSize((1, 3), offset=(0, 1), fill_value=5)(np.zeros((1, 1), np.uint8))
    array([[5, 0, 5]], dtype=uint8)
    """

    masks = np.uint8
    array_only = True

    def __init__(self, size: Any, offset: Any = None, fill_value: Any = 0, padding_mode: Border = Border.CONSTANT):
        self.size = self._pair("size", size, 1)
        self.offset = (
            None
            if offset is None or (isinstance(offset, (tuple, list)) and not offset)
            else self._pair("offset", offset, 0)
        )
        self.fill_value = checks.fill(self.owner, fill_value)
        self.padding_mode = checks.member(self.owner, "padding_mode", padding_mode, Border)

    def _pair(self, name: str, value: Any, low: int) -> tuple[int, int]:
        pair = (value, value) if checks.is_int(value) else checks.sequence(self.owner, name, value, (2,), ValueError)
        first, second = (check_int(self.owner, name, length, low, checks.LARGEST_INT) for length in pair)
        return first, second

    def array(self, image: np.ndarray) -> np.ndarray:
        missing = self.size[0] - image.shape[0], self.size[1] - image.shape[1]
        top, left = self.offset or (missing[0] // 2, missing[1] // 2)
        bottom, right = missing[0] - top, missing[1] - left
        if min(top, left, bottom, right) < 0:
            raise self.failure(
                f"the target size to pad should be no less than the original image size plus the offset, but got "
                f"target size {self.size}, offset {self.offset} and image shape {image.shape}."
            )
        return pad(image, (left, top, right, bottom), self.fill_value, self.padding_mode)


class CenterCrop(ImageOperation):
    """The middle of an image; where the image is smaller, zeros are added.

    >>> import numpy as np
    >>> CenterCrop((2, 1))(np.arange(12).reshape(4, 3).astype(np.uint8))
    array([[4], [7]], dtype=uint8)
    """

    ranks = tuple(range(2, 9))

    def __init__(self, size: Any):
        self.size = checks.size(self.owner, size)

    def array(self, image: np.ndarray) -> np.ndarray:
        if image.ndim > 3:
            images = image.reshape(-1, *image.shape[-3:])
            return np.stack([self.array(picture) for picture in images]).reshape(*image.shape[:-3], *self.size, -1)
        missing = [max(wanted - there, 0) for wanted, there in zip(self.size, image.shape)]
        if any(missing):
            if any(lack > 3 * there for lack, there in zip(missing, image.shape)):
                raise self.failure(
                    f"Padding size cannot be more than 3 times of the original image size, but got crop size "
                    f"{self.size} and image shape {image.shape}."
                )
            (top, bottom), (left, right) = ((lack - lack // 2, lack // 2) for lack in missing)
            image = image.view(np.uint8) if image.dtype == bool else image
            image = pad(image, (left, top, right, bottom), (0, 0, 0), Border.CONSTANT)
        top, left = (image.shape[0] - self.size[0]) // 2, (image.shape[1] - self.size[1]) // 2
        return cut(image, top, left, *self.size)

    def picture(self, image: Image.Image) -> Image.Image:
        return center_picture(image, self.size)

    def block(self, stack: np.ndarray) -> np.ndarray:
        height, width = self.size
        if stack.ndim not in (3, 4) or stack.shape[1] < height or stack.shape[2] < width:
            return NotImplemented
        top, left = (stack.shape[1] - height) // 2, (stack.shape[2] - width) // 2
        return np.ascontiguousarray(stack[:, top : top + height, left : left + width])


class Crop(ImageOperation):
    """The box of an image that starts at coordinates (y, x).

    >>> import numpy as np
    >>> Crop((1, 0), (1, 2))(np.arange(6).reshape(2, 3).astype(np.uint8))
    array([[3, 4]], dtype=uint8)
    """

    array_only = True

    def __init__(self, coordinates: Any, size: Any):
        pair = checks.sequence(self.owner, "coordinates", coordinates, (2,))
        top, left = (check_int(self.owner, "coordinates", coordinate, 0, checks.LARGEST_INT) for coordinate in pair)
        self.coordinates = top, left
        self.size = checks.size(self.owner, size)

    def _check(self, shape: tuple[int, ...]) -> None:
        for name, start, length, there in zip(("height", "width"), self.coordinates, self.size, shape):
            if start + length > there:
                raise self.failure(
                    f"Crop {name} dimension: {start + length} exceeds image {name}: {there}. The box starts at (y, x) "
                    f"{self.coordinates}, its size is {self.size}, and the image's shape {tuple(shape)}."
                )

    def array(self, image: np.ndarray) -> np.ndarray:
        self._check(image.shape)
        return cut(image, *self.coordinates, *self.size)

    def block(self, stack: np.ndarray) -> np.ndarray:
        self._check(stack.shape[1:])
        (top, left), (height, width) = self.coordinates, self.size
        return np.ascontiguousarray(stack[:, top : top + height, left : left + width])


class RandomCrop(RandomImageOperation):
    """A box of the wanted size at a random position, after padding.

    >>> import numpy as np
    >>> RandomCrop(4, padding=2)(np.zeros((4, 4, 3), np.uint8)).shape
    (4, 4, 3)
    """

    masks = np.uint8
    ranks = tuple(range(2, 9))

    def __init__(
        self,
        size: Any,
        padding: Any = None,
        pad_if_needed: bool = False,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ):
        self.size = checks.size(self.owner, size)
        self.padding = checks.padding(self.owner, 0 if padding is None else padding)
        self.pad_if_needed = check_bool(self.owner, "pad_if_needed", pad_if_needed)
        self.fill_value = checks.fill(self.owner, fill_value)
        self.padding_mode = checks.member(self.owner, "padding_mode", padding_mode, Border)
        self._gray = len(set(self.fill_value)) == 1

    def sides(self, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
        """How much an image of this shape is padded: (left, top, right, bottom)."""
        left, top, right, bottom = self.padding
        if self.pad_if_needed:
            more_height = max(self.size[0] - shape[0] - top - bottom, 0)
            more_width = max(self.size[1] - shape[1] - left - right, 0)
            left, right, top, bottom = left + more_width, right + more_width, top + more_height, bottom + more_height
        return left, top, right, bottom

    def _check(self, shape: tuple[int, ...]) -> None:
        if self.size[0] > shape[0] or self.size[1] > shape[1]:
            raise self.failure(
                f"invalid crop size, crop size is bigger than the image dimensions, got crop height: {self.size[0]}, "
                f"crop width: {self.size[1]}, image height: {shape[0]}, image width: {shape[1]}. "
                f"pad_if_needed=True enlarges the image."
            )

    def corner(self, random: SampleRandom, shape: tuple[int, ...]) -> tuple[int, int]:
        """(top, left) of the box in an image of this shape."""
        self._check(shape)
        return random.randint(0, shape[0] - self.size[0]), random.randint(0, shape[1] - self.size[1])

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        if image.ndim > 3:  # every image its own box
            images = image.reshape(-1, *image.shape[-3:])
            return np.stack([self.array(random, one) for one in images]).reshape(*image.shape[:-3], *self.size, -1)
        sides = left, top, right, bottom = self.sides(image.shape)
        shape = image.shape[0] + top + bottom, image.shape[1] + left + right
        corner = self.corner(random, shape)
        if not any(sides):
            return cut(image, *corner, *self.size)
        if self.padding_mode is Border.CONSTANT and self._gray:
            return cut_beyond(image, corner[0] - top, corner[1] - left, *self.size, self.fill_value[0])
        return cut(pad(image, sides, self.fill_value, self.padding_mode), *corner, *self.size)

    def block(self, stack: np.ndarray, randoms: SampleRandoms) -> Any:
        if (
            stack.ndim not in (3, 4)
            or stack.dtype == bool
            or self.padding_mode is not Border.CONSTANT
            or not self._gray
        ):
            return NotImplemented
        left, top, right, bottom = self.sides(stack.shape[1:])
        height, width = stack.shape[1] + top + bottom, stack.shape[2] + left + right
        self._check((height, width))
        whole = stack
        if (height, width) != stack.shape[1:3]:
            whole = np.full((len(stack), height, width, *stack.shape[3:]), self.fill_value[0], stack.dtype)
            whole[:, top : top + stack.shape[1], left : left + stack.shape[2]] = stack
        rows = randoms.randint(0, height - self.size[0])
        columns = randoms.randint(0, width - self.size[1])
        return cut_each(whole, rows, columns, *self.size)

    def picture(self, random: SampleRandom, image: Image.Image) -> Image.Image:
        sides = self.sides((image.height, image.width))
        if any(sides):
            image = pad_picture(image, sides, self.fill_value, self.padding_mode)
        return cut_picture(image, *self.corner(random, (image.height, image.width)), *self.size)


class FiveCrop(ImageOperation):
    """The four corners and the middle of a PIL image.

    >>> from PIL import Image
    >>> len(FiveCrop(2)(Image.new("RGB", (4, 4))))
    5
    """

    implementation = Implementation.PY
    picture_only = True

    def __init__(self, size: Any):
        self.size = checks.size(self.owner, size)

    def picture(self, image: Image.Image) -> tuple[Image.Image, ...]:
        height, width = self.size
        if height > image.height or width > image.width:
            raise ValueError(
                f"For '{self.owner}', the crop size {self.size} is larger than the image of "
                f"{(image.height, image.width)}."
            )
        low, right = image.height - height, image.width - width
        corners = [(0, 0), (0, right), (low, 0), (low, right)]
        return (*(cut_picture(image, *corner, height, width) for corner in corners), center_picture(image, self.size))


class TenCrop(FiveCrop):
    """FiveCrop of a PIL image and of its mirror image.

    >>> from PIL import Image
    >>> len(TenCrop(2)(Image.new("RGB", (4, 4))))
    10
    """

    def __init__(self, size: Any, use_vertical_flip: bool = False):
        super().__init__(size)
        self.use_vertical_flip = check_bool(self.owner, "use_vertical_flip", use_vertical_flip)

    def picture(self, image: Image.Image) -> tuple[Image.Image, ...]:
        turn = Image.Transpose.FLIP_TOP_BOTTOM if self.use_vertical_flip else Image.Transpose.FLIP_LEFT_RIGHT
        return (*super().picture(image), *super().picture(image.transpose(turn)))


class SlicePatches(ImageOperation):
    """Cut an image into num_height rows of num_width patches.

    >>> import numpy as np
    >>> [patch.shape for patch in SlicePatches(1, 2)(np.zeros((2, 5), np.uint8))]
    [(2, 3), (2, 3)]
    """

    masks = np.uint8
    array_only = True

    def __init__(
        self, num_height: int = 1, num_width: int = 1, slice_mode: SliceMode = SliceMode.PAD, fill_value: int = 0
    ):
        self.num_height = check_int(self.owner, "num_height", num_height, 1, checks.LARGEST_INT)
        self.num_width = check_int(self.owner, "num_width", num_width, 1, checks.LARGEST_INT)
        self.slice_mode = checks.member(self.owner, "slice_mode", slice_mode, SliceMode)
        self.fill_value = check_int(self.owner, "fill_value", fill_value, 0, 255)

    def array(self, image: np.ndarray) -> Any:
        counts = self.num_height, self.num_width
        if counts == (1, 1):
            return image
        if counts[0] > image.shape[0] or counts[1] > image.shape[1]:
            raise self.failure(f"there are more patches than pixels, got {counts} patches and shape {image.shape}.")
        height, width = (there // count for there, count in zip(image.shape, counts))
        if self.slice_mode is SliceMode.PAD:
            height, width = (-(-there // count) for there, count in zip(image.shape, counts))
            missing = [(0, height * counts[0] - image.shape[0]), (0, width * counts[1] - image.shape[1]), (0, 0)]
            image = np.pad(image, missing[: image.ndim], constant_values=self.fill_value)
        corners = [(row * height, column * width) for row in range(counts[0]) for column in range(counts[1])]
        return tuple(cut(image, *corner, height, width) for corner in corners)
