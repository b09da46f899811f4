"""What every image transform does first: tell arrays from PIL images, and name itself in errors."""

from __future__ import annotations

import copy
from typing import Any, Self

import cv2
import numpy as np
from PIL import Image

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.core.checks import check_one_of, check_str, searchable
from mindspore.dataset.core.operation import Operation, RandomOperation

augment_error_message = "img should be PIL image. Got {}. Use Decode() for encoded data or ToPIL() for decoded data."


# types of pixels that OpenCV takes, by transform; of the others it takes uint8 and float32
_TAKEN_TYPES = {
    **dict.fromkeys(("AdjustContrast", "AdjustSaturation"), ("uint8", "uint16", "float32")),
    **dict.fromkeys(("Equalize", "RandAugment", "RandomEqualize", "TrivialAugmentWide"), ("uint8",)),
}
_ANY_RANK_WORDS = "input tensor is not in shape of <H,W> or <H,W,C>, but got rank: {rank}."
_DIMENSION_WORDS = (
    "the dimension of image tensor does not match the requirement of operator. Expecting tensor in dimension of "
)
# how MindSpore's kernels refuse an image of a wrong rank, by transform
_RANK_WORDS = {
    **dict.fromkeys(
        ("AdjustContrast", "AdjustHue", "AdjustSaturation", "RandAugment", "RandomColorAdjust", "TrivialAugmentWide"),
        _DIMENSION_WORDS + "(3), in shape of <H, W, C>. But got dimension {rank}.",
    ),
    **dict.fromkeys(
        ("AdjustBrightness", "Pad", "PadToSize", "Perspective", "Solarize"),
        _DIMENSION_WORDS + "(2, 3), in shape of <H, W> or <H, W, C>. But got dimension {rank}.",
    ),
    **dict.fromkeys(
        ("HorizontalFlip", "RandomHorizontalFlip", "RandomResize", "Resize", "Rotate", "VerticalFlip"),
        "the image tensor should have at least two dimensions.",
    ),
    **dict.fromkeys(
        ("CenterCrop", "Normalize", "RandomCrop", "RandomResizedCrop"),
        "input tensor should have at least 2 dimensions, but got: {rank}.",
    ),
    **dict.fromkeys(("AutoContrast", "Equalize"), "image rank should be 2 or 3,  but got: {rank}."),
    **dict.fromkeys(
        ("AutoAugment", "Erase", "Invert"), "input tensor is not in shape of <H,W,C>, but got rank: {rank}."
    ),
}


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
            raise TypeError(f"For '{self.owner}', the Input should be NumPy or PIL image, got {type(image)}.")
        if image.ndim not in self.ranks:
            hint = " It looks encoded: use Decode() first." if image.ndim == 1 else ""
            words = _RANK_WORDS.get(self.owner, _ANY_RANK_WORDS).format(rank=image.ndim)
            decode = " You may need to perform Decode first." if image.ndim == 1 else ""
            raise searchable(
                self.failure(
                    f"image shape should be <H,W> or <H,W,C>, but got {image.shape} (rank {image.ndim}).{hint}"
                ),
                f"{self.owner}: {words}{decode}",
            )
        if not image.size:
            raise self.failure(f"Input Tensor has no data: the shape of the image is {image.shape}.")
        return image

    def _reason(self, image: Any, error: cv2.error) -> str:
        """Why OpenCV refuses an image: what it says of itself helps only who looks for a bug."""
        taken = _TAKEN_TYPES.get(self.owner, ("uint8", "float32"))
        if not isinstance(image, np.ndarray) or image.dtype.name in taken:
            return str(error)
        return (
            "the data type of image tensor does not match the requirement of operator. Expecting tensor in type of "
            f"({', '.join(taken)}). But got type {image.dtype}. Convert it with ToType before this."
        )

    def three_channels(self, image: np.ndarray) -> np.ndarray:
        """An array <H,W,3>."""
        if image.ndim != 3 or image.shape[2] != 3:
            refusal = self.failure(f"image shape should be <H,W,C> with 3 channels, but got {image.shape}.")
            if image.ndim != 3:
                raise refusal
            words = (
                "the channel of image tensor does not match the requirement of operator. Expecting tensor in channel of (3). "
                f"But got channel {image.shape[2]}."
            )
            raise searchable(refusal, f"{self.owner}: {words}")
        return image

    def one_or_three_channels(self, image: np.ndarray) -> np.ndarray:
        """An array <H,W>, <H,W,1> or <H,W,3>."""
        if image.ndim > 2 and image.shape[-1] not in (1, 3):
            raise self.failure(f"channel of input image should be 1 or 3, but got: {image.shape[-1]}.")
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
            raise self.failure(self._reason(image, error)) from error

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
            raise self.failure(self._reason(image, error)) from error

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
