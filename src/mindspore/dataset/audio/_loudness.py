"""Transforms of single samples of a sound: gain, fades, shifts, clipping, codes and decibels."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.audio._arguments import ANY, check_arguments, checked, real
from mindspore.dataset.audio._base import AudioOperation, RandomAudioOperation
from mindspore.dataset.audio._filters import filtered
from mindspore.dataset.audio.utils import DensityFunction, FadeShape, GainType, ScaleType


class Gain(AudioOperation):
    """Makes a sound louder by decibels.

    >>> Gain(20)(np.array([0.01, 0.02])).tolist()
    [0.1, 0.2]
    """

    @checked()
    def __init__(self, gain_db: float = 1.0):
        self.factor = 10 ** (gain_db / 20)

    def sound(self, sound: np.ndarray) -> np.ndarray:
        return sound * self.factor


class Vol(AudioOperation):
    """Makes a sound louder by an amplitude, a power or decibels, and cuts it to [-1, 1].

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.Vol(gain=2.0)(np.array([[0.25, 0.5]], np.float32)))
        [[0.5 1. ]]
    """

    @checked()
    def __init__(self, gain: float, gain_type: GainType = GainType.AMPLITUDE):
        if gain_type is not GainType.DB:
            check_arguments("Vol", {"gain": gain}, gain=real(0.0, include_low=gain_type is GainType.AMPLITUDE))
        self.factor = {GainType.AMPLITUDE: gain, GainType.DB: 10 ** (gain / 20), GainType.POWER: abs(gain) ** 0.5}[
            gain_type
        ]

    def sound(self, sound: np.ndarray) -> np.ndarray:
        return np.clip(sound * self.factor, -1, 1)


# how loud a sound is that comes, by how much of the time has passed
_FADES = {
    FadeShape.LINEAR: lambda passed: passed,
    FadeShape.EXPONENTIAL: lambda passed: 2 ** (passed - 1) * passed,
    FadeShape.LOGARITHMIC: lambda passed: np.log10(0.1 + passed) + 1,
    FadeShape.QUARTER_SINE: lambda passed: np.sin(passed * np.pi / 2),
    FadeShape.HALF_SINE: lambda passed: np.sin(passed * np.pi - np.pi / 2) / 2 + 0.5,
}


class Fade(AudioOperation):
    """Lets a sound come and go.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.Fade(fade_in_len=3)(np.ones((1, 4), np.float32)))
        [[0.  0.5 1.  1. ]]
    """

    @checked()
    def __init__(self, fade_in_len: int = 0, fade_out_len: int = 0, fade_shape: FadeShape = FadeShape.LINEAR):
        self.fade_in_len, self.fade_out_len = fade_in_len, fade_out_len
        self.curve = _FADES[fade_shape]

    def sound(self, sound: np.ndarray) -> np.ndarray:
        for name, length in (("fade_in_len", self.fade_in_len), ("fade_out_len", self.fade_out_len)):
            if length > sound.shape[-1]:
                raise self.failure(
                    f"'{name}' must not exceed the length of the sound, {sound.shape[-1]}, but is {length}."
                )
        sound = sound.copy()
        sound[..., : self.fade_in_len] *= self.curve(np.linspace(0, 1, self.fade_in_len))
        sound[..., sound.shape[-1] - self.fade_out_len :] *= self.curve(1 - np.linspace(0, 1, self.fade_out_len))
        return sound


class DCShift(AudioOperation):
    """Shifts a sound up or down; a limiter presses what would go too far.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.DCShift(0.25)(np.array([[0.0, 0.5]], np.float32)))
        [[0.25 0.75]]
    """

    @checked()
    def __init__(self, shift: float, limiter_gain: float | None = None):
        self.shift = shift
        self.limiter_gain = shift if limiter_gain is None else limiter_gain

    def sound(self, sound: np.ndarray) -> np.ndarray:
        if not self.shift or self.limiter_gain in (0, self.shift):  # nothing is pressed
            return np.clip(sound + self.shift, -1, 1)
        side = 1 if self.shift > 0 else -1
        turned, shift = sound * side, abs(self.shift)
        threshold = float(np.float32(1 - (shift - self.limiter_gain)))
        span = (1 - threshold) or np.inf  # at 1 nothing is pressed
        pressed = (turned - threshold) * self.limiter_gain / span + side * threshold + shift
        result = np.where(turned > threshold, np.minimum(pressed, threshold), np.clip(turned + shift, -1, 1))
        return result * side


class Contrast(AudioOperation):
    """Makes a sound seem louder by bending its waves.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.Contrast()(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked()
    def __init__(self, enhancement_amount: float = 75.0):
        self.amount = enhancement_amount / 750

    def sound(self, sound: np.ndarray) -> np.ndarray:
        angle = sound * (np.pi / 2)
        return np.sin(angle + self.amount * np.sin(angle * 4))


class Overdrive(AudioOperation):
    """Distorts a sound as an amplifier does that is turned up too far.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.Overdrive(gain=1.0)(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked(gain=real(0, 100))
    def __init__(self, gain: float = 20.0, color: float = 20.0):
        self.gain, self.color = 10 ** (gain / 20), color / 200

    def sound(self, sound: np.ndarray) -> np.ndarray:
        driven = np.clip(sound * self.gain + self.color, -1, 1)
        bent = driven - driven**3 / 3
        return np.clip(sound * 0.5 + filtered(bent, [1.0, -0.995], [1.0, -1.0], clamp=False) * 0.75, -1, 1)


class MuLawEncoding(AudioOperation):
    """Sound as codes from 0 to ``quantization_channels`` - 1, fine where it is quiet.

    >>> MuLawEncoding()(np.array([-1.0, 0.0, 1.0])).tolist()
    [0, 128, 255]
    """

    @checked()
    def __init__(self, quantization_channels: int = 256):
        self.largest = quantization_channels - 1

    def sound(self, sound: np.ndarray) -> np.ndarray:
        squeezed = np.sign(sound) * np.log1p(self.largest * np.abs(sound)) / np.log1p(self.largest)
        return ((squeezed + 1) / 2 * self.largest + 0.5).astype(np.int32)

    def answer(self, result: Any, sound: np.ndarray) -> Any:
        return result


class MuLawDecoding(AudioOperation):
    """Codes of MuLawEncoding as sound.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.MuLawDecoding()(np.array([[128, 255]], np.int32)).round(3))
        [[0. 1.]]
    """

    @checked()
    def __init__(self, quantization_channels: int = 256):
        self.largest = quantization_channels - 1

    def sound(self, sound: np.ndarray) -> np.ndarray:
        squeezed = sound / self.largest * 2 - 1
        return np.sign(squeezed) * np.expm1(np.abs(squeezed) * np.log1p(self.largest)) / self.largest


class AmplitudeToDB(AudioOperation):
    """Power or magnitude as decibels, none more than ``top_db`` below the loudest of a spectrum.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.AmplitudeToDB()(np.array([[1.0, 10.0]], np.float32)))
        [[ 0. 10.]]
    """

    rank = 2

    @checked()
    def __init__(
        self, stype: ScaleType = ScaleType.POWER, ref_value: float = 1.0, amin: float = 1e-10, top_db: float = 80.0
    ):
        self.factor = 10.0 if stype is ScaleType.POWER else 20.0
        self.quietest, self.range = amin, top_db
        self.reference = self.factor * np.log10(max(amin, ref_value))

    def sound(self, sound: np.ndarray) -> np.ndarray:
        decibels = self.factor * np.log10(np.maximum(sound, self.quietest)) - self.reference
        channels = tuple(range(max(-3, -sound.ndim), 0))
        return np.maximum(decibels, decibels.max(axis=channels, keepdims=True) - self.range)


class DBToAmplitude(AudioOperation):
    """Decibels as power (``power=1``) or amplitude (``power=0.5``).

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.DBToAmplitude(ref=1.0, power=1.0)(np.array([[0.0, 10.0]], np.float32)).round(3))
        [[ 1. 10.]]
    """

    @checked(power=ANY)
    def __init__(self, ref: float, power: float):
        self.ref, self.power = ref, power

    def sound(self, sound: np.ndarray) -> np.ndarray:
        return self.ref * (10 ** (sound / 10)) ** self.power


class Dither(RandomAudioOperation):
    """Rounds a sound to 16 bits after adding a little noise; shaped noise follows the error of the sample before.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.Dither()(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked()
    def __init__(self, density_function: DensityFunction = DensityFunction.TPDF, noise_shaping: bool = False):
        self.density_function, self.noise_shaping = density_function, noise_shaping

    def sound(self, random: SampleRandom, sound: np.ndarray) -> np.ndarray:
        rounded = np.round(sound * (2**15 - 2) + self._noise(random, sound)) / 2**15
        if self.noise_shaping:
            rounded[..., 1:] += (rounded - sound)[..., :-1]
        return rounded

    def _noise(self, random: SampleRandom, sound: np.ndarray) -> Any:
        if self.density_function is DensityFunction.TPDF:
            length = sound.shape[-1]
            return 1 - np.abs(np.arange(length) * 2 / length - 1)
        if self.density_function is DensityFunction.RPDF:
            return _any_sample(random, sound) - 0.5
        return sum(_any_sample(random, sound) for _ in range(7))


def _any_sample(random: SampleRandom, sound: np.ndarray) -> float:
    return float(sound.flat[random.randint(0, sound.size - 1)]) if sound.size else 0.0
