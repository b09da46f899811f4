"""The random streams that fill initial weights: the same seed gives the same bits as MindSpore 2.x.

Generator: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011), keyed and offset by a
64-bit seed. Each function fills ``count`` float32 values in order.

>>> print(uniform(7692698082559361260, 3, -0.5, 0.5))
[ 0.29152092 -0.25549805  0.17558618]
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

_MULTIPLIERS = np.array([0xD2511F53, 0xCD9E8D57], np.uint64)
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
_ROUNDS = 10
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_BLOCKS_PER_CHUNK = 8192  # the temporaries of one chunk stay in the cache

# MindSpore's constants have float32 precision and take part in double arithmetic.
_TWO_PI = float(2 * np.float32(3.1415926))
_SQRT_TWO = float(np.float32(1.4142135))
_SMALLEST = np.float32(1e-7)


def uniform(seed: int, count: int, low: float, high: float) -> np.ndarray:
    """``count`` float32 values, uniform between ``low`` and ``high``."""
    low, high = _single(low), _single(high)
    result = np.empty(count, np.float32)
    for part, bits in _chunks(result, seed):
        part[:] = (bits * 2.0**-32)[: part.size] * (high - low) + low
    return result


def normal(seed: int, count: int, mean: float, sigma: float) -> np.ndarray:
    """``count`` float32 values of the normal distribution (Box-Muller, two at a time)."""
    mean, sigma = _single(mean), _single(sigma)
    result = np.empty(count, np.float32)
    for part, bits in _chunks(result, seed):
        unit = ((bits & np.uint32(0x7FFFFF)) | np.uint32(0x3F800000)).view(np.float32) - np.float32(1.0)
        unit = np.maximum(unit, _SMALLEST).astype(np.float64)
        radius = np.sqrt(-2.0 * np.log(unit[::2])) * sigma
        angle = _TWO_PI * unit[1::2]
        pairs = np.stack((radius * np.cos(angle), radius * np.sin(angle)), axis=1) + mean
        part[:] = pairs.ravel()[: part.size]
    return result


def truncated_normal(seed: int, count: int, mean: float, sigma: float, a: float, b: float) -> np.ndarray:
    """``count`` float32 values of the normal distribution cut at the absolute values ``a`` and ``b``."""
    # SciPy takes longer to import than most programs need to start, and only this distribution needs it.
    from scipy.special import erfcinv  # noqa: PLC0415

    mean, sigma, a, b = _single(mean), _single(sigma), _single(a), _single(b)
    below, above = _normal_cdf((a - mean) / sigma), _normal_cdf((b - mean) / sigma)
    result = np.empty(count, np.float32)
    for part, bits in _chunks(result, seed):
        probability = below + (bits * 2.0**-32)[: part.size] * (above - below)
        # A probability that rounds to 0 or 1 would give an infinity.
        part[:] = np.clip(mean - _SQRT_TWO * erfcinv(2.0 * probability) * sigma, min(a, b), max(a, b))
    return result


def fill_normal(seed: int, data: np.ndarray, mean: float, sigma: float) -> None:
    """Fill an array with normal values, the same ones for the same seed; initializers of programs for 1.x call it.

    >>> values = np.zeros(3, np.float32)
    >>> fill_normal(1, values, 0.0, 1.0)
    >>> bool(np.all(values != 0))
    True
    """
    data[...] = normal(int(seed), data.size, mean, sigma).reshape(data.shape)


def _single(value: float) -> float:
    """The number as the float32 argument that MindSpore's generators take."""
    return float(np.float32(value))


def _normal_cdf(z: float) -> float:
    return math.erfc(-z / _SQRT_TWO) / 2.0


def _chunks(result: np.ndarray, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Parts of ``result`` in order, each with its random uint32 words: a multiple of four, so maybe a few too many."""
    blocks = -(-result.size // 4)
    for start in range(0, blocks, _BLOCKS_PER_CHUNK):
        stop = min(start + _BLOCKS_PER_CHUNK, blocks)
        yield result[4 * start : 4 * stop], _words(seed, start, stop)


def _words(seed: int, start: int, stop: int) -> np.ndarray:
    """The output words of blocks ``start`` to ``stop``; four words per block."""
    keys = [seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF]
    index = np.arange(start, stop, dtype=np.uint64)
    # Words 0 and 2 get multiplied, words 1 and 3 mixed in; the seed fills the upper half of the counter.
    multiplied = [index & _LOW, np.full_like(index, keys[0])]
    mixed = [index >> _HALF, np.full_like(index, keys[1])]
    for _ in range(_ROUNDS):
        products = [multiplied[0] * _MULTIPLIERS[0], multiplied[1] * _MULTIPLIERS[1]]
        multiplied = [
            (products[1] >> _HALF) ^ mixed[0] ^ np.uint64(keys[0]),
            (products[0] >> _HALF) ^ mixed[1] ^ np.uint64(keys[1]),
        ]
        mixed = [products[1] & _LOW, products[0] & _LOW]
        keys = [(key + step) & 0xFFFFFFFF for key, step in zip(keys, _KEY_STEPS, strict=True)]
    return np.stack((multiplied[0], mixed[0], multiplied[1], mixed[1]), axis=1).astype(np.uint32).ravel()
