"""Worker processes, for Python transforms that keep the interpreter busy.

Workers are fresh processes that never load XLA. The pipeline is sent to them once; a task is a few numbers. Large
arrays come back through shared memory. A worker ends when its connection closes, so none outlives its pipeline.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import types
import weakref
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import cloudpickle

from mindspore._utils import log
from mindspore._utils.files import file_limit
from mindspore._utils.submodules import can_be_imported
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.rows import Columns, Rows, slim
from mindspore.dataset.core import config, shared_arrays
from mindspore.dataset.core.shared_arrays import Shared

_MAIN = Path(__file__).with_name("worker_main.py")


class ProcessPool:
    """Worker processes, a process per thread that computes rows."""

    def __init__(self, shared: list[Any]):
        """``shared``: objects that tasks refer to; sent once."""
        self._numbers = {id(item): number for number, item in enumerate(shared)}
        _tidy()
        self._kept = shared  # ids stay valid as long as the objects live
        self._payload = _pickled(shared)
        self._local = threading.local()
        self._crew = _Crew()
        self._finalizer = weakref.finalize(self, self._crew.end)

    def compute(self, rows: Rows) -> Columns:
        """Compute rows in the calling thread's worker."""
        worker = getattr(self._local, "worker", None)
        if worker is None:
            worker = self._local.worker = self._crew.hire(self._payload)
        return worker.run(self._task(rows))

    def _task(self, rows: Rows) -> bytes:
        buffer = io.BytesIO()
        _TaskPickler(buffer, self._numbers).dump(slim(rows))
        return buffer.getvalue()

    def close(self) -> None:
        """End all workers."""
        self._finalizer()


def _pickled(shared: list[Any]) -> bytes:
    buffer = io.BytesIO()
    _PayloadPickler(buffer).dump(shared)
    return buffer.getvalue()


class _PayloadPickler(cloudpickle.Pickler):
    """Pickles by value what a worker cannot import: modules that the program created or loaded from a file itself."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, (type, types.FunctionType)):
            module = sys.modules.get(obj.__module__ or "")
        else:
            module = obj if isinstance(obj, types.ModuleType) else None
        if module is not None and not can_be_imported(module.__name__.partition(".")[0]):
            cloudpickle.register_pickle_by_value(module)
        return super().reducer_override(obj)


class _TaskPickler(cloudpickle.Pickler):
    """Pickles objects that the workers already have as indices."""

    def __init__(self, file: Any, numbers: dict[int, int]):
        super().__init__(file)
        self._numbers = numbers

    def persistent_id(self, obj: Any) -> Any:
        return self._numbers.get(id(obj))


class WorkerProcess:
    """A worker process and the connection to it."""

    def __init__(self, payload: bytes):
        here, there = socket.socketpair()
        with there:
            command = [sys.executable, str(_MAIN), str(there.fileno()), str(_MAIN.parents[2])]
            self.process = subprocess.Popen(command, pass_fds=[there.fileno()], start_new_session=True)
        self.connection = Connection(here.detach())
        self.connection.send((list(sys.path), os.getcwd(), file_limit.limit()))
        self.connection.send_bytes(payload)

    def run(self, task: bytes) -> Columns:
        """Send a task and wait for its result."""
        interval = config.get_multiprocessing_timeout_interval()
        try:
            self.connection.send_bytes(task)
            waited = 0
            while not self.connection.poll(interval):
                waited += interval
                log.warning(
                    "A worker process (pid %d) of the dataset has been busy with one block for %d seconds.",
                    self.process.pid,
                    waited,
                )
            failed, answer, problem = self.connection.recv()
        except (EOFError, OSError):
            raise self._died() from None
        if failed:
            raise answer
        if problem:
            log.once(
                "little shared memory",
                f"There is too little shared memory (/dev/shm) for the worker processes of datasets ({problem}): arrays go "
                "through pipes, which is slower. Make it larger (docker run --shm-size=1g), or use smaller batches.",
            )
        return {name: _received(column) for name, column in answer.items()}

    def _died(self) -> RuntimeError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        code = self.process.returncode
        return pipeline_error(
            f"A worker process (pid {self.process.pid}) of the dataset died with exit code {code}{_signal(code)}. It may "
            "have run out of memory, or a transform ended the process."
        )

    def close(self) -> None:
        """End the process and free what it left in shared memory."""
        self.connection.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shared_arrays.free_of(self.process.pid)


def _signal(code: int | None) -> str:
    """What ended a process, if it was a signal."""
    if code is None or code >= 0:
        return ""
    try:
        name = signal.Signals(-code).name
    except ValueError:
        return ""
    return f" ({name}: memory that could not be had, such as a full /dev/shm)" if name == "SIGBUS" else f" ({name})"


@functools.cache
def _tidy() -> None:
    """Once in a program: free the shared memory that killed programs left."""
    freed = shared_arrays.free_abandoned()
    if freed:
        log.info("Freed %d arrays in shared memory, left by worker processes that were killed.", len(freed))


class _Crew:
    """All workers of a pool; after ``end`` no more are started."""

    def __init__(self) -> None:
        self.workers: list[WorkerProcess] = []
        self.ended = False
        self.lock = threading.Lock()

    def hire(self, payload: bytes) -> WorkerProcess:
        """Start one more."""
        with self.lock:
            if self.ended:
                raise pipeline_error("The pipeline was stopped.")
            worker = WorkerProcess(payload)
            self.workers.append(worker)
        return worker

    def end(self) -> None:
        """End all of them."""
        with self.lock:
            self.ended = True
            for worker in self.workers:
                worker.close()
            self.workers.clear()


# -- columns on their way ---------------------------------------------------------------------------------------------
def _received(column: Any) -> Any:
    if isinstance(column, list):
        return [value.take() if isinstance(value, Shared) else value for value in column]
    return column.take() if isinstance(column, Shared) else column


def load_task(data: bytes, shared: list[Any]) -> Rows:
    """A task as the worker sees it."""
    return _TaskUnpickler(io.BytesIO(data), shared).load()


class _TaskUnpickler(pickle.Unpickler):
    """Unpickles such indices as the worker's objects."""

    def __init__(self, file: Any, shared: list[Any]):
        super().__init__(file)
        self._shared = shared

    def persistent_load(self, pid: Any) -> Any:
        return self._shared[pid]
