"""The random orders of MindRecord files in real MindSpore: ``std::shuffle`` with ``std::default_random_engine``."""

from __future__ import annotations

from collections.abc import Callable, Iterable

_MODULUS, _FACTOR = 2**31 - 1, 16807
_SPREAD = _MODULUS - 2  # the largest minus the smallest number of the generator


def _generator(seed: int) -> Callable[[], int]:
    """The outputs of ``std::minstd_rand0(seed)``, from 0."""
    state = seed % _MODULUS or 1

    def draw() -> int:
        nonlocal state
        state = state * _FACTOR % _MODULUS
        return state - 1

    return draw


def _below(draw: Callable[[], int], count: int) -> int:
    scale = _SPREAD // count
    number = draw()
    while number >= count * scale:
        number = draw()
    return number // scale


def smallest_shuffle(values: Iterable[int], seed: int) -> list[int]:
    """The values in random order, as ``std::shuffle`` of libstdc++ leaves them.

    >>> smallest_shuffle(range(10), 4)
    [5, 9, 3, 0, 1, 6, 7, 4, 2, 8]
    """
    order = list(values)
    count = len(order)
    draw = _generator(seed)
    if count < 2:
        return order
    if _SPREAD // count < count:  # one number per element
        for i in range(1, count):
            other = _below(draw, i + 1)
            order[i], order[other] = order[other], order[i]
        return order
    start = 1
    if count % 2 == 0:
        other = _below(draw, 2)
        order[1], order[other] = order[other], order[1]
        start = 2
    for i in range(start, count, 2):  # one number for two elements
        first, second = divmod(_below(draw, (i + 1) * (i + 2)), i + 2)
        order[i], order[first] = order[first], order[i]
        order[i + 1], order[second] = order[second], order[i + 1]
    return order
