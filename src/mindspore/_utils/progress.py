"""A line that tells how far long work has come: at a terminal or in a notebook, and only when it takes a while.

>>> list(progress(range(3), "counting"))
[0, 1, 2]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

from mindspore._utils import notebook

Value = TypeVar("Value")

PATIENCE = 2.0  # seconds before the line appears
INTERVAL = 0.2  # seconds between its changes


def progress(values: Iterable[Value], what: str, total: int | None = None) -> Iterator[Value]:
    """The values; meanwhile a line says how many of them are done, how fast, and how long it will take."""
    page = notebook.LiveLine() if notebook.shows_html() else None
    if page is None and not sys.stderr.isatty():
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
                _draw(page, line(what, count, total, now - start), "")
    finally:
        if shown:
            _draw(page, line(what, count, total, time.monotonic() - start), "\n")


def _draw(page: notebook.LiveLine | None, text: str, end: str) -> None:
    if page is not None:
        page.draw(text)
        return
    sys.stderr.write("\r" + text.ljust(78) + end)
    sys.stderr.flush()


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
