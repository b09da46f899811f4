"""Augmentations with learned or drawn policies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.core.checks import check_int
from mindspore.dataset.vision._implementation import checks, colour
from mindspore.dataset.vision._implementation.base import RandomImageOperation
from mindspore.dataset.vision._implementation.geometry import affine, rotate
from mindspore.dataset.vision._implementation.kinds import Inter
from mindspore.dataset.vision._implementation.policies import POLICIES
from mindspore.dataset.vision.utils import AutoAugmentPolicy

_SIGNED = ("ShearX", "ShearY", "TranslateX", "TranslateY", "Rotate", "Brightness", "Color", "Contrast", "Sharpness")
_WITHOUT_MAGNITUDE = ("Identity", "AutoContrast", "Equalize", "Invert")
# MindSpore draws one number too many and takes AutoContrast for it
_DRAWN = ("Identity", *_SIGNED, "Posterize", "Solarize", "AutoContrast", "Equalize", "AutoContrast")


def _narrow(name: str, level: int, steps: int, shape: tuple[int, ...], top: float) -> float:
    """The magnitude of AutoAugment and RandAugment, for a level from 0 to ``steps``."""
    if name in ("TranslateX", "TranslateY"):
        return _rising(150.0 / 331.0 * shape[1 if name == "TranslateX" else 0], level, steps)
    largest = {"ShearX": 0.3, "ShearY": 0.3, "Rotate": 30.0}.get(name, 0.9)
    return _falling(name, level, steps, 4, top) if name in ("Posterize", "Solarize") else _rising(largest, level, steps)


def _wide(name: str, level: int, steps: int) -> float:
    """The magnitude of TrivialAugmentWide."""
    largest = {"TranslateX": 32.0, "TranslateY": 32.0, "Rotate": 135.0}.get(name, 0.99)
    return (
        _falling(name, level, steps, 6, 255.0) if name in ("Posterize", "Solarize") else _rising(largest, level, steps)
    )


def _rising(largest: float, level: int, steps: int) -> float:
    """A part of the largest magnitude, rounded as MindSpore does."""
    return float(np.float32(level) * (np.float32(largest) / np.float32(steps)))


def _falling(name: str, level: int, steps: int, lost_bits: int, top: float) -> float:
    return float(round(8 - lost_bits * level / steps)) if name == "Posterize" else top - level * top / steps


def _factor(magnitude: float) -> float:
    """What colours are multiplied by, rounded as MindSpore does."""
    return float(np.float32(1) + np.float32(magnitude))


class _Augment(RandomImageOperation):
    """Applies changes by name."""

    array_only = True

    def __init__(self, interpolation: Inter, fill_value: Any):
        self.interpolation = checks.member(self.owner, "interpolation", interpolation, Inter)
        self.fill_value = checks.fill(self.owner, fill_value)

    def change(self, image: np.ndarray, name: str, magnitude: float) -> np.ndarray:
        """A change of an image."""
        match name:
            case "Identity":
                return image
            case "ShearX" | "ShearY":
                angle = math.degrees(magnitude)
                return self._moved(image, shear=(angle, 0.0) if name == "ShearX" else (0.0, angle))
            case "TranslateX" | "TranslateY":
                # MindSpore passes pixels as fractions of the width: a shift of 1 moves everything out of the image
                down = name == "TranslateY"
                distance = float(int(magnitude)) * image.shape[0 if down else 1]
                return self._moved(image, translate=(0.0, distance) if down else (distance, 0.0))
            case "Rotate":
                return rotate(self.owner, image, magnitude, self.interpolation, False, None, self.fill_value)
            case "Brightness":
                return colour.brightness(image, _factor(magnitude))
            case "Color":
                return colour.saturation(image, _factor(magnitude))
            case "Contrast":
                return colour.contrast(image, _factor(magnitude))
            case "Sharpness":
                return colour.sharpness(image, _factor(magnitude))
            case "Posterize":
                return colour.posterize(image, int(magnitude))
            case "Solarize":
                return colour.solarize(image, magnitude, magnitude)
            case "AutoContrast":
                return colour.auto_contrast(image, 0.0, ())
            case "Equalize":
                return colour.equalize(image)
            case _:
                return 255 - image

    def _moved(
        self,
        image: np.ndarray,
        translate: tuple[float, float] = (0.0, 0.0),
        shear: tuple[float, float] = (0.0, 0.0),
    ) -> np.ndarray:
        return affine(self.owner, image, 0.0, translate, 1.0, shear, self.interpolation, self.fill_value)

    @staticmethod
    def signed(random: SampleRandom, name: str, magnitude: float, sides: int) -> float:
        """The magnitude, with a random sign for signed operations."""
        negative = random.randint(1, sides) == 1
        return -magnitude if negative and name in _SIGNED else magnitude


class AutoAugment(_Augment):
    """Apply one of the pairs of changes that were learned for a dataset.

    >>> import numpy as np
    >>> AutoAugment()(np.zeros((8, 8, 3), np.uint8)).shape
    (8, 8, 3)
    """

    def __init__(
        self,
        policy: AutoAugmentPolicy = AutoAugmentPolicy.IMAGENET,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ):
        self.policy = checks.member(self.owner, "policy", policy, AutoAugmentPolicy)
        super().__init__(interpolation, fill_value)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        self.three_channels(image)
        for name, probability, level in random.choice(POLICIES[self.policy.value]):
            if random.random() > probability:
                continue
            magnitude = 0.0 if name in _WITHOUT_MAGNITUDE else _narrow(name, level, 9, image.shape, 256.0)
            image = self.change(image, name, self.signed(random, name, magnitude, 2))
        return image


class RandAugment(_Augment):
    """Apply num_ops random changes of one magnitude.

    >>> import numpy as np
    >>> RandAugment()(np.zeros((8, 8, 3), np.uint8)).shape
    (8, 8, 3)
    """

    def __init__(
        self,
        num_ops: int = 2,
        magnitude: int = 9,
        num_magnitude_bins: int = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ):
        self.num_ops = check_int(self.owner, "num_ops", num_ops, 0)
        self.num_magnitude_bins = check_int(self.owner, "num_magnitude_bins", num_magnitude_bins, 2)
        self.magnitude = check_int(self.owner, "magnitude", magnitude, 0, num_magnitude_bins - 1)
        super().__init__(interpolation, fill_value)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        self.three_channels(image)
        for _ in range(self.num_ops):
            name = random.choice(_DRAWN)
            magnitude = _narrow(name, self.magnitude, self.num_magnitude_bins - 1, image.shape, 255.0)
            image = self.change(image, name, self.signed(random, name, magnitude, 3))
        return image


class TrivialAugmentWide(_Augment):
    """Apply one random change of random magnitude.

    >>> import numpy as np
    >>> TrivialAugmentWide()(np.zeros((8, 8, 3), np.uint8)).shape
    (8, 8, 3)
    """

    def __init__(self, num_magnitude_bins: int = 31, interpolation: Inter = Inter.NEAREST, fill_value: Any = 0):
        self.num_magnitude_bins = check_int(self.owner, "num_magnitude_bins", num_magnitude_bins, 2)
        super().__init__(interpolation, fill_value)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        self.three_channels(image)
        name = random.choice(_DRAWN)
        # here, too, MindSpore draws one number too many: nothing happens then
        level = random.randint(0, self.num_magnitude_bins) % self.num_magnitude_bins
        magnitude = _wide(name, level, self.num_magnitude_bins - 1)
        return self.change(image, name, self.signed(random, name, magnitude, 3))
