"""Augmentations with learned or drawn policies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore._utils.checks import check_int
from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.vision import _checks, _colour
from mindspore.dataset.vision._base import RandomImageOperation
from mindspore.dataset.vision._geometry import affine, rotate
from mindspore.dataset.vision._kinds import Inter
from mindspore.dataset.vision._policies import POLICIES
from mindspore.dataset.vision.utils import AutoAugmentPolicy

_SIGNED = ("ShearX", "ShearY", "TranslateX", "TranslateY", "Rotate", "Brightness", "Color", "Contrast", "Sharpness")
_WITHOUT_MAGNITUDE = ("Identity", "AutoContrast", "Equalize", "Invert")
_DRAWN = ("Identity", *_SIGNED, "Posterize", "Solarize", "AutoContrast", "Equalize")


def _narrow(name: str, fraction: float, shape: tuple[int, ...], top: float) -> float:
    """The magnitude of AutoAugment and RandAugment, for a fraction from 0 to 1 of the way to the largest."""
    if name in ("TranslateX", "TranslateY"):
        return 150.0 / 331.0 * shape[1 if name == "TranslateX" else 0] * fraction
    largest = {"ShearX": 0.3, "ShearY": 0.3, "Rotate": 30.0}.get(name, 0.9)
    return _falling(name, fraction, 4, top) if name in ("Posterize", "Solarize") else largest * fraction


def _wide(name: str, fraction: float) -> float:
    """The magnitude of TrivialAugmentWide."""
    largest = {"TranslateX": 32.0, "TranslateY": 32.0, "Rotate": 135.0}.get(name, 0.99)
    return _falling(name, fraction, 6, 255.0) if name in ("Posterize", "Solarize") else largest * fraction


def _falling(name: str, fraction: float, lost_bits: int, top: float) -> float:
    return float(round(8 - lost_bits * fraction)) if name == "Posterize" else top * (1 - fraction)


class _Augment(RandomImageOperation):
    """Applies changes by name."""

    array_only = True

    def __init__(self, interpolation: Inter, fill_value: Any):
        self.interpolation = _checks.member(self.owner, "interpolation", interpolation, Inter)
        self.fill_value = _checks.fill(self.owner, fill_value)

    def change(self, image: np.ndarray, name: str, magnitude: float) -> np.ndarray:
        """One change of an image."""
        match name:
            case "Identity":
                return image
            case "ShearX" | "ShearY":
                angle = math.degrees(magnitude)
                return self._moved(image, shear=(angle, 0.0) if name == "ShearX" else (0.0, angle))
            case "TranslateX" | "TranslateY":
                pixels = float(int(magnitude))
                return self._moved(image, translate=(pixels, 0.0) if name == "TranslateX" else (0.0, pixels))
            case "Rotate":
                return rotate(self.owner, image, magnitude, self.interpolation, False, None, self.fill_value)
            case "Brightness":
                return _colour.brightness(image, 1 + magnitude)
            case "Color":
                return _colour.saturation(image, 1 + magnitude)
            case "Contrast":
                return _colour.contrast(image, 1 + magnitude)
            case "Sharpness":
                return _colour.sharpness(image, 1 + magnitude)
            case "Posterize":
                return _colour.posterize(image, int(magnitude))
            case "Solarize":
                return _colour.solarize(image, magnitude, magnitude)
            case "AutoContrast":
                return _colour.auto_contrast(image, 0.0, ())
            case "Equalize":
                return _colour.equalize(image)
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
    def signed(random: SampleRandom, name: str, magnitude: float) -> float:
        """The magnitude, for some changes negative half of the time."""
        negative = random.randint(0, 1) == 0
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
        self.policy = _checks.member(self.owner, "policy", policy, AutoAugmentPolicy)
        super().__init__(interpolation, fill_value)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        self.three_channels(image)
        for name, probability, level in random.choice(POLICIES[self.policy.value]):
            if random.random() > probability:
                continue
            magnitude = 0.0 if name in _WITHOUT_MAGNITUDE else _narrow(name, level / 9, image.shape, 256.0)
            image = self.change(image, name, self.signed(random, name, magnitude))
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
        fraction = self.magnitude / (self.num_magnitude_bins - 1)
        for _ in range(self.num_ops):
            name = random.choice(_DRAWN)
            magnitude = _narrow(name, fraction, image.shape, 255.0)
            image = self.change(image, name, self.signed(random, name, magnitude))
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
        fraction = random.randint(0, self.num_magnitude_bins - 1) / (self.num_magnitude_bins - 1)
        return self.change(image, name, self.signed(random, name, _wide(name, fraction)))
