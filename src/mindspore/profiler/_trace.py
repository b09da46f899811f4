"""The recording of a profiler as totals: which operations took how long."""

from __future__ import annotations

import glob
import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mindspore._utils import log
from mindspore._utils.files.wire import WireError, fields
from mindspore._utils.files.wire import text as wire_text

_MOST_ROWS = 30
_METADATA = "/host:metadata"
# XLA's own names of what MindSpore's commonest operators become inside a graph.
_INSIDE_GRAPHS = {
    "conv2d": "conv_general_dilated", "conv3d": "conv_general_dilated", "conv2dtranspose": "conv_general_dilated",
    "matmul": "dot_general", "batchmatmul": "dot_general", "dense": "dot_general", "biasadd": "add",
    "maxpool": "reduce_window_max", "relu": "max",
}  # fmt: skip


@dataclass
class OperationTime:
    """An operation of an executable: how often it ran and for how long, in microseconds."""

    name: str
    program: str  # the graph or operator it is part of
    source: str  # what it was made from, as far as known
    calls: int = 0
    total: float = 0.0
    longest: float = 0.0

    @property
    def average(self) -> float:
        return self.total / max(self.calls, 1)

    def as_dict(self) -> dict[str, Any]:
        """In plain values."""
        return {
            "name": self.name,
            "program": self.program,
            "source": self.source,
            "calls": self.calls,
            "total_us": round(self.total, 3),
            "average_us": round(self.average, 3),
            "longest_us": round(self.longest, 3),
        }


@dataclass
class Totals:
    """A recording: its operations, longest first, and its steps in microseconds."""

    folder: str
    operations: list[OperationTime]
    steps: list[tuple[int, float]]

    def named(self, name: str) -> list[OperationTime]:
        """The operations that belong to an operator of this name."""
        wanted = _plain(name)
        inside = _INSIDE_GRAPHS.get(wanted, "")
        return [
            operation
            for operation in self.operations
            if wanted in (_plain(operation.name), _plain(operation.program), _plain(operation.source))
            or (inside and operation.source == inside)
        ]

    def __str__(self) -> str:
        whole = sum(operation.total for operation in self.operations) or 1.0
        rows = [("operation", "in", "from", "calls", "total ms", "average us", "share")]
        for timed in self.operations[:_MOST_ROWS]:
            times = (f"{timed.total / 1000:.3f}", f"{timed.average:.1f}", f"{100 * timed.total / whole:.1f}%")
            rows.append((timed.name, timed.program, timed.source, str(timed.calls), *times))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        left = len(self.operations) - _MOST_ROWS
        if left > 0:
            lines.append(f"and {left} more")
        return "\n".join([*self._heading(), "", *lines])

    def _heading(self) -> list[str]:
        busy = sum(operation.total for operation in self.operations) / 1000
        lines = [f"{len(self.operations)} kinds of operations, {busy:.3f} ms in all"]
        if self.steps:
            times = [time for _, time in self.steps]
            lines.append(
                f"{len(times)} steps: {sum(times) / len(times) / 1000:.3f} ms on average, {max(times) / 1000:.3f} ms the longest"
            )
        return lines


def read_totals(folder: str, steps: Iterable[int] | None = None) -> Totals:
    """The totals of the recording in a folder; of the given steps alone, if the program marked steps."""
    paths = sorted(glob.glob(os.path.join(folder, "*.trace.json.gz")))
    if not paths:
        raise RuntimeError(f"The folder {folder} holds no recording of a profiler (no file *.trace.json.gz).")
    events: list[dict[str, Any]] = []
    for path in paths:
        try:
            with gzip.open(path) as stream:
                events += json.load(stream)["traceEvents"]
        except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError) as error:
            raise RuntimeError(f"The recording {path} is damaged: {error}.") from error
    timed = [event for event in events if event.get("ph") == "X" and isinstance(event.get("args"), dict)]
    marked = [event for event in timed if "step_num" in event["args"]]
    wanted = None if steps is None else set(steps)
    ranges = [
        (event["ts"], event["ts"] + event["dur"])
        for event in marked
        if wanted and int(event["args"]["step_num"]) in wanted
    ]
    sources = _sources(folder)
    found: dict[tuple[str, str], OperationTime] = {}
    for event in timed:
        if "hlo_op" in event["args"] and (wanted is None or any(low <= event["ts"] < high for low, high in ranges)):
            _count(event, found, sources)
    operations = sorted(found.values(), key=lambda operation: -operation.total)
    durations = [(int(event["args"]["step_num"]), event["dur"]) for event in marked]
    return Totals(folder, operations, [duration for duration in durations if wanted is None or duration[0] in wanted])


def _count(
    event: dict[str, Any], found: dict[tuple[str, str], OperationTime], sources: dict[tuple[str, str], str]
) -> None:
    key = (event["args"].get("hlo_module", ""), event["args"]["hlo_op"])
    if key not in found:
        found[key] = OperationTime(key[1], key[0].removeprefix("jit_"), sources.get(key, ""))
    timed = found[key]
    timed.calls += 1
    timed.total += event["dur"]
    timed.longest = max(timed.longest, event["dur"])


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


# --- what operations were made from: the programs themselves stand in the *.xplane.pb file ----------------------------


def _sources(folder: str) -> dict[tuple[str, str], str]:
    """By program and operation the last part of the name it had before compilation."""
    found: dict[tuple[str, str], str] = {}
    for path in glob.glob(os.path.join(folder, "*.xplane.pb")):
        try:
            with open(path, "rb") as stream:
                for program in _programs(stream.read()):
                    _add_sources(program, found)
        except (OSError, WireError, ValueError, TypeError) as error:  # a table without this column is still a table
            log.info("%s", f"{path} says nothing about where operations come from: {error}")
    return found


def _programs(data: bytes) -> Iterator[Any]:
    for number, plane in fields(data):
        if number != 1 or not any(key == 2 and wire_text(value) == _METADATA for key, value in fields(plane)):
            continue
        for key, entry in fields(plane):
            if key == 4:
                yield from _attached(entry)


def _attached(entry: Any) -> Iterator[Any]:
    """The bytes attached to an entry of the table of programs."""
    for key, metadata in fields(entry):
        if key == 2:
            for inner, statistic in fields(metadata):
                if inner == 5:
                    yield from (value for number, value in fields(statistic) if number == 6)


def _add_sources(program: Any, found: dict[tuple[str, str], str]) -> None:
    for key, module in fields(program):
        if key != 1:
            continue
        name = next((wire_text(value) for number, value in fields(module) if number == 1), "")
        for number, computation in fields(module):
            if number == 3:
                for inner, instruction in fields(computation):
                    if inner == 2:
                        _add_source(name, instruction, found)


def _add_source(program: str, instruction: Any, found: dict[tuple[str, str], str]) -> None:
    name = source = ""
    for key, value in fields(instruction):
        if key == 1:
            name = wire_text(value)
        elif key == 7:
            source = next((wire_text(inner) for number, inner in fields(value) if number == 2), "")
    if source:
        found[program, name] = source.rpartition("/")[2]
