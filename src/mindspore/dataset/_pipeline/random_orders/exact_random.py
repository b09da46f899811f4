"""The random orders of real MindSpore, number for number: mt19937, mt19937_64 and std::shuffle of libstdc++."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

import numpy as np

_LARGEST = 2**32 - 1
_CHUNK = 4096


def mersenne_32(seed: int) -> Iterator[int]:
    """The outputs of ``std::mt19937(seed)``.

    >>> next(mersenne_32(5489))
    3499211612
    """
    source = np.random.MT19937()
    source._legacy_seeding(seed & _LARGEST)
    while True:
        yield from source.random_raw(_CHUNK).tolist()


def mersenne_64(seed: int) -> Iterator[int]:
    """The outputs of ``std::mt19937_64(seed)``.

    >>> next(mersenne_64(5489))
    14514284786278117030
    """
    state = _first_state_64(seed)
    while True:
        _advance_64(state)
        yield from _tempered_64(state).tolist()


_SIZE, _MIDDLE = 312, 156
_UPPER, _LOWER = np.uint64(0xFFFFFFFF80000000), np.uint64(0x7FFFFFFF)
_TWIST = np.uint64(0xB5026F5AA96619E9)


def _first_state_64(seed: int) -> np.ndarray:
    values = [seed & (2**64 - 1)]
    for position in range(1, _SIZE):
        before = values[-1]
        values.append((6364136223846793005 * (before ^ (before >> 62)) + position) & (2**64 - 1))
    return np.array(values, np.uint64)


def _advance_64(state: np.ndarray) -> None:
    """The next 312 numbers, in three parts: each only reads what the parts before it wrote."""
    low_bit = np.uint64(1)
    for start, stop, shift in ((0, _MIDDLE, _MIDDLE), (_MIDDLE, _SIZE - 1, -_MIDDLE)):
        joined = (state[start:stop] & _UPPER) | (state[start + 1 : stop + 1] & _LOWER)
        twisted = (joined >> low_bit) ^ np.where(joined & low_bit, _TWIST, np.uint64(0))
        state[start:stop] = state[start + shift : stop + shift] ^ twisted
    joined = (state[-1] & _UPPER) | (state[0] & _LOWER)
    state[-1] = state[_MIDDLE - 1] ^ (joined >> low_bit) ^ (_TWIST if joined & low_bit else np.uint64(0))


def _tempered_64(state: np.ndarray) -> np.ndarray:
    values = state ^ ((state >> np.uint64(29)) & np.uint64(0x5555555555555555))
    values ^= (values << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000)
    values ^= (values << np.uint64(37)) & np.uint64(0xFFF7EEE000000000)
    return values ^ (values >> np.uint64(43))


def below(draw: Callable[[], int], count: int) -> int:
    """``std::uniform_int_distribution(0, count - 1)`` of a 32-bit generator, in the older form of libstdc++."""
    scale = _LARGEST // count
    limit = count * scale
    number = draw()
    while number >= limit:
        number = draw()
    return number // scale


def shuffle(values: list[int], seed: int) -> None:
    """``std::shuffle`` with ``std::mt19937(seed)``, in place.

    >>> order = list(range(10))
    >>> shuffle(order, 3)
    >>> order
    [3, 1, 8, 5, 2, 6, 9, 7, 0, 4]
    """
    shuffle_with(values, mersenne_32(seed).__next__)


def shuffle_with(values: list[int], draw: Callable[[], int]) -> None:
    """``std::shuffle`` with a 32-bit generator, in place."""
    count = len(values)
    if count < 2:
        return
    if _LARGEST // count < count:  # one number per element
        for i in range(1, count):
            other = below(draw, i + 1)
            values[i], values[other] = values[other], values[i]
        return
    start = 1
    if count % 2 == 0:
        other = below(draw, 2)
        values[1], values[other] = values[other], values[1]
        start = 2
    for i in range(start, count, 2):  # one number for two elements
        spread = i + 2
        total = (i + 1) * spread
        scale = _LARGEST // total
        limit = total * scale
        number = draw()
        while number >= limit:
            number = draw()
        first, second = divmod(number // scale, spread)
        values[i], values[first] = values[first], values[i]
        values[i + 1], values[second] = values[second], values[i + 1]


def with_replacement(count: int, draws: int, seed: int) -> list[int]:
    """``draws`` numbers below ``count``.

    >>> with_replacement(10, 5, 2)
    [4, 1, 0, 9, 5]
    """
    draw = mersenne_32(seed).__next__
    return [below(draw, count) for _ in range(draws)]


def canonical(draw: Callable[[], int]) -> Callable[[], float]:
    """``std::generate_canonical`` of mt19937: floats in [0, 1) of two numbers each, the first the lower half."""
    return lambda: (draw() + draw() * 2.0**32) / 2.0**64


def chosen(weights: Sequence[float], draw: Callable[[], float]) -> int:
    """``std::discrete_distribution``: a number below ``len(weights)``, each as often as its weight says."""
    total = sum(weights)
    sums = [partial / total for partial in accumulate(weights)]
    return bisect_left(sums, draw())


def buffered_order(count: int, buffer_size: int, draw: Callable[[], int]) -> list[int]:
    """The order in which ``count`` rows leave a shuffle buffer; ``draw`` gives 64-bit numbers.

    >>> buffered_order(10, 4, mersenne_64(1).__next__)
    [0, 2, 4, 5, 3, 1, 7, 9, 6, 8]
    """
    held = min(buffer_size, count)
    buffer = list(range(held))
    order = []
    for coming in range(held, count):  # while rows come in, the buffer stays full
        slot = draw() % held
        order.append(buffer[slot])
        buffer[slot] = buffer[-1]
        buffer[-1] = coming
    while buffer:
        slot = draw() % len(buffer)
        order.append(buffer[slot])
        last = buffer.pop()
        if slot < len(buffer):
            buffer[slot] = last
    return order
