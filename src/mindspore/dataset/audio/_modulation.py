"""Effects of a moving delay: Flanger and Phaser."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from scipy.signal import lfilter

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
        every = np.arange(channels)
        shifts = (every * self.period * self.phase + 0.5).astype(np.int64)
        delayed = self._fed_back(stack, shifts) if self.feedback else self._delayed(stack, shifts)
        result = stack * self.dry_gain + delayed * self.wet_gain
        return np.clip(result.astype(stack.dtype), -1, 1).reshape(sound.shape)

    def _delayed(self, stack: np.ndarray, shifts: np.ndarray) -> np.ndarray:
        """The sound as it was some time ago, for all times at once."""
        channels, length = stack.shape[1:]
        times = np.arange(length)
        delay = self.delays[(times + shifts[:, None]) % self.period]
        whole = np.floor(delay).astype(np.int64)
        behind = np.concatenate([np.zeros((*stack.shape[:2], self.buffer_length)), stack], axis=-1)
        rows = np.arange(channels)[:, None]
        first, second, third = (
            behind[:, rows, times + self.buffer_length - (whole + step) % self.buffer_length] for step in range(3)
        )
        return self._between(first, second, third, delay % 1)

    def _fed_back(self, stack: np.ndarray, shifts: np.ndarray) -> np.ndarray:
        """The same where what comes out goes in again: time after time, in numbers of Python, which are faster one by one."""
        result = np.empty(stack.shape)
        times, size = np.arange(stack.shape[-1]), self.buffer_length
        for channel, shift in enumerate(shifts.tolist()):
            delay = self.delays[(times + shift) % self.period]
            wholes, parts = np.floor(delay).astype(np.int64).tolist(), (delay % 1).tolist()
            for row, samples in enumerate(stack[:, channel].tolist()):
                buffer, heard, last = [0.0] * size, [], 0.0
                for time, (sample, behind, part) in enumerate(zip(samples, wholes, parts, strict=True)):
                    position = -(time + 1) % size
                    buffer[position] = sample + last * self.feedback
                    first = position + behind
                    last = self._between(
                        buffer[first % size], buffer[(first + 1) % size], buffer[(first + 2) % size], part
                    )
                    heard.append(last)
                result[row, channel] = heard
        return result

    def _between(self, first: Any, second: Any, third: Any, part: Any) -> Any:
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
        length = stack.shape[1]
        echoes = self.buffer_length  # zeros in front, for what there was before the sound
        result = np.concatenate([np.zeros((len(stack), echoes)), stack], axis=-1)
        lags = 1 + -self.delays[np.arange(length) % len(self.delays)] % self.buffer_length
        bounds = [0, *(np.flatnonzero(np.diff(lags)) + 1).tolist(), length]
        for start, stop in itertools.pairwise(bounds):
            _add_echoes(result, start + echoes, stop + echoes, int(lags[start]), self.decay)
        result = result[:, echoes:]
        return np.clip(result * self.gain_out, -1, 1).reshape(sound.shape)


def _add_echoes(sound: np.ndarray, start: int, stop: int, lag: int, decay: float) -> None:
    """Add to each sample of a part what the sample ``lag`` before it has become: as many at once as are known."""
    if lag <= _SHORT:
        head = sound[:, start : min(start + lag, stop)]
        head += sound[:, start - lag : start - lag + head.shape[1]] * decay
        sound[:, start:stop] = lfilter([1.0], [1.0, *[0.0] * (lag - 1), -decay], sound[:, start:stop])
        return
    for first in range(start, stop, lag):
        here = sound[:, first : min(first + lag, stop)]
        here += sound[:, first - lag : first - lag + here.shape[1]] * decay


_SHORT = 8  # samples: a filter of so few steps is faster than as many parts
