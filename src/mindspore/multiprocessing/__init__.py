"""Python's multiprocessing for programs with Tensors.

Processes are started anew ("spawn"): a copy of a process ("fork") whose XLA has started threads can stop for ever. A
Tensor that is sent to another process arrives as a copy on the device of that process.

>>> from mindspore import Tensor, multiprocessing
>>> receiver, sender = multiprocessing.Pipe(duplex=False)
>>> sender.send(Tensor([1.0, 2.0]))
>>> print(receiver.recv())
[1. 2.]
"""

from __future__ import annotations

import multiprocessing as _multiprocessing
from multiprocessing import (
    AuthenticationError,
    BufferTooShort,
    ProcessError,
    TimeoutError,
    active_children,
    cpu_count,
    current_process,
    get_logger,
    log_to_stderr,
    parent_process,
    reducer,
)
from multiprocessing.context import SpawnContext
from typing import Any

_context: SpawnContext = _multiprocessing.get_context("spawn")

Array = _context.Array
Barrier = _context.Barrier
BoundedSemaphore = _context.BoundedSemaphore
Condition = _context.Condition
Event = _context.Event
JoinableQueue = _context.JoinableQueue
Lock = _context.Lock
Manager = _context.Manager
Pipe = _context.Pipe
Pool = _context.Pool
Process = _context.Process
Queue = _context.Queue
RLock = _context.RLock
RawArray = _context.RawArray
RawValue = _context.RawValue
Semaphore = _context.Semaphore
SimpleQueue = _context.SimpleQueue
Value = _context.Value
allow_connection_pickling = _context.allow_connection_pickling
freeze_support = _context.freeze_support
set_executable = _context.set_executable
set_forkserver_preload = _context.set_forkserver_preload


def _check(owner: str, method: Any) -> None:
    if method not in (None, "spawn"):
        raise ValueError(
            f"For '{owner}', the 'method' must be 'spawn', but got {method!r}: a copy of a process whose XLA has started "
            "threads can stop for ever. Use Python's own multiprocessing for processes without Tensors."
        )


def get_all_start_methods() -> list[str]:
    """How processes can be started."""
    return ["spawn"]


def get_start_method(allow_none: bool = False) -> str:
    """How processes are started.

    Examples:
        >>> from mindspore import multiprocessing
        >>> multiprocessing.get_start_method()
        'spawn'
    """
    return "spawn"


def set_start_method(method: str, force: bool = False) -> None:
    """Say how processes are started: 'spawn'."""
    _check("set_start_method", method)


def get_context(method: str | None = None) -> SpawnContext:
    """The functions of this module for a start method."""
    _check("get_context", method)
    return _context


__all__ = [
    "Array",
    "AuthenticationError",
    "Barrier",
    "BoundedSemaphore",
    "BufferTooShort",
    "Condition",
    "Event",
    "JoinableQueue",
    "Lock",
    "Manager",
    "Pipe",
    "Pool",
    "Process",
    "ProcessError",
    "Queue",
    "RLock",
    "RawArray",
    "RawValue",
    "Semaphore",
    "SimpleQueue",
    "TimeoutError",
    "Value",
    "active_children",
    "allow_connection_pickling",
    "cpu_count",
    "current_process",
    "freeze_support",
    "get_all_start_methods",
    "get_context",
    "get_logger",
    "get_start_method",
    "log_to_stderr",
    "parent_process",
    "reducer",
    "set_executable",
    "set_forkserver_preload",
    "set_start_method",
]
