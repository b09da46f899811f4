"""Image transforms for PIL images, under the names of MindSpore 1.x.

>>> from PIL import Image
>>> import mindspore.dataset.vision.py_transforms as P
>>> P.ToTensor()(P.Resize((2, 2))(Image.new("RGB", (4, 4)))).shape
(3, 2, 2)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from mindspore._utils.checks import unknown_attribute as _unknown_attribute
from mindspore._utils.documented import claim as _claim
from mindspore.dataset.core.checks import check_one_of, check_type
from mindspore.dataset.core.operation import Operation
from mindspore.dataset.transforms._dtype import numpy_dtype
from mindspore.dataset.vision import transforms as _current
from mindspore.dataset.vision._implementation import checks
from mindspore.dataset.vision._implementation.adjustments import RgbToBgr
from mindspore.dataset.vision._implementation.base import ImageOperation
from mindspore.dataset.vision._implementation.decoding import EncodedImageOperation, decode_picture
from mindspore.dataset.vision._implementation.kinds import PILLOW_INTERPOLATIONS
from mindspore.dataset.vision.transforms import (
    FiveCrop,
    Grayscale,
    HsvToRgb,
    LinearTransformation,
    MixUp,
    RandomErasing,
    RandomGrayscale,
    RandomPerspective,
    RgbToHsv,
    TenCrop,
    ToPIL,
    UniformAugment,
    not_random,
)
from mindspore.dataset.vision.utils import Border, Inter

DE_PY_INTER_MODE = PILLOW_INTERPOLATIONS
DE_PY_BORDER_TYPE = {border: border.value for border in Border}


class ToTensor(ImageOperation):
    """Turn a PIL image or an array <H,W,C> into an array <C,H,W> with values from 0.0 to 1.0."""

    def __init__(self, output_type: Any = np.float32):
        self.output_type = numpy_dtype(self.owner, "output_type", output_type)

    def array(self, image: np.ndarray) -> np.ndarray:
        image = image[:, :, None] if image.ndim == 2 else image
        return (image.transpose(2, 0, 1) / 255.0).astype(self.output_type, order="C")


class ToType(_current.ToType):
    """Convert an array to another dtype."""

    def __init__(self, output_type: Any):
        super().__init__(output_type)


class HWC2CHW(_current.HWC2CHW):
    """Move the channels from the last axis to the first."""


class Decode(EncodedImageOperation):
    """Decode an image file's bytes into a PIL image in RGB."""

    def array(self, image: np.ndarray) -> Image.Image:
        return decode_picture(self.owner, image)


class Normalize(Operation):
    """Subtract each channel's mean and divide by its deviation, for float arrays <C,H,W> from 0.0 to 1.0.

    >>> Normalize([0.5], [0.25])(np.ones((1, 1, 2), np.float32))
    array([[[2., 2.]]], dtype=float32)
    """

    def __init__(self, mean: Any, std: Any):
        self.mean, self.std = checks.mean_and_std(type(self).__name__, mean, std, 1.0)
        self._exact = np.array(mean, np.float64), np.array(std, np.float64)

    def run(self, image: Any) -> np.ndarray:  # type: ignore[override]
        owner = type(self).__name__
        if not isinstance(image, np.ndarray) or image.ndim != 3:
            shape = getattr(image, "shape", None)
            raise TypeError(
                f"For '{owner}', the input must be an array <C,H,W>, but got {type(image)} of shape {shape}."
            )
        if image.dtype.kind in "iu":
            raise NotImplementedError(
                f"For '{owner}', the input must be floating-point, but got {image.dtype}. Use ToTensor() before {owner}()."
            )
        if len(self.mean) not in (1, len(image)):
            raise ValueError(
                f"For '{owner}', the 'mean' and 'std' must have length 1 or {len(image)} as the image has channels, "
                f"but got {len(self.mean)}."
            )
        mean, std = (channels.astype(image.dtype)[:, None, None] for channels in self._exact)
        return (image - mean) / std


class NormalizePad(Normalize):
    """Normalize, then add a channel of zeros."""

    def __init__(self, mean: Any, std: Any, dtype: str = "float32"):
        super().__init__(mean, std)
        check_type(type(self).__name__, "dtype", dtype, str)
        self.dtype = check_one_of(type(self).__name__, "dtype", dtype, ("float32", "float16"))

    def run(self, image: Any) -> np.ndarray:
        return np.pad(super().run(image), ((0, 1), (0, 0), (0, 0))).astype(self.dtype)


class Cutout(_current.CutOut):
    """Blank out squares of an array <C,H,W> at random positions."""

    def __init__(self, length: int, num_patches: int = 1):
        super().__init__(length, num_patches, is_hwc=False)


class Resize(_current.Resize):
    """Change the size of a PIL image."""

    picture_only = True


class CenterCrop(_current.CenterCrop):
    """The middle of a PIL image."""

    picture_only = True


class Pad(_current.Pad):
    """Add a border to a PIL image."""

    picture_only = True


class RandomCrop(_current.RandomCrop):
    """A box of a PIL image at a random position, after padding."""

    picture_only = True


class RandomResizedCrop(_current.RandomResizedCrop):
    """Cut a random box out of a PIL image and change its size."""

    picture_only = True


class RandomHorizontalFlip(_current.RandomHorizontalFlip):
    """Exchange left and right of a PIL image with a probability."""

    picture_only = True


class RandomVerticalFlip(_current.RandomVerticalFlip):
    """Exchange top and bottom of a PIL image with a probability."""

    picture_only = True


class RandomColorAdjust(_current.RandomColorAdjust):
    """Change brightness, contrast, saturation and hue of a PIL image, in random order."""

    picture_only = True


class RandomRotation(_current.RandomRotation):
    """Turn a PIL image by a random angle."""

    picture_only = True


class RandomAffine(_current.RandomAffine):
    """Turn, move, scale and shear a PIL image by random amounts."""

    picture_only = True


class RandomColor(_current.RandomColor):
    """Make the colours of a PIL image stronger or paler by a random factor."""

    picture_only = True


class RandomSharpness(_current.RandomSharpness):
    """Sharpen or smooth a PIL image by a random factor."""

    picture_only = True


class AutoContrast(_current.AutoContrast):
    """Stretch each channel of a PIL image over all values."""

    picture_only = True


class Invert(_current.Invert):
    """Turn over the colours of a PIL image."""

    picture_only = True


class Equalize(_current.Equalize):
    """Spread the histogram of each channel of a PIL image."""

    picture_only = True


class RandomLighting(_current.RandomLighting):
    """Add noise along the principal components of natural colours to a PIL image."""

    picture_only = True


class AdjustGamma(_current.AdjustGamma):
    """gain * value ** gamma for a PIL image."""

    picture_only = True


__all__ = [
    "DE_PY_BORDER_TYPE",
    "DE_PY_INTER_MODE",
    "HWC2CHW",
    "AdjustGamma",
    "AutoContrast",
    "Border",
    "CenterCrop",
    "Cutout",
    "Decode",
    "Equalize",
    "FiveCrop",
    "Grayscale",
    "HsvToRgb",
    "Inter",
    "Invert",
    "LinearTransformation",
    "MixUp",
    "Normalize",
    "NormalizePad",
    "Pad",
    "RandomAffine",
    "RandomColor",
    "RandomColorAdjust",
    "RandomCrop",
    "RandomErasing",
    "RandomGrayscale",
    "RandomHorizontalFlip",
    "RandomLighting",
    "RandomPerspective",
    "RandomResizedCrop",
    "RandomRotation",
    "RandomSharpness",
    "RandomVerticalFlip",
    "Resize",
    "RgbToBgr",
    "RgbToHsv",
    "TenCrop",
    "ToPIL",
    "ToTensor",
    "ToType",
    "UniformAugment",
    "not_random",
]

_HINTS = {
    "ComposeOp": "Write mindspore.dataset.transforms.py_transforms.Compose.",
    "Compose": "It is mindspore.dataset.transforms.py_transforms.Compose.",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        raise _unknown_attribute(__name__, name, __all__, _HINTS)


_claim(__name__)
