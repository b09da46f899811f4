"""Frames of sound to spectra and back."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from mindspore.dataset.audio.utils import BorderType, WindowType

_PAD_MODES = {
    BorderType.CONSTANT: "constant",
    BorderType.EDGE: "edge",
    BorderType.REFLECT: "reflect",
    BorderType.SYMMETRIC: "symmetric",
}
_WINDOWS = {
    WindowType.BARTLETT: np.bartlett,
    WindowType.BLACKMAN: np.blackman,
    WindowType.HAMMING: np.hamming,
    WindowType.HANN: np.hanning,
    WindowType.KAISER: lambda length: np.kaiser(length, 12.0),
}


def window(kind: WindowType, length: int) -> np.ndarray:
    """A periodic window: the last value, equal to the first, is left out.

    >>> window(WindowType.HANN, 4).round(3).tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    return _WINDOWS[kind](length + 1)[:length] if length > 1 else np.ones(length)


def padded(sound: np.ndarray, before: int, after: int, mode: BorderType) -> np.ndarray:
    """A sound that goes on before its start and after its end."""
    return np.pad(sound, [(0, 0)] * (sound.ndim - 1) + [(before, after)], mode=_PAD_MODES[mode])  # type: ignore[call-overload]


@dataclasses.dataclass(frozen=True)
class Frames:
    """How a sound is cut into frames, shared by all transforms of spectra."""

    n_fft: int
    win_length: int
    hop_length: int
    kind: WindowType
    normalized: bool = False
    center: bool = True
    pad_mode: BorderType = BorderType.REFLECT
    onesided: bool = True

    @classmethod
    def make(cls, n_fft: int, win_length: int | None, hop_length: int | None, kind: WindowType, *rest: Any) -> Frames:
        """With the defaults of what is None: windows of ``n_fft`` that overlap by half."""
        win_length = win_length or n_fft
        return cls(n_fft, win_length, hop_length or max(win_length // 2, 1), kind, *rest)

    @property
    def bins(self) -> int:
        """How many frequencies a spectrum has."""
        return self.n_fft // 2 + 1 if self.onesided else self.n_fft

    @property
    def scale(self) -> float:
        """What normalized spectra are divided by."""
        return float(np.sqrt(np.sum(window(self.kind, self.win_length) ** 2))) if self.normalized else 1.0

    def window(self) -> np.ndarray:
        """The window in the middle of a frame."""
        missing = self.n_fft - self.win_length
        return np.pad(window(self.kind, self.win_length), (missing // 2, missing - missing // 2))

    def spectrum(self, sound: np.ndarray) -> np.ndarray:
        """The complex spectra <..., freq, time> of a sound <..., time>."""
        if self.center:
            sound = padded(sound, self.n_fft // 2, self.n_fft // 2, self.pad_mode)
        frames = np.lib.stride_tricks.sliding_window_view(sound, self.n_fft, axis=-1)[..., :: self.hop_length, :]
        transform = np.fft.rfft if self.onesided else np.fft.fft
        return transform(frames * self.window(), axis=-1).swapaxes(-1, -2) / self.scale

    def sound(self, spectrum: np.ndarray, length: int | None = None) -> np.ndarray:
        """The sound whose spectra these are, cut or filled with zeros to a length."""
        curve = self.window()
        transform = np.fft.irfft if self.onesided else np.fft.ifft
        frames = transform(spectrum.swapaxes(-1, -2) * self.scale, self.n_fft, axis=-1).real * curve
        count = frames.shape[-2]
        total = self.n_fft + self.hop_length * (count - 1)
        sound, weight = np.zeros((*frames.shape[:-2], total)), np.zeros(total)
        for index in range(count):
            part = slice(index * self.hop_length, index * self.hop_length + self.n_fft)
            sound[..., part] += frames[..., index, :]
            weight[part] += curve**2
        start = self.n_fft // 2 if self.center else 0
        # one whole frame is cut off by default, at both ends or, not centered, at the end
        end = start + max(total - self.n_fft, 0) if length is None else min(start + length, total)
        weight = weight[start:end]
        result = sound[..., start:end] / np.where(weight > 1e-11, weight, 1.0)
        missing = 0 if length is None else length - result.shape[-1]
        return padded(result, 0, missing, BorderType.CONSTANT) if missing > 0 else result
