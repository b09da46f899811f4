"""Named queues of rows, between a data pipeline that sends and a network that fetches its own data.

>>> send("numbers", [1, 2])
>>> receive("numbers")
[1, 2]
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from typing import Any

_ROOM = 16  # rows that may wait
_PATIENCE = 0.1  # seconds between looks at whether the sender was stopped
_queues: dict[str, queue.Queue[Any]] = {}
_END = object()


def open_queue(name: str) -> queue.Queue[Any]:
    """The queue of this name, made where there is none."""
    return _queues.setdefault(name, queue.Queue(_ROOM))


def send(name: str, row: Sequence[Any], stopped: Callable[[], bool] = lambda: False) -> None:
    """Append a row; waits while there is no room, unless the sender is stopped."""
    while not stopped():
        try:
            return open_queue(name).put(row, timeout=_PATIENCE)
        except queue.Full:
            continue


def finish(name: str, problem: BaseException | None = None, stopped: Callable[[], bool] = lambda: False) -> None:
    """No more rows will come: readers get the end marker, or the error."""
    send(name, (_END, problem), stopped)


def receive(name: str) -> Sequence[Any]:
    """The next row; waits for it."""
    if name not in _queues:
        raise RuntimeError(
            f"For 'GetNext', there is no device queue named '{name}', only {sorted(_queues)}. Start a sender first: "
            f"dataset.device_que(queue_name='{name}').send(). To read batches without one, iterate over the dataset."
        )
    row = open_queue(name).get()
    if len(row) == 2 and row[0] is _END:
        _queues.pop(name, None)
        raise row[1] or RuntimeError(f"For 'GetNext', the data queue '{name}' has no more data.")
    return row


def close(name: str) -> None:
    """Drop a queue and what waits in it."""
    _queues.pop(name, None)
