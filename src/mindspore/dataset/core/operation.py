"""What every transform is."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore._utils.sample_random import SampleRandom, SampleRandoms

_calls = itertools.count()
_seed_of_calls: list[int] = [5489]


class Operation:
    """A transform of samples.

    ``run`` handles one sample (random operations get the generator first); ``block`` may handle a stack of samples of equal
    shape at once, with the same bits. The stack may be another operation's input: it must not be written to.
    Calling an operation applies it to arrays, images or bytes at hand.
    """

    is_random = False
    columns = 1  # how many columns it takes
    parts: Sequence[Callable] = ()  # what it does one after the other, where it is nothing but that
    run: Callable[..., Any]  # the result for one sample; every operation defines it, with the inputs it takes
    implementation: Any = None  # old programs set it, nothing depends on it

    def parse(self) -> Operation:
        """The operation that does the work: itself, or the one that an operation of the program names."""
        return self

    def block(self, stack: np.ndarray) -> Any:
        """The results for samples stacked along the first axis, or NotImplemented: then ``run`` is called for each."""
        return NotImplemented

    def __call__(self, *inputs: Any) -> Any:
        return self.run(*inputs)


def draws(operation: Any) -> bool:
    """Whether it is an operation that is handed a generator of random numbers."""
    return isinstance(operation, Operation) and operation.is_random


class RandomOperation(Operation):
    """A transform that draws random numbers, all of them from the generator it is handed."""

    is_random = True

    def block(self, stack: np.ndarray, randoms: SampleRandoms) -> Any:  # type: ignore[override]
        """As for other operations, with a generator for each sample; draws nothing before it returns NotImplemented."""
        return NotImplemented

    def __call__(self, *inputs: Any) -> Any:
        return self.run(SampleRandom(_seed_of_calls[0], next(_calls)), *inputs)


def seed_calls(seed: int) -> None:
    """Let direct calls of random operations start over from this seed."""
    global _calls
    _calls = itertools.count()
    _seed_of_calls[0] = seed
