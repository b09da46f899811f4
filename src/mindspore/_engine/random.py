"""Random state: seeds, and a key for every random operator call.

The state is a Tensor of two words (seed, counter). A graph reads and advances it like any other Tensor, so random
numbers differ from call to call in compiled code too.
"""

from __future__ import annotations

import random as python_random
import secrets

import numpy as np

from mindspore._engine.kernel import Kernel
from mindspore._engine.tensor import Tensor
from mindspore._utils import seeds

_seed: int | None = None

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
    _restart(seed)


def get_seed() -> int | None:
    """The seed given to :func:`set_seed`, or None."""
    return _seed


def _words(seed: int) -> np.ndarray:
    mixed = np.random.SeedSequence(seed).generate_state(1)[0]
    return np.array([mixed, 0], np.uint32)


generator = Tensor.wrap(None)


def _restart(seed: int) -> None:
    generator._set(_words(seed))


def next_key() -> Tensor:
    """A key no other call gets: state now, and the state moves on."""
    if generator._value is None:
        # Without a seed, runs differ, as in MindSpore.
        generator._value = _words(secrets.randbits(63) if _seed is None else _seed)
    words = generator._read()
    key = Tensor.wrap(words)
    if isinstance(words, np.ndarray):
        generator._set(words + np.array([0, 1], np.uint32))  # on the host: no operator call in eager code
    else:
        generator._set(_advance.jitted(words))
    return key


def op_key(seed: int, seed2: int) -> Tensor:
    """The key of an operator with its own seeds: reproducible whatever ran before, as long as they are not zero."""
    if not seed and not seed2:
        return next_key()
    return Tensor.wrap(np.array([seed % 2**32, seed2 % 2**32], np.uint32))


def get_state() -> np.ndarray:
    """The state, to be handed to :func:`set_state` later."""
    if generator._value is None:
        next_key()
    return np.array(generator._value)


def set_state(words: np.ndarray) -> None:
    generator._set(np.array(words, np.uint32))


__all__ = ["generator", "get_seed", "get_state", "next_key", "op_key", "set_seed", "set_state"]
