"""Resample: a sound at another sample rate."""

from __future__ import annotations

import math

import numpy as np

from mindspore.dataset.audio._arguments import checked
from mindspore.dataset.audio._base import AudioOperation
from mindspore.dataset.audio.utils import ResampleMethod


def resampled(
    sound: np.ndarray,
    orig_freq: float,
    new_freq: float,
    method: ResampleMethod,
    lowpass_filter_width: int,
    rolloff: float,
    beta: float | None,
) -> np.ndarray:
    """The sound at a new rate, by a windowed sinc function for each fractional offset between old samples."""
    common = math.gcd(int(orig_freq), int(new_freq))
    old, new = int(orig_freq) // common, int(new_freq) // common
    limit = min(old, new) * rolloff / old  # of the frequencies that may stay, in old samples
    reach = math.ceil(lowpass_filter_width / limit)
    count = math.ceil(new * sound.shape[-1] / old)
    # a new sample lies between two old samples, at one of finitely many fractional offsets
    parts = np.arange(min(new, count)) * old % new / new
    times = (np.arange(-reach, reach + 1) - parts[:, None]) * limit
    times = np.clip(times, -lowpass_filter_width, lowpass_filter_width)
    if method is ResampleMethod.SINC_INTERPOLATION:
        curve = np.cos(times * np.pi / lowpass_filter_width / 2) ** 2
    else:
        beta = 14.769656459379492 if beta is None else beta
        curve = np.i0(beta * np.sqrt(1 - (times / lowpass_filter_width) ** 2)) / np.i0(beta)
    kernels = np.sinc(times) * curve * limit
    longer = np.pad(sound, [(0, 0)] * (sound.ndim - 1) + [(reach, reach)])
    frames = np.lib.stride_tricks.sliding_window_view(longer, 2 * reach + 1, axis=-1)
    result = np.empty((*sound.shape[:-1], count), np.result_type(sound, kernels))
    for part, kernel in enumerate(kernels):  # the new samples at one offset are as far from each other as `old` samples
        outputs = result[..., part::new]
        first = part * old // new
        np.einsum("...ij,j->...i", frames[..., first : first + outputs.shape[-1] * old : old, :], kernel, out=outputs)
    return result


class Resample(AudioOperation):
    """A sound at another sample rate.

    >>> Resample(16000, 8000)(np.zeros((2, 32), np.float32)).shape
    (2, 16)
    """

    @checked()
    def __init__(
        self,
        orig_freq: float = 16000,
        new_freq: float = 16000,
        resample_method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION,
        lowpass_filter_width: int = 6,
        rolloff: float = 0.99,
        beta: float | None = None,
    ):
        self.same = orig_freq == new_freq
        self.arguments = (orig_freq, new_freq, resample_method, lowpass_filter_width, rolloff, beta)

    def sound(self, sound: np.ndarray) -> np.ndarray:
        return sound if self.same else resampled(sound, *self.arguments)
