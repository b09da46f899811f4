"""Random parts of an image that show enough of an object: SampleDistortedBoundingBoxV2."""

from __future__ import annotations

import functools
from typing import Any

import jax
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.host_callbacks import fetch
from mindspore._engine.operator.registry import register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.random_keys import RandomPrimitive
from mindspore._utils import checks

_OWNER = "SampleDistortedBoundingBoxV2"


def _crop(random: np.random.Generator, height: int, width: int, ratio: float, areas: tuple) -> Any:
    """A random part with this ratio of width to height, as (top, left, bottom, right), or None if none fits."""
    least, most = (share * height * width for share in areas)
    shortest = round((least / ratio) ** 0.5)
    tallest = min(round((most / ratio) ** 0.5), height, int((width + 0.5 - 1e-7) / ratio))
    rows = random.integers(min(shortest, tallest), tallest, endpoint=True)
    columns = round(rows * ratio)
    if not (0 < rows <= height and 0 < columns <= width and least <= rows * columns <= most):
        return None
    top, left = random.integers(height - rows, endpoint=True), random.integers(width - columns, endpoint=True)
    return top, left, top + rows, left + columns


def _shows(crop: tuple, boxes: np.ndarray, least: float) -> bool:
    """Whether the crop contains this share of at least one box."""
    for box in boxes:
        rows = max(min(crop[2], box[2]) - max(crop[0], box[0]), 0)
        columns = max(min(crop[3], box[3]) - max(crop[1], box[1]), 0)
        area = (box[2] - box[0]) * (box[3] - box[1])
        if area > 0 and rows * columns / area >= least:
            return True
    return False


def _sample(settings: dict[str, Any], words: Any, image_size: Any, boxes: Any, least: Any) -> tuple[np.ndarray, ...]:
    """Begin and size of the part, and the part as a box in shares of the image."""
    height, width, _ = (int(n) for n in image_size)
    random = np.random.Generator(np.random.Philox(key=np.asarray(words, np.uint64)))
    shares = np.asarray(boxes, np.float64).reshape(-1, 4)
    if shares.size and (shares.min() < 0 or shares.max() > 1):
        raise ValueError(f"For '{_OWNER}', the 'bounding_boxes' must lie in [0, 1], but got {boxes}.")
    if not shares.size and not settings["use_image_if_no_bounding_boxes"]:
        raise ValueError(
            f"For '{_OWNER}', the 'bounding_boxes' must not be empty unless 'use_image_if_no_bounding_boxes' is True."
        )
    objects = shares * [height, width, height, width] if shares.size else np.array([[0, 0, height, width]])
    chosen = (0, 0, height, width)
    for _ in range(settings["max_attempts"]):
        ratio = random.uniform(*settings["aspect_ratio_range"])
        crop = _crop(random, height, width, ratio, settings["area_range"])
        if crop is not None and _shows(crop, objects, float(least)):
            chosen = crop
            break
    top, left, bottom, right = chosen
    kind = np.asarray(image_size).dtype
    box = np.array([top / height, left / width, bottom / height, right / width], np.float32)
    return np.array([top, left, 0], kind), np.array([bottom - top, right - left, -1], kind), box.reshape(1, 1, 4)


@register_primitive
class SampleDistortedBoundingBoxV2(RandomPrimitive):
    """A random crop of an image that contains a share of at least one of its boxes.

    Called with the image's size (height, width, channels), boxes (1, N, 4) in shares of it, and the share of a box that
    must be seen. Returns where the part begins, its size (both for ``ops.slice``; -1 are all channels) and the part as a
    box (1, 1, 4). When no part is found in ``max_attempts``, it is the whole image.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> boxes = Tensor([[[0.25, 0.25, 0.75, 0.75]]])
        >>> begin, size, box = ops.SampleDistortedBoundingBoxV2(seed=3)(Tensor([64, 64, 3], ms.int32), boxes, Tensor(0.5))
        >>> print(begin.shape, size[2], box.shape)
        (3,) -1 (1, 1, 4)
    """

    def __init__(self, seed: int = 0, seed2: int = 0, aspect_ratio_range: Any = (0.75, 1.33),
                 area_range: Any = (0.05, 1.0), max_attempts: int = 100,
                 use_image_if_no_bounding_boxes: bool = False):  # fmt: skip
        for name, pair, most in (("aspect_ratio_range", aspect_ratio_range, np.inf), ("area_range", area_range, 1.0)):
            right = (
                isinstance(pair, (tuple, list)) and len(pair) == 2 and all(isinstance(v, (int, float)) for v in pair)
            )
            if not right or not 0 < pair[0] <= pair[1] <= most:
                raise ValueError(f"For '{_OWNER}', the '{name}' must be two rising floats above 0, but got {pair!r}.")
        checks.check_positive_int(_OWNER, "max_attempts", max_attempts)
        checks.check_type(_OWNER, "use_image_if_no_bounding_boxes", use_image_if_no_bounding_boxes, bool)
        super().__init__(seed, seed2, aspect_ratio_range=tuple(aspect_ratio_range), area_range=tuple(area_range),
                         max_attempts=max_attempts, use_image_if_no_bounding_boxes=use_image_if_no_bounding_boxes)  # fmt: skip

    def __call__(self, image_size: Tensor, bounding_boxes: Tensor, min_object_covered: Any) -> tuple[Tensor, ...]:
        for name, value in (("image_size", image_size), ("bounding_boxes", bounding_boxes)):
            checks.check_type(_OWNER, name, value, Tensor)
        if image_size.shape != (3,) or bounding_boxes.ndim != 3 or bounding_boxes.shape[2] != 4:
            raise ValueError(
                f"For '{_OWNER}', the 'image_size' must have shape (3,) and the 'bounding_boxes' (1, N, 4), but got "
                f"{image_size.shape} and {bounding_boxes.shape}."
            )
        least = min_object_covered
        least = least if isinstance(least, Tensor) else Tensor(least, dtypes.float32)
        kind = image_size.dtype.np_dtype
        forms = [jax.ShapeDtypeStruct((3,), kind)] * 2 + [jax.ShapeDtypeStruct((1, 1, 4), np.float32)]
        sample = functools.partial(_sample, dict(self.attrs))
        return self.draw(lambda key: fetch(sample, forms, (key, image_size, bounding_boxes, least)))
