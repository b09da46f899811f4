"""The part of a worker that is the same for every framework. Imports nothing but the standard library."""

from __future__ import annotations

import re
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ANSWER = "seconds: "
PEAK = "peak: "


def serve(call: Callable[[], Any], finish: Callable[[Any], Any]) -> None:
    """For each number read, make so many calls, wait for the last result and print the seconds it took.

    For the word ``peak``, print the most memory this process ever had instead.
    """
    for line in sys.stdin:
        if line.strip() == "peak":
            print(f"{PEAK}{peak_megabytes():.1f}", flush=True)
            continue
        result = None
        start = time.perf_counter()
        for _ in range(int(line)):
            result = call()
        finish(result)
        print(f"{ANSWER}{time.perf_counter() - start!r}", flush=True)


def peak_megabytes() -> float:
    """The most memory that this process ever had."""
    # getrusage would count what the process that started this one had, too
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text()) if status.exists() else None
    if found:
        return int(found.group(1)) / 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
