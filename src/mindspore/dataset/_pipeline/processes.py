"""Worker processes, for Python transforms that keep the interpreter busy.

Workers are fresh processes that never load XLA. The pipeline is sent to them once; a task is a few numbers. Large
arrays come back through shared memory. A worker ends when its connection closes, so none outlives its pipeline.
"""

from __future__ import annotations

import contextlib
import glob
import io
import os
import pickle
import socket
import subprocess
import sys
import threading
import weakref
from multiprocessing import shared_memory
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np

from mindspore._utils import log
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.rows import Columns, Rows, slim
from mindspore.dataset.core import config

_MAIN = Path(__file__).with_name("worker_main.py")
_PREFIX = "mycelium-"


class ProcessPool:
    """Worker processes, a process per thread that computes rows."""

    def __init__(self, shared: list[Any]):
        """``shared``: objects that tasks refer to; sent once."""
        self._numbers = {id(item): number for number, item in enumerate(shared)}
        self._kept = shared  # ids stay valid as long as the objects live
        self._payload = cloudpickle.dumps(shared)
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


class _TaskPickler(cloudpickle.Pickler):
    """Pickles objects that the workers have as their indices."""

    def __init__(self, file: Any, numbers: dict[int, int]):
        super().__init__(file)
        self._numbers = numbers

    def persistent_id(self, obj: Any) -> Any:
        return self._numbers.get(id(obj))


class _Worker:
    """A worker process and the connection to it."""

    def __init__(self, payload: bytes):
        here, there = socket.socketpair()
        with there:
            command = [sys.executable, str(_MAIN), str(there.fileno()), str(_MAIN.parents[2])]
            self.process = subprocess.Popen(command, pass_fds=[there.fileno()], start_new_session=True)
        self.connection = Connection(here.detach())
        self.connection.send((list(sys.path), os.getcwd()))
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
            failed, answer = self.connection.recv()
        except (EOFError, OSError):
            raise self._died() from None
        if failed:
            raise answer
        return {name: _received(column) for name, column in answer.items()}

    def _died(self) -> RuntimeError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        return pipeline_error(
            f"A worker process (pid {self.process.pid}) of the dataset died with exit code {self.process.returncode}. It may "
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
        for path in glob.glob(f"/dev/shm/{_PREFIX}{self.process.pid}-*"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)


class _Crew:
    """All workers of a pool; after ``end`` no more are started."""

    def __init__(self) -> None:
        self.workers: list[_Worker] = []
        self.ended = False
        self.lock = threading.Lock()

    def hire(self, payload: bytes) -> _Worker:
        """Start one more."""
        with self.lock:
            if self.ended:
                raise pipeline_error("The pipeline was stopped.")
            worker = _Worker(payload)
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
class Shared:
    """An array in shared memory: its name, shape and dtype."""

    LEAST = 1 << 16  # bytes worth the way through shared memory

    def __init__(self, name: str, shape: tuple[int, ...], dtype: np.dtype):
        self.name = name
        self.shape = shape
        self.dtype = dtype

    def take(self) -> np.ndarray:
        """The array, copied out of the shared memory, which is freed."""
        block = shared_memory.SharedMemory(self.name)
        try:
            return np.ndarray(self.shape, self.dtype, block.buf).copy()
        finally:
            block.close()
            block.unlink()


def _received(column: Any) -> Any:
    if isinstance(column, list):
        return [value.take() if isinstance(value, Shared) else value for value in column]
    return column.take() if isinstance(column, Shared) else column


def load_task(data: bytes, shared: list[Any]) -> Rows:
    """A task as the worker sees it."""
    return _TaskUnpickler(io.BytesIO(data), shared).load()


class _TaskUnpickler(pickle.Unpickler):
    """Unpickles the indices of objects that the worker has as those objects."""

    def __init__(self, file: Any, shared: list[Any]):
        super().__init__(file)
        self._shared = shared

    def persistent_load(self, pid: Any) -> Any:
        return self._shared[pid]
