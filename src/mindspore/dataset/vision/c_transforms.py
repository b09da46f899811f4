"""Image transforms for arrays, under the names of MindSpore 1.x: ``import mindspore.dataset.vision.c_transforms as C``.

>>> import numpy as np
>>> import mindspore.dataset.vision.c_transforms as C
>>> C.Resize((2, 2))(np.zeros((4, 4, 1), np.uint8)).shape
(2, 2, 1)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.documented import claim as _claim
from mindspore.dataset.core.checks import check_bool
from mindspore.dataset.vision import transforms as _current
from mindspore.dataset.vision._implementation import checks
from mindspore.dataset.vision._implementation.decoding import EncodedImageOperation, decode
from mindspore.dataset.vision.transforms import (
    HWC2CHW,
    AutoAugment,
    AutoContrast,
    BoundingBoxAugment,
    CenterCrop,
    ConvertColor,
    Crop,
    CutMixBatch,
    CutOut,
    Equalize,
    GaussianBlur,
    HorizontalFlip,
    Invert,
    MixUpBatch,
    Normalize,
    NormalizePad,
    Pad,
    RandomAdjustSharpness,
    RandomAffine,
    RandomAutoContrast,
    RandomColor,
    RandomColorAdjust,
    RandomCrop,
    RandomCropDecodeResize,
    RandomCropWithBBox,
    RandomEqualize,
    RandomHorizontalFlip,
    RandomHorizontalFlipWithBBox,
    RandomInvert,
    RandomLighting,
    RandomPosterize,
    RandomResize,
    RandomResizedCrop,
    RandomResizedCropWithBBox,
    RandomResizeWithBBox,
    RandomRotation,
    RandomSelectSubpolicy,
    RandomSharpness,
    RandomSolarize,
    RandomVerticalFlip,
    RandomVerticalFlipWithBBox,
    Rescale,
    Resize,
    ResizeWithBBox,
    Rotate,
    SlicePatches,
    UniformAugment,
    VerticalFlip,
)
from mindspore.dataset.vision.utils import AutoAugmentPolicy, Border, ConvertMode, ImageBatchFormat, Inter, SliceMode


class Decode(EncodedImageOperation):
    """Decode an image file's bytes into an array <H,W,C> in RGB.

    >>> import numpy as np
    >>> from mindspore.dataset.vision import encode_png
    >>> Decode()(encode_png(np.full((2, 4, 3), 9, np.uint8))).shape
    (2, 4, 3)
    """

    array_only = True

    def __init__(self, rgb: bool = True):
        self.rgb = check_bool(self.owner, "rgb", rgb)

    def array(self, image: np.ndarray) -> np.ndarray:
        if not self.rgb:
            raise self.failure("only RGB images can be decoded, check that the argument 'rgb' is True.")
        return decode(self.owner, image)


class SoftDvppDecodeResizeJpeg(EncodedImageOperation):
    """Decode a JPEG image and change its size.

    >>> import numpy as np
    >>> from mindspore.dataset.vision import encode_jpeg
    >>> SoftDvppDecodeResizeJpeg((4, 4))(encode_jpeg(np.zeros((8, 9, 3), np.uint8))).shape
    (4, 4, 3)
    """

    array_only = True

    def __init__(self, size: Any):
        self._resize = _current.Resize(checks.one_size(self.owner, size))

    def array(self, image: np.ndarray) -> np.ndarray:
        return self._resize.array(decode(self.owner, image))


class SoftDvppDecodeRandomCropResizeJpeg(_current.RandomCropDecodeResize):
    """Decode a JPEG image, cut out a random box and change its size.

    >>> import numpy as np
    >>> from mindspore.dataset.vision import encode_jpeg
    >>> SoftDvppDecodeRandomCropResizeJpeg(4)(encode_jpeg(np.zeros((8, 9, 3), np.uint8))).shape
    (4, 4, 3)
    """

    def __init__(
        self, size: Any, scale: Any = (0.08, 1.0), ratio: Any = (3.0 / 4.0, 4.0 / 3.0), max_attempts: int = 10
    ):
        super().__init__(size, scale, ratio, max_attempts=max_attempts)


class RgbToBgr(ConvertColor):
    """Exchange red and blue.

    >>> import numpy as np
    >>> RgbToBgr()(np.array([[[1, 2, 3]]], np.uint8)).tolist()
    [[[3, 2, 1]]]
    """

    def __init__(self) -> None:
        super().__init__(ConvertMode.COLOR_RGB2BGR)


__all__ = [
    "HWC2CHW",
    "AutoAugment",
    "AutoAugmentPolicy",
    "AutoContrast",
    "Border",
    "BoundingBoxAugment",
    "CenterCrop",
    "ConvertColor",
    "ConvertMode",
    "Crop",
    "CutMixBatch",
    "CutOut",
    "Decode",
    "Equalize",
    "GaussianBlur",
    "HorizontalFlip",
    "ImageBatchFormat",
    "Inter",
    "Invert",
    "MixUpBatch",
    "Normalize",
    "NormalizePad",
    "Pad",
    "RandomAdjustSharpness",
    "RandomAffine",
    "RandomAutoContrast",
    "RandomColor",
    "RandomColorAdjust",
    "RandomCrop",
    "RandomCropDecodeResize",
    "RandomCropWithBBox",
    "RandomEqualize",
    "RandomHorizontalFlip",
    "RandomHorizontalFlipWithBBox",
    "RandomInvert",
    "RandomLighting",
    "RandomPosterize",
    "RandomResize",
    "RandomResizeWithBBox",
    "RandomResizedCrop",
    "RandomResizedCropWithBBox",
    "RandomRotation",
    "RandomSelectSubpolicy",
    "RandomSharpness",
    "RandomSolarize",
    "RandomVerticalFlip",
    "RandomVerticalFlipWithBBox",
    "Rescale",
    "Resize",
    "ResizeWithBBox",
    "Rotate",
    "SliceMode",
    "SlicePatches",
    "SoftDvppDecodeRandomCropResizeJpeg",
    "SoftDvppDecodeResizeJpeg",
    "UniformAugment",
    "VerticalFlip",
]

_claim(__name__)
