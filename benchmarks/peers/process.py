"""A peer in another interpreter: a process that runs a slice whenever it is asked to."""

from __future__ import annotations

import dataclasses
import os
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from benchmarks.harness import Competitor, Options, Row, alternate, times_faster
from benchmarks.peers.worker_loop import ANSWER

_FOLDER = Path(__file__).parent


class PeerProcess:
    """A worker script under another interpreter. Use as a context manager."""

    def __init__(self, python: str, script: str, program: str | list[str]):
        # Without PYTHONPATH, or a peer of the same import name would find ours.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self.process = subprocess.Popen(
            [python, str(_FOLDER / script), *([program] if isinstance(program, str) else program)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip

    def seconds(self, calls: int) -> float:
        assert self.process.stdin is not None and self.process.stdout is not None
        with suppress(BrokenPipeError):  # it is gone; what follows says so
            self.process.stdin.write(f"{calls}\n")
            self.process.stdin.flush()
        for line in self.process.stdout:  # a framework may print lines of its own
            if line.startswith(ANSWER):
                return float(line.removeprefix(ANSWER))
        raise RuntimeError(f"the peer ended with status {self.process.wait()}, see above: {self.process.args}")

    def __enter__(self) -> PeerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()  # closes its input, at which it ends


def compare_with_peers(name: str, program: str, ours: Competitor, options: Options, least: int,
                       limits: Mapping[str, float]) -> list[Row]:  # fmt: skip
    """Rows against the frameworks whose interpreters were given; for the others, what to pass."""
    peers = {
        "MindSpore": (options.mindspore_python, "mindspore_worker.py", "--mindspore-python"),
        "PyTorch": (options.torch_python, "torch_worker.py", "--torch-python"),
    }
    fewer = dataclasses.replace(options, rounds=max(options.rounds // 4, 1))  # their slices are long
    rows = []
    for peer, (python, script, option) in peers.items():
        title, limit = f"{name}, against {peer}", limits.get(peer)
        if python is None:
            target = f">= {limit:g}x faster" if limit is not None else ""
            rows.append(Row(title, target=target, note=f"not measured: pass {option} PATH"))
            continue
        with PeerProcess(python, script, program) as process:
            times = alternate({"ours": ours, "peer": process}, fewer, least)
        rows.append(times_faster(title, times["ours"], times["peer"], limit))
    return rows
