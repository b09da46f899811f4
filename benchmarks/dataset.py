"""Input pipelines against those of real MindSpore: epoch by epoch in turn, and the most memory they need."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import pipelines
from benchmarks.harness import Function, Options, Row, alternate, duration, times_faster, undisturbed
from benchmarks.peers.process import PeerProcess, worker_environment
from benchmarks.peers.worker_loop import PEAK
from benchmarks.pipeline_files import Sizes, write_data

# How many times faster each pipeline is meant to be.
_TARGETS = {
    "mnist": 10.0, "cifar": 4.0, "photos": 1.2, "generator": 1.5, "files": 1.0, "records": 1.0, "records_as_they_are": 1.0
}  # fmt: skip
_MEASURED = ("mnist", "cifar", "photos", "generator")  # those whose memory is compared
_EPOCHS = 3  # of a memory measurement


def run(options: Options, sizes: Sizes = Sizes()) -> list[Row]:  # noqa: B008 - it cannot change
    epochs = dataclasses.replace(options, rounds=max(2, min(options.rounds, 5)), slice_seconds=0.0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder, sizes)
        speeds = [_speed(pipeline, folder, target, epochs) for pipeline, target in _TARGETS.items()]
        return speeds + [_memory(pipeline, folder, options) for pipeline in _MEASURED]


def _speed(pipeline: str, folder: Path, target: float, options: Options) -> Row:
    """How long an epoch takes."""
    data = pipelines.PIPELINES[pipeline](folder)
    ours = Function(lambda: pipelines.epoch(data))
    title = f"one epoch of {pipeline}, {data.get_dataset_size() * data.get_batch_size()} rows"
    if options.mindspore_python is None:
        times = alternate({"ours": ours}, options)["ours"]
        return Row(title, duration(undisturbed(times)), note=options.why_not("MindSpore"))
    with PeerProcess(options.mindspore_python, "../pipelines.py", [pipeline, str(folder)]) as peer:
        times = alternate({"ours": ours, "peer": peer}, options)
    return times_faster(f"{title}, against MindSpore", times["ours"], times["peer"], target)


def _memory(pipeline: str, folder: Path, options: Options) -> Row:
    """The most memory of a process that reads some epochs."""
    title = f"most memory for {_EPOCHS} epochs of {pipeline}"
    ours = peak_megabytes(sys.executable, pipeline, folder, _EPOCHS)
    if options.mindspore_python is None:
        return Row(title, f"{ours:.0f} MB", note=options.why_not("MindSpore"))
    peer = peak_megabytes(options.mindspore_python, pipeline, folder, _EPOCHS)
    return Row(
        f"{title}, against MindSpore", f"{ours:.0f} MB", f"{peer:.0f} MB", f"{ours / peer:.2f}x",
        target="<= 1x", holds=ours <= peer,
    )  # fmt: skip


def peak_megabytes(python: str, pipeline: str, folder: Path, epochs: int) -> float:
    """The most memory that a process of its own needs for some epochs of a pipeline."""
    command = [python, pipelines.__file__, pipeline, str(folder), "--peak", str(epochs)]
    done = subprocess.run(command, env=worker_environment(python), capture_output=True, text=True, check=True)
    return float(next(line for line in done.stdout.splitlines() if line.startswith(PEAK)).removeprefix(PEAK))
