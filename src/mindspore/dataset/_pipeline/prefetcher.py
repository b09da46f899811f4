"""Computes the rows of a pipeline ahead of the consumer, in threads, and delivers them in order."""

from __future__ import annotations

import collections
import queue
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

from mindspore.dataset._pipeline.processes import ProcessPool
from mindspore.dataset._pipeline.rows import Columns, Rows, value_at
from mindspore.dataset._pipeline.stages import Stage
from mindspore.dataset._pipeline.threads import Threads, start_thread

_EPOCH_END = object()


class Runner:
    """A run of a pipeline over some epochs.

    A feeder thread walks the stages and hands blocks of rows to the workers; the consumer takes their results in order.
    How many rows make a block adapts itself: large enough that handing it over costs little, small enough to have several in
    work. What waits for the consumer is bounded by a number of rows and of bytes.
    """

    AIM = 0.02  # seconds of work in one block
    FORGETTING = 1.1  # the estimated cost of a row grows by at most this factor from block to block
    LARGEST_BLOCK = 1024  # rows
    WAITING_BYTES = 64 * 2**20

    def __init__(
        self, stage: Stage, epochs: int | None, workers: int, prefetch: int, processes: ProcessPool | None = None
    ):
        self.stage = stage
        self.processes = processes
        self.epochs = epochs
        self.pool = Threads(workers)
        self.fewest, self.most = workers + 1, max(prefetch, workers + 1)  # blocks that may wait
        self.queue: queue.Queue[Any] = queue.Queue(maxsize=self.most)
        self.block = 1
        self.row_seconds = float("inf")
        self.row_bytes = 0
        self.delivered = 0  # epochs
        self.problem: BaseException | None = None
        self.stopped = threading.Event()
        self._finalizer = weakref.finalize(self, _stop, self.stopped, self.pool, self.queue, processes)
        start_thread(_feed, weakref.ref(self), self.stopped, stop=self.stopped.set)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of the next epoch."""
        if self.problem is not None:
            raise self.problem
        if self.delivered == self.epochs:
            raise beyond_the_last_epoch()
        while True:
            try:
                item = self.queue.get()
                if item is _EPOCH_END:
                    break
                if isinstance(item, BaseException):
                    raise item
                count, future = item
                columns = future.result()
            except BaseException as error:
                self.problem = error
                self.stop()
                raise
            for position in range(count):
                yield {name: value_at(column, position) for name, column in columns.items()}
        self.delivered += 1
        if self.delivered == self.epochs:
            self.stop()  # nothing more will be asked for: workers end now, not when the iterator is dropped

    def stop(self) -> None:
        """End all threads; nothing more will come."""
        self._finalizer()

    def compute(self, rows: Rows) -> Columns:
        """Compute a block, and learn from it how large blocks should be."""
        start = time.perf_counter()
        columns = rows.compute() if self.processes is None else self.processes.compute(rows)
        per_row = (time.perf_counter() - start) / len(rows)
        # waiting for the interpreter or the processor makes blocks look slow: the fast blocks measure the cost of a row
        self.row_seconds = min(per_row, self.row_seconds * self.FORGETTING)
        size = sum(_bytes(column) for column in columns.values()) / len(rows)
        self.row_bytes = max(self.row_bytes, int(size))
        by_time = int(self.AIM / max(self.row_seconds, 1e-9))
        room = self.WAITING_BYTES // max(self.row_bytes, 1)  # rows
        self.block = max(1, min(by_time, room // self.most, self.LARGEST_BLOCK, self.block * 2))
        self.queue.maxsize = max(self.fewest, min(self.most, room // self.block))
        return columns


def _bytes(column: Any) -> int:
    return column.nbytes if hasattr(column, "nbytes") else sum(getattr(value, "nbytes", 64) for value in column)


def beyond_the_last_epoch() -> RuntimeError:
    """The error of asking for more epochs than were announced."""
    return RuntimeError(
        "EOF buffer encountered. User tries to fetch data beyond the specified number of epochs. Create the iterator with "
        "a larger 'num_epochs', or with -1 for any number."
    )


def _stop(stopped: threading.Event, pool: Threads, waiting: queue.Queue, processes: ProcessPool | None) -> None:
    stopped.set()
    pool.end()
    if processes is not None:
        processes.close()
    while True:  # a feeder that waits for room must wake up
        try:
            waiting.get_nowait()
        except queue.Empty:
            return


def _feed(reference: weakref.ref[Runner], stopped: threading.Event) -> None:
    """Walk the stages, epoch by epoch. The runner may disappear meanwhile: then its iterator was dropped."""
    runner = reference()
    if runner is None:
        return
    stage, epochs, waiting = runner.stage, runner.epochs, runner.queue
    del runner
    done = 0
    try:
        while not stopped.is_set() and (epochs is None or done < epochs):
            for rows in stage.epoch():
                if not _hand_over(reference, rows, waiting, stopped):
                    return
            _put(waiting, _EPOCH_END, stopped)
            done += 1
    except BaseException as error:
        _put(waiting, error, stopped)


def _hand_over(reference: weakref.ref[Runner], rows: Rows, waiting: queue.Queue, stopped: threading.Event) -> bool:
    """Cut rows into blocks and give them to the workers."""
    start = 0
    while start < len(rows):
        runner = reference()
        if runner is None or stopped.is_set():
            return False
        part = rows.take(slice(start, start + runner.block))
        start += len(part)
        future = runner.pool.submit(runner.compute, part)
        del runner
        if not _put(waiting, (len(part), future), stopped):
            return False
    return True


def _put(waiting: queue.Queue, item: Any, stopped: threading.Event) -> bool:
    while not stopped.is_set():
        try:
            waiting.put(item, timeout=0.1)
            return True
        except queue.Full:
            continue
    return False


def computed_ahead(workers: int) -> Callable[[Iterator[Rows]], Iterator[tuple[Rows, Columns]]]:
    """A function that computes rows for stages which must see them, a few blocks ahead, in order."""

    def run(blocks: Iterator[Rows]) -> Iterator[tuple[Rows, Columns]]:
        pool = Threads(workers)
        waiting: collections.deque[tuple[Rows, Future]] = collections.deque()
        try:
            for rows in _cut(blocks, 32):
                waiting.append((rows, pool.submit(rows.compute)))
                if len(waiting) > 2 * workers:
                    first, future = waiting.popleft()
                    yield first, future.result()
            while waiting:
                first, future = waiting.popleft()
                yield first, future.result()
        finally:
            pool.end()

    return run


def _cut(blocks: Iterator[Rows], length: int) -> Iterator[Rows]:
    for rows in blocks:
        for start in range(0, len(rows), length):
            yield rows.take(slice(start, start + length))
