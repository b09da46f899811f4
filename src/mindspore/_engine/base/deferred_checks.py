"""Asynchronous checks: a graph returns, with its results, whether every index and value in it was allowed.

The code is one integer: 0, or the first failed check (site), its axis and the offending number. It is inspected when a result is
transferred to the host, and before the next graph runs.
"""

from __future__ import annotations

import atexit
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore._utils import log

NOTHING = np.zeros((), np.int64)  # code of passed checks
NOTHING.setflags(write=False)
SITE, AXIS = 15, 8  # bits of the site and the axis in a code; the index has the rest
FARTHEST = 2**39  # indices are clipped to this for encoding
LOWEST = -(2**63)  # no lower bound
FRACTION = 1  # the axis of a value that is no whole number: its bits follow


Kind = (
    type[Exception] | tuple[type[Exception], type[Exception]]
)  # exception class; or one for too low, one for too high


class Site(NamedTuple):
    """One index check of a graph: operator, argument, and source location."""

    owner: str  # the operator
    name: str  # its argument
    allowed: Sequence[tuple[int, int]]  # half-open range per axis
    kind: Kind
    where: str = ""

    def error(self, position: int, axis: int) -> Exception:
        """The exception for an index out of range."""
        low, high = self.allowed[axis]
        kind = self.kind[position >= high] if isinstance(self.kind, tuple) else self.kind
        which = f" on axis {axis}" if len(self.allowed) > 1 else ""
        words = f"in [{low}, {high})" if low > LOWEST else f"less than {high}"
        text = f"For '{self.owner}', the '{self.name}' must be {words}{which}, but got {position}."
        return kind(text + self.where)


class ValueSite(NamedTuple):
    """One check of values in a graph: operator, what is said of the number, and source location."""

    owner: str
    text: str  # with {} for the value
    kind: type[Exception]
    where: str = ""

    def error(self, position: int, axis: int) -> Exception:
        """The exception for a value that is refused."""
        number = f"{np.int64(position).astype(np.int32).view(np.float32):.7g}" if axis == FRACTION else position
        return self.kind(f"For '{self.owner}', {self.text.format(number)}{self.where}")


def error_of(code: int, sites: Sequence[Site | ValueSite]) -> Exception:
    """The exception that a code stands for."""
    axis = (code >> SITE) % 2**AXIS
    return sites[code % 2**SITE - 1].error(code >> (SITE + AXIS), axis)


pending: deque[tuple[Any, Sequence[Site | ValueSite]]] = deque()  # (code, possibly still being computed, and its sites)


class _Never:
    """A code that never arrives: it keeps the queue from being empty, so that every graph looks."""

    def is_ready(self) -> bool:
        return False

    def block_until_ready(self) -> None:
        pass


_refusal: Callable[[str], Any] | None = None  # raises, where no graph may run


def refuse_graphs(refusal: Callable[[str], Any]) -> None:
    """Let no graph run any more."""
    global _refusal
    _refusal = refusal
    pending.clear()
    pending.append((_Never(), ()))


def expect(code: Any, sites: Sequence[Site | ValueSite]) -> None:
    """Queue the code of a graph run for inspection."""
    pending.append((code, sites))


def look() -> None:
    """Raise the first failure among codes that are ready; does not block."""
    found = None
    for _ in range(len(pending)):
        try:
            code, sites = pending.popleft()
        except IndexError:  # emptied by another thread
            break
        if not code.is_ready():
            pending.append((code, sites))
            continue
        value = np.asarray(code).item()
        if value and found is None:
            found = error_of(value, sites)
    if found is not None:
        raise found


def look_before(inputs: Sequence[Any]) -> None:
    """Inspect before a graph that mutates state runs on these inputs: blocks if they are still being computed."""
    if _refusal is not None:
        _refusal("a compiled graph")
    for input_ in inputs:
        value = getattr(input_, "_value", None)
        if hasattr(value, "is_ready") and not value.is_ready():
            value.block_until_ready()
            break
    look()


def wait() -> None:
    """Block for all pending codes, and raise the first failure."""
    for code, _ in tuple(pending):
        code.block_until_ready()
    look()


def look_at_the_end() -> None:
    """At exit: log the failure of a program that never read a result."""
    try:
        wait()
    except Exception as error:
        log.error("%s", f"The program ends with a wrong result that was not read: {error}")


atexit.register(look_at_the_end)
