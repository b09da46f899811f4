"""A line that tells how far long work has come: at a terminal, and only when it takes a while.

>>> list(progress(range(3), "counting"))
[0, 1, 2]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

Value = TypeVar("Value")

PATIENCE = 2.0  # seconds before the line appears
INTERVAL = 0.2  # seconds between its changes


def progress(values: Iterable[Value], what: str, total: int | None = None) -> Iterator[Value]:
    """The values; meanwhile a line on stderr says how many of them are done, how fast, and how long it will take."""
    if not sys.stderr.isatty():
        yield from values
        return
    if total is None and isinstance(values, Sized):
        total = len(values)
    start = time.monotonic()
    due, shown = start + PATIENCE, False
    count = 0
    try:
        for count, value in enumerate(values, 1):
            yield value
            now = time.monotonic()
            if now >= due:
                due, shown = now + INTERVAL, True
                sys.stderr.write("\r" + line(what, count, total, now - start).ljust(78))
                sys.stderr.flush()
    finally:
        if shown:
            sys.stderr.write("\r" + line(what, count, total, time.monotonic() - start).ljust(78) + "\n")


def line(what: str, count: int, total: int | None, seconds: float) -> str:
    """The text of the line.

    >>> line("reading files", 250, 1000, 5.0)
    'reading files: 250 of 1000 (25%), 50/s, 15 s left'
    """
    rate = count / max(seconds, 1e-9)
    speed = f"{rate:.0f}/s" if rate >= 10 else f"{rate:.2g}/s"
    if not total:
        return f"{what}: {count}, {speed}"
    left = f", {(total - count) / max(rate, 1e-9):.0f} s left" if count < total else f", took {seconds:.0f} s"
    return f"{what}: {count} of {total} ({100 * count // total}%), {speed}{left}"
