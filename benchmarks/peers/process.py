"""A peer in another interpreter: a process that runs a slice whenever it is asked to."""

from __future__ import annotations

import dataclasses
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import mindspore as ms
from benchmarks.harness import Competitor, Options, Row, alternate, at_least, times_faster
from benchmarks.peers.worker_loop import ANSWER, PEAK

_FOLDER = Path(__file__).parent
_ROOT = _FOLDER.parents[1]


def worker_environment(python: str, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a worker's process sees: the benchmarks and examples, and this package only under our own interpreter."""
    paths = [str(_ROOT)]
    if python == sys.executable:
        paths.append(str(Path(ms.__file__).parents[1]))  # installed or not
    # Nothing else of PYTHONPATH, or a peer of the same import name would find ours.
    return {**os.environ, "GLOG_v": "3", **(extra or {}), "PYTHONPATH": os.pathsep.join(paths)}


class PeerProcess:
    """A worker script under another interpreter. Use as a context manager.

    Between its turns it is halted, or threads that wait actively would take the processors from its competitors; ``waking``
    calls are not timed then. ``folder`` is where it runs: frameworks leave files behind.
    """

    def __init__(self, python: str, script: str, program: str | Sequence[str],
                 environment: Mapping[str, str] | None = None, folder: Path | None = None, waking: int = 0):  # fmt: skip
        self.waking = waking
        self.process = subprocess.Popen(
            [python, str(_FOLDER / script), *([program] if isinstance(program, str) else program)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder,
            env=worker_environment(python, environment), start_new_session=True,
        )  # fmt: skip

    def seconds(self, calls: int) -> float:
        return self._ask(f"{self.waking}\n{calls}" if self.waking else str(calls), ANSWER, 2 if self.waking else 1)

    def peak_megabytes(self) -> float:
        """The most memory it ever had."""
        return self._ask("peak", PEAK)

    def _ask(self, question: str, answer: str, answers: int = 1) -> float:
        """The last of the answers."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self._signal(signal.SIGCONT)
        with suppress(BrokenPipeError):  # it is gone; what follows says so
            self.process.stdin.write(f"{question}\n")
            self.process.stdin.flush()
        for line in self.process.stdout:  # a framework may print lines of its own
            answers -= line.startswith(answer)
            if not answers:
                self._signal(signal.SIGSTOP)
                return float(line.removeprefix(answer))
        raise RuntimeError(f"the peer ended with status {self.process.wait()}, see above: {self.process.args}")

    def _signal(self, kind: signal.Signals) -> None:
        """To the process and those it started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, kind)

    def __enter__(self) -> PeerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self._signal(signal.SIGCONT)
        with suppress(BrokenPipeError):
            self.process.communicate()  # closes its input, at which it ends
        self.process.wait()


def compare_with_peers(name: str, program: str, ours: Competitor, options: Options, least: int,
                       limits: Mapping[str, float]) -> list[Row]:  # fmt: skip
    """Rows against the frameworks whose interpreters were given; for the others, why they were not measured."""
    workers = {"MindSpore": "mindspore_worker.py", "PyTorch": "torch_worker.py"}
    fewer = dataclasses.replace(options, rounds=max(options.rounds // 4, 1))  # their slices are long
    rows = []
    for peer, script in workers.items():
        title, limit, python = f"{name}, against {peer}", limits.get(peer), options.interpreter(peer)
        if python is None:
            rows.append(Row(title, target=at_least(limit), note=options.why_not(peer)))
            continue
        with PeerProcess(python, script, program, waking=least) as process:
            times = alternate({"ours": ours, "peer": process}, fewer, least)
        # Frameworks that work in threads of their own have no undisturbed slices: the median is what a program meets.
        rows.append(times_faster(title, times["ours"], times["peer"], limit, statistics.median))
    return rows
