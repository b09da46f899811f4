"""Recursive filters: LFilter, Filtfilt, Biquad and the biquads of named shapes."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, exp, hypot, pi, sin, sqrt

import numpy as np
from scipy.signal import lfilter

from mindspore.dataset.audio._arguments import ANY, LARGEST_INT, checked, nonzero, one_of, real, whole
from mindspore.dataset.audio._base import AudioOperation

_BIQUAD_RULES = {
    "sample_rate": nonzero(whole(-LARGEST_INT - 1)),
    "central_freq": ANY,
    "center_freq": ANY,
    "cutoff_freq": ANY,
    "Q": real(0, 1, include_low=False),
}


def filtered(sound: np.ndarray, a_coeffs: Sequence[float], b_coeffs: Sequence[float], clamp: bool = True) -> np.ndarray:
    """A sound through the filter b / a, cut to [-1, 1] if asked."""
    result = np.asarray(lfilter(b_coeffs, a_coeffs, sound))
    return np.clip(result, -1, 1) if clamp else result


class _Filter(AudioOperation):
    floats_only = True

    @checked()
    def __init__(self, a_coeffs: Sequence[float], b_coeffs: Sequence[float], clamp: bool = True):
        if len(a_coeffs) != len(b_coeffs):
            raise ValueError(
                f"For '{self.owner}', the 'a_coeffs' and the 'b_coeffs' must have the same length, "
                f"but got {len(a_coeffs)} and {len(b_coeffs)}."
            )
        self.a_coeffs, self.b_coeffs, self.clamp = a_coeffs, b_coeffs, clamp


class LFilter(_Filter):
    """Filters a sound by a difference equation; coefficients of low delays first.

    >>> LFilter([1.0, 0.0], [0.5, 0.5])(np.array([1.0, 0.0, 0.0])).tolist()
    [0.5, 0.5, 0.0]
    """

    def sound(self, sound: np.ndarray) -> np.ndarray:
        return filtered(sound, self.a_coeffs, self.b_coeffs, self.clamp)


class Filtfilt(_Filter):
    """Filters a sound forward and then backward, so that nothing is delayed.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.Filtfilt([1.0, 0.0], [1.0, 0.0])(np.array([[0.5, 0.25]], np.float32)))
        [[0.5  0.25]]
    """

    def sound(self, sound: np.ndarray) -> np.ndarray:
        forward = filtered(sound, self.a_coeffs, self.b_coeffs, False)
        return filtered(forward[..., ::-1], self.a_coeffs, self.b_coeffs, self.clamp)[..., ::-1]


class _Biquad(AudioOperation):
    """A filter of second order. Constructors set ``b`` and ``a``, the coefficients above and below."""

    floats_only = True
    b: tuple[float, float, float]
    a: tuple[float, float, float]

    def sound(self, sound: np.ndarray) -> np.ndarray:
        return filtered(sound, self.a, self.b)

    def _angle(self, sample_rate: int, frequency: float, Q: float) -> tuple[float, float]:
        """The cosine of a frequency's angle, and alpha; most filters have the denominator that is set here."""
        angle = 2 * pi * frequency / sample_rate
        alpha = sin(angle) / 2 / Q
        self.a = (1 + alpha, -2 * cos(angle), 1 - alpha)
        return cos(angle), alpha

    def _shelf(self, gain: float, cosine: float, alpha: float, side: int) -> None:
        """Raise what lies below a frequency (side 1) or above it (side -1) by a gain in decibels."""
        level = 10 ** (gain / 40)
        more, less, slope = level + 1, level - 1, 2 * sqrt(level) * alpha
        turned = side * cosine
        self.b = (
            level * (more - less * turned + slope),
            side * 2 * level * (less - more * turned),
            level * (more - less * turned - slope),
        )
        self.a = (more + less * turned + slope, -2 * side * (less + more * turned), more + less * turned - slope)


class Biquad(_Biquad):
    """Filters a sound by given coefficients.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.Biquad(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)(np.array([[0.5, 0.25]], np.float32)))
        [[0.5  0.25]]
    """

    @checked(b0=ANY, b1=ANY, b2=ANY, a0=nonzero(ANY), a1=ANY, a2=ANY)
    def __init__(self, b0: float, b1: float, b2: float, a0: float, a1: float, a2: float):
        self.b, self.a = (b0, b1, b2), (a0, a1, a2)


class AllpassBiquad(_Biquad):
    """Turns the phase around a frequency and leaves all loudness.

    >>> AllpassBiquad(44100, 200.0)(np.zeros((2, 5), np.float32)).shape
    (2, 5)
    """

    @checked(**_BIQUAD_RULES)
    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707):
        self._angle(sample_rate, central_freq, Q)
        self.b = (self.a[2], self.a[1], self.a[0])


class BandBiquad(_Biquad):
    """Lets a band of frequencies pass, falling off slowly; ``noise`` is for sounds without pitch.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.BandBiquad(16000, 200.0)(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked(**_BIQUAD_RULES)
    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707, noise: bool = False):
        cosine, _ = self._angle(sample_rate, central_freq, Q)
        a2 = exp(-2 * pi * central_freq / Q / sample_rate)
        a1 = -4 * a2 / (1 + a2) * cosine
        b0 = sqrt(1 - a1 * a1 / (4 * a2)) * (1 - a2)
        if noise:
            b0 = sqrt(((1 + a2) ** 2 - a1 * a1) * (1 - a2) / (1 + a2))
        self.b, self.a = (b0, 0.0, 0.0), (1.0, a1, a2)


class BandpassBiquad(_Biquad):
    """Lets a band of frequencies pass.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.BandpassBiquad(16000, 200.0)(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked(**_BIQUAD_RULES)
    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707, const_skirt_gain: bool = False):
        _, alpha = self._angle(sample_rate, central_freq, Q)
        peak = alpha * Q if const_skirt_gain else alpha
        self.b = (peak, 0.0, -peak)


class BandrejectBiquad(_Biquad):
    """Takes a band of frequencies away.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.BandrejectBiquad(16000, 200.0)(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked(**_BIQUAD_RULES)
    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707):
        cosine, _ = self._angle(sample_rate, central_freq, Q)
        self.b = (1.0, -2 * cosine, 1.0)


class BassBiquad(_Biquad):
    """Makes the low frequencies louder by ``gain`` decibels.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.BassBiquad(16000, 10.0)(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked(**_BIQUAD_RULES)
    def __init__(self, sample_rate: int, gain: float, central_freq: float = 100.0, Q: float = 0.707):
        self._shelf(gain, *self._angle(sample_rate, central_freq, Q), side=1)


class TrebleBiquad(_Biquad):
    """Makes the high frequencies louder by ``gain`` decibels.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.TrebleBiquad(44100, 10.0)(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked(**_BIQUAD_RULES)
    def __init__(self, sample_rate: int, gain: float, central_freq: float = 3000, Q: float = 0.707):
        self._shelf(gain, *self._angle(sample_rate, central_freq, Q), side=-1)


class EqualizerBiquad(_Biquad):
    """Makes a band of frequencies louder by ``gain`` decibels.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.EqualizerBiquad(16000, 1000.0, 5.5)(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked(**_BIQUAD_RULES)
    def __init__(self, sample_rate: int, center_freq: float, gain: float, Q: float = 0.707):
        cosine, alpha = self._angle(sample_rate, center_freq, Q)
        level = 10 ** (gain / 40)
        self.b = (1 + alpha * level, -2 * cosine, 1 - alpha * level)
        self.a = (1 + alpha / level, -2 * cosine, 1 - alpha / level)


class HighpassBiquad(_Biquad):
    """Lets the high frequencies pass.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.HighpassBiquad(16000, 1500.0)(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked(**_BIQUAD_RULES)
    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707):
        cosine, _ = self._angle(sample_rate, cutoff_freq, Q)
        self.b = ((1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2)


class LowpassBiquad(_Biquad):
    """Lets the low frequencies pass.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.LowpassBiquad(4000, 1500.0)(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked(**_BIQUAD_RULES)
    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707):
        cosine, _ = self._angle(sample_rate, cutoff_freq, Q)
        self.b = ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2)


# sample rate -> frequency, slope and gain of the shelf of ISO 908
_DEEMPHASIS = {44100: (5283, 0.4845, -9.477), 48000: (5356, 0.479, -9.62)}


class DeemphBiquad(_Biquad):
    """Undoes the emphasis of high frequencies on compact discs (ISO 908).

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.DeemphBiquad(44100)(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked(sample_rate=one_of(*_DEEMPHASIS))
    def __init__(self, sample_rate: int):
        frequency, slope, gain = _DEEMPHASIS[sample_rate]
        level = 10 ** (gain / 40)
        steepness = sqrt((level + 1 / level) * (1 / slope - 1) + 2)
        self._shelf(gain, *self._angle(sample_rate, frequency, 1 / steepness), side=-1)


# sample rate -> zeros and poles
_RIAA = {
    44100: ((-0.2014898, 0.9233820), (0.7083149, 0.9924091)),
    48000: ((-0.1766069, 0.9321590), (0.7396325, 0.9931330)),
    88200: ((-0.1168735, 0.9648312), (0.8590646, 0.9964002)),
    96000: ((-0.1141486, 0.9676817), (0.8699137, 0.9966946)),
}


class RiaaBiquad(_Biquad):
    """The equalization of vinyl records.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.RiaaBiquad(44100)(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked(sample_rate=one_of(*_RIAA))
    def __init__(self, sample_rate: int):
        above, below = ((1.0, -(first + other), first * other) for first, other in _RIAA[sample_rate])
        angle = 2 * pi * 1000 / sample_rate  # at 1000 Hz loudness stays
        loudness = _response(below, angle) / _response(above, angle)
        self.b, self.a = (above[0] * loudness, above[1] * loudness, above[2] * loudness), below


def _response(polynomial: tuple[float, float, float], angle: float) -> float:
    first, second, third = polynomial
    real_part = first + second * cos(angle) + third * cos(2 * angle)
    return hypot(real_part, second * sin(angle) + third * sin(2 * angle))
