"""Vad: where in a sound somebody begins to speak."""

from __future__ import annotations

import math

import numpy as np

from mindspore.dataset.audio._arguments import ABOVE_ZERO, ANY, FROM_ZERO, Rule, checked, optional
from mindspore.dataset.audio._base import AudioOperation
from mindspore.dataset.audio._fourier import window
from mindspore.dataset.audio.utils import WindowType

_RULES: dict[str, Rule] = {
    "trigger_level": ANY,
    **dict.fromkeys(("trigger_time", "search_time", "allowed_gap", "pre_trigger_time", "boot_time"), FROM_ZERO),
    **dict.fromkeys(("noise_up_time", "noise_down_time", "noise_reduction_amount", "measure_smooth_time"), FROM_ZERO),
    **dict.fromkeys(("measure_freq", "hp_filter_freq", "lp_filter_freq", "hp_lifter_freq"), ABOVE_ZERO),
    "lp_lifter_freq": ABOVE_ZERO,
    "measure_duration": optional(FROM_ZERO),
}


def _decay(time: float, frequency: float) -> float:
    return math.exp(-1 / (time * frequency)) if time * frequency else 0.0


class _Channel:
    """The state of a channel: its smoothed spectrum, the noise in it and the last measures."""

    def __init__(self, size: int, measures: int):
        self.spectrum, self.noise = np.zeros(size), np.zeros(size)
        self.measures = np.zeros(measures)
        self.mean = 0.0


class Vad(AudioOperation):
    """Cuts off what comes before speech. Speech shows in the cepstrum of the spectrum above the noise.

    >>> Vad(1000)(np.zeros((1, 1500), np.float32)).shape
    (1, 1100)
    """

    @checked(**_RULES)
    def __init__(
        self,
        sample_rate: int,
        trigger_level: float = 7.0,
        trigger_time: float = 0.25,
        search_time: float = 1.0,
        allowed_gap: float = 0.25,
        pre_trigger_time: float = 0.0,
        boot_time: float = 0.35,
        noise_up_time: float = 0.1,
        noise_down_time: float = 0.01,
        noise_reduction_amount: float = 1.35,
        measure_freq: float = 20.0,
        measure_duration: float | None = None,
        measure_smooth_time: float = 0.4,
        hp_filter_freq: float = 50.0,
        lp_filter_freq: float = 6000.0,
        hp_lifter_freq: float = 150.0,
        lp_lifter_freq: float = 2000.0,
    ):
        if noise_up_time < noise_down_time:
            raise ValueError(
                f"For 'Vad', the 'noise_up_time' must not be less than 'noise_down_time', "
                f"but got {noise_up_time} and {noise_down_time}."
            )
        self.trigger_level, self.noise_reduction = trigger_level, noise_reduction_amount
        self.window_length = int(sample_rate * (measure_duration or 2 / measure_freq) + 0.5)
        self.size = 16
        while self.size < self.window_length:
            self.size *= 2
        self.period = int(sample_rate / measure_freq + 0.5)
        self.measures = math.ceil(search_time * measure_freq)
        self.gap = int(allowed_gap * measure_freq + 0.5)
        self.kept = int(pre_trigger_time * sample_rate + 0.5) + self.measures * self.period + self.window_length
        self.band = slice(
            max(int(hp_filter_freq / sample_rate * self.size + 0.5), 1),
            min(int(lp_filter_freq / sample_rate * self.size + 0.5), self.size // 2),
        )
        self.lifter = slice(
            math.ceil(sample_rate * 0.5 / lp_lifter_freq),
            min(math.floor(sample_rate * 0.5 / hp_lifter_freq), self.size // 4),
        )
        if self.lifter.stop <= self.lifter.start:
            raise ValueError(
                f"For 'Vad', the 'hp_lifter_freq' must be far enough below 'lp_lifter_freq' for this 'sample_rate', "
                f"but got {hp_lifter_freq} and {lp_lifter_freq}."
            )
        self.noise_up, self.noise_down = _decay(noise_up_time, measure_freq), _decay(noise_down_time, measure_freq)
        self.smooth, self.trigger = _decay(measure_smooth_time, measure_freq), _decay(trigger_time, measure_freq)
        self.boot_measures = int(boot_time * measure_freq - 0.5)
        self.spectrum_window = window(WindowType.HANN, self.window_length) * 2 / math.sqrt(self.window_length)
        width = self.band.stop - self.band.start
        self.cepstrum_window = window(WindowType.HANN, width) * 2 / math.sqrt(width)

    def sound(self, sound: np.ndarray) -> np.ndarray:
        channels = sound.reshape(-1, sound.shape[-1])
        start = self._start(channels)
        return channels[:, max(start, 0) :].reshape(*sound.shape[:-1], -1)

    def _start(self, sounds: np.ndarray) -> int:
        """The sample from which on the sound is kept."""
        channels = [_Channel(self.size, self.measures) for _ in sounds]
        offsets = range(self.window_length, sounds.shape[1], self.period)
        for number, offset in enumerate(offsets):
            index = number % self.measures
            boot = number if number <= self.boot_measures else -1
            flush, triggered = 0, False
            for channel, sound in zip(channels, sounds, strict=True):
                measure = self._measure(channel, sound[offset - self.window_length : offset], boot)
                channel.measures[index] = measure
                channel.mean = channel.mean * self.trigger + measure * (1 - self.trigger)
                triggered = triggered or channel.mean >= self.trigger_level
                if triggered:
                    flush = max(flush, self._measures_of_speech(channel.measures, index))
            if triggered:
                return offset - self.kept + (self.measures - flush) * self.period
        return sounds.shape[1] - self.kept

    def _measures_of_speech(self, measures: np.ndarray, index: int) -> int:
        """How many measures back the speech began; short gaps belong to it."""
        count = len(measures)
        trigger = zero = count
        for back in range(count):
            measure = measures[(index - back) % count]
            if measure >= self.trigger_level and back <= trigger + self.gap:
                zero = trigger = back
            elif measure == 0 and trigger >= zero:
                zero = back
        return min(count - 1, zero)

    def _measure(self, channel: _Channel, samples: np.ndarray, boot: int) -> float:
        """How much like speech a stretch of sound is."""
        band = self.band
        spectrum = np.abs(np.fft.rfft(samples * self.spectrum_window, self.size))[band]
        smooth = boot / (1 + boot) if boot >= 0 else self.smooth
        channel.spectrum[band] = channel.spectrum[band] * smooth + spectrum * (1 - smooth)
        power = channel.spectrum[band] ** 2
        old = (
            np.zeros(len(power)) if boot >= 0 else np.where(power > channel.noise[band], self.noise_up, self.noise_down)
        )
        channel.noise[band] = channel.noise[band] * old + power * (1 - old)
        clean = np.zeros(self.size // 2)
        clean[band] = np.sqrt(np.maximum(0, power - self.noise_reduction * channel.noise[band])) * self.cepstrum_window
        total = float(np.sum(np.abs(np.fft.rfft(clean)[self.lifter]) ** 2))
        return max(0.0, 21 + math.log(total / (self.lifter.stop - self.lifter.start))) if total > 0 else 0.0
