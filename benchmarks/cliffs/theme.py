"""Every operator family, compiled, against PyTorch and plain JAX: no operator may fall off a cliff.

Every competitor is a process of its own, which serves all cases; they take turns, case by case.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import statistics
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.cliffs.case import Case
from benchmarks.cliffs.worker import CASES
from benchmarks.harness import Options, Row, alternate, at_least, times_faster
from benchmarks.peers.process import PeerProcess
from benchmarks.peers.worker_loop import ANSWER

_FRAMEWORKS = {"ours": "ours", "PyTorch": "pytorch", "JAX": "plain_jax"}
_LEAST, _MEAN = 0.8, 1.5  # of PyTorch's speed: of every case, and of all
_ROUNDS, _SLICE = 9, 0.05


class CaseProcess(PeerProcess):
    """A worker that serves every case, one at a time."""

    number = 0

    def seconds(self, calls: int) -> float:
        return self._ask(f"{self.number} {calls}", ANSWER)


def run(options: Options) -> list[Row]:
    wanted = {number: case for number, case in enumerate(CASES) if _named(case, options)}
    problems, rows = {}, []
    ratios: dict[str, list[float]] = {"PyTorch": [], "JAX": []}
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        processes: dict[str, CaseProcess] = {}
        for name, framework in _FRAMEWORKS.items():
            python = sys.executable if name == "ours" else options.interpreter(name)
            if python is None:
                problems[name] = options.why_not(name)
                continue
            environment = {"MYCELIUM_CACHE_DIR": str(Path(folder) / "cache")}
            process = CaseProcess(python, "../cliffs/worker.py", framework, environment, Path(folder))
            stack.enter_context(process)
            processes[name] = process
        for number, case in wanted.items():
            print(f"  {case.name} ...", file=sys.stderr, flush=True)
            rows += _compared(number, case, processes, problems, options, ratios)
    return rows + [_mean(peer, found) for peer, found in ratios.items() if len(found) > 1]


def _named(case: Case, options: Options) -> bool:
    return not options.cases or any(text in case.name for text in options.cases)


def _compared(number: int, case: Case, processes: Mapping[str, CaseProcess], problems: Mapping[str, str], options: Options,
              ratios: dict[str, list[float]]) -> list[Row]:  # fmt: skip
    """The rows of one case; ``ratios`` gets what was found."""
    taking_part = {name: process for name, process in processes.items() if case.expression(_FRAMEWORKS[name])}
    for process in taking_part.values():
        process.number = number
    rounds = min(_ROUNDS, max(1, options.training_rounds))
    slices = dataclasses.replace(options, rounds=rounds, slice_seconds=min(_SLICE, 100 * options.slice_seconds))
    times = alternate(taking_part, slices, warming=1)
    rows = []
    for peer, least in (("PyTorch", _LEAST), ("JAX", None)):
        title = f"{case.name}, against {peer}"
        if peer in problems:
            rows.append(Row(title, target=at_least(least), note=problems[peer]))
        elif peer in times:
            row = times_faster(title, times["ours"], times[peer], least, statistics.median)
            ratios[peer].append(row.ratio or 1.0)
            rows.append(row)
    return rows


def _mean(peer: str, ratios: list[float]) -> Row:
    """The geometric mean of all cases."""
    mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
    title = f"geometric mean of {len(ratios)} operators, against {peer}"
    if peer != "PyTorch":
        return Row(title, figure=f"{mean:.2f}x faster", ratio=mean)
    return Row(
        title, figure=f"{mean:.2f}x faster", target=at_least(_MEAN), holds=mean >= _MEAN, ratio=mean, least=_MEAN
    )
