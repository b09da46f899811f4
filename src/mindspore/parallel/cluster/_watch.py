"""Waiting for a job: its logs are shown while it runs, and the first failure ends it."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any, BinaryIO

from mindspore.parallel.cluster._job import Job, Worker

_LOOK_EVERY = 0.05
_SHOWN_OF_FAILURE = 40  # lines
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Interrupted(BaseException):
    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


def watch(job: Job, shown_rank: int) -> int:
    """Start the job and stay until it is over; the exit status says how it went."""
    logs = [_Log(worker, job.workers) for worker in job.workers if shown_rank in (-1, worker.rank)]
    with _interruptible():
        try:
            job.start(die_with_us=True)
            failed = _first_failure(job, logs)
            if failed is None:
                return 0
            return _report(job.workers[failed], job.codes()[failed] or 0)
        except _Interrupted as interruption:
            print(f"msrun: {signal.Signals(interruption.number).name}, all processes are ended.", file=sys.stderr)
            return 128 + interruption.number
        finally:
            # A second Ctrl-C must not leave processes behind.
            for number in _ENDING:
                signal.signal(number, signal.SIG_IGN)
            job.end()


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    def interrupt(number: int, frame: Any) -> None:
        raise _Interrupted(number)

    before = {number: signal.signal(number, interrupt) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _first_failure(job: Job, logs: list[_Log]) -> int | None:
    """The index of the process that failed first, or None when all ended well."""
    while True:
        codes = job.codes()
        failed = [index for index, code in enumerate(codes) if code]
        if failed:
            return min(failed, key=lambda index: _how_late(job.workers[index], codes[index] or 0))
        for log in logs:
            log.show()
        if all(code == 0 for code in codes):
            return None
        time.sleep(_LOOK_EVERY)


def _how_late(worker: Worker, code: int) -> tuple[bool, float]:
    """Of failures seen at once: an exception comes before an abort, which follows when others are gone."""
    return code == -signal.SIGABRT, os.path.getmtime(worker.log)


def _report(worker: Worker, code: int) -> int:
    how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
    print(f"msrun: {worker.name} {how}; the others are ended. The end of {worker.log}:", file=sys.stderr)
    with open(worker.log, encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()[-_SHOWN_OF_FAILURE:]
    print("\n".join(f"    {line}" for line in lines), file=sys.stderr, flush=True)
    return 128 - code if code < 0 else code


class _Log:
    """What a process has written and was not shown yet. Lines of several processes begin with their number."""

    def __init__(self, worker: Worker, workers: list[Worker]):
        self.path = worker.log
        self.mark = f"[{worker.rank}] ".encode() if len(workers) > 1 else b""
        self.file: BinaryIO | None = None
        self.rest = b""

    def show(self) -> None:
        """Show the complete lines."""
        if self.file is None:
            self.file = open(self.path, "rb")  # noqa: SIM115 - read on until the job is over
        *lines, self.rest = (self.rest + self.file.read()).split(b"\n")
        for line in lines:
            sys.stdout.buffer.write(self.mark + line + b"\n")
        if lines:
            sys.stdout.flush()
