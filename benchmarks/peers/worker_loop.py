"""The part of a worker that is the same for every framework. Imports nothing but the standard library."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

ANSWER = "seconds: "


def serve(call: Callable[[], Any], finish: Callable[[Any], Any]) -> None:
    """For each number read, make so many calls, wait for the last result and print the seconds it took."""
    for line in sys.stdin:
        result = None
        start = time.perf_counter()
        for _ in range(int(line)):
            result = call()
        finish(result)
        print(f"{ANSWER}{time.perf_counter() - start!r}", flush=True)
