"""Random numbers of one sample: they depend on a seed alone, and a generator costs next to nothing to make.

>>> first, second = SampleRandom(7), SampleRandom(7)
>>> first.random() == second.random(), 0 <= first.random() < 1
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

Value = TypeVar("Value")

_MASK = 0xFFFFFFFFFFFFFFFF
_STEP = 0x9E3779B97F4A7C15


def mix(value: int) -> int:
    """A 64-bit number that looks unlike ``value``, the same every time (the finaliser of splitmix64).

    >>> mix(1) != mix(2)
    True
    """
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & _MASK
    return value ^ (value >> 31)


class SampleRandom:
    """The generator splitmix64, with the draws that transforms need."""

    __slots__ = ("_state",)

    def __init__(self, *seeds: int):
        state = 0
        for seed in seeds:
            state = mix((state + seed + _STEP) & _MASK)
        self._state = state

    def branch(self, seed: int) -> SampleRandom:
        """The generator of one more seed: ``SampleRandom(a).branch(b)`` is ``SampleRandom(a, b)``.

        >>> SampleRandom(1, 2).branch(3).random() == SampleRandom(1, 2, 3).random()
        True
        """
        other = SampleRandom.__new__(SampleRandom)
        other._state = mix((self._state + seed + _STEP) & _MASK)
        return other

    def bits(self) -> int:
        """64 random bits."""
        self._state = (self._state + _STEP) & _MASK
        return mix(self._state)

    def random(self) -> float:
        """A float in [0, 1)."""
        return (self.bits() >> 11) * 2.0**-53

    def uniform(self, low: float, high: float) -> float:
        """A float in [low, high)."""
        return low + (high - low) * self.random()

    def randint(self, low: int, high: int) -> int:
        """An int from low to high, both included."""
        return low + (self.bits() * (high - low + 1) >> 64)

    def normal(self, mean: float = 0.0, deviation: float = 1.0) -> float:
        """A normally distributed float."""
        radius = math.sqrt(-2.0 * math.log(1.0 - self.random()))
        return mean + deviation * radius * math.cos(2.0 * math.pi * self.random())

    def choice(self, values: Sequence[Value]) -> Value:
        """One of the values."""
        return values[self.randint(0, len(values) - 1)]

    def shuffle(self, values: list[Any]) -> None:
        """Put a list into random order, in place."""
        for position in range(len(values) - 1, 0, -1):
            other = self.randint(0, position)
            values[position], values[other] = values[other], values[position]

    def sample(self, values: Sequence[Value], count: int) -> list[Value]:
        """``count`` of the values, none twice."""
        remaining = list(values)
        self.shuffle(remaining)
        return remaining[:count]

    def numpy(self) -> np.random.Generator:
        """A NumPy generator that continues from here, for many numbers at once."""
        return np.random.Generator(np.random.PCG64(self.bits()))
