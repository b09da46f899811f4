"""Effects of a moving delay: Flanger and Phaser."""

from __future__ import annotations

import math

import numpy as np

from mindspore.dataset.audio._arguments import LARGEST_INT, checked, nonzero, whole
from mindspore.dataset.audio._base import AudioOperation
from mindspore.dataset.audio.utils import Interpolation, Modulation


def wave_table(modulation: Modulation, size: int, low: float, high: float, phase: float) -> np.ndarray:
    """A period of a wave between two values, ``size`` samples long."""
    phases = (np.arange(size) + int(phase / math.pi / 2 * size + 0.5)) % size / max(size, 1)
    if modulation is Modulation.SINUSOIDAL:
        wave = (np.sin(phases * 2 * math.pi) + 1) / 2
    else:
        wave = np.abs((phases + 0.75) % 1 * 2 - 1)
    return wave * (high - low) + low


class Flanger(AudioOperation):
    """Mixes a sound with itself, delayed by a time that swings.

    >>> Flanger(44100)(np.zeros((2, 8), np.float32)).shape
    (2, 8)
    """

    rank = 2

    def answer(self, result: np.ndarray, sound: np.ndarray) -> np.ndarray:
        """The result in the type of the input."""
        return result.astype(sound.dtype)

    @checked(sample_rate=nonzero(whole(-LARGEST_INT)))
    def __init__(
        self,
        sample_rate: int,
        delay: float = 0.0,
        depth: float = 2.0,
        regen: float = 0.0,
        width: float = 71.0,
        speed: float = 0.5,
        phase: float = 25.0,
        modulation: Modulation = Modulation.SINUSOIDAL,
        interpolation: Interpolation = Interpolation.LINEAR,
    ):
        self.feedback = regen / 100
        wet = width / 100
        self.dry_gain = 1 / (1 + wet)
        self.wet_gain = wet / (1 + wet) * (1 - abs(self.feedback))  # feedback makes it louder again
        self.buffer_length = int((delay / 1000 + depth / 1000) * sample_rate + 0.5) + 2
        self.period = int(sample_rate / speed)
        self.phase = phase / 100
        low = math.floor(delay / 1000 * sample_rate + 0.5)
        delays = wave_table(modulation, self.period, low, self.buffer_length - 2.0, 3 * math.pi / 2)
        self.delays = delays.astype(np.float32).astype(np.float64)
        self.quadratic = interpolation is Interpolation.QUADRATIC

    def sound(self, sound: np.ndarray) -> np.ndarray:
        channels, length = sound.shape[-2:]
        if channels > 4:
            raise self.failure(f"at most 4 channels can be handled, but got {channels}.")
        stack = sound.reshape(-1, channels, length)
        buffer = np.zeros((len(stack), channels, self.buffer_length))
        last = np.zeros((len(stack), channels))
        every = np.arange(channels)
        shifts = (every * self.period * self.phase + 0.5).astype(np.int64)
        result = np.empty_like(stack)
        for time in range(length):
            position = -(time + 1) % self.buffer_length
            buffer[:, :, position] = stack[:, :, time] + last * self.feedback
            delay = self.delays[(time + shifts) % self.period]
            delayed = position + np.floor(delay).astype(np.int64)
            first, second, third = (buffer[:, every, (delayed + step) % self.buffer_length] for step in range(3))
            last = self._between(first, second, third, delay % 1)
            result[:, :, time] = stack[:, :, time] * self.dry_gain + last * self.wet_gain
        return np.clip(result, -1, 1).reshape(sound.shape)

    def _between(self, first: np.ndarray, second: np.ndarray, third: np.ndarray, part: np.ndarray) -> np.ndarray:
        if not self.quadratic:
            return first + (second - first) * part
        rise, curve = second - first, third - first
        return first + ((curve * 0.5 - rise) * part + rise * 2 - curve * 0.5) * part


class Phaser(AudioOperation):
    """Mixes a sound with its own delayed and decaying echo.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> print(audio.Phaser(44100)(np.array([[0.5, 0.25]], np.float32)).shape)
        (1, 2)
    """

    @checked(sample_rate=whole(-LARGEST_INT))
    def __init__(
        self,
        sample_rate: int,
        gain_in: float = 0.4,
        gain_out: float = 0.74,
        delay_ms: float = 3.0,
        decay: float = 0.4,
        mod_speed: float = 0.5,
        sinusoidal: bool = True,
    ):
        self.gain_in, self.gain_out, self.decay = gain_in, gain_out, decay
        self.buffer_length = int(delay_ms * 0.001 * sample_rate + 0.5)
        modulation = Modulation.SINUSOIDAL if sinusoidal else Modulation.TRIANGULAR
        period = int(sample_rate / mod_speed + 0.5)
        delays = wave_table(modulation, period, 1.0, float(self.buffer_length), math.pi / 2)
        self.delays = np.trunc(delays + np.where(delays < 0, -0.5, 0.5)).astype(np.int64)

    def sound(self, sound: np.ndarray) -> np.ndarray:
        if self.buffer_length < 1 or not len(self.delays):
            raise self.failure("'delay_ms' times 'sample_rate' is less than one sample: make one of them larger.")
        stack = sound.reshape(-1, sound.shape[-1]) * self.gain_in
        buffer = np.zeros((len(stack), self.buffer_length))
        result = np.empty_like(stack)
        for time in range(stack.shape[1]):
            echo = buffer[:, (time + self.delays[time % len(self.delays)]) % self.buffer_length]
            result[:, time] = stack[:, time] + echo
            buffer[:, (time + 1) % self.buffer_length] = result[:, time] * self.decay
        return np.clip(result * self.gain_out, -1, 1).reshape(sound.shape)
