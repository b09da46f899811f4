"""Megabytes a second of saving and of loading a checkpoint, against real MindSpore."""

from __future__ import annotations

import contextlib
import dataclasses
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import Options, Row, alternate, times_faster
from benchmarks.peers.process import PeerProcess

_ROUNDS = 8
_SCRIPT = "../workloads/checkpoints.py"


def run(options: Options, megabytes: float = 100.0) -> list[Row]:
    return [_measure(action, megabytes, options) for action in ("save", "load")]


def _measure(action: str, megabytes: float, options: Options) -> Row:
    """Both write files of their own in the same folder, or read them."""
    title = f"{action} a checkpoint of {megabytes:g} MB"
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        processes = {}
        for competitor, python in (("ours", sys.executable), ("peer", options.mindspore_python)):
            if python is not None:
                program = [action, str(Path(name) / f"{competitor}.ckpt"), str(megabytes)]
                process = PeerProcess(python, _SCRIPT, program, folder=Path(name))
                processes[competitor] = stack.enter_context(process)
        rounds = max(1, min(_ROUNDS, options.training_rounds))
        times = alternate(processes, dataclasses.replace(options, rounds=rounds, slice_seconds=0.0), warming=1)
    speeds = {competitor: f"{megabytes / statistics.median(each):.0f} MB/s" for competitor, each in times.items()}
    if "peer" not in times:
        return Row(title, speeds["ours"], note=options.why_not("MindSpore"))
    row = times_faster(f"{title}, against MindSpore", times["ours"], times["peer"], None, statistics.median)
    return dataclasses.replace(row, ours=speeds["ours"], peer=speeds["peer"])
