"""Changes of colour by random amounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PIL import Image, ImageEnhance

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.core.lookup import looked_up
from mindspore.dataset.core.operation import Implementation
from mindspore.dataset.vision._implementation import checks, colour
from mindspore.dataset.vision._implementation.adjustments import (
    AdjustBrightness,
    AdjustContrast,
    AdjustHue,
    AdjustSaturation,
    AutoContrast,
    Grayscale,
)
from mindspore.dataset.vision._implementation.base import ImageOperation, RandomImageOperation

# principal components of the colours of ImageNet, times their deviations
_VALUES = np.arange(256, dtype=np.float32)
_LIGHTING = np.array(
    [
        [55.46 * -0.5675, 4.794 * 0.7192, 1.148 * 0.4009],
        [55.46 * -0.5808, 4.794 * -0.0045, 1.148 * -0.8140],
        [55.46 * -0.5836, 4.794 * -0.6948, 1.148 * 0.4203],
    ]
)


class RandomColorAdjust(RandomImageOperation):
    """Change brightness, contrast, saturation and hue, in random order; a number d stands for (1 - d, 1 + d).

    >>> import numpy as np
    >>> RandomColorAdjust(brightness=0.4, hue=0.1)(np.zeros((2, 2, 3), np.uint8)).shape
    (2, 2, 3)
    """

    def __init__(self, brightness: Any = (1, 1), contrast: Any = (1, 1), saturation: Any = (1, 1), hue: Any = (0, 0)):
        self.brightness = self._limits("brightness", brightness)
        self.contrast = self._limits("contrast", contrast)
        self.saturation = self._limits("saturation", saturation)
        self.hue = self._limits("hue", hue, 0.0, -0.5, 0.5)

    def _limits(
        self, name: str, value: Any, center: float = 1.0, low: float = 0.0, high: float = checks.LARGEST
    ) -> tuple[float, float]:
        if checks.is_number(value):
            reach = checks.number(self.owner, name, value, 0.0, min(high, checks.LARGEST - 1))
            return max(low, center - reach), center + reach
        return checks.ordered(self.owner, name, value, low, high)

    def _changes(self, random: SampleRandom, always: bool) -> list[ImageOperation]:
        makers: list[tuple[Callable[[float], ImageOperation], tuple[float, float], float]] = [
            (AdjustBrightness, self.brightness, 1.0),
            (AdjustContrast, self.contrast, 1.0),
            (AdjustSaturation, self.saturation, 1.0),
            (AdjustHue, self.hue, 0.0),
        ]
        changes = [make(random.uniform(*limits)) for make, limits, idle in makers if always or limits != (idle, idle)]
        random.shuffle(changes)
        return changes

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        self.three_channels(image)
        for change in self._changes(random, always=False):
            image = change.array(image)
        return image

    def picture(self, random: SampleRandom, image: Image.Image) -> Image.Image:
        # every change is made: the way to HSV and back rounds, even where the hue stays
        for change in self._changes(random, always=True):
            image = change.picture(image)
        return image


class RandomColor(RandomImageOperation):
    """Blend an image with its gray picture by a random weight from degrees (min, max).

    >>> import numpy as np
    >>> RandomColor((0.0, 0.0))(np.array([[[255, 0, 0]]], np.uint8))
    array([[[76, 76, 76]]], dtype=uint8)
    """

    _enhance: Any = ImageEnhance.Color

    def __init__(self, degrees: Any = (0.1, 1.9)):
        self.degrees = checks.ordered(self.owner, "degrees", degrees, 0.0, error=ValueError)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        return colour.colour(self.three_channels(image), random.uniform(*self.degrees))

    def picture(self, random: SampleRandom, image: Image.Image) -> Image.Image:
        return self._enhance(image).enhance(random.uniform(*self.degrees))


class RandomSharpness(RandomColor):
    """Sharpen or smooth by a random factor from degrees (min, max).

    >>> import numpy as np
    >>> RandomSharpness((1.0, 1.0))(np.full((3, 3, 3), 9, np.uint8))[1, 1]
    array([9, 9, 9], dtype=uint8)
    """

    _enhance = ImageEnhance.Sharpness

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        return colour.sharpness(image, random.uniform(*self.degrees))


class RandomPosterize(RandomImageOperation):
    """Keep a random number of bits, from (min, max).

    >>> import numpy as np
    >>> RandomPosterize((1, 1))(np.array([[100, 200]], np.uint8))
    array([[ 0, 128]], dtype=uint8)
    """

    array_only = True

    def __init__(self, bits: Any = (8, 8)):
        pair = (bits, bits) if checks.is_int(bits) else checks.sequence(self.owner, "bits", bits, (2,))
        low, high = (checks.check_int(self.owner, "bits", bits, 1, 8) for bits in pair)
        if low > high:
            raise ValueError(f"For '{self.owner}', the 'bits' must be in the order (min, max), but got {bits}.")
        self.bits = low, high

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        if image.dtype not in (np.uint8, np.int8):
            raise self.failure(f"data type of input image should be int8 or uint8, but got {image.dtype}.")
        return colour.posterize(image, random.randint(*self.bits))


class RandomSolarize(RandomImageOperation):
    """Turn over the values between two random values within the threshold (min, max).

    >>> import numpy as np
    >>> RandomSolarize((10, 10))(np.array([[[5, 10, 20]]], np.uint8))
    array([[[ 5, 245, 235]]], dtype=uint8)
    """

    array_only = True

    def __init__(self, threshold: Any = (0, 255)):
        if not isinstance(threshold, tuple):
            raise TypeError(f"For '{self.owner}', the 'threshold' must be a tuple (min, max), but got {threshold!r}.")
        for bound in threshold:
            checks.check_int(self.owner, "threshold", bound, 0, 255)
        low, high = checks.ordered(self.owner, "threshold", threshold, 0, 255, ValueError)
        self.threshold = int(low), int(high)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        drawn = sorted((random.randint(*self.threshold), random.randint(*self.threshold)))
        return colour.solarize(self.one_or_three_channels(image), *drawn)


class RandomLighting(RandomImageOperation):
    """Add noise along the principal components of natural colours.

    >>> import numpy as np
    >>> RandomLighting(0.0)(np.array([[[1, 2, 3]]], np.uint8))
    array([[[1, 2, 3]]], dtype=uint8)
    """

    def __init__(self, alpha: float = 0.05):
        self.alpha = checks.number(self.owner, "alpha", alpha, 0.0)

    def _shift(self, random: SampleRandom) -> np.ndarray:
        return _LIGHTING @ [random.normal(0.0, self.alpha) for _ in range(3)]

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        shift = self._shift(random).astype(np.float32)
        if self.three_channels(image).dtype == np.uint8:
            return looked_up(image, np.rint(_VALUES[:, None] + shift).clip(0, 255).astype(np.uint8))
        shifted = image + shift
        if image.dtype.kind in "iu":
            limits = np.iinfo(image.dtype)
            shifted = np.rint(shifted).clip(limits.min, limits.max)
        return shifted.astype(image.dtype)

    def picture(self, random: SampleRandom, image: Image.Image) -> Image.Image:
        shifted = np.asarray(image.convert("RGB")) + self._shift(random)
        return Image.fromarray(shifted.clip(0, 255).astype(np.uint8))


class RandomGrayscale(RandomImageOperation):
    """Turn a PIL image gray with a probability; the number of channels stays.

    >>> from PIL import Image
    >>> RandomGrayscale(1.0)(Image.new("RGB", (1, 1), (255, 0, 0))).getpixel((0, 0))
    (76, 76, 76)
    """

    implementation = Implementation.PY
    picture_only = True

    def __init__(self, prob: float = 0.1):
        self.prob = checks.probability(self.owner, prob)

    def picture(self, random: SampleRandom, image: Image.Image) -> Image.Image:
        if random.random() >= self.prob:
            return image
        return Grayscale(1 if image.mode == "L" else 3).picture(image)


class RandomAdjustSharpness(RandomImageOperation):
    """Sharpen or smooth by a given degree, with a probability.

    >>> import numpy as np
    >>> RandomAdjustSharpness(2.0, 1.0)(np.full((3, 3), 9, np.uint8))[1, 1]
    np.uint8(9)
    """

    masks = np.uint8
    array_only = True

    def __init__(self, degree: float, prob: float = 0.5):
        self.degree = checks.number(self.owner, "degree", degree, 0.0)
        self.prob = checks.probability(self.owner, prob)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        return colour.sharpness(image, self.degree) if random.random() < self.prob else image


class RandomAutoContrast(RandomImageOperation):
    """AutoContrast with a probability.

    >>> import numpy as np
    >>> RandomAutoContrast(prob=1.0)(np.array([[10, 20, 30]], np.uint8))
    array([[ 0, 127, 255]], dtype=uint8)
    """

    masks = np.uint8
    array_only = True

    def __init__(self, cutoff: float = 0.0, ignore: Any = None, prob: float = 0.5):
        self._change = AutoContrast(cutoff, ignore)
        self.prob = checks.probability(self.owner, prob)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        return self._change.array(image) if random.random() < self.prob else image


class RandomEqualize(RandomImageOperation):
    """Equalize with a probability.

    >>> import numpy as np
    >>> RandomEqualize(1.0)(np.array([[10, 20]], np.uint8))
    array([[ 0, 255]], dtype=uint8)
    """

    masks = np.uint8
    array_only = True

    def __init__(self, prob: float = 0.5):
        self.prob = checks.probability(self.owner, prob)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        if random.random() >= self.prob:
            return image
        return colour.equalize(self.one_or_three_channels(image))


class RandomInvert(RandomImageOperation):
    """Invert with a probability.

    >>> import numpy as np
    >>> RandomInvert(1.0)(np.array([[[0, 55, 255]]], np.uint8))
    array([[[255, 200, 0]]], dtype=uint8)
    """

    masks = bool
    array_only = True

    def __init__(self, prob: float = 0.5):
        self.prob = checks.probability(self.owner, prob)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        return colour.inverted(self.three_channels(image)) if random.random() < self.prob else image
