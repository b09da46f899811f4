"""What is computed along the frames of a sound: ComputeDeltas, SlidingWindowCmn, DetectPitchFrequency."""

from __future__ import annotations

import math

import numpy as np

from mindspore.dataset.audio._arguments import POSITIVE, checked, nonzero, whole
from mindspore.dataset.audio._base import AudioOperation
from mindspore.dataset.audio._fourier import padded
from mindspore.dataset.audio.utils import BorderType


class ComputeDeltas(AudioOperation):
    """How fast every coefficient changes from frame to frame.

    >>> ComputeDeltas()(np.array([[0.0, 1.0, 2.0, 3.0, 4.0]]))[0, 2].round(3).item()
    1.0
    """

    rank = 2

    @checked(win_length=whole(3))
    def __init__(self, win_length: int = 5, pad_mode: BorderType = BorderType.EDGE):
        self.reach, self.pad_mode = (win_length - 1) // 2, pad_mode

    def sound(self, sound: np.ndarray) -> np.ndarray:
        weights = np.arange(-self.reach, self.reach + 1.0)
        longer = padded(sound, self.reach, self.reach, self.pad_mode)
        windows = np.lib.stride_tricks.sliding_window_view(longer, len(weights), axis=-1)
        return windows @ (weights / (weights**2).sum())


class SlidingWindowCmn(AudioOperation):
    """Takes the mean of the frames around from every frame, and divides by their deviation if asked.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.SlidingWindowCmn(cmn_window=3, min_cmn_window=1)(np.ones((4, 2), np.float32)).shape)
        (4, 2)
    """

    rank = 2

    @checked()
    def __init__(self, cmn_window: int = 600, min_cmn_window: int = 100, center: bool = False, norm_vars: bool = False):
        self.cmn_window, self.min_cmn_window, self.center, self.norm_vars = (
            cmn_window,
            min_cmn_window,
            center,
            norm_vars,
        )

    def sound(self, sound: np.ndarray) -> np.ndarray:
        count = sound.shape[-2]
        bounds = np.array([self._window(time, count) for time in range(count)]).reshape(-1, 2)
        sums = np.concatenate([np.zeros_like(sound[..., :1, :]), np.cumsum(sound, -2)], axis=-2)
        lengths = (bounds[:, 1] - bounds[:, 0])[:, None]
        result = sound - (sums[..., bounds[:, 1], :] - sums[..., bounds[:, 0], :]) / lengths
        for time in range(count if self.norm_vars else 0):
            window = sound[..., slice(*bounds[time].tolist()), :]
            with np.errstate(divide="ignore", invalid="ignore"):
                result[..., time, :] *= 0.0 if window.shape[-2] == 1 else window.var(-2) ** -0.5
        return result[0] if result.ndim == 2 and count == 1 else result

    def _window(self, time: int, count: int) -> tuple[int, int]:
        """First frame of a window, and the frame after its last."""
        start = time - (self.cmn_window // 2 if self.center else self.cmn_window)
        end = start + self.cmn_window if self.center else time + 1
        if start < 0:
            start, end = 0, end - start
        if not self.center and end > time:
            end = max(time + 1, self.min_cmn_window)
        if end > count:
            start, end = max(start - (end - count), 0), count
        return start, end


class DetectPitchFrequency(AudioOperation):
    """The pitch of every frame in hertz, from how alike a sound is to itself some samples later.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> tone = np.sin(2 * np.pi * 200 * np.arange(8000) / 8000).astype(np.float32)[None]
        >>> print(float(np.median(audio.DetectPitchFrequency(8000)(tone))))
        200.0
    """

    @checked(sample_rate=nonzero(whole(-2147483647)), win_length=POSITIVE)
    def __init__(
        self,
        sample_rate: int,
        frame_time: float = 0.01,
        win_length: int = 30,
        freq_low: float = 85,
        freq_high: float = 3400,
    ):
        self.sample_rate, self.win_length = sample_rate, win_length
        self.lags = math.ceil(sample_rate / freq_low)
        self.least_lag = math.ceil(sample_rate / freq_high)
        self.frame = math.ceil(sample_rate * frame_time)

    def answer(self, result: np.ndarray, sound: np.ndarray) -> np.ndarray:
        return result.astype(np.float32)

    def sound(self, sound: np.ndarray) -> np.ndarray:
        likeness = self._likeness(sound)
        best = self._best(likeness, likeness.shape[-1])
        half = self._best(likeness, likeness.shape[-1] // 2)
        of_best, of_half = (np.take_along_axis(likeness, lag[..., None], -1)[..., 0] for lag in (best, half))
        lags = np.where(of_half > 0.99 * of_best, half, best) + 1  # half the lag is the octave above
        return self.sample_rate / (1e-9 + self._smooth(lags))

    def _likeness(self, sound: np.ndarray) -> np.ndarray:
        """Normalized correlation of every frame with the frame that begins 1, 2, 3 ... samples later."""
        count = math.ceil(sound.shape[-1] / self.frame)
        span = count * self.frame
        longer = padded(sound, 0, self.lags + span - sound.shape[-1], BorderType.CONSTANT)
        starts = np.arange(0, span, self.frame)
        here = longer[..., :span].reshape(*sound.shape[:-1], count, self.frame)
        windows = np.lib.stride_tricks.sliding_window_view(longer, self.frame, axis=-1)
        likeness = np.empty((*sound.shape[:-1], count, self.lags))
        own = (1e-9 + np.linalg.norm(here, axis=-1)) ** 2
        for lag in range(1, self.lags + 1):
            there = windows[..., starts + lag, :]
            sizes = own * (1e-9 + np.linalg.norm(there, axis=-1)) ** 2
            likeness[..., lag - 1] = (here * there).sum(-1) / sizes
        return likeness

    def _best(self, likeness: np.ndarray, end: int) -> np.ndarray:
        if end <= self.least_lag:
            raise self.failure("'freq_high' is too near to 'freq_low': no pitch lies between them.")
        return likeness[..., self.least_lag : end].argmax(-1) + self.least_lag

    def _smooth(self, lags: np.ndarray) -> np.ndarray:
        before = (self.win_length - 1) // 2
        longer = padded(lags, before, 0, BorderType.EDGE)
        if longer.shape[-1] < self.win_length:
            raise self.failure(f"the sound has fewer frames than 'win_length', which is {self.win_length}.")
        windows = np.lib.stride_tricks.sliding_window_view(longer, self.win_length, axis=-1)
        return np.sort(windows, axis=-1)[..., before]
