"""``mstx``: marks of a program's own in the recording of a profiler."""

from __future__ import annotations

import itertools
from typing import Any

from mindspore._engine.runtime import profiling
from mindspore._utils.checks import check_int, check_str

__all__ = ["Mstx", "mark", "mstx", "range_end", "range_start"]

_numbers = itertools.count(1)


class mstx:  # noqa: N801 - MindSpore's name
    """Marks moments and ranges. Without a profiler at work they cost next to nothing.

    Examples:
        >>> from mindspore.profiler import mstx
        >>> number = mstx.range_start("reading data")
        >>> mstx.range_end(number)
        >>> mstx.mark("now")
    """

    @staticmethod
    def mark(message: str, stream: Any = None, domain: str = "default") -> None:
        """Mark this moment."""
        check_str("mstx.mark", "message", message, allow_empty=False)
        number = next(_numbers)
        profiling.begin_range(number, message)
        profiling.end_range(number)

    @staticmethod
    def range_start(message: str, stream: Any = None, domain: str = "default") -> int:
        """Begin a range; returns the number that ends it."""
        check_str("mstx.range_start", "message", message, allow_empty=False)
        number = next(_numbers)
        profiling.begin_range(number, message)
        return number

    @staticmethod
    def range_end(range_id: int, domain: str = "default") -> None:
        """End a range."""
        profiling.end_range(check_int("mstx.range_end", "range_id", range_id))


Mstx = mstx
mark, range_start, range_end = mstx.mark, mstx.range_start, mstx.range_end
