"""A whole training script as one process: imports, data pipeline, compilation and one epoch of MNIST."""

from __future__ import annotations

import dataclasses
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.harness import Options, Row, alternate, at_least, duration, times_faster
from benchmarks.peers.process import worker_environment
from demo.mnist_sample import unpack

_SCRIPT = Path(__file__).parent / "workloads" / "mnist_script.py"
_ROUNDS = 3
_TARGET = 5.0  # for all of MNIST; a smaller sample is mostly imports


class Script:
    """Runs the script; ``cold`` forgets before each run what was compiled."""

    def __init__(self, python: str, digits: Path, folder: Path, cold: bool):
        folder.mkdir()
        self.command = [python, str(_SCRIPT), str(digits)]
        self.folder, self.cache, self.cold = folder, folder / "cache", cold
        self.environment = worker_environment(python, {"MYCELIUM_CACHE_DIR": str(self.cache)})

    def seconds(self, calls: int) -> float:
        total = 0.0
        for _ in range(calls):
            if self.cold:
                shutil.rmtree(self.cache, ignore_errors=True)
            start = time.perf_counter()
            done = subprocess.run(
                self.command, env=self.environment, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            total += time.perf_counter() - start
            if done.returncode:
                raise RuntimeError(f"{self.command} ended with status {done.returncode}:\n{done.stdout.decode()}")
        return total


def run(options: Options) -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        digits = (options.mnist or unpack(folder / "mnist")) / "train"
        competitors = {
            "cold": Script(sys.executable, digits, folder / "cold", cold=True),
            "warm": Script(sys.executable, digits, folder / "warm", cold=False),
        }
        if options.mindspore_python is not None:
            competitors["MindSpore"] = Script(options.mindspore_python, digits, folder / "MindSpore", cold=False)
        rounds = max(1, min(_ROUNDS, options.training_rounds))
        slices = dataclasses.replace(options, rounds=rounds, slice_seconds=0.0)
        times = alternate(competitors, slices, warming=0)
    return [_row(kind, times, options) for kind in ("cold", "warm")]


def _row(kind: str, times: dict[str, list[float]], options: Options) -> Row:
    data, limit = ("MNIST", _TARGET) if options.mnist else ("the MNIST sample", None)
    title = f"training script, one epoch of {data}, {kind}"
    if "MindSpore" not in times:
        ours = duration(statistics.median(times[kind]))
        return Row(title, ours, target=at_least(limit), note=options.why_not("MindSpore"))
    return times_faster(f"{title}, against MindSpore", times[kind], times["MindSpore"], limit, statistics.median)
