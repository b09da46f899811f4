"""Threads that compute, and do not keep a program from ending."""

from __future__ import annotations

import atexit
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

_END = None
_PATIENCE = 3.0  # seconds to wait for running work when Python exits
_running: dict[threading.Thread, Callable[[], None]] = {}  # with the function that stops each


class Threads:
    """A pool of threads. When Python exits, work that has not begun is dropped; that of ``concurrent.futures`` would be done."""

    def __init__(self, count: int):
        self._tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._count = count
        for _ in range(count):
            start_thread(_work, self._tasks, stop=self.end)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future:
        """Run a function in one of the threads."""
        future: Future = Future()
        self._tasks.put((future, function, args))
        return future

    def end(self) -> None:
        """Forget what has not begun, and let the threads end."""
        while True:
            try:
                task = self._tasks.get_nowait()
            except queue.Empty:
                break
            if task is not _END:
                task[0].cancel()
        for _ in range(self._count):
            self._tasks.put(_END)


def start_thread(function: Callable[..., None], *args: Any, stop: Callable[[], None]) -> None:
    """Run a function in a thread of its own. When Python exits, ``stop`` is called and the thread given a moment."""

    def run() -> None:
        try:
            function(*args)
        finally:
            _running.pop(threading.current_thread(), None)

    thread = threading.Thread(target=run, name="mindspore-dataset", daemon=True)
    _running[thread] = stop
    thread.start()


@atexit.register
def _end_all() -> None:
    """Join the threads before the interpreter ends: a thread inside C++ code would abort the process then."""
    waiting = dict(_running)
    for stop in waiting.values():
        stop()
    deadline = time.monotonic() + _PATIENCE
    for thread in waiting:
        thread.join(max(deadline - time.monotonic(), 0.0))


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
        del task, future, function, args  # nothing is kept alive while waiting for the next task
