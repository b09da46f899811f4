"""Checks that travel with results: a graph says with what it computes whether every position in it was in range.

What it says is one number: 0, or which check failed first, on which axis, and the position it met. It is looked at when a
result is brought to the host, and before the next graph runs.
"""

from __future__ import annotations

import atexit
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore._utils import log

NOTHING = np.zeros((), np.int64)  # what checks say when all is well
NOTHING.setflags(write=False)
SITE, AXIS = 15, 8  # bits of what they say otherwise: the number of the check and the axis, then the position
FARTHEST = 2**39  # the position that is told of those farther away
LOWEST = -(2**63)  # as the lower bound: there is none


Kind = type[Exception] | tuple[type[Exception], type[Exception]]  # of the error; of one for too low, one for too high


class Site(NamedTuple):
    """One check of a graph: what it is about, and where in the user's program it stands."""

    owner: str  # the operator
    name: str  # its argument
    allowed: Sequence[tuple[int, int]]  # per axis the first position allowed, and the first that is not any more
    kind: Kind
    where: str = ""

    def error(self, position: int, axis: int) -> Exception:
        """What to raise for a position out of range."""
        low, high = self.allowed[axis]
        kind = self.kind[position >= high] if isinstance(self.kind, tuple) else self.kind
        which = f" on axis {axis}" if len(self.allowed) > 1 else ""
        words = f"in [{low}, {high})" if low > LOWEST else f"less than {high}"
        text = f"For '{self.owner}', the '{self.name}' must be {words}{which}, but got {position}."
        return kind(text + self.where)


pending: deque[tuple[Any, Sequence[Site]]] = (
    deque()
)  # what was said, perhaps not computed yet, and the checks it is about


def expect(said: Any, sites: Sequence[Site]) -> None:
    """Look at what checks say, as soon as it is computed and somebody asks."""
    pending.append((said, sites))


def look() -> None:
    """Raise the first error among those that are known by now; nothing is waited for."""
    found = None
    for _ in range(len(pending)):
        try:
            said, sites = pending.popleft()
        except IndexError:  # another thread looks too
            break
        if not said.is_ready():
            pending.append((said, sites))
            continue
        number = np.asarray(said).item()
        if number and found is None:
            axis = (number >> SITE) % 2**AXIS
            found = sites[number % 2**SITE - 1].error(number >> (SITE + AXIS), axis)
    if found is not None:
        raise found


def look_before(inputs: Sequence[Any]) -> None:
    """The same before a graph that writes runs on these inputs: what computes them must not have failed."""
    for one in inputs:
        value = getattr(one, "_value", None)
        if hasattr(value, "is_ready") and not value.is_ready():
            value.block_until_ready()
            break
    look()


def wait() -> None:
    """Raise the first error among all that is under way."""
    for said, _ in tuple(pending):
        said.block_until_ready()
    look()


def look_at_the_end() -> None:
    """Say what failed in a program that never asked for a result."""
    try:
        wait()
    except Exception as error:
        log.error("%s", f"The program ends, and nobody asked for a result that is wrong: {error}")


atexit.register(look_at_the_end)
