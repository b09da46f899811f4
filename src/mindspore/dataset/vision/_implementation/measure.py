"""The size of an image, whatever it is held in."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image


def _checked(owner: str, image: Any) -> Any:
    if not isinstance(image, (np.ndarray, Image.Image)):
        raise TypeError(f"For '{owner}', the 'image' must be a NumPy array or a PIL image, but got {type(image)}.")
    if isinstance(image, np.ndarray) and image.ndim < 2:
        raise RuntimeError(f"{owner}: the image must have at least 2 dimensions, but got shape {image.shape}.")
    return image


def get_image_size(image: Any) -> list[int]:
    """[height, width] of an array <..., H, W, C> or <H, W>, or of a PIL image.

    >>> get_image_size(np.zeros((2, 4, 3)))
    [2, 4]
    """
    image = _checked("get_image_size", image)
    if isinstance(image, Image.Image):
        return [image.height, image.width]
    return list(image.shape if image.ndim == 2 else image.shape[-3:-1])


def get_image_num_channels(image: Any) -> int:
    """How many channels an array <..., H, W, C> or <H, W>, or a PIL image has.

    >>> get_image_num_channels(np.zeros((2, 4, 3)))
    3
    """
    image = _checked("get_image_num_channels", image)
    if isinstance(image, Image.Image):
        return len(image.getbands())
    return 1 if image.ndim == 2 else int(image.shape[-1])
