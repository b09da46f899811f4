"""Encoded images to pixels."""

from __future__ import annotations

import io
from typing import Any

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from mindspore._utils.checks import check_bool, shown
from mindspore.dataset.vision._implementation.base import ImageOperation

_RGB = cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION
# the markers that start a JPEG frame: all of C0..CF but DHT, JPG and DAC
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def encoded_bytes(owner: str, value: Any) -> np.ndarray:
    """Encoded data as a one-dimensional array of bytes."""
    if isinstance(value, (bytes, bytearray)):
        value = np.frombuffer(value, np.uint8)
    if not isinstance(value, np.ndarray):
        raise TypeError(f"For '{owner}', the encoded image must be bytes or a NumPy array, but got {shown(value)}.")
    if value.dtype.kind == "S":
        value = np.frombuffer(value.tobytes(), np.uint8)
    if value.dtype.kind not in "iu" or value.ndim != 1:
        raise TypeError(
            f"For '{owner}', the encoded image must be a one-dimensional array of bytes, but got {value.dtype} of "
            f"shape {value.shape}. An image that is decoded already needs no {owner}."
        )
    return np.ascontiguousarray(value, np.uint8)


def jpeg_components(data: np.ndarray) -> int:
    """How many colour components a JPEG file has; 0 for other files.

    >>> jpeg_components(np.zeros(8, np.uint8))
    0
    """
    if data[:2].tobytes() != b"\xff\xd8":
        return 0
    header, position = data[:65536].tobytes(), 2
    while position + 9 < len(header) and header[position] == 0xFF:
        marker = header[position + 1]
        if marker in _FRAMES:
            return header[position + 9]
        position += 2 + int.from_bytes(header[position + 2 : position + 4], "big")
    return 0


def decode(owner: str, data: np.ndarray) -> np.ndarray:
    """The pixels <H,W,3> of an encoded image, without regard to its orientation tag."""
    if data.size == 0:
        raise RuntimeError(f"{owner}: image decode failed: the data is empty.")
    if jpeg_components(data) == 4:  # OpenCV rounds CMYK otherwise than MindSpore, Pillow does not
        return np.array(decode_picture(owner, data))
    image = cv2.imdecode(data, _RGB)
    if image is None:
        raise RuntimeError(
            f"{owner}: image decode failed: the {data.size} bytes starting with {data[:8].tobytes()!r} are no image "
            f"of a known format (JPEG, PNG, BMP, TIFF, ...), or the file is damaged."
        )
    return image


def decode_picture(owner: str, data: np.ndarray) -> Image.Image:
    """The PIL image of encoded data, in RGB."""
    try:
        return Image.open(io.BytesIO(data.tobytes())).convert("RGB")
    except (UnidentifiedImageError, OSError) as error:
        raise ValueError(f"For '{owner}', the image could not be decoded: {error}") from error


class EncodedImageOperation(ImageOperation):
    """A transform of the bytes of an image file; PIL images are refused."""

    def checked(self, image: Any) -> np.ndarray:
        return encoded_bytes(self.owner, image)

    def picture(self, image: Image.Image) -> Any:
        raise TypeError(
            f"For '{self.owner}', the input must be encoded, but got a PIL image: it needs no {self.owner}."
        )


class Decode(EncodedImageOperation):
    """Decode an image file's bytes into an array <H,W,C> in RGB, or into a PIL image.

    >>> import numpy as np
    >>> from mindspore.dataset.vision import encode_png
    >>> Decode()(encode_png(np.full((2, 4, 3), 9, np.uint8))).shape
    (2, 4, 3)
    """

    def __init__(self, to_pil: bool = False):
        self.to_pil = check_bool(self.owner, "to_pil", to_pil)

    def array(self, image: np.ndarray) -> Any:
        return decode_picture(self.owner, image) if self.to_pil else decode(self.owner, image)
