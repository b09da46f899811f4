"""The base of audio transforms: how they take an array."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.core.operation import Operation, RandomOperation
from mindspore.dataset.transforms._dtype import type_name


class _Sounds:
    """Takes numbers, computes in float64 and answers in float32, or in float64 where the input is."""

    rank = 1  # the least number of axes
    complex_pairs = False  # the last axis holds a real and an imaginary part
    floats_only = False
    too_many: type[Exception] = TypeError
    single = False  # answers in float32 whatever the input

    @property
    def owner(self) -> str:
        """The name that error messages begin with."""
        return type(self).__name__

    def failure(self, reason: str) -> RuntimeError:
        """The error for a sample that this transform cannot take."""
        return RuntimeError(f"{self.owner}: {reason}")

    def checked(self, sound: Any) -> np.ndarray:
        """The input as an array of float64."""
        if not isinstance(sound, np.ndarray):
            raise TypeError(f"For '{self.owner}', the input must be a NumPy array, got {type(sound)}.")
        if sound.dtype.kind not in ("f" if self.floats_only else "fiub"):
            wanted = "float" if self.floats_only else "int or float"
            raise self.failure(f"the input must be of {wanted}, but got {type_name(sound.dtype)}.")
        if sound.ndim < self.rank or (self.complex_pairs and sound.shape[-1] != 2):
            axes = [["..."], ["...", "time"], ["...", "freq", "time"]][self.rank - self.complex_pairs]
            form = f"<{', '.join([*axes, 'complex=2'] if self.complex_pairs else axes)}>"
            raise self.failure(f"the input must have the shape {form}, but got {sound.shape}.")
        return sound.astype(np.float64)

    def answer(self, result: Any, sound: np.ndarray) -> Any:
        """The result in the type that belongs to the input's."""
        if isinstance(result, tuple):
            return tuple(self.answer(part, sound) for part in result)
        keeps = sound.dtype.itemsize == 8 or self.floats_only
        return result.astype(sound.dtype if sound.dtype.kind == "f" and keeps and not self.single else np.float32)


class AudioOperation(_Sounds, Operation):
    """A transform of a sound or a spectrum. Subclasses define ``sound``, in float64."""

    def run(self, sound: Any) -> Any:  # type: ignore[override]
        return self.answer(self.sound(self.checked(sound)), sound)

    def sound(self, sound: np.ndarray) -> Any:
        """The result."""
        raise NotImplementedError(f"For '{self.owner}', 'sound' is not defined.")


class RandomAudioOperation(_Sounds, RandomOperation):
    """A random transform of a sound or a spectrum."""

    def run(self, random: SampleRandom, sound: Any) -> Any:  # type: ignore[override]
        return self.answer(self.sound(random, self.checked(sound)), sound)

    def sound(self, random: SampleRandom, sound: np.ndarray) -> Any:
        """The result."""
        raise NotImplementedError(f"For '{self.owner}', 'sound' is not defined.")


def complex_of(pairs: np.ndarray) -> np.ndarray:
    """Pairs of real and imaginary parts as complex numbers."""
    return pairs[..., 0] + 1j * pairs[..., 1]


def pairs_of(numbers: np.ndarray) -> np.ndarray:
    """Complex numbers as pairs of real and imaginary parts."""
    return np.stack([np.real(numbers), np.imag(numbers)], axis=-1)
