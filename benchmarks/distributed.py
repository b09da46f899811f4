"""Steps of two processes with half the batch each, against plain JAX that does the same with ``jax.distributed``.

Both let XLA's Gloo collectives add the gradients; what is measured is what we add around them.
"""

from __future__ import annotations

import contextlib
import dataclasses
import statistics
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.harness import Options, Row, alternate, at_most_times
from benchmarks.peers.process import PeerProcess
from mindspore.parallel.cluster.run import any_free_port

LIMIT = 1.15
_BATCH = {"lenet": 16, "mlp": 64}  # of each process
_TITLES = {"lenet": "LeNet-5 step, 2 processes", "mlp": "step of a 10 MB MLP, 2 processes"}
_STEPS = {"lenet": 50, "mlp": 10}  # of a slice


class Pair:
    """Two processes that make every step together; the slower one counts. Use as a context manager."""

    def __init__(self, start: Callable[[int], PeerProcess]):
        self.processes = [start(rank) for rank in (0, 1)]
        self.asking = ThreadPoolExecutor(2)

    def seconds(self, calls: int) -> float:
        return max(self.asking.map(lambda process: process.seconds(calls), self.processes))

    def __enter__(self) -> Pair:
        return self

    def __exit__(self, *exception: object) -> None:
        with self.asking:
            list(self.asking.map(lambda process: process.__exit__(*exception), self.processes))


def run(options: Options) -> list[Row]:
    return [_measure(name, options) for name in _BATCH]


def ours(name: str, folder: Path) -> Pair:
    """Processes that are told what msrun tells its own."""
    told = {
        "MS_WORKER_NUM": "2",
        "MS_ROLE": "MS_WORKER",
        "MS_SCHED_HOST": "127.0.0.1",
        "MS_SCHED_PORT": str(any_free_port()),
    }
    told["MYCELIUM_CACHE_DIR"] = str(folder / "cache")
    program = [name, str(_BATCH[name])]
    script = "../workloads/distributed_steps.py"
    return Pair(lambda rank: PeerProcess(sys.executable, script, program, {**told, "RANK_ID": str(rank)}, folder))


def plain_jax(name: str, folder: Path) -> Pair:
    program = [name, str(_BATCH[name]), f"127.0.0.1:{any_free_port()}"]
    script = "../workloads/jax_distributed.py"
    return Pair(lambda rank: PeerProcess(sys.executable, script, [*program, str(rank)], {}, folder))


def _measure(name: str, options: Options) -> Row:
    with tempfile.TemporaryDirectory() as text, contextlib.ExitStack() as stack:
        folder = Path(text)
        pairs = {"ours": stack.enter_context(ours(name, folder)), "JAX": stack.enter_context(plain_jax(name, folder))}
        slices = dataclasses.replace(options, rounds=2 * options.training_rounds, slice_seconds=0.0)
        times = alternate(pairs, slices, _STEPS[name], warming=1)
    title = f"{_TITLES[name]}, against JAX"
    return at_most_times(title, times["ours"], times["JAX"], LIMIT, statistics.median)
