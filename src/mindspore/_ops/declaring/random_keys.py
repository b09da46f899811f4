"""Where random operators get their keys from: the global state, or a stream with a seed of its own.

A key is two 32-bit words for JAX's Threefry generator. Threefry rather than Philox: it gives the same numbers on every kind of
device, and on CPUs there is a kernel for it (``_kernels/random_bits.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.execution.random import generator as global_state
from mindspore._engine.execution.random import next_key
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import checks, seeds

_ONE_CALL = np.array([0, 1], np.uint32)
_advance = Kernel("AdvanceRandomStream", lambda words: words + _ONE_CALL)


class KeyStream:
    """Keys from a seed: the same sequence in every run, another key for every call, in compiled graphs too."""

    def __init__(self, *seeds: int):
        first = np.random.SeedSequence(seeds, spawn_key=(1,)).generate_state(1)[0]  # unlike the global state's words
        self._start = np.array([first, 0], np.uint32)
        self.state = Tensor.wrap(self._start)
        self.state._birth = None  # also when made inside a trace: the stream outlives it

    def restart(self) -> None:
        self.state._set(self._start)

    def next_key(self) -> Tensor:
        words = self.state._read()
        key = Tensor.wrap(words)
        self.state._set(words + _ONE_CALL if isinstance(words, np.ndarray) else _advance.jitted(words))
        return key


class GlobalStream:
    """Keys from the global state."""

    state = global_state
    next_key = staticmethod(next_key)


def _draw_from(stream: KeyStream | GlobalStream, sampler: Callable[..., Any], *arguments: Any) -> Any:
    """``sampler(key, *arguments)`` with the stream's next key; the stream stays where it was when the call fails."""
    before = stream.state._value
    key = stream.next_key()
    try:
        return sampler(key, *arguments)
    except Exception:
        stream.state._set(before)
        raise


_global = GlobalStream()
_streams: dict[tuple, KeyStream] = {}  # of the functions that were called with a seed


def _restart_streams(_: int) -> None:
    for stream in _streams.values():
        stream.restart()


seeds.listen(_restart_streams)


def draw(name: str, seeds: int | tuple[int, ...] | None, sampler: Callable[..., Any], *arguments: Any) -> Any:
    """What the sampler makes of the next key of the function ``name``: of its own stream where there are seeds."""
    stream = _function_stream(name, seeds if isinstance(seeds, tuple) else (seeds,))
    return _draw_from(stream, sampler, *arguments)


def _function_stream(name: str, seeds: tuple[int | None, ...]) -> KeyStream | GlobalStream:
    """The global state, or with seeds (neither None nor 0) a stream of the function's own."""
    numbers = [checks.check_non_negative_int(name, "seed", seed) for seed in seeds if seed is not None]
    if not any(numbers):
        return _global
    if (name, *numbers) not in _streams:
        _streams[name, *numbers] = KeyStream(*numbers)
    return _streams[name, *numbers]


class RandomPrimitive(Primitive):
    """Base of random Primitives: without seeds they use the global state, with seeds each object its own stream."""

    def __init__(self, seed: int = 0, seed2: int = 0, names: tuple[str, str] = ("seed", "seed2"), **attributes: Any):
        super().__init__()
        checks.check_type(self.name, "names", names, (tuple, list))
        if len(names) != 2:
            raise ValueError(f"For '{self.name}', the 'names' must be two strings, but got {names!r}.")
        for name, value in zip(names, (seed, seed2), strict=True):
            checks.check_str(self.name, "names", name)
            self.add_prim_attr(name, checks.check_non_negative_int(self.name, name, value))
        for name, value in attributes.items():
            self.add_prim_attr(name, value)
        self._stream = KeyStream(seed, seed2) if seed or seed2 else _global

    def draw(self, sampler: Callable[..., Any], *arguments: Any) -> Any:
        """What the sampler makes of this object's next key."""
        return _draw_from(self._stream, sampler, *arguments)
