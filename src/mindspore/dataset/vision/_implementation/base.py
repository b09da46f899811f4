"""What every image transform does first: tell arrays from PIL images, and name itself in errors."""

from __future__ import annotations

import copy
from typing import Any, Self

import cv2
import numpy as np
from PIL import Image

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.core.checks import check_one_of, check_str
from mindspore.dataset.core.operation import Operation, RandomOperation

augment_error_message = (
    "the image must be a PIL image, but got {}. Put Decode() before this for bytes, ToPIL() for arrays."
)


class _Images:
    """Shared by fixed and random transforms."""

    picture_only = False  # only PIL images are taken
    array_only = False  # a PIL image is taken as the array of its pixels
    ranks: tuple[int, ...] = (2, 3)
    masks: type | None = (
        None  # arrays of bools are computed as bytes 0 and 1, and given back as this type; None: as they are
    )
    too_many: type[Exception] = TypeError

    @property
    def owner(self) -> str:
        """The name that error messages begin with."""
        return type(self).__name__

    def failure(self, reason: str) -> RuntimeError:
        """The error for a sample that this transform cannot take."""
        return RuntimeError(f"{self.owner}: {reason}")

    def checked(self, image: Any) -> np.ndarray:
        """An array of pixels of a rank that is taken."""
        if self.picture_only:
            raise TypeError(f"For '{self.owner}', {augment_error_message.format(type(image))}")
        if isinstance(image, Image.Image):
            image = np.asarray(image)
        if not isinstance(image, np.ndarray):
            raise TypeError(f"For '{self.owner}', the input must be a NumPy array or a PIL image, got {type(image)}.")
        if image.ndim not in self.ranks:
            hint = " It looks encoded: use Decode() first." if image.ndim == 1 else ""
            raise self.failure(
                f"image shape should be <H,W> or <H,W,C>, but got {image.shape} (rank {image.ndim}).{hint}"
            )
        if not image.size:
            raise self.failure(f"Input Tensor has no data: the shape of the image is {image.shape}.")
        return image

    def three_channels(self, image: np.ndarray) -> np.ndarray:
        """An array <H,W,3>."""
        if image.ndim != 3 or image.shape[2] != 3:
            raise self.failure(f"image shape should be <H,W,C> with 3 channels, but got {image.shape}.")
        return image

    def one_or_three_channels(self, image: np.ndarray) -> np.ndarray:
        """An array <H,W>, <H,W,1> or <H,W,3>."""
        if image.ndim > 2 and image.shape[-1] not in (1, 3):
            raise self.failure(f"channel of input image should be 1 or 3, but got {image.shape[-1]}.")
        return image


class ImageOperation(_Images, Operation):
    """A transform of an image. Subclasses say what they do with an ``array`` and, where that differs, a ``picture``."""

    device_target = "CPU"

    def device(self, device_target: str = "CPU") -> Self:
        """Choose where it runs, 'CPU' or 'Ascend'; the host computes both, with the same result. Returns the transform."""
        check_str(type(self).__name__, "device_target", device_target)
        self.device_target = check_one_of(type(self).__name__, "device_target", device_target, ("CPU", "Ascend"))
        return self

    def run(self, image: Any) -> Any:  # type: ignore[override]
        try:
            if isinstance(image, Image.Image) and not self.array_only:
                return self.picture(image)
            pixels = self.checked(image)
            if pixels.dtype == bool and self.masks is not None:
                return _retyped(self.array(pixels.view(np.uint8)), self.masks)
            return self.array(pixels)
        except cv2.error as error:
            raise self.failure(str(error)) from error

    def array(self, image: np.ndarray) -> Any:
        """The result for an array."""
        raise NotImplementedError(f"For '{self.owner}', 'array' is not defined.")

    def picture(self, image: Image.Image) -> Any:
        """The result for a PIL image."""
        return self.array(self.checked(np.asarray(image)))


class RandomImageOperation(_Images, RandomOperation):
    """A random transform of an image, or of several images alike."""

    def run(self, random: SampleRandom, *images: Any) -> Any:  # type: ignore[override]
        if len(images) == 1:
            return self._one(random, images[0])
        # every image draws the same numbers
        return tuple(self._one(copy.copy(random), image) for image in images)

    def _one(self, random: SampleRandom, image: Any) -> Any:
        try:
            if isinstance(image, Image.Image) and not self.array_only:
                return self.picture(random, image)
            pixels = self.checked(image)
            if pixels.dtype == bool and self.masks is not None:
                view = pixels.view(np.uint8)
                result = self.array(random, view)
                return pixels if result is view else _retyped(result, self.masks)
            return self.array(random, pixels)
        except cv2.error as error:
            raise self.failure(str(error)) from error

    def array(self, random: SampleRandom, image: np.ndarray) -> Any:
        """The result for an array."""
        raise NotImplementedError(f"For '{self.owner}', 'array' is not defined.")

    def picture(self, random: SampleRandom, image: Image.Image) -> Any:
        """The result for a PIL image."""
        return self.array(random, self.checked(np.asarray(image)))


def _retyped(result: Any, dtype: type) -> Any:
    """One array or several as another type."""
    return tuple(one.astype(dtype) for one in result) if isinstance(result, tuple) else result.astype(dtype)


def with_channels(result: np.ndarray, image: np.ndarray) -> np.ndarray:
    """The result with the channel axis that OpenCV drops from one-channel images."""
    return result[:, :, None] if image.ndim == 3 and result.ndim == 2 else result


def pillow_fill(fill: tuple[int, int, int], image: Image.Image) -> Any:
    """A fill colour as an image of this mode takes it."""
    bands = len(image.getbands())
    return fill[0] if bands == 1 else (*fill, 255)[:bands]
