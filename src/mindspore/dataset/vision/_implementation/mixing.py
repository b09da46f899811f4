"""Transforms that mix the images of a batch, and their labels with them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.core.checks import check_bool, check_int
from mindspore.dataset.core.operation import Implementation, RandomOperation
from mindspore.dataset.vision._implementation import checks
from mindspore.dataset.vision.utils import ImageBatchFormat


def _check_batch(owner: str, inputs: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Images <N,H,W,C> or <N,C,H,W> and one-hot labels <N,C> or <N,L,C>."""
    if len(inputs) != 2:
        raise RuntimeError(
            f"{owner}: invalid input size, input should have 2 columns (image and label), but got: {len(inputs)}"
        )
    images, labels = inputs
    for name, array in (("images", images), ("labels", labels)):
        if not isinstance(array, np.ndarray):
            raise TypeError(f"For '{owner}', the {name} must be a NumPy array, but got {type(array)}.")
    if images.ndim != 4:
        raise RuntimeError(
            f"{owner}: the images must be <N,H,W,C> or <N,C,H,W>, but got shape {images.shape}. Call batch() first."
        )
    if labels.ndim not in (2, 3):
        raise RuntimeError(
            f"{owner}: wrong labels shape: they must be one-hot and in a batch, <N,C> or <N,L,C>, but got shape "
            f"{labels.shape}. Apply OneHot and batch() first."
        )
    if len(images) != len(labels):
        raise RuntimeError(f"{owner}: there are {len(images)} images, but {len(labels)} labels.")
    if labels.dtype.kind not in "iufb":
        raise RuntimeError(f"{owner}: invalid label type, label must be in a numeric type, but got {labels.dtype}.")
    return images, labels


class MixUpBatch(RandomOperation):
    """Blend every image of a batch with another one by one weight; labels become float32.

    >>> import numpy as np
    >>> images, labels = MixUpBatch()(np.zeros((2, 4, 4, 3), np.uint8), np.eye(2, dtype=np.int32))
    >>> images.shape, labels.dtype, labels.sum(axis=1).round(5)
    ((2, 4, 4, 3), dtype('float32'), array([1., 1.], dtype=float32))
    """

    columns = 2

    def __init__(self, alpha: float = 1.0):
        self.alpha = checks.positive(type(self).__name__, "alpha", alpha)

    def run(self, random: SampleRandom, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        images, labels = _check_batch(type(self).__name__, inputs)
        if not {images.shape[1], images.shape[3]} & {1, 3}:
            raise RuntimeError(f"{type(self).__name__}: images must have 1 or 3 channels, but got {images.shape}.")
        generator = random.numpy()
        weight = np.float32(generator.beta(self.alpha, self.alpha))
        others = generator.permutation(len(images))
        mixed = weight * images + (1 - weight) * images[others]
        if images.dtype.kind in "iu":
            mixed = np.rint(mixed)
        values = labels.astype(np.float32)
        return mixed.astype(images.dtype), weight * values + (1 - weight) * values[others]


class CutMixBatch(RandomOperation):
    """Put a box of another image of the batch into every image, with a probability; labels become float32.

    >>> import numpy as np
    >>> from mindspore.dataset.vision import ImageBatchFormat
    >>> mix = CutMixBatch(ImageBatchFormat.NHWC, 1.0, 0.5)
    >>> images, labels = mix(np.zeros((2, 4, 4, 3), np.uint8), np.eye(2, dtype=np.int32))
    >>> images.shape, labels.sum(axis=1).round(5)
    ((2, 4, 4, 3), array([1., 1.], dtype=float32))
    """

    columns = 2

    def __init__(self, image_batch_format: ImageBatchFormat, alpha: float = 1.0, prob: float = 1.0):
        owner = type(self).__name__
        self.image_batch_format = checks.member(owner, "image_batch_format", image_batch_format, ImageBatchFormat)
        self.alpha = checks.positive(owner, "alpha", alpha)
        self.prob = checks.probability(owner, prob)

    def _box(self, random: SampleRandom, share: float, height: int, width: int) -> tuple[slice, slice, float]:
        def side(length: int) -> slice:
            half, middle = int(length * math.sqrt(share)) // 2, random.randint(0, length)
            start, end = (min(max(border, 0), length - 1) for border in (middle - half, middle + half))
            return slice(start, start + max(end - start, 1))

        across, down = side(width), side(height)
        return down, across, (across.stop - across.start) * (down.stop - down.start) / (height * width)

    def run(self, random: SampleRandom, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        owner = type(self).__name__
        images, labels = _check_batch(owner, inputs)
        last = self.image_batch_format is ImageBatchFormat.NHWC
        channels = images.shape[3 if last else 1]
        if channels not in (1, 3):
            raise RuntimeError(f"{owner}: input image is not in channel of 1 or 3, but got channel: {channels}.")
        height, width = images.shape[1:3] if last else images.shape[2:]
        generator = random.numpy()
        others = generator.permutation(len(images))
        values, mixed = labels.astype(np.float32), images.copy()
        result = values.copy()
        for i, other in enumerate(others):
            share = 1.0 - generator.beta(self.alpha, self.alpha)
            if random.random() >= self.prob:
                continue
            down, across, area = self._box(random, share, height, width)
            region = (down, across) if last else (slice(None), down, across)
            mixed[i][region] = images[other][region]
            result[i] = (1 - area) * values[i] + area * values[other]
        return mixed, result


class MixUp(RandomOperation):
    """Blend the images of a batch with the next images, or with those of the batch before (is_single=False).

    >>> import numpy as np
    >>> images, labels = MixUp(2, 0.2)(np.zeros((2, 3, 4, 4)), np.eye(2))
    >>> images.shape, labels.sum(axis=1).round(5)
    ((2, 3, 4, 4), array([1., 1.]))
    """

    implementation = Implementation.PY
    columns = 2

    def __init__(self, batch_size: int, alpha: float, is_single: bool = True):
        owner = type(self).__name__
        self.batch_size = check_int(owner, "batch_size", batch_size, 1, int(checks.LARGEST))
        self.alpha = checks.positive(owner, "alpha", alpha)
        self.is_single = check_bool(owner, "is_single", is_single)
        self._before: tuple[np.ndarray, np.ndarray] | None = None

    def run(self, random: SampleRandom, image: Any, label: Any) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[override]
        image, label = np.asarray(image), np.asarray(label)
        for given in (image, label):  # one image is blended batch_size times, one weight serves a whole batch
            if given is image and image.ndim == 3:
                continue
            if self.batch_size != 1 and len(given) not in (1, self.batch_size):
                raise ValueError(
                    f"For '{type(self).__name__}', the batch must have {self.batch_size} images and labels, but got "
                    f"{len(image)} and {len(label)}."
                )
        weights = random.numpy().beta(self.alpha, self.alpha, self.batch_size)
        if self.is_single:
            others = np.roll(image, -1, axis=0), np.roll(label, -1, axis=0)
        elif self._before is None:
            others, weights = (image, label), np.ones(self.batch_size)
        else:
            others = self._before
        first, second = (
            weights.reshape(-1, *(1,) * axes) * own + (1 - weights.reshape(-1, *(1,) * axes)) * other
            for own, other, axes in zip((image, label), others, (3, max(label.ndim - 1, 1)))
        )
        if not self.is_single:
            self._before = first, second
        return first, second
