"""Sounds to spectra and back: Spectrogram, InverseSpectrogram, SpectralCentroid, GriffinLim."""

from __future__ import annotations

import numpy as np

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.audio._arguments import ABOVE_ZERO, COUNT, checked, optional
from mindspore.dataset.audio._base import AudioOperation, RandomAudioOperation, complex_of, pairs_of
from mindspore.dataset.audio._fourier import Frames, padded
from mindspore.dataset.audio.utils import BorderType, WindowType


class Spectrogram(AudioOperation):
    """The spectra of the frames of a sound: magnitudes to a power, or pairs of real and imaginary parts (``power=0``).

    >>> Spectrogram(n_fft=8)(np.zeros((2, 32), np.float32)).shape
    (2, 5, 9)
    """

    @checked()
    def __init__(
        self,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ):
        self.pad, self.power = pad, power
        self.frames = Frames.make(n_fft, win_length, hop_length, window, normalized, center, pad_mode, onesided)

    def sound(self, sound: np.ndarray) -> np.ndarray:
        sound = padded(sound, self.pad, self.pad, BorderType.CONSTANT)
        if not sound.shape[-1] or (not self.frames.center and sound.shape[-1] < self.frames.n_fft):
            raise self.failure(
                f"the sound is too short for frames of n_fft = {self.frames.n_fft}: it has {sound.shape[-1]} samples."
            )
        spectrum = self.frames.spectrum(sound)
        return np.abs(spectrum) ** self.power if self.power else pairs_of(spectrum)


class InverseSpectrogram(AudioOperation):
    """The sound of spectra <..., freq, time, complex=2>.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.InverseSpectrogram(length=8, n_fft=8)(np.ones((1, 5, 3, 2), np.float32)).shape)
        (1, 8)
    """

    rank = 3
    complex_pairs = True

    @checked()
    def __init__(
        self,
        length: int | None = None,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ):
        self.length, self.pad = length or None, pad
        self.frames = Frames.make(n_fft, win_length, hop_length, window, normalized, center, pad_mode, onesided)

    def sound(self, sound: np.ndarray) -> np.ndarray:
        if sound.shape[-3] != self.frames.bins:
            raise self.failure(
                f"for n_fft = {self.frames.n_fft} the spectrum must have {self.frames.bins} frequencies, "
                f"but got {sound.shape[-3]}."
            )
        length = None if self.length is None else self.length + 2 * self.pad
        result = self.frames.sound(complex_of(sound), length)
        return result[..., self.pad : result.shape[-1] - self.pad]


class SpectralCentroid(AudioOperation):
    """The mean frequency of every frame of a sound, weighed by magnitude.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.SpectralCentroid(sample_rate=8000, n_fft=8)(np.ones((1, 16), np.float32)).shape)
        (1, 1, 5)
    """

    @checked()
    def __init__(
        self,
        sample_rate: int,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
    ):
        self.spectrogram = Spectrogram(n_fft, win_length, hop_length, pad, window, 1.0)
        self.frequencies = np.linspace(0, sample_rate // 2, n_fft // 2 + 1)[:, None]

    def sound(self, sound: np.ndarray) -> np.ndarray:
        magnitudes = self.spectrogram.sound(sound)
        with np.errstate(invalid="ignore"):  # silence has no frequency: NaN
            return (magnitudes * self.frequencies).sum(-2, keepdims=True) / magnitudes.sum(-2, keepdims=True)


class GriffinLim(RandomAudioOperation):
    """A sound whose spectra have given magnitudes, by guessing the phases over and over.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.GriffinLim(n_fft=8, n_iter=2)(np.ones((5, 4), np.float32)).shape)
        (12,)
    """

    rank = 2

    @checked(
        power=ABOVE_ZERO,
        win_length=optional(COUNT),
        hop_length=optional(COUNT),
    )
    def __init__(
        self,
        n_fft: int = 400,
        n_iter: int = 32,
        win_length: int | None = None,
        hop_length: int | None = None,
        window_type: WindowType = WindowType.HANN,
        power: float = 2.0,
        momentum: float = 0.99,
        length: int | None = None,
        rand_init: bool = True,
    ):
        self.frames = Frames.make(n_fft, win_length, hop_length, window_type)
        self.n_iter, self.power, self.length, self.rand_init = n_iter, power, length or None, rand_init
        self.momentum = momentum / (1 + 2 * momentum)  # as MindSpore weighs the guess before

    def sound(self, random: SampleRandom, sound: np.ndarray) -> np.ndarray:
        if sound.shape[-2] != self.frames.bins:
            raise self.failure(
                f"for n_fft = {self.frames.n_fft} the spectrum must have {self.frames.bins} frequencies, "
                f"but got {sound.shape[-2]}."
            )
        magnitudes = sound ** (1 / self.power)
        phases = np.ones(sound.shape, np.complex128)
        if self.rand_init:
            draws = random.numpy().random((2, *sound.shape))
            phases = draws[0] + 1j * draws[1]
        before = np.zeros_like(phases)
        for _ in range(self.n_iter):
            rebuilt = self.frames.spectrum(self.frames.sound(magnitudes * phases, self.length))[..., : sound.shape[-1]]
            rebuilt = padded(
                rebuilt, 0, sound.shape[-1] - rebuilt.shape[-1], BorderType.CONSTANT
            )  # if 'length' is short
            phases = rebuilt - before * self.momentum
            phases /= np.abs(phases) + 1e-16
            before = rebuilt
        return self.frames.sound(magnitudes * phases, self.length)
