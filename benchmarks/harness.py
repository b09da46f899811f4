"""Measuring on noisy machines: many short slices of each competitor in turn, then statistics on the ratios.

A slice lasts about half a millisecond, less than the operating system's own time slices, so many slices run
undisturbed; what disturbs for longer hits all competitors alike, because they alternate. Targets are held against the
undisturbed slices; the median and the middle half of the ratios, slice by slice, show how noisy the run was. Slices of
whole training steps are too long for that: there the medians count.
"""

from __future__ import annotations

import dataclasses
import os
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from benchmarks.peers.worker_loop import PROCESSOR_TIME, clock


@dataclasses.dataclass(frozen=True)
class Options:
    """How much to measure, and where the peers live that need an environment of their own."""

    rounds: int = 400  # slices per competitor
    slice_seconds: float = 0.0005
    import_rounds: int = 10
    eager_operators: int = 100_000  # of the memory measurement
    gradients: int = 10_000
    training_rounds: int = 12  # at most so many slices of whole training steps; large networks take fewer
    workloads: Sequence[str] = ()  # programs of the training theme to measure; all if none is named
    cases: Sequence[str] = ()  # parts of the names of cases of the cliffs theme; all if none is given
    mnist: Path | None = None  # a folder with MNIST in "train" and "test", instead of the sample in data/
    mindspore_python: str | None = None
    torch_python: str | None = None
    problems: Mapping[str, str] = dataclasses.field(default_factory=dict)  # why a peer has no interpreter

    def interpreter(self, peer: str) -> str | None:
        """The interpreter of the environment that has the peer; plain JAX lives in ours."""
        return {"MindSpore": self.mindspore_python, "PyTorch": self.torch_python, "JAX": sys.executable}[peer]

    def why_not(self, peer: str) -> str:
        """What stands in the table for a peer without an interpreter."""
        option = {"MindSpore": "--mindspore-python", "PyTorch": "--torch-python"}[peer]
        return f"not measured: {self.problems.get(peer) or f'pass {option} PATH'}"


@dataclasses.dataclass(frozen=True)
class Row:
    """One line of the table. ``holds`` is None where there is no target or nothing was measured."""

    name: str
    ours: str = ""
    peer: str = ""
    figure: str = ""  # from the undisturbed slices, or the medians of long ones; the target is held against this one
    median: str = ""
    spread: str = ""
    target: str = ""
    holds: bool | None = None
    note: str = ""
    memory: str = ""  # the most that our process needed, and the peer's
    first: str = ""  # the duration of our first call, with everything compiled on the way, and the peer's
    ratio: float | None = None  # the figure, where it says how many times faster we are
    least: float | None = None  # what it is meant to be

    @property
    def verdict(self) -> str:
        return self.note if self.holds is None else "holds" if self.holds else "MISSED"


def measure_processor_time() -> None:
    """From now on measure the processor time of one core, here and in every process started from here.

    On a machine that others use, elapsed time says more about them than about us. What needs several cores to be fast is
    not seen.
    """
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.environ[PROCESSOR_TIME] = "1"


class Competitor(Protocol):
    """Something that can be run a number of times and tells how long that took."""

    def seconds(self, calls: int) -> float: ...


class Function:
    """A function of this process. ``finish`` waits for what the calls left running; it is part of the time."""

    def __init__(self, call: Callable[[], Any], finish: Callable[[Any], Any] = lambda result: None):
        self.call = call
        self.finish = finish

    def seconds(self, calls: int) -> float:
        call, result = self.call, None
        start = clock()
        for _ in range(calls):
            result = call()
        self.finish(result)
        return clock() - start


def alternate(competitors: Mapping[str, Competitor], options: Options, least: int = 1,
              warming: int = 3) -> dict[str, list[float]]:  # fmt: skip
    """Seconds per call of each competitor, slice by slice; slices with the same index ran right after each other.

    ``least`` is the smallest number of calls in a slice, for frameworks where waiting for the last result costs much;
    ``warming`` is the number of calls before anything is timed.
    """
    calls = {name: _calls_per_slice(each, options.slice_seconds, least, warming) for name, each in competitors.items()}
    times: dict[str, list[float]] = {name: [] for name in competitors}
    for _ in range(options.rounds):
        for name, competitor in competitors.items():
            times[name].append(competitor.seconds(calls[name]) / calls[name])
    return times


def _calls_per_slice(competitor: Competitor, slice_seconds: float, least: int, warming: int) -> int:
    """As many calls as fill a slice; warms the competitor up on the way."""
    competitor.seconds(warming)
    calls = least
    while competitor.seconds(calls) < slice_seconds:
        calls *= 2
    return calls


def undisturbed(times: Sequence[float]) -> float:
    """The time of a call while nothing else wants the processor: that of the fastest slices, the luckiest left out."""
    return sorted(times)[len(times) // 20]


def at_most_times(name: str, ours: Sequence[float], peer: Sequence[float], limit: float | None,
                  typical: Callable[[Sequence[float]], float] = undisturbed) -> Row:  # fmt: skip
    """How many times the peer's time ours takes; the limit is the most it may be."""
    target = "" if limit is None else f"<= {limit:g}x"
    return _compared(name, ours, peer, lambda a, b: a / b, "x", target, lambda figure: figure <= limit, typical)


def at_least(limit: float | None) -> str:
    """How a target of ``times_faster`` reads."""
    return "" if limit is None else f">= {limit:g}x faster"


def times_faster(name: str, ours: Sequence[float], peer: Sequence[float], limit: float | None,
                 typical: Callable[[Sequence[float]], float] = undisturbed) -> Row:  # fmt: skip
    """How many times faster than the peer we are; the limit is the least it may be.

    ``typical`` makes one time of many; slices that last seconds are never undisturbed, their median says more.
    """
    target = at_least(limit)
    row = _compared(name, ours, peer, lambda a, b: b / a, "x faster", target, lambda figure: figure >= limit, typical)
    return dataclasses.replace(row, ratio=typical(peer) / typical(ours), least=limit)


def at_most_added(name: str, ours: Sequence[float], peer: Sequence[float], limit: float) -> Row:
    """How many microseconds more than the peer we take; the limit is the most it may be."""
    target = f"<= {limit:g} us more"
    return _compared(name, ours, peer, lambda a, b: (a - b) * 1e6, " us more", target, lambda figure: figure <= limit)


def _compared(name: str, ours: Sequence[float], peer: Sequence[float], compare: Callable[[float, float], float],
              unit: str, target: str, holds: Callable[[float], bool],
              typical: Callable[[Sequence[float]], float] = undisturbed) -> Row:  # fmt: skip
    figure = compare(typical(ours), typical(peer))
    pairs = sorted(compare(a, b) for a, b in zip(ours, peer, strict=True))
    return Row(
        name, duration(typical(ours)), duration(typical(peer)), f"{figure:.2f}{unit}",
        f"{statistics.median(pairs):.2f}", f"{pairs[len(pairs) // 4]:.2f} .. {pairs[-1 - len(pairs) // 4]:.2f}",
        target, holds(figure) if target else None,
    )  # fmt: skip


def duration(seconds: float) -> str:
    """A duration in a unit that suits it."""
    if seconds >= 10:
        return f"{seconds:.1f} s"
    return f"{seconds * 1e6:.1f} us" if seconds < 1e-2 else f"{seconds * 1e3:.0f} ms"


COLUMNS = {
    "measurement": "name", "here": "ours", "peer": "peer", "figure": "figure", "median": "median",
    "middle half": "spread", "most memory": "memory", "first call": "first", "target": "target", "verdict": "verdict",
}  # fmt: skip


def cells(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """The heads of the columns and the rows below them; a column that no row fills is left out."""
    shown = {head: field for head, field in COLUMNS.items() if any(getattr(row, field) for row in rows)}
    return [tuple(shown), *[tuple(getattr(row, field) for field in shown.values()) for row in rows]]


def table(rows: Sequence[Row]) -> str:
    """The rows as text in columns."""
    lines = cells(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([text[0], "-" * max(map(len, text)), *text[1:]])
