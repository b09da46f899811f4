"""Random numbers of a sample: they depend on a seed alone, and a generator costs next to nothing to make.

>>> first, second = SampleRandom(7), SampleRandom(7)
>>> first.random() == second.random(), 0 <= first.random() < 1
(True, True)

The generators of many samples draw at once, each the number it would draw alone:

>>> SampleRandoms(SampleRandom(7), np.arange(5)).random().tolist()[2] == SampleRandom(7, 2).random()
True
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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


_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)


def _mix_all(values: np.ndarray) -> np.ndarray:
    """``mix`` of every value, in place; unsigned arithmetic wraps around by itself."""
    values ^= values >> _SHIFTS[0]
    values *= _FACTORS[0]
    values ^= values >> _SHIFTS[1]
    values *= _FACTORS[1]
    values ^= values >> _SHIFTS[2]
    return values


class SampleRandoms:
    """The generators of several samples: a draw gives a number for each.

    The generator at position i is ``stream.branch(seeds[i])``.
    """

    __slots__ = ("_states",)

    def __init__(self, stream: SampleRandom, seeds: np.ndarray):
        states = seeds.astype(np.uint64)
        states += np.uint64((stream._state + _STEP) & _MASK)
        self._states = _mix_all(states)

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, position: int) -> SampleRandom:
        """The generator of a single sample, independent of the others from here on."""
        sample = SampleRandom.__new__(SampleRandom)
        sample._state = int(self._states[position])
        return sample

    def __iter__(self) -> Iterator[SampleRandom]:
        return (self[position] for position in range(len(self)))

    def bits(self) -> np.ndarray:
        """64 random bits for each."""
        self._states = self._states + np.uint64(_STEP)  # a new array: copies of this object go on from where they are
        return _mix_all(self._states.copy())

    def random(self) -> np.ndarray:
        """A float in [0, 1) for each."""
        return (self.bits() >> np.uint64(11)) * 2.0**-53

    def randint(self, low: int, high: int) -> np.ndarray:
        """An int from low to high, both included, for each; there are fewer than 2**32 to choose from."""
        bits, count = self.bits(), np.uint64(high - low + 1)
        upper = (bits >> _HALF) * count + ((bits & _LOW) * count >> _HALF)
        return low + (upper >> _HALF).astype(np.int64)
