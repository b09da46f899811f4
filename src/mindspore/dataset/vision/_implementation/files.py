"""Reading, writing and encoding of image files."""

from __future__ import annotations

import os
from typing import Any

import cv2
import numpy as np

from mindspore.dataset.core.checks import check_type
from mindspore.dataset.vision._implementation.checks import member
from mindspore.dataset.vision._implementation.decoding import check_size, pixels
from mindspore.dataset.vision._implementation.kinds import ImageReadMode

_FLAGS = {
    ImageReadMode.UNCHANGED: cv2.IMREAD_UNCHANGED,
    ImageReadMode.GRAYSCALE: cv2.IMREAD_GRAYSCALE,
    ImageReadMode.COLOR: cv2.IMREAD_COLOR,
}


def read_file(filename: str) -> np.ndarray:
    """The bytes of a file as a one-dimensional array of uint8.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.dataset import vision
        >>> path = os.path.join(tempfile.mkdtemp(), "name.txt")
        >>> with open(path, "wb") as stream:
        ...     count = stream.write(b"abc")
        >>> print(vision.read_file(path))
        [97 98 99]
    """
    return _read("read_file", filename)


def _read(owner: str, filename: Any) -> np.ndarray:
    check_type(owner, "filename", filename, str)
    if not os.path.isfile(filename):
        raise RuntimeError(f"{owner}: Invalid file path, {filename} does not exist or is not a regular file.")
    try:
        return np.fromfile(filename, np.uint8)
    except OSError as error:
        raise RuntimeError(f"{owner}: Failed to read file {filename}: {error}") from error


def read_image(filename: str, mode: ImageReadMode = ImageReadMode.UNCHANGED) -> np.ndarray:
    """The pixels of an image file, <H,W,1> or <H,W,3> in RGB.

    >>> import numpy as np, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_png(folder + "/image.png", np.full((1, 2, 3), 7, np.uint8))
    ...     read_image(folder + "/image.png").tolist()
    [[[7, 7, 7], [7, 7, 7]]]
    """
    data = _read("read_image", filename)
    member("read_image", "mode", mode, ImageReadMode)
    check_size(f"read_image: Failed to read file {filename}", data)
    image = pixels(data, _FLAGS[mode]) if data.size else None
    if image is None:
        raise RuntimeError(f"read_image: Failed to read file {filename}: it is no image of a known format.")
    if image.ndim == 2:
        return image[:, :, None]
    return cv2.cvtColor(image, cv2.COLOR_BGR2RGB if image.shape[2] == 3 else cv2.COLOR_BGRA2RGB)


def as_array(value: Any) -> Any:
    """A Tensor as an array; this package is loaded without Tensors in worker processes."""
    return value.asnumpy() if hasattr(value, "asnumpy") else value


def write_file(filename: str, data: np.ndarray) -> None:
    """Write a one-dimensional array of uint8 as a file.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> path = os.path.join(tempfile.mkdtemp(), "name.bin")
        >>> vision.write_file(path, np.array([1, 2, 3], np.uint8))
        >>> print(vision.read_file(path))
        [1 2 3]
    """
    _write("write_file", filename, check_type("write_file", "data", as_array(data), np.ndarray))


def _write(owner: str, filename: Any, data: np.ndarray) -> None:
    check_type(owner, "filename", filename, str)
    if data.ndim != 1 or data.dtype != np.uint8:
        raise RuntimeError(
            f"{owner}: the data must be one-dimensional uint8, but got {data.dtype} of shape {data.shape}."
        )
    try:
        data.tofile(filename)
    except OSError as error:
        raise RuntimeError(f"{owner}: Failed to write file {filename}: {error}") from error


def _encode(owner: str, image: Any, suffix: str, flag: int, level: Any, limits: tuple[int, int]) -> np.ndarray:
    image = check_type(owner, "image", as_array(image), np.ndarray)
    check_type(owner, "quality" if suffix == ".jpg" else "compression_level", level, int)
    if image.dtype != np.uint8:
        raise RuntimeError(f"{owner}: the type of the image should be uint8, but got {image.dtype}.")
    if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] not in (1, 3)):
        raise RuntimeError(f"{owner}: the image must be <H,W> or <H,W,C> with 1 or 3 channels, got {image.shape}.")
    if not limits[0] <= level <= limits[1]:
        raise RuntimeError(f"{owner}: the level must be in range {list(limits)}, but got {level}.")
    if image.ndim == 3 and image.shape[2] == 3:
        image = cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
    return cv2.imencode(suffix, image, [flag, level])[1]


def encode_jpeg(image: np.ndarray, quality: int = 75) -> np.ndarray:
    """An image <H,W> or <H,W,C> as the bytes of a JPEG file.

    >>> import numpy as np
    >>> encode_jpeg(np.zeros((2, 2, 3), np.uint8))[:2]
    array([255, 216], dtype=uint8)
    """
    return _encode("encode_jpeg", image, ".jpg", cv2.IMWRITE_JPEG_QUALITY, quality, (1, 100))


def encode_png(image: np.ndarray, compression_level: int = 6) -> np.ndarray:
    """An image <H,W> or <H,W,C> as the bytes of a PNG file.

    >>> import numpy as np
    >>> encode_png(np.zeros((2, 2, 3), np.uint8))[1:4].tobytes()
    b'PNG'
    """
    return _encode("encode_png", image, ".png", cv2.IMWRITE_PNG_COMPRESSION, compression_level, (0, 9))


def write_jpeg(filename: str, image: np.ndarray, quality: int = 75) -> None:
    """Write an image as a JPEG file.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> path = os.path.join(tempfile.mkdtemp(), "image.jpg")
        >>> vision.write_jpeg(path, np.zeros((4, 6, 3), np.uint8))
        >>> print(vision.read_image(path).shape)
        (4, 6, 3)
    """
    _write("write_jpeg", filename, encode_jpeg(image, quality))


def write_png(filename: str, image: np.ndarray, compression_level: int = 6) -> None:
    """Write an image as a PNG file.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> path = os.path.join(tempfile.mkdtemp(), "image.png")
        >>> vision.write_png(path, np.zeros((4, 6, 3), np.uint8))
        >>> print(vision.read_image(path).shape)
        (4, 6, 3)
    """
    _write("write_png", filename, encode_png(image, compression_level))
