"""Transforms of complex spectra, and of time and pitch through them."""

from __future__ import annotations

import numpy as np

from mindspore.dataset.audio._arguments import checked
from mindspore.dataset.audio._base import AudioOperation, complex_of, pairs_of
from mindspore.dataset.audio._fourier import Frames, padded
from mindspore.dataset.audio._resampling import resampled
from mindspore.dataset.audio.utils import BorderType, ResampleMethod, WindowType
from mindspore.dataset.core.checks import check_type


class _Complex(AudioOperation):
    complex_pairs = True


class Angle(_Complex):
    """The angles of complex numbers <..., complex=2>.

    >>> Angle()(np.array([[1.0, 0.0], [-1.0, 0.0]])).round(3).tolist()
    [0.0, 3.142]
    """

    def sound(self, sound: np.ndarray) -> np.ndarray:
        return np.arctan2(sound[..., 1], sound[..., 0])


class ComplexNorm(_Complex):
    """The magnitudes of complex numbers <..., complex=2>, to a power.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.ComplexNorm(power=1.0)(np.array([[[3.0, 4.0]]], np.float32)))
        [[5.]]
    """

    @checked()
    def __init__(self, power: float = 1.0):
        self.power = power

    def sound(self, sound: np.ndarray) -> np.ndarray:
        return np.hypot(sound[..., 0], sound[..., 1]) ** self.power


class Magphase(_Complex):
    """The magnitudes of complex numbers <..., complex=2>, to a power, and their angles.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> magnitude, phase = audio.Magphase()(np.array([[[3.0, 4.0]]], np.float32))
        >>> print(magnitude)
        [[5.]]
    """

    @checked()
    def __init__(self, power: float = 1.0):
        self.power = power

    def sound(self, sound: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.hypot(sound[..., 0], sound[..., 1]) ** self.power, np.arctan2(sound[..., 1], sound[..., 0])


def stretched(spectrum: np.ndarray, rate: float, advance: np.ndarray) -> np.ndarray:
    """Spectra of a sound ``rate`` times as fast at the same pitch: phases go on as they would have."""
    length = spectrum.shape[-1]
    steps = np.arange(0, length, rate)
    longer = np.concatenate([spectrum, np.zeros((*spectrum.shape[:-1], 2))], axis=-1)
    before = steps.astype(np.int64)
    first, second = longer[..., before], longer[..., before + 1]
    turn = np.angle(second) - np.angle(first) - advance
    turn = turn - 2 * np.pi * np.round(turn / (2 * np.pi)) + advance
    phase = np.cumsum(np.concatenate([np.angle(spectrum[..., :1]), turn[..., :-1]], axis=-1), axis=-1)
    part = steps % 1
    return (part * np.abs(second) + (1 - part) * np.abs(first)) * np.exp(1j * phase)


class PhaseVocoder(_Complex):
    """Spectra <..., freq, time, complex=2> of a sound ``rate`` times as fast at the same pitch.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.PhaseVocoder(2.0, np.zeros((5, 1), np.float32))(np.ones((5, 8, 2), np.float32)).shape)
        (5, 4, 2)
    """

    rank = 3

    @checked(phase_advance=lambda owner, name, value: check_type(owner, name, value, np.ndarray))
    def __init__(self, rate: float, phase_advance: np.ndarray):
        if phase_advance.ndim != 2 or phase_advance.shape[1] != 1:
            raise ValueError(
                f"For 'PhaseVocoder', the 'phase_advance' must have the shape <freq, 1>, but got {phase_advance.shape}."
            )
        self.rate, self.phase_advance = rate, phase_advance

    def sound(self, sound: np.ndarray) -> np.ndarray:
        if sound.shape[-3] != len(self.phase_advance):
            raise self.failure(
                f"'phase_advance' is for {len(self.phase_advance)} frequencies, but the spectrum has {sound.shape[-3]}."
            )
        if self.rate == 1:
            return sound.reshape(-1, *sound.shape[-3:])  # all channels on one axis, as MindSpore gives them back
        return pairs_of(stretched(complex_of(sound), self.rate, self.phase_advance.astype(np.float64)))


def _advance(hop_length: int, bins: int) -> np.ndarray:
    return np.linspace(0, np.pi * hop_length, bins)[:, None]


class TimeStretch(_Complex):
    """Spectra <..., freq, time, complex=2> of a sound ``fixed_rate`` times as fast at the same pitch.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.TimeStretch(hop_length=4, n_freq=5, fixed_rate=2.0)(np.ones((1, 5, 8, 2), np.float32)).shape)
        (1, 5, 4, 2)
    """

    rank = 3

    @checked()
    def __init__(self, hop_length: int | None = None, n_freq: int = 201, fixed_rate: float | None = None):
        self.n_freq, self.rate = n_freq, fixed_rate or 1.0
        self.hop_length = n_freq - 1 if hop_length is None else hop_length

    def sound(self, sound: np.ndarray) -> np.ndarray:
        if self.rate == 1:
            return sound.reshape(-1, *sound.shape[-3:])  # all channels on one axis, as MindSpore gives them back
        return pairs_of(stretched(complex_of(sound), self.rate, _advance(self.hop_length, sound.shape[-3])))


class PitchShift(AudioOperation):
    """A sound at another pitch, as long as before.

    >>> PitchShift(16000, 4, n_fft=16)(np.zeros((1, 32), np.float32)).shape
    (1, 32)
    """

    @checked()
    def __init__(
        self,
        sample_rate: int,
        n_steps: int,
        bins_per_octave: int = 12,
        n_fft: int = 512,
        win_length: int | None = None,
        hop_length: int | None = None,
        window: WindowType = WindowType.HANN,
    ):
        win_length = win_length or n_fft
        self.frames = Frames(n_fft, win_length, hop_length or max(win_length // 4, 1), window)
        self.sample_rate, self.rate = sample_rate, 2.0 ** (-n_steps / bins_per_octave)

    def sound(self, sound: np.ndarray) -> np.ndarray:
        length = sound.shape[-1]
        spectrum = self.frames.spectrum(sound)
        slower = stretched(spectrum, self.rate, _advance(self.frames.hop_length, self.frames.bins))
        longer = self.frames.sound(slower, round(length / self.rate))
        result = resampled(
            longer,
            int(self.sample_rate / self.rate),
            self.sample_rate,
            ResampleMethod.SINC_INTERPOLATION,
            6,
            0.99,
            None,
        )
        return padded(result[..., :length], 0, max(length - result.shape[-1], 0), BorderType.CONSTANT)
