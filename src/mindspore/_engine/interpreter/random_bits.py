"""Rules of random keys, which are arrays of words here, and of the generator's bits."""

from __future__ import annotations

import math
from typing import Any

import jax
import numpy as np

from mindspore._engine.interpreter.rules import LeftToXLA, identity, rule
from mindspore._kernels import library
from mindspore._kernels import random_bits as kernel

_THREEFRY = ("threefry2x32", "mycelium_threefry")
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))


@rule("threefry2x32", nanoseconds=60.0)
def _threefry(equation: Any) -> Any:
    return threefry


def threefry(key0: Any, key1: Any, x0: Any, x1: Any) -> tuple[Any, Any]:
    """Twenty rounds over pairs of 32-bit words."""
    x0, x1, key0, key1 = (np.asarray(one, np.uint32) for one in (x0, x1, key0, key1))
    keys = (key0, key1, key0 ^ key1 ^ np.uint32(0x1BD11BDA))
    x0, x1 = np.add(x0, keys[0]), np.add(x1, keys[1])
    for turn in range(5):
        for rotation in _ROTATIONS[turn % 2]:
            x0 = np.add(x0, x1)
            x1 = np.left_shift(x1, np.uint32(rotation)) | np.right_shift(x1, np.uint32(32 - rotation))
            x1 = np.bitwise_xor(x0, x1)
        x0 = np.add(x0, keys[(turn + 1) % 3])
        x1 = np.add(np.add(x1, keys[(turn + 2) % 3]), np.uint32(turn + 1))
    return x0, x1


@rule("iota_2x32_shape", nanoseconds=5.0, quiet=True)
def _counts(equation: Any) -> Any:
    shape = tuple(equation.params["shape"])

    def count() -> tuple[Any, Any]:
        numbers = np.arange(math.prod(shape), dtype=np.uint64).reshape(shape)
        return np.right_shift(numbers, np.uint64(32)).astype(np.uint32), numbers.astype(np.uint32)

    return count


@rule("random_wrap", "random_unwrap", quiet=True, view=True)
def _words(equation: Any) -> Any:
    return identity


def generator_call(equation: Any) -> Any:
    """What a primitive on keys does with their words, as a traced function."""
    name, params = equation.primitive.name, equation.params
    source = equation.invars[0].aval
    if source.shape != ():
        raise LeftToXLA("many keys")
    words = jax.ShapeDtypeStruct(source.shape, source.dtype)
    if name == "random_seed":
        return jax.make_jaxpr(params["impl"].seed)(words)
    generator = source.dtype._impl
    words = jax.ShapeDtypeStruct(generator.key_shape, np.uint32)
    if name == "random_bits":
        width, shape = params["bit_width"], params["shape"]
        # A hundred calls of NumPy for what the kernel does in one.
        by_kernel = library.active() and generator.name in _THREEFRY and 0 < math.prod(shape) < 1 << 32
        bits = kernel.drawn if by_kernel else generator.random_bits
        return jax.make_jaxpr(lambda key: bits(key, width, shape))(words)
    if name == "random_split":
        return jax.make_jaxpr(lambda key: generator.split(key, params["shape"]))(words)
    data = equation.invars[1].aval
    return jax.make_jaxpr(generator.fold_in)(words, jax.ShapeDtypeStruct(data.shape, data.dtype))


KEYED = ("random_bits", "random_split", "random_seed", "random_fold_in")
