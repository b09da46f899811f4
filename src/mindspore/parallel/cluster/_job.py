"""The processes of a job on this machine: started, asked, ended."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

_GRACE = 3.0  # seconds between asking a process to end and ending it
_LOOK_EVERY = 0.02
_PARENT_DEATH_SIGNAL = 1  # of prctl(2)


class Worker(NamedTuple):
    """The command and environment of a process."""

    rank: int
    command: Sequence[str]
    log: str
    environment: dict[str, str]
    cores: frozenset[int] | None

    @property
    def name(self) -> str:
        """How messages call it; on one of several machines it may have another number in the job."""
        return f"process {self.rank}" if "RANK_ID" in self.environment else f"process {self.rank} of this machine"


class Job:
    """Processes that belong together."""

    def __init__(self, workers: Sequence[Worker]):
        self.workers = list(workers)
        self.processes: list[subprocess.Popen] = []

    def start(self, die_with_us: bool = False) -> None:
        """Start all. Each leads a process group of its own, so that what it starts can be ended with it."""
        for worker in self.workers:
            rank = worker.environment.get("RANK_ID")
            exported = f" Environment variable [RANK_ID={rank}] is exported." if rank else ""
            print(
                f"Start worker process with rank id:{worker.rank}, log file:{worker.log}.{exported} Execute command: "
                f"{' '.join(worker.command)}",
                flush=True,
            )
            with open(worker.log, "wb") as log:
                self.processes.append(
                    subprocess.Popen(
                        worker.command,
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=subprocess.STDOUT,
                        env=worker.environment,
                        start_new_session=True,
                        preexec_fn=_before_start(worker.cores, die_with_us),
                    )
                )

    def codes(self) -> list[int | None]:
        """The exit codes; None for processes that run, the negative signal number for processes ended by a signal."""
        return [process.poll() for process in self.processes]

    def end(self) -> None:
        """End what still runs, and everything those processes have started."""
        running = [process for process in self.processes if process.poll() is None]
        self._signal(running, signal.SIGTERM)
        deadline = time.monotonic() + _GRACE
        while time.monotonic() < deadline and any(process.poll() is None for process in running):
            time.sleep(_LOOK_EVERY)
        self._signal(self.processes, signal.SIGKILL)  # of ended processes too: children may be left in their groups
        for process in self.processes:
            process.wait()

    def _signal(self, processes: Sequence[subprocess.Popen], number: int) -> None:
        for process in processes:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, number)


def _before_start(cores: frozenset[int] | None, die_with_us: bool) -> Callable[[], None] | None:
    """What the new process does before it becomes the program."""
    if cores is None and not die_with_us:
        return None
    library = ctypes.CDLL(None) if die_with_us and sys.platform == "linux" else None

    def prepare() -> None:
        if cores is not None:
            os.sched_setaffinity(0, cores)
        if library is not None:
            library.prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)

    return prepare
