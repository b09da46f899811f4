"""Worker processes of this very process, and the shared memory they made: others on the machine have some, too."""

from __future__ import annotations

import contextlib
import glob
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from mindspore.dataset._pipeline import processes
from mindspore.dataset.core import shared_arrays


def running(parent: int | None = None) -> set[int]:
    """The workers that a process, by default this one, has and that have not ended."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            state, above = (entry / "stat").read_text().rsplit(")", 1)[1].split()[:2]
            if int(above) == (parent or os.getpid()) and state != "Z":
                found |= {int(entry.name)} if "worker_main" in (entry / "cmdline").read_text() else set()
    return found


def alive(pids: Iterable[int]) -> set[int]:
    """Those of the processes that have not ended."""
    found = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
            found |= {pid} if state != "Z" else set()
    return found


def memory_of(pids: Iterable[int]) -> list[str]:
    """What is there of the shared memory that workers made."""
    return [path for pid in pids for path in glob.glob(f"/dev/shm/{shared_arrays.PREFIX}{pid}-*")]


def note_hired(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The process numbers of all workers that are started from now on, as they come."""
    pids: list[int] = []
    hire = processes._Crew.hire

    def hire_noted(crew: processes._Crew, payload: bytes) -> processes.WorkerProcess:
        worker = hire(crew, payload)
        pids.append(worker.process.pid)
        return worker

    monkeypatch.setattr(processes._Crew, "hire", hire_noted)
    return pids
