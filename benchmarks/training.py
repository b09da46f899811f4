"""Whole training steps against other frameworks: time, the most memory, and how long the first step takes.

Every competitor, ours too, is a process of its own; they take turns. The MindSpore program is the same text under both.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.harness import Options, Row, alternate, at_least, duration, times_faster
from benchmarks.peers.process import PeerProcess

_SCRIPTS = {"MindSpore": "../workloads/steps.py", "PyTorch": "torch_steps.py", "JAX": "../workloads/jax_lenet.py"}
_IMAGES = {"batch": 16, "size": 224}
_TRANSFORMER = {"batch": 8, "length": 128, "layers": 4, "width": 512, "heads": 8, "vocabulary": 8192}
_LSTM = {"batch": 32, "length": 64, "width": 128, "hidden": 128, "vocabulary": 5000}


@dataclasses.dataclass(frozen=True)
class Workload:
    """What is measured; ``program`` and ``sizes`` name a function of ``workloads/steps.py`` and its arguments."""

    title: str
    program: str
    sizes: Mapping[str, object]
    peers: Mapping[str, float | None]  # how many times faster than each we are meant to be
    mode: str = "graph"
    rounds: int = 12
    steps: int = 1  # of a slice
    warming: int = 1  # steps before anything is timed: what is met often is compiled later in PyNative
    memory_target: bool = False  # whether the most memory may not exceed that of the better peer


LENET = Workload("LeNet-5 step, graph", "lenet", {"batch": 32}, {"MindSpore": 4, "PyTorch": 3, "JAX": 3}, steps=50)
RESNET50 = Workload(
    "ResNet-50 step", "resnet50", _IMAGES, {"MindSpore": 1.15, "PyTorch": 1.15}, rounds=4, memory_target=True
)
WORKLOADS = (
    LENET,
    Workload("LeNet-5 step, PyNative", "lenet", {"batch": 32}, {"MindSpore": 20, "PyTorch": 1.5}, "pynative", steps=20),
    Workload("50 LeNet-5 steps, sink", "lenet_sink", {"batch": 32, "steps": 50}, {"MindSpore": None, "PyTorch": None}),
    RESNET50,
    Workload("ResNet-50 inference", "resnet50_inference", _IMAGES, {"MindSpore": 1.2, "PyTorch": 1.2}, rounds=5),
    Workload("MobileNetV2 step", "mobilenet_v2", _IMAGES, {"MindSpore": None, "PyTorch": 1.2}, rounds=5),
    Workload("GPT-like step, AdamW", "gpt", _TRANSFORMER, {"MindSpore": None, "PyTorch": 1.1}, rounds=6),
    Workload("BERT-like step, Adam", "bert", _TRANSFORMER, {"MindSpore": None, "PyTorch": 1.1}, rounds=6),
    Workload("LSTM step, Adam", "lstm", _LSTM, {"MindSpore": None, "PyTorch": None}, rounds=8),
)
PROGRAMS = {workload.program for workload in WORKLOADS}


def run(options: Options, workloads: Sequence[Workload] = WORKLOADS) -> list[Row]:
    rows = []
    for workload in workloads:
        if workload.program in options.workloads or not options.workloads:
            print(f"  {workload.title} ...", file=sys.stderr, flush=True)
            with tempfile.TemporaryDirectory() as folder:
                rows += _measure(workload, options, Path(folder))
    return rows


def step_process(competitor: str, python: str, workload: Workload, folder: Path, cache: str = "cache") -> PeerProcess:
    """A process that serves the workload's step; ours keeps its compiled programs in a folder of its own."""
    script = _SCRIPTS.get(competitor, _SCRIPTS["MindSpore"])
    program = [workload.program, workload.mode, json.dumps(dict(workload.sizes))]
    return PeerProcess(python, script, program, {"MYCELIUM_CACHE_DIR": str(folder / cache)}, folder)


@dataclasses.dataclass(frozen=True)
class Measured:
    """What is known of a competitor."""

    times: Sequence[float]
    first: float
    peak: float


def _measure(workload: Workload, options: Options, folder: Path) -> list[Row]:
    """All competitors side by side."""
    problems: dict[str, str] = {}
    with contextlib.ExitStack() as stack:
        processes, first = {}, {}
        for name in ("ours", *workload.peers):
            python = sys.executable if name == "ours" else options.interpreter(name)
            if python is None:
                problems[name] = options.why_not(name)
                continue
            process = stack.enter_context(step_process(name, python, workload, folder))
            try:
                first[name] = process.seconds(1)
            except RuntimeError as error:
                if name == "ours":
                    raise
                problems[name] = f"not measured: {error}"
            else:
                processes[name] = process
        rounds = max(1, min(workload.rounds, options.training_rounds))
        slices = dataclasses.replace(options, rounds=rounds, slice_seconds=0.0)
        times = alternate(processes, slices, workload.steps, warming=workload.warming)
        results = {name: Measured(times[name], first[name], processes[name].peak_megabytes()) for name in processes}
    rows = [_row(workload, peer, results, problems) for peer in workload.peers]
    return rows + ([_memory(workload, results)] if workload.memory_target else [])


def _row(workload: Workload, peer: str, results: Mapping[str, Measured], problems: Mapping[str, str]) -> Row:
    title, limit, ours = f"{workload.title}, against {peer}", workload.peers[peer], results["ours"]
    if peer in problems:
        return Row(
            title, duration(statistics.median(ours.times)), target=at_least(limit), note=problems[peer],
            memory=f"{ours.peak:.0f} MB", first=duration(ours.first),
        )  # fmt: skip
    theirs = results[peer]
    return dataclasses.replace(
        times_faster(title, ours.times, theirs.times, limit, statistics.median),
        memory=f"{ours.peak:.0f} / {theirs.peak:.0f} MB",
        first=f"{duration(ours.first)} / {duration(theirs.first)}",
    )


def _memory(workload: Workload, results: Mapping[str, Measured]) -> Row:
    title, ours = f"most memory of the {workload.title}, against the better peer", results["ours"].peak
    peers = [each.peak for name, each in results.items() if name != "ours"]
    if not peers:
        return Row(title, f"{ours:.0f} MB", target="<= 1x", note="not measured: no peer to compare with")
    return Row(
        title, f"{ours:.0f} MB", f"{min(peers):.0f} MB", f"{ours / min(peers):.2f}x",
        target="<= 1x", holds=ours <= min(peers),
    )  # fmt: skip
