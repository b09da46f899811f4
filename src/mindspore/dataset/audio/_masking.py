"""Transforms that blank a stretch of frequencies or of time."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.audio._arguments import COUNT, FROM_ZERO, check_bool, checked, whole
from mindspore.dataset.audio._base import AudioOperation, RandomAudioOperation

_AXIS = whole(1, 2)


def mask(spectrum: np.ndarray, start: int, width: int, value: float, axis: int) -> np.ndarray:
    """A copy with a stretch along an axis set to a value."""
    result = spectrum.copy()
    result.swapaxes(axis, -1)[..., start : start + width] = value
    return result


class MaskAlongAxis(AudioOperation):
    """Sets a stretch of frequencies (axis 1) or of time (axis 2) to a value.

    >>> MaskAlongAxis(0, 2, 9.0, 2)(np.zeros((1, 1, 3))).tolist()
    [[[9.0, 9.0, 0.0]]]
    """

    rank = 2

    @checked(axis=_AXIS)
    def __init__(self, mask_start: int, mask_width: int, mask_value: float, axis: int):
        self.mask_start, self.mask_width, self.mask_value, self.axis = mask_start, mask_width, mask_value, axis - 3

    def sound(self, sound: np.ndarray) -> np.ndarray:
        length = sound.shape[self.axis]
        if self.mask_start + self.mask_width > length:
            raise self.failure(
                f"'mask_start' and 'mask_width' must not exceed the length {length} of the axis together, "
                f"but got {self.mask_start} and {self.mask_width}."
            )
        return mask(sound, self.mask_start, self.mask_width, self.mask_value, self.axis)


class _RandomMask(RandomAudioOperation):
    """Blanks a stretch of random position and width, up to a limit."""

    rank = 2
    axis: int
    mask_param: int
    mask_value: float

    def sound(self, random: SampleRandom, sound: np.ndarray) -> np.ndarray:
        length = sound.shape[self.axis]
        if self.mask_param > length:
            raise self.failure(
                f"the largest width of the mask must not exceed the length {length} of the axis, but got {self.mask_param}."
            )
        width = random.uniform(0, self.mask_param)
        start = int(random.uniform(0, length - width))
        return mask(sound, start, int(width), self.mask_value, self.axis)


class MaskAlongAxisIID(_RandomMask):
    """Sets a random stretch of frequencies (axis 1) or of time (axis 2) to a value.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.MaskAlongAxisIID(1, 0.0, 1)(np.ones((1, 1, 4, 3), np.float32)).shape)
        (1, 1, 4, 3)
    """

    @checked(axis=_AXIS)
    def __init__(self, mask_param: int, mask_value: float, axis: int):
        self.mask_param, self.mask_value, self.axis = mask_param, mask_value, axis - 3


class _Masking(_RandomMask):
    def _set(self, axis: int, iid_masks: bool, mask_param: int, mask_start: int, mask_value: float) -> None:
        self.axis, self.iid_masks = axis, iid_masks
        self.mask_param, self.mask_start, self.mask_value = mask_param, mask_start, mask_value

    def sound(self, random: SampleRandom, sound: np.ndarray) -> np.ndarray:
        if self.iid_masks:
            return super().sound(random, sound)
        if self.mask_start + self.mask_param > sound.shape[self.axis]:
            raise self.failure(
                f"'mask_start' and the width of the mask must not exceed the length {sound.shape[self.axis]} of the axis "
                f"together, but got {self.mask_start} and {self.mask_param}."
            )
        return mask(sound, self.mask_start, self.mask_param, self.mask_value, self.axis)


_RULES: dict[str, Any] = {
    "iid_masks": check_bool,
    "freq_mask_param": COUNT,
    "time_mask_param": COUNT,
    "mask_value": FROM_ZERO,
}


class FrequencyMasking(_Masking):
    """Blanks a given stretch of frequencies; with ``iid_masks`` a random stretch.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.FrequencyMasking(freq_mask_param=1)(np.ones((1, 4, 3), np.float32)).shape)
        (1, 4, 3)
    """

    @checked(**_RULES)
    def __init__(self, iid_masks: bool = False, freq_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0):
        self._set(-2, iid_masks, freq_mask_param, mask_start, mask_value)


class TimeMasking(_Masking):
    """Blanks a given stretch of time; with ``iid_masks`` a random stretch.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.TimeMasking(time_mask_param=1)(np.ones((1, 4, 3), np.float32)).shape)
        (1, 4, 3)
    """

    @checked(**_RULES)
    def __init__(self, iid_masks: bool = False, time_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0):
        self._set(-1, iid_masks, time_mask_param, mask_start, mask_value)
