"""Random bits of JAX's Threefry generator, and integers made of them: the same numbers, several times as fast on CPUs.

XLA computes twenty rounds for every number one operation after the other; the kernel keeps several vectors of counters in registers.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.random import define_prng_impl

from mindspore._kernels.primitive import NativeKernel, call

_THREEFRY = "threefry2x32"
_FEWEST = 1 << 10  # numbers: fewer are joined by XLA with what uses them
_WIDEST = 1 << 30  # span of integers that there is a kernel for
_UNSIGNED = {8: jnp.uint8, 16: jnp.uint16, 32: jnp.uint32, 64: jnp.uint64}


def generator(words: Any) -> Any:
    """JAX's key for the two words of a key: its numbers are Threefry's."""
    return jax.random.wrap_key_data(words, impl=_implementation)


def integers(words: Any, shape: tuple[int, ...], low: Any, high: Any, dtype: Any) -> Any:
    """``jax.random.randint`` of the key with these words."""
    known = all(isinstance(bound, (int, np.integer)) for bound in (low, high)) and dtype in (jnp.int32, jnp.int64)
    if not known or not 1 <= int(high) - int(low) <= _WIDEST or not all(_fits(b, dtype) for b in (low, high)):
        return jax.random.randint(generator(words), shape, low, high, dtype)
    kernel = Integers(math.prod(shape), int(low), int(high), str(np.dtype(dtype)))
    return call(kernel, words)[0].reshape(shape)


def _fits(bound: Any, dtype: Any) -> bool:
    return np.iinfo(dtype).min <= bound <= np.iinfo(dtype).max


@dataclasses.dataclass(frozen=True)
class Bits(NativeKernel):
    """key -> numbers of 32 or 64 random bits"""

    count: int
    width: int
    targets: ClassVar = {"uint32": "mycelium_random_bits"}

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [(self.count,)]

    def dtypes(self, *operands: Any) -> Sequence[Any]:
        return [_UNSIGNED[self.width]]

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [jax.random.bits(threefry_key(operands[0]), (self.count,), _UNSIGNED[self.width])]


@dataclasses.dataclass(frozen=True)
class Integers(NativeKernel):
    """key -> integers from [low, high)"""

    count: int
    low: int
    high: int
    dtype: str
    targets: ClassVar = {"uint32": "mycelium_random_integers"}

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [(self.count,)]

    def dtypes(self, *operands: Any) -> Sequence[Any]:
        return [np.dtype(self.dtype)]

    def plain(self, *operands: Any) -> Sequence[Any]:
        return [jax.random.randint(threefry_key(operands[0]), (self.count,), self.low, self.high, self.dtype)]

    def attributes(self) -> dict[str, Any]:
        return {"range": np.array([self.low, self.high - self.low], np.int64)}


def threefry_key(words: Any) -> Any:
    """The same as JAX's own key: some of its samplers take no other."""
    return jax.random.wrap_key_data(words, impl=_THREEFRY)


def _bits(words: Any, width: int, shape: tuple[int, ...]) -> Any:
    count = math.prod(shape)
    if count < _FEWEST or count >= 1 << 32:
        return jax.random.bits(threefry_key(words), shape, _UNSIGNED[width])
    drawn = call(Bits(count, max(width, 32)), words)[0].reshape(shape)
    return drawn.astype(_UNSIGNED[width])  # of 32 bits the lowest


def _split(words: Any, shape: tuple[int, ...]) -> Any:
    return jax.random.key_data(jax.random.split(threefry_key(words), shape))


def _fold_in(words: Any, data: Any) -> Any:
    return jax.random.key_data(jax.random.fold_in(threefry_key(words), data))


def _seed(seed: Any) -> Any:
    return jax.random.key_data(jax.random.key(seed, impl=_THREEFRY))


_implementation = define_prng_impl(
    key_shape=(2,), seed=_seed, split=_split, random_bits=_bits, fold_in=_fold_in, name="mycelium_threefry", tag="mfry"
)
