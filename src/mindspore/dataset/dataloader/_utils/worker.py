"""Worker processes of a DataLoader: each has a copy of the dataset and fetches whole batches."""

from __future__ import annotations

import io
import itertools
import os
import pickle
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import cloudpickle
import numpy as np

from mindspore.dataset._pipeline.processes import WorkerProcess

__all__ = ["WorkerInfo", "get_worker_info"]


class WorkerInfo(NamedTuple):
    """What a worker knows about itself."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


_info: WorkerInfo | None = None  # set in worker processes


def get_worker_info() -> WorkerInfo | None:
    """Which worker process of a DataLoader this is; None in the program's own process.

    Examples:
        >>> from mindspore.dataset.dataloader import get_worker_info
        >>> print(get_worker_info())
        None
    """
    return _info


class WorkerState:
    """What a worker process keeps between batches; sent to it once."""

    def __init__(self, info: WorkerInfo, fetch: Callable[..., Any], init: Callable[[int], None] | None):
        self.info, self.fetch, self.init = info, fetch, init
        self.samples: Iterator[Any] | None = None

    def start(self) -> None:
        """In the worker: before the first batch."""
        global _info
        if _info is None:
            _info = self.info
            np.random.seed(self.info.seed % 2**32)
            if self.init is not None:
                self.init(self.info.id)


class FetchTask:
    """One batch: the indices of its samples, or how many more of an iterable dataset."""

    def __init__(self, state: WorkerState, wanted: Any, first: bool):
        self.state, self.wanted, self.first = state, wanted, first

    def compute(self) -> dict[str, Any]:
        """In the worker: the arrays of the batch, and the rest as bytes."""
        state = self.state
        try:
            state.start()
            if self.first:
                state.samples = None
            batch = state.fetch(state, state.info.dataset, self.wanted)
        except Exception as error:
            raise RuntimeError(
                f"DataLoader worker {state.info.id} (pid: {os.getpid()}) caught {type(error).__name__} with message:\n"
                + traceback.format_exc()
            ) from None
        buffer = io.BytesIO()
        pickler = _Packer(buffer)
        pickler.dump(batch)
        return {"arrays": pickler.arrays, "batch": buffer.getvalue()}


class _Packer(cloudpickle.Pickler):
    """Leaves arrays out: they travel through shared memory."""

    def __init__(self, file: Any):
        super().__init__(file)
        self.arrays: list[np.ndarray] = []

    def persistent_id(self, obj: Any) -> Any:
        if type(obj) is np.ndarray and not obj.dtype.hasobject:
            self.arrays.append(obj)
            return len(self.arrays) - 1
        return None


class _Unpacker(pickle.Unpickler):
    """Puts the arrays back."""

    def __init__(self, file: Any, arrays: list[np.ndarray]):
        super().__init__(file)
        self.arrays = arrays

    def persistent_load(self, pid: Any) -> Any:
        return self.arrays[pid]


class LoadingProcess:
    """A worker process, from the side of the program."""

    def __init__(self, state: WorkerState):
        self._state = state
        self._worker = WorkerProcess(cloudpickle.dumps([state]))

    def load(self, wanted: Any, first: bool) -> Any:
        """The batch; waits for it."""
        task = FetchTask(self._state, wanted, first)
        answer = self._worker.run(_task_bytes(task, self._state))
        return _Unpacker(io.BytesIO(answer["batch"]), answer["arrays"]).load()

    def close(self) -> None:
        """End the process."""
        self._worker.close()


class _FetchPickler(cloudpickle.Pickler):
    def __init__(self, file: Any, state: WorkerState):
        super().__init__(file)
        self._state = state

    def persistent_id(self, obj: Any) -> Any:
        return 0 if obj is self._state else None


def _task_bytes(task: FetchTask, state: WorkerState) -> bytes:
    buffer = io.BytesIO()
    _FetchPickler(buffer, state).dump(task)
    return buffer.getvalue()


class Exhausted(NamedTuple):
    """What an iterable dataset gives after its last sample."""


def fetch_indices(collate: Callable[..., Any], state: Any, dataset: Any, wanted: Any) -> Any:
    """Samples by their numbers; a list of numbers is a batch."""
    if not isinstance(wanted, list):
        return collate(dataset[wanted])
    if hasattr(dataset, "__getitems__"):
        return collate(dataset.__getitems__(wanted))
    return collate([dataset[index] for index in wanted])


def fetch_next(collate: Callable[..., Any], drop_last: bool, state: Any, dataset: Any, wanted: int | None) -> Any:
    """The next samples of an iterable dataset; None for a single one."""
    if state.samples is None:
        state.samples = iter(dataset)
    batch = list(itertools.islice(state.samples, wanted or 1))
    if not batch or (wanted and drop_last and len(batch) < wanted):
        return Exhausted()
    return collate(batch if wanted else batch[0])
