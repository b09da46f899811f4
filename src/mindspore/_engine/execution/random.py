"""Global PRNG state: seeds, and a key for every random operator call.

The state is a Tensor of two words (seed, counter). A graph captures and updates it like any other Tensor, so that random
numbers differ between calls of compiled code too.
"""

from __future__ import annotations

import random as python_random
import secrets
from typing import Any

import numpy as np

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import seeds

_seed: int | None = None
_started_from = 0  # the initial seed, also if it was drawn at random

_advance = Kernel("AdvanceRandomState", lambda words: words + np.array([0, 1], np.uint32))


def set_seed(seed: int) -> None:
    """Seed everything: NumPy's global generator, the data pipeline, initial weights and random operators.

    Examples:
        >>> import mindspore as ms
        >>> ms.set_seed(1)
        >>> ms.get_seed()
        1
    """
    global _seed
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"The argument 'seed' must be type of int, but got {type(seed)}.")
    if seed < 0:
        raise ValueError(f"The argument 'seed' must be greater or equal to 0, but got {seed}.")
    np.random.seed(seed % 2**32)
    python_random.seed(seed)
    seeds.announce(seed)
    _seed = seed
    restart(seed, 0)


def get_seed() -> int | None:
    """The seed given to :func:`set_seed`, or None.

    Examples:
        >>> import mindspore
        >>> mindspore.set_seed(7)
        >>> print(mindspore.get_seed())
        7
    """
    return _seed


def words_of(seed: int, draws: int = 0) -> np.ndarray:
    """The state for a seed after this many draws."""
    mixed = np.random.SeedSequence(seed).generate_state(1)[0]
    return np.array([mixed, draws % 2**32], np.uint32)


generator = Tensor.wrap(None)


def restart(seed: int, draws: int) -> None:
    """Set the state to this many draws after the seed."""
    global _started_from
    generator._set(words_of(seed % 2**64, draws))
    _started_from = seed


def _begin() -> None:
    """Initialise the state lazily; without a seed it is random, as in MindSpore."""
    global _started_from
    if generator._value is None:
        _started_from = secrets.randbits(63) if _seed is None else _seed
        generator._value = words_of(_started_from)


def started_from() -> int:
    """The initial seed of the state."""
    _begin()
    return _started_from


def current_words() -> Any:
    """The state; a tracer inside a graph."""
    _begin()
    return generator._read()


def next_key() -> Tensor:
    """A fresh key: the current state, which is then advanced."""
    words = current_words()
    key = Tensor.wrap(words)
    if isinstance(words, np.ndarray):
        generator._set(words + np.array([0, 1], np.uint32))  # on the host: no dispatch in eager code
    else:
        generator._set(_advance.jitted(words))
    return key


def op_key(seed: int, seed2: int) -> Tensor:
    """The key of an operator with its own nonzero seeds: reproducible, independent of the global state."""
    if not seed and not seed2:
        return next_key()
    return Tensor.wrap(np.array([seed % 2**32, seed2 % 2**32], np.uint32))


def get_state() -> np.ndarray:
    """A copy of the state for :func:`set_state`."""
    _begin()
    return np.array(generator._value)


def set_state(words: np.ndarray) -> None:
    generator._set(np.array(words, np.uint32))


__all__ = [
    "current_words",
    "generator",
    "get_seed",
    "get_state",
    "next_key",
    "op_key",
    "restart",
    "set_seed",
    "set_state",
    "started_from",
    "words_of",
]
