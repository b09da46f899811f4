"""Threads that compute, and never keep a program from ending."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

_END = None


class Threads:
    """A pool of daemon threads: unlike those of ``concurrent.futures`` they are not waited for when Python exits."""

    def __init__(self, count: int):
        self._tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._count = count
        self.ended = False
        for number in range(count):
            threading.Thread(target=_work, args=(self._tasks,), name=f"mindspore-dataset-{number}", daemon=True).start()

    def submit(self, function: Callable[..., Any], *args: Any) -> Future:
        """Run a function in one of the threads."""
        future: Future = Future()
        self._tasks.put((future, function, args))
        return future

    def end(self) -> None:
        """Forget what has not begun, and let the threads end."""
        if self.ended:
            return
        self.ended = True
        while not self._tasks.empty():
            try:
                task = self._tasks.get_nowait()
            except queue.Empty:
                break
            if task is not _END:
                task[0].cancel()
        for _ in range(self._count):
            self._tasks.put(_END)


def _work(tasks: queue.SimpleQueue) -> None:
    while (task := tasks.get()) is not _END:
        future, function, args = task
        if not future.set_running_or_notify_cancel():
            continue
        try:
            result = function(*args)
        except BaseException as error:  # handed to whoever asks for the result
            future.set_exception(error)
        else:
            future.set_result(result)
        del task, future, function, args  # nothing is kept alive while waiting for the next one
