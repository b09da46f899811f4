"""Image transforms, under the names of MindSpore 2.x.

>>> import numpy as np
>>> from mindspore.dataset.vision import transforms
>>> transforms.Resize((2, 2))(np.zeros((4, 4, 3), np.uint8)).shape
(2, 2, 3)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.dataset.transforms._compound import CompoundOperation  # noqa: F401 - not public in the package, but of this module
from mindspore.dataset.transforms._custom import (  # noqa: F401 - not public in the package, but of this module
    ImageTensorOperation,
    Implementation,
    PyTensorOperation,
    TensorOperation,
    VideoTensorOperation,
)
from mindspore.dataset.vision._implementation.adjustments import (
    AdjustBrightness,
    AdjustContrast,
    AdjustGamma,
    AdjustHue,
    AdjustSaturation,
    AdjustSharpness,
    AutoContrast,
    ConvertColor,
    Equalize,
    GaussianBlur,
    Grayscale,
    HsvToRgb,
    Invert,
    Posterize,
    RgbToHsv,
    Solarize,
)
from mindspore.dataset.vision._implementation.augment import AutoAugment, RandAugment, TrivialAugmentWide
from mindspore.dataset.vision._implementation.boxes import (
    BoundingBoxAugment,
    RandomCropWithBBox,
    RandomHorizontalFlipWithBBox,
    RandomResizedCropWithBBox,
    RandomResizeWithBBox,
    RandomVerticalFlipWithBBox,
    ResizeWithBBox,
)
from mindspore.dataset.vision._implementation.crops import (
    CenterCrop,
    Crop,
    FiveCrop,
    Pad,
    PadToSize,
    RandomCrop,
    SlicePatches,
    TenCrop,
)
from mindspore.dataset.vision._implementation.decoding import Decode
from mindspore.dataset.vision._implementation.erasing import CutOut, Erase, RandomErasing
from mindspore.dataset.vision._implementation.flips import (
    HorizontalFlip,
    RandomHorizontalFlip,
    RandomVerticalFlip,
    VerticalFlip,
)
from mindspore.dataset.vision._implementation.mixing import CutMixBatch, MixUp, MixUpBatch
from mindspore.dataset.vision._implementation.random_colours import (
    RandomAdjustSharpness,
    RandomAutoContrast,
    RandomColor,
    RandomColorAdjust,
    RandomEqualize,
    RandomGrayscale,
    RandomInvert,
    RandomLighting,
    RandomPosterize,
    RandomSharpness,
    RandomSolarize,
)
from mindspore.dataset.vision._implementation.resizing import (
    RandomCropDecodeResize,
    RandomResize,
    RandomResizedCrop,
    Resize,
    ResizedCrop,
)
from mindspore.dataset.vision._implementation.subpolicies import RandomSelectSubpolicy, UniformAugment
from mindspore.dataset.vision._implementation.values import (
    HWC2CHW,
    LinearTransformation,
    Normalize,
    NormalizePad,
    Rescale,
    ToNumpy,
    ToPIL,
    ToTensor,
    ToType,
)
from mindspore.dataset.vision._implementation.warps import (
    Affine,
    Perspective,
    RandomAffine,
    RandomPerspective,
    RandomRotation,
    Rotate,
)


def not_random(func: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function as free of randomness.

    >>> not_random(lambda image: image).random
    False
    """
    func.random = False  # type: ignore[attr-defined]
    return func


__all__ = [
    "HWC2CHW",
    "AdjustBrightness",
    "AdjustContrast",
    "AdjustGamma",
    "AdjustHue",
    "AdjustSaturation",
    "AdjustSharpness",
    "Affine",
    "AutoAugment",
    "AutoContrast",
    "BoundingBoxAugment",
    "CenterCrop",
    "ConvertColor",
    "Crop",
    "CutMixBatch",
    "CutOut",
    "Decode",
    "Equalize",
    "Erase",
    "FiveCrop",
    "GaussianBlur",
    "Grayscale",
    "HorizontalFlip",
    "HsvToRgb",
    "Invert",
    "LinearTransformation",
    "MixUp",
    "MixUpBatch",
    "Normalize",
    "NormalizePad",
    "Pad",
    "PadToSize",
    "Perspective",
    "Posterize",
    "RandAugment",
    "RandomAdjustSharpness",
    "RandomAffine",
    "RandomAutoContrast",
    "RandomColor",
    "RandomColorAdjust",
    "RandomCrop",
    "RandomCropDecodeResize",
    "RandomCropWithBBox",
    "RandomEqualize",
    "RandomErasing",
    "RandomGrayscale",
    "RandomHorizontalFlip",
    "RandomHorizontalFlipWithBBox",
    "RandomInvert",
    "RandomLighting",
    "RandomPerspective",
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
    "ResizedCrop",
    "RgbToHsv",
    "Rotate",
    "SlicePatches",
    "Solarize",
    "TenCrop",
    "ToNumpy",
    "ToPIL",
    "ToTensor",
    "ToType",
    "TrivialAugmentWide",
    "UniformAugment",
    "VerticalFlip",
    "not_random",
]
