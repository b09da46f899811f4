"""The part of a worker that is the same for every framework. Imports nothing but the standard library."""

from __future__ import annotations

import os
import re
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ANSWER = "seconds: "
PEAK = "peak: "
PROCESSOR_TIME = "BENCH_PROCESSOR_TIME"  # set in the environment: processor time instead of elapsed time


def clock() -> float:
    """Seconds, of which differences count: elapsed, or spent by the threads of this process."""
    return time.process_time() if PROCESSOR_TIME in os.environ else time.perf_counter()


def serve(call: Callable[[], Any], finish: Callable[[Any], Any]) -> None:
    """For each number read, make so many calls, wait for the last result and print the seconds it took.

    For the word ``peak``, print the most memory this process ever had instead.
    """
    for line in sys.stdin:
        if line.strip() == "peak":
            print(f"{PEAK}{peak_megabytes():.1f}", flush=True)
            continue
        result = None
        start = clock()
        for _ in range(int(line)):
            result = call()
        finish(result)
        print(f"{ANSWER}{clock() - start!r}", flush=True)


def peak_megabytes() -> float:
    """The most memory that this process ever had."""
    # getrusage would count what the process that started this one had, too
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text()) if status.exists() else None
    if found:
        return int(found.group(1)) / 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
