"""How the time of a step grows with the batch and with the depth of the network; no peer is needed for that."""

from __future__ import annotations

import contextlib
import dataclasses
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.harness import Options, Row, alternate, duration
from benchmarks.training import Workload, step_process

_ROUNDS = 6
_GPT = {"batch": 4, "length": 64, "width": 256, "heads": 4, "vocabulary": 1024}


@dataclasses.dataclass(frozen=True)
class Sweep:
    """A workload in several sizes; its sizes are those that stay."""

    workload: Workload
    name: str  # of the size that varies
    unit: str  # one of which such a size counts
    values: Sequence[int]


SWEEPS = (
    Sweep(Workload("LeNet-5 step", "lenet", {}, {}, steps=10), "batch", "image", (8, 32, 128, 512)),
    Sweep(Workload("MobileNetV2 step", "mobilenet_v2", {"size": 96}, {}), "batch", "image", (2, 8, 32)),
    Sweep(Workload("GPT-like step", "gpt", _GPT, {}, steps=2), "layers", "layer", (1, 2, 4, 8)),
)


def run(options: Options, sweeps: Sequence[Sweep] = SWEEPS) -> list[Row]:
    return [row for sweep in sweeps for row in _measure(sweep, options)]


def _measure(sweep: Sweep, options: Options) -> list[Row]:
    """All sizes side by side, each in a process of its own."""
    print(f"  {sweep.workload.title} by {sweep.name} ...", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        processes, first = {}, {}
        for value in sweep.values:
            workload = dataclasses.replace(sweep.workload, sizes={**sweep.workload.sizes, sweep.name: value})
            process = stack.enter_context(step_process("ours", sys.executable, workload, Path(folder)))
            first[str(value)], processes[str(value)] = process.seconds(1), process
        rounds = max(1, min(_ROUNDS, options.training_rounds))
        slices = dataclasses.replace(options, rounds=rounds, slice_seconds=0.0)
        times = alternate(processes, slices, sweep.workload.steps, warming=1)
        peaks = {value: process.peak_megabytes() for value, process in processes.items()}
    smallest = str(sweep.values[0])
    share = statistics.median(times[smallest]) / sweep.values[0]
    return [
        Row(
            f"{sweep.workload.title}, {sweep.name} {value}", duration(statistics.median(each)),
            figure=f"{statistics.median(each) / int(value) / share:.2f}x the time per {sweep.unit}",
            memory=f"{peaks[value]:.0f} MB", first=duration(first[value]),
        )
        for value, each in times.items()
    ]  # fmt: skip
