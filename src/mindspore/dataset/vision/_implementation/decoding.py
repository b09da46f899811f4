"""Encoded images to pixels."""

from __future__ import annotations

import io
import warnings
from typing import Any

import cv2
import numpy as np
from PIL import Image

from mindspore._utils.files.file_limit import TooLarge, check_unfolded
from mindspore.dataset.core.checks import check_bool, shown
from mindspore.dataset.core.operation import Implementation
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
    frame = _jpeg_frame(data)
    return frame[5] if len(frame) > 5 else 0


def _jpeg_frame(data: np.ndarray) -> bytes:
    """The description of the frame of a JPEG file: precision, height, width, components; empty for other files."""
    if data[:2].tobytes() != b"\xff\xd8":
        return b""
    position = 2
    while position + 9 < data.size and data[position] == 0xFF:
        if int(data[position + 1]) in _FRAMES:
            return data[position + 4 : position + 10].tobytes()
        position += 2 + (int(data[position + 2]) << 8 | int(data[position + 3]))
    return b""


def announced_size(data: np.ndarray) -> tuple[int, int]:
    """Width and height that an image file says it has; zeros where it does not tell in a usual way.

    >>> announced_size(np.frombuffer(b"GIF89a" + bytes([2, 0, 3, 0]), np.uint8))
    (2, 3)
    """
    frame = _jpeg_frame(data)
    if frame:
        return int.from_bytes(frame[3:5], "big"), int.from_bytes(frame[1:3], "big")
    head = data[:32].tobytes()
    if head[1:4] == b"PNG":
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if head[:3] == b"GIF":
        return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    try:
        return Image.open(io.BytesIO(data.tobytes())).size  # reads the beginning alone
    except Exception:  # decoding raises the error
        return 0, 0


def check_size(owner: str, data: np.ndarray) -> None:
    """Refuse an image that would take far more memory than its file."""
    width, height = announced_size(data)
    try:
        check_unfolded(f"the image of {width} x {height} pixels", 3 * width * height, data.size)
    except TooLarge as error:
        raise RuntimeError(f"{owner}: image decode failed: {error}") from None


def pixels(data: np.ndarray, flags: int) -> np.ndarray | None:
    """What OpenCV makes of an image file; None if it cannot."""
    try:
        return cv2.imdecode(data, flags)
    except (cv2.error, MemoryError):
        return None


def decode(owner: str, data: np.ndarray) -> np.ndarray:
    """The pixels <H,W,3> of an encoded image, without regard to its orientation tag."""
    if data.size == 0:
        raise RuntimeError(f"{owner}: image decode failed: the data is empty.")
    if jpeg_components(data) == 4:  # OpenCV rounds CMYK otherwise than MindSpore, Pillow does not
        return np.array(decode_picture(owner, data))
    check_size(owner, data)
    image = pixels(data, _RGB)
    if image is None:
        raise RuntimeError(
            f"{owner}: image decode failed: the {data.size} bytes starting with {data[:8].tobytes()!r} are no image "
            f"of a known format (JPEG, PNG, BMP, TIFF, ...), or the file is damaged."
        )
    return image


def decode_picture(owner: str, data: np.ndarray) -> Image.Image:
    """The PIL image of encoded data, in RGB."""
    check_size(owner, data)
    try:
        with warnings.catch_warnings():  # of Pillow's own limit: there is one limit here
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            return Image.open(io.BytesIO(data.tobytes())).convert("RGB")
    except Exception as error:  # Pillow's readers of damaged files raise whatever they stumble over
        raise ValueError(f"For '{owner}', the image could not be decoded: {error or type(error).__name__}") from error


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
        self.implementation = Implementation.PY if self.to_pil else Implementation.C

    def array(self, image: np.ndarray) -> Any:
        return decode_picture(self.owner, image) if self.to_pil else decode(self.owner, image)
