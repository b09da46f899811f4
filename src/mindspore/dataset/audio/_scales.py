"""Spectra on other scales: MelScale, MelSpectrogram, InverseMelScale, MFCC, LFCC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.audio._arguments import NORM_MODE, Rule, check_band, checked, one_of, optional
from mindspore.dataset.audio._base import AudioOperation, RandomAudioOperation
from mindspore.dataset.audio._loudness import AmplitudeToDB
from mindspore.dataset.audio._spectrograms import Spectrogram
from mindspore.dataset.audio.utils import (
    BorderType,
    MelType,
    NormMode,
    NormType,
    WindowType,
    cosines,
    linear_filters,
    mel_filters,
)
from mindspore.dataset.core.checks import check_type


def through(filters: np.ndarray, spectrum: np.ndarray) -> np.ndarray:
    """Spectra <..., freq, time> weighed by filters <freq, filter>.

    In parts for which BLAS starts no threads: the samples of a data set are shared out among threads already.
    """
    frequencies, count = filters.shape
    length = spectrum.shape[-1]
    if frequencies * count * length <= _PART:
        return np.matmul(filters.T, spectrum)
    result = np.empty((*spectrum.shape[:-2], count, length), np.result_type(filters, spectrum))
    rows = max(_PART // (frequencies * min(length, _COLUMNS)), 1)
    for start in range(0, length, _COLUMNS):
        columns = slice(start, start + _COLUMNS)
        for first in range(0, count, rows):
            chosen = slice(first, first + rows)
            result[..., chosen, columns] = np.matmul(filters[:, chosen].T, spectrum[..., columns])
    return result


_PART = 1 << 18  # multiplications: OpenBLAS uses threads for more
_COLUMNS = 64


class MelScale(AudioOperation):
    """Spectra of equal steps of hertz as spectra of equal steps of the mel scale.

    >>> MelScale(n_mels=4, n_stft=9)(np.zeros((9, 5), np.float32)).shape
    (4, 5)
    """

    rank = 2

    @checked()
    def __init__(
        self,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        n_stft: int = 201,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ):
        f_max = check_band(self.owner, f_min, f_max, sample_rate)
        self.filters = mel_filters(n_stft, f_min, f_max, n_mels, sample_rate, norm, mel_type)

    def sound(self, sound: np.ndarray) -> np.ndarray:
        if sound.shape[-2] != len(self.filters):
            raise self.failure(
                f"the spectrum must have n_stft = {len(self.filters)} frequencies, got {sound.shape[-2]}."
            )
        return through(self.filters, sound)


class MelSpectrogram(AudioOperation):
    """The spectra of the frames of a sound on the mel scale.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.MelSpectrogram(n_fft=64, n_mels=8)(np.ones((1, 128), np.float32)).shape)
        (1, 8, 5)
    """

    @checked()
    def __init__(
        self,
        sample_rate: int = 16000,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        f_min: float = 0.0,
        f_max: float | None = None,
        pad: int = 0,
        n_mels: int = 128,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
        norm: NormType = NormType.NONE,
        mel_scale: MelType = MelType.HTK,
    ):
        f_max = check_band(self.owner, f_min, f_max, sample_rate)
        self.spectrogram = Spectrogram(
            n_fft, win_length, hop_length, pad, window, power, normalized, center, pad_mode, onesided
        )
        bins = self.spectrogram.frames.bins
        self.filters = mel_filters(bins, f_min, f_max, n_mels, sample_rate, norm, mel_scale)

    def sound(self, sound: np.ndarray) -> np.ndarray:
        return through(self.filters, self.spectrogram.sound(sound))


class InverseMelScale(RandomAudioOperation):
    """Spectra of equal steps of hertz that give these mel spectra, found step by step from a random start.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.InverseMelScale(n_stft=5, n_mels=4, sample_rate=8000, max_iter=2)(np.ones((1, 4, 3), np.float32)).shape)
        (1, 5, 3)
    """

    rank = 2

    @checked()
    def __init__(
        self,
        n_stft: int,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        max_iter: int = 100000,
        tolerance_loss: float = 1e-05,
        tolerance_change: float = 1e-08,
        sgdargs: Mapping[str, float] | None = None,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ):
        f_max = check_band(self.owner, f_min, f_max, sample_rate)
        self.filters = mel_filters(n_stft, f_min, f_max, n_mels, sample_rate, norm, mel_type)
        self.max_iter, self.tolerance_loss, self.tolerance_change = max_iter, tolerance_loss, tolerance_change
        steps = sgdargs or {"sgd_lr": 0.1, "sgd_momentum": 0.9}
        self.rate, self.momentum = steps["sgd_lr"], steps["sgd_momentum"]

    def sound(self, random: SampleRandom, sound: np.ndarray) -> np.ndarray:
        if sound.shape[-2] != self.filters.shape[1]:
            raise self.failure(
                f"the spectrum must have n_mels = {self.filters.shape[1]} frequencies, but got {sound.shape[-2]}."
            )
        wanted = sound.reshape(-1, *sound.shape[-2:])
        channels, _, frames = wanted.shape
        guess = random.numpy().random((channels, len(self.filters), frames))
        speed = np.zeros_like(guess)
        loss = np.inf
        for _ in range(self.max_iter):
            missing = wanted - through(self.filters, guess)
            new_loss = np.sum(missing**2) / (channels * frames)
            slope = -2 * np.matmul(self.filters, missing) / (channels * frames)
            speed = self.momentum * speed + slope
            guess = np.maximum(guess - self.rate * speed, 0)
            if new_loss < self.tolerance_loss or abs(loss - new_loss) < self.tolerance_change:
                break
            loss = new_loss
        return guess.reshape(*sound.shape[:-2], *guess.shape[-2:]) if sound.ndim > 2 else guess


_CEPSTRUM_RULES: dict[str, Rule] = {
    "norm": NORM_MODE,
    "dct_type": one_of(2),
    "melkwargs": optional(lambda owner, name, value: check_type(owner, name, value, dict)),
    "speckwargs": optional(lambda owner, name, value: check_type(owner, name, value, dict)),
}


class MFCC(AudioOperation):
    """The cepstrum of a sound on the mel scale; ``melkwargs`` are arguments of MelSpectrogram.

    >>> MFCC(4000, 5, melkwargs={"n_fft": 16, "n_mels": 8})(np.ones((1, 32), np.float32)).shape
    (1, 5, 5)
    """

    single = True

    @checked(**_CEPSTRUM_RULES)
    def __init__(
        self,
        sample_rate: int = 16000,
        n_mfcc: int = 40,
        dct_type: int = 2,
        norm: NormMode = NormMode.ORTHO,
        log_mels: bool = False,
        melkwargs: Mapping[str, Any] | None = None,
    ):
        self.spectra = MelSpectrogram(sample_rate, **(melkwargs or {}))
        n_mels = self.spectra.filters.shape[1]
        if n_mfcc > n_mels:
            raise ValueError(
                f"For 'MFCC', the 'n_mfcc' must not be greater than 'n_mels', but got {n_mfcc} and {n_mels}."
            )
        self.cosines, self.logarithms = cosines(n_mfcc, n_mels, norm), log_mels

    def sound(self, sound: np.ndarray) -> np.ndarray:
        return cepstrum(self.spectra.sound(sound), self.cosines, self.logarithms)


class LFCC(AudioOperation):
    """The cepstrum of a sound through filters at equal distances; ``speckwargs`` are arguments of Spectrogram.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> spectrum = {"n_fft": 64, "win_length": 64, "hop_length": 32, "pad": 0, "window": audio.WindowType.HANN, "power": 2.0}
        >>> spectrum |= {"normalized": False, "center": True, "pad_mode": audio.BorderType.REFLECT, "onesided": True}
        >>> print(audio.LFCC(n_filter=16, n_lfcc=4, speckwargs=spectrum)(np.ones((1, 128), np.float32)).shape)
        (1, 4, 5)
    """

    single = True

    @checked(**_CEPSTRUM_RULES)
    def __init__(
        self,
        sample_rate: int = 16000,
        n_filter: int = 128,
        n_lfcc: int = 40,
        f_min: float = 0.0,
        f_max: float | None = None,
        dct_type: int = 2,
        norm: NormMode = NormMode.ORTHO,
        log_lf: bool = False,
        speckwargs: Mapping[str, Any] | None = None,
    ):
        f_max = check_band(self.owner, f_min, f_max, sample_rate)
        self.spectra = Spectrogram(**(speckwargs or {}))
        if n_lfcc > self.spectra.frames.n_fft:
            raise ValueError(
                f"For 'LFCC', the 'n_lfcc' must not be greater than 'n_fft', but got {n_lfcc} and "
                f"{self.spectra.frames.n_fft}."
            )
        self.filters = linear_filters(self.spectra.frames.bins, f_min, f_max, n_filter, sample_rate)
        self.cosines, self.logarithms = cosines(n_lfcc, n_filter, norm), log_lf

    def sound(self, sound: np.ndarray) -> np.ndarray:
        return cepstrum(through(self.filters, self.spectra.sound(sound)), self.cosines, self.logarithms)


_DECIBELS = AmplitudeToDB()


def cepstrum(spectra: np.ndarray, table: np.ndarray, logarithms: bool) -> np.ndarray:
    """The cosine transform of decibels, or of natural logarithms."""
    return through(table, np.log(spectra + 1e-6) if logarithms else _DECIBELS.sound(spectra))
