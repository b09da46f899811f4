"""PRNG generators that users can hold, seed, save and restore."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore._engine.execution import random
from mindspore._engine.tensor.tensor import Tensor

_STATE_BYTES = 16  # seed and draw counter, 8 bytes each


class Generator:
    """A source of random numbers with a state of its own.

    Examples:
        >>> import mindspore as ms
        >>> generator = ms.Generator()
        >>> generator.manual_seed(5).initial_seed()
        5
        >>> print(generator.get_state())
        [5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]
    """

    def __init__(self) -> None:
        self._seed = 0
        self.state = Tensor.wrap(random.words_of(0))
        self.state._birth = None  # never local to a trace: the generator outlives it

    def manual_seed(self, seed: int) -> Generator:
        """Start again from this seed; returns the generator."""
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise TypeError(f"Seed must be an integer, but got {seed!r} of type {type(seed).__name__}.")
        return self._start(seed, 0)

    def _start(self, seed: int, draws: int) -> Generator:
        self._seed = seed
        self.state._set(random.words_of(seed % 2**64, draws))
        return self

    def seed(self) -> int:
        """Start again from a seed nobody chose; returns the seed."""
        return self.manual_seed(secrets.randbits(32)).initial_seed()

    def initial_seed(self) -> int:
        """The seed it started from."""
        return self._seed

    def get_state(self) -> Tensor:
        """The state as 16 bytes, to be handed to :meth:`set_state` later."""
        seed = self.initial_seed() % 2**64
        words = self.state._host("Generator.get_state()", "save the state outside the compiled function.")
        parts = [np.array([seed], np.uint64), np.array([words[1]], np.uint64)]
        return Tensor(np.concatenate(parts).view(np.uint8))

    def set_state(self, state: Tensor) -> None:
        """Go on from a state that :meth:`get_state` returned."""
        if not isinstance(state, Tensor) or state.shape != (_STATE_BYTES,) or str(state.dtype) != "UInt8":
            got = f"{state.dtype} of shape {state.shape}" if isinstance(state, Tensor) else type(state).__name__
            raise RuntimeError(
                f"Invalid tensor input: State must be what get_state() returned, 16 of UInt8, but got {got}."
            )
        seed, draws = state.asnumpy().view(np.int64).tolist()
        self._start(seed, draws)

    def _step(self, step: Tensor) -> tuple[Tensor, Tensor]:
        """The seed, and how many numbers were drawn so far, as Tensors; the next ``step`` draws are left to the caller."""
        if not isinstance(step, Tensor) or step.size != 1:
            raise RuntimeError(
                f"Invalid tensor input: Step must be a Tensor of one int, say Tensor(1, mindspore.int64), but got {step!r}."
            )
        seed, words = np.array(self.initial_seed() % 2**64, np.uint64).astype(np.int64), self._words()
        self.state._set(words + np.array([0, 1], np.uint32) * step._read().astype(np.uint32))
        return Tensor.wrap(seed), Tensor.wrap(words[1].astype(np.int64))

    def _words(self) -> Any:
        return self.state._read()

    def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function whose random operators draw from this generator."""
        if self is default_generator:
            return function(*args, **kwargs)
        shared = random.generator
        before = random.current_words()
        shared._become(self.state)
        try:
            result = function(*args, **kwargs)
            self.state._become(shared)
        finally:
            shared._set(before)
        return result


class _DefaultGenerator(Generator):
    """The generator of operators that were not given one."""

    def __init__(self) -> None:
        self.state = random.generator

    def _start(self, seed: int, draws: int) -> Generator:
        random.restart(seed, draws)
        return self

    def initial_seed(self) -> int:
        return random.started_from()

    def _words(self) -> Any:
        return random.current_words()


default_generator = _DefaultGenerator()


def manual_seed(seed: int) -> Generator:
    """Start the random state of operators from this seed; returns the default generator.

    Unlike ``set_seed`` it leaves NumPy, the data pipeline and initial weights alone.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import ops
        >>> first = ms.manual_seed(3) and ops.rand(2)
        >>> again = ms.manual_seed(3) and ops.rand(2)
        >>> bool((first == again).all())
        True
    """
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Start the random state of operators from a seed nobody chose; returns the seed.

    Examples:
        >>> import mindspore as ms
        >>> ms.seed() == ms.initial_seed()
        True
    """
    return default_generator.seed()


def initial_seed() -> int:
    """The seed the random state of operators started from.

    Examples:
        >>> import mindspore as ms
        >>> ms.manual_seed(3).initial_seed(), ms.initial_seed()
        (3, 3)
    """
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The random state of operators, to be handed to :func:`set_rng_state` later.

    Examples:
        >>> import mindspore as ms
        >>> ms.get_rng_state().shape
        (16,)
    """
    return default_generator.get_state()


def set_rng_state(state: Tensor) -> None:
    """Go on from a random state that :func:`get_rng_state` returned.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import ops
        >>> state = ms.get_rng_state()
        >>> first = ops.rand(2)
        >>> ms.set_rng_state(state)
        >>> bool((ops.rand(2) == first).all())
        True
    """
    default_generator.set_state(state)


__all__ = ["Generator", "default_generator", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state"]
