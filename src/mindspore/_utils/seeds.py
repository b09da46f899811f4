"""Tells those who draw random numbers that the program has set a seed.

>>> heard = []
>>> listen(heard.append)
>>> announce(3)
>>> heard[-1]
3
"""

from __future__ import annotations

from collections.abc import Callable

_listeners: list[Callable[[int], None]] = []
_latest: list[int] = []


def listen(listener: Callable[[int], None]) -> None:
    """Have ``listener(seed)`` called for every seed, and at once for the current seed."""
    _listeners.append(listener)
    if _latest:
        listener(_latest[-1])


def announce(seed: int) -> None:
    """Tell all listeners."""
    _latest[:] = [seed]
    for listener in _listeners:
        listener(seed)
