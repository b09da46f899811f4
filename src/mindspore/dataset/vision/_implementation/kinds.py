"""The enumerations that the lowest modules need, and what OpenCV and Pillow call their values."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from enum import Enum, IntEnum
from typing import cast

import cv2
from PIL import Image


class Inter(IntEnum):
    """How values between pixels are found.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> image = np.array([[0, 100]], np.uint8)[..., None]
        >>> vision.Resize((1, 4), vision.Inter.NEAREST)(image)[0, :, 0].tolist()
        [0, 0, 100, 100]
        >>> vision.Resize((1, 4), vision.Inter.LINEAR)(image)[0, :, 0].tolist()
        [0, 25, 75, 100]
    """

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = 2
    LINEAR = 2
    BICUBIC = 3
    CUBIC = 3
    AREA = 4
    PILCUBIC = 5

    @staticmethod
    def to_python_type(inter_type: Inter) -> Image.Resampling:
        """What Pillow calls it.

        >>> Inter.to_python_type(Inter.LINEAR)
        <Resampling.BILINEAR: 2>
        """
        if inter_type in (Inter.AREA, Inter.PILCUBIC):
            raise RuntimeError(f"For 'Inter', Pillow has NEAREST, ANTIALIAS, LINEAR and CUBIC, but got {inter_type!r}.")
        return Image.Resampling(int(inter_type))

    @staticmethod
    def to_c_type(inter_type: Inter) -> Inter:
        """What the transforms of arrays call it: the same, except ANTIALIAS, which they do not have."""
        if inter_type == Inter.ANTIALIAS:
            raise RuntimeError(
                f"For 'Inter', arrays have NEAREST, LINEAR, CUBIC, AREA and PILCUBIC, but got {inter_type!r}."
            )
        return inter_type


class Border(str, Enum):  # noqa: UP042 (its text is MindSpore's: Border.CONSTANT)
    """What stands outside an image: a constant, the edge pixel, the mirror image without or with the edge pixel.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> image = np.array([[1, 2, 3]], np.uint8)[..., None]
        >>> vision.Pad([2, 0, 0, 0], padding_mode=vision.Border.REFLECT)(image)[0, :, 0].tolist()
        [3, 2, 1, 2, 3]
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"

    @staticmethod
    def to_python_type(border_type: Border) -> str:
        """What NumPy calls it."""
        return border_type.value

    @staticmethod
    def to_c_type(border_type: Border) -> Border:
        """What the transforms of arrays call it: the same."""
        return border_type


class ImageReadMode(IntEnum):
    """How a file's image is returned: as stored, as one channel, as RGB.

    Examples:
        >>> from mindspore.dataset import vision
        >>> vision.read_image("data/image_folder/ant/1.jpg", vision.ImageReadMode.GRAYSCALE).shape
        (4, 4, 1)
    """

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2

    @staticmethod
    def to_c_type(image_read_mode: ImageReadMode) -> ImageReadMode:
        """What readers of files take: the member itself."""
        return ImageReadMode(image_read_mode)


_OPENCV = {
    Inter.NEAREST: cv2.INTER_NEAREST,
    Inter.LINEAR: cv2.INTER_LINEAR,
    Inter.CUBIC: cv2.INTER_CUBIC,
    Inter.AREA: cv2.INTER_AREA,
    Inter.PILCUBIC: cv2.INTER_CUBIC,  # only Resize knows Pillow's cubic; elsewhere it means OpenCV's
}
PILLOW_INTERPOLATIONS = {
    Inter.NEAREST: Image.Resampling.NEAREST,
    Inter.ANTIALIAS: Image.Resampling.LANCZOS,
    Inter.LINEAR: Image.Resampling.BILINEAR,
    Inter.CUBIC: Image.Resampling.BICUBIC,
}
_OPENCV_BORDER = {
    Border.CONSTANT: cv2.BORDER_CONSTANT,
    Border.EDGE: cv2.BORDER_REPLICATE,
    Border.REFLECT: cv2.BORDER_REFLECT_101,
    Border.SYMMETRIC: cv2.BORDER_REFLECT,
}


@contextlib.contextmanager
def without_ipp() -> Iterator[None]:
    """Run OpenCV's own code in this thread: Intel's library inside it, which MindSpore's lacks, rounds otherwise."""
    cv2.ipp.setUseIPP(False)
    try:
        yield
    finally:
        cv2.ipp.setUseIPP(True)


def opencv_interpolation(owner: str, inter: Inter) -> int:
    """OpenCV's number for an interpolation."""
    if inter not in _OPENCV:
        raise TypeError(
            f"For '{owner}', the interpolation {inter.name} needs a PIL image, but got a NumPy array. "
            f"Use ToPIL() first, or another interpolation."
        )
    return _OPENCV[inter]


def pillow_interpolation(owner: str, inter: Inter) -> Image.Resampling:
    """Pillow's name for an interpolation."""
    if inter not in PILLOW_INTERPOLATIONS:
        raise TypeError(
            f"For '{owner}', the interpolation {inter.name} needs a NumPy array, but got a PIL image. "
            f"Use ToNumpy() first, or another interpolation."
        )
    return PILLOW_INTERPOLATIONS[inter]


def opencv_border(border: Border) -> int:
    """OpenCV's number for a border."""
    return cast(int, _OPENCV_BORDER[border])
