"""Enumerations of the image transforms, and functions for image files and encoded images."""

from __future__ import annotations

from enum import Enum, IntEnum

from mindspore.dataset.vision._implementation.files import (
    encode_jpeg,
    encode_png,
    read_file,
    read_image,
    write_file,
    write_jpeg,
    write_png,
)
from mindspore.dataset.vision._implementation.kinds import Border, ImageReadMode, Inter
from mindspore.dataset.vision._implementation.measure import get_image_num_channels, get_image_size


class AutoAugmentPolicy(str, Enum):  # noqa: UP042 (its text is MindSpore's: AutoAugmentPolicy.IMAGENET)
    """The dataset whose learned policy AutoAugment applies.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> image = np.zeros((32, 32, 3), np.uint8)
        >>> vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10)(image).shape
        (32, 32, 3)
    """

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"

    @staticmethod
    def to_c_type(policy: AutoAugmentPolicy) -> AutoAugmentPolicy:
        """What the transforms take: the member itself."""
        return AutoAugmentPolicy(policy)


class ConvertMode(IntEnum):
    """Which colours ConvertColor turns into which; several names mean the same exchange of channels.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> image = np.array([[[255, 0, 10]]], np.uint8)
        >>> vision.ConvertColor(vision.ConvertMode.COLOR_RGB2BGR)(image).tolist()
        [[[10, 0, 255]]]
    """

    COLOR_BGR2BGRA = 0
    COLOR_RGB2RGBA = 0
    COLOR_BGRA2BGR = 1
    COLOR_RGBA2RGB = 1
    COLOR_BGR2RGBA = 2
    COLOR_RGB2BGRA = 2
    COLOR_RGBA2BGR = 3
    COLOR_BGRA2RGB = 3
    COLOR_BGR2RGB = 4
    COLOR_RGB2BGR = 4
    COLOR_BGRA2RGBA = 5
    COLOR_RGBA2BGRA = 5
    COLOR_BGR2GRAY = 6
    COLOR_RGB2GRAY = 7
    COLOR_GRAY2BGR = 8
    COLOR_GRAY2RGB = 8
    COLOR_GRAY2BGRA = 9
    COLOR_GRAY2RGBA = 9
    COLOR_BGRA2GRAY = 10
    COLOR_RGBA2GRAY = 11

    @staticmethod
    def to_c_type(mode: ConvertMode) -> ConvertMode:
        """What the transforms take: the member itself."""
        return ConvertMode(mode)


class ImageBatchFormat(IntEnum):
    """Where a batch of images has its channels.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> images = np.zeros((2, 4, 5, 3), np.uint8)
        >>> labels = np.eye(2, dtype=np.uint32)
        >>> mixed, _ = vision.CutMixBatch(vision.ImageBatchFormat.NHWC)(images, labels)
        >>> mixed.shape
        (2, 4, 5, 3)
    """

    NHWC = 0
    NCHW = 1

    @staticmethod
    def to_c_type(image_batch_format: ImageBatchFormat) -> ImageBatchFormat:
        """What the transforms take: the member itself."""
        return ImageBatchFormat(image_batch_format)


class SliceMode(IntEnum):
    """What SlicePatches does when the image does not divide evenly: pad it, or drop the rest.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> image = np.zeros((5, 4, 3), np.uint8)
        >>> [part.shape for part in vision.SlicePatches(2, 1, vision.SliceMode.PAD)(image)]
        [(3, 4, 3), (3, 4, 3)]
        >>> [part.shape for part in vision.SlicePatches(2, 1, vision.SliceMode.DROP)(image)]
        [(2, 4, 3), (2, 4, 3)]
    """

    PAD = 0
    DROP = 1

    @staticmethod
    def to_c_type(mode: SliceMode) -> SliceMode:
        """What the transforms take: the member itself."""
        return SliceMode(mode)


__all__ = [
    "AutoAugmentPolicy",
    "Border",
    "ConvertMode",
    "ImageBatchFormat",
    "ImageReadMode",
    "Inter",
    "SliceMode",
    "encode_jpeg",
    "encode_png",
    "get_image_num_channels",
    "get_image_size",
    "read_file",
    "read_image",
    "write_file",
    "write_jpeg",
    "write_png",
]
