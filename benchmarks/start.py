"""How long the first step takes: with nothing compiled before (cold), and in a second process that finds it (warm)."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.harness import Options, Row, at_least, duration, times_faster
from benchmarks.training import LENET, RESNET50, Workload, step_process

_ROUNDS = 3
_TARGETS = {"cold": 1.0, "warm": 4.0}  # against a cold MindSpore, which keeps nothing
_KINDS = ("the first", "the first since the process began")


def run(options: Options, workloads: Sequence[Workload] = (LENET, RESNET50)) -> list[Row]:
    return [row for workload in workloads for row in _measure(workload, options)]


def _measure(workload: Workload, options: Options) -> list[Row]:
    """Two rows for the first call alone, two for all that happens since the process was started."""
    print(f"  first step of {workload.title} ...", file=sys.stderr, flush=True)
    times: dict[str, list[tuple[float, float]]] = {"cold": [], "warm": [], "MindSpore": []}
    for _ in range(max(1, min(_ROUNDS, options.training_rounds))):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for kind in ("cold", "warm"):
                times[kind].append(_first_step("ours", sys.executable, workload, folder))
            if options.mindspore_python is not None:
                times["MindSpore"].append(_first_step("MindSpore", options.mindspore_python, workload, folder))
    return [
        _row(f"{workload.title}, {text}, {kind}", [each[index] for each in times[kind]],
             [each[index] for each in times["MindSpore"]], _TARGETS[kind] if index == 0 else None, options)
        for index, text in enumerate(_KINDS)
        for kind in _TARGETS
    ]  # fmt: skip


def _first_step(competitor: str, python: str, workload: Workload, folder: Path) -> tuple[float, float]:
    """Seconds of the first call, and since the process was started."""
    start = time.perf_counter()
    with step_process(competitor, python, workload, folder) as process:
        first = process.seconds(1)
        return first, time.perf_counter() - start


def _row(title: str, ours: list[float], peer: list[float], limit: float | None, options: Options) -> Row:
    if not peer:
        return Row(title, duration(statistics.median(ours)), target=at_least(limit), note=options.why_not("MindSpore"))
    return times_faster(f"{title}, against MindSpore", ours, peer, limit, statistics.median)
