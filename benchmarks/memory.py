"""Resident memory over many eager operators and many gradients: it must stay where it is."""

from __future__ import annotations

import gc
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mindspore as ms
from benchmarks.harness import Options, Row
from benchmarks.programs import execution_mode, small_pair, three_operators

_LIMIT = 4.0  # MB: allocators keep a page here and there
_STATUS = Path("/proc/self/statm")


def run(options: Options) -> list[Row]:
    x, y = small_pair()
    gradient = ms.grad(three_operators, (0, 1))
    with execution_mode(ms.PYNATIVE_MODE):
        return [
            _growth("eager operators", options.eager_operators, lambda: x + y),
            _growth("gradients of three operators", options.gradients, lambda: gradient(x, y)),
        ]


def _growth(name: str, count: int, call: Callable[[], Any]) -> Row:
    """How much resident memory grows over the calls, once a first tenth of them has warmed everything up."""
    _repeat(call, max(count // 10, 1))
    before = resident_megabytes()
    _repeat(call, count)
    growth = resident_megabytes() - before
    return Row(
        f"resident memory over {count:,} {name}", f"{before + growth:.0f} MB", f"{before:.0f} MB before",
        f"{growth:.2f} MB more", target=f"<= {_LIMIT:g} MB more", holds=growth <= _LIMIT,
    )  # fmt: skip


def _repeat(call: Callable[[], Any], count: int) -> None:
    for _ in range(count):
        call()
    gc.collect()


def resident_megabytes() -> float:
    """Resident memory now; where the system does not tell, the most there has been, which shows growth as well."""
    if _STATUS.exists():
        return int(_STATUS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
