"""Python's multiprocessing for programs with Tensors.

Processes are started anew ("spawn") unless ``set_start_method`` says otherwise: a copy of a process ("fork") whose XLA has
started threads can stop for ever. A Tensor that is sent to another process arrives as a copy on the device of that process.

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
from multiprocessing.context import BaseContext
from typing import Any

from mindspore._utils import log

_context: BaseContext = _multiprocessing.get_context("spawn")

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


_chosen: str | None = None  # by set_start_method
_OF_CONTEXT = [
    "Array",
    "Barrier",
    "BoundedSemaphore",
    "Condition",
    "Event",
    "JoinableQueue",
    "Lock",
    "Manager",
    "Pipe",
    "Pool",
    "Process",
    "Queue",
    "RLock",
    "RawArray",
    "RawValue",
    "Semaphore",
    "SimpleQueue",
    "Value",
    "allow_connection_pickling",
    "freeze_support",
    "set_executable",
    "set_forkserver_preload",
]


def _checked(owner: str, method: Any) -> str:
    if method not in get_all_start_methods():
        raise ValueError(
            f"For '{owner}', the 'method' must be one of {get_all_start_methods()}, but got {method!r} of type "
            f"{type(method).__name__}."
        )
    if method == "fork":
        log.once("fork", "Processes are copies of this one ('fork'): start them before the first operator runs. A copy of a "
                 "process whose XLA has started threads can stop for ever; 'spawn' starts processes anew.")  # fmt: skip
    return method


def get_all_start_methods() -> list[str]:
    """How processes can be started; 'spawn' is the default.

    Examples:
        >>> from mindspore import multiprocessing
        >>> multiprocessing.get_all_start_methods()[0]
        'spawn'
    """
    return sorted(_multiprocessing.get_all_start_methods(), key=lambda method: method != "spawn")


def get_start_method(allow_none: bool = False) -> str | None:
    """How processes are started.

    Examples:
        >>> from mindspore import multiprocessing
        >>> multiprocessing.get_start_method()
        'spawn'
    """
    return None if allow_none and _chosen is None else _context.get_start_method()


def set_start_method(method: str | None, force: bool = False) -> None:
    """Say how processes are started: 'spawn', 'fork' or 'forkserver'; a second time only with ``force``.

    Examples:
        >>> from mindspore import multiprocessing
        >>> multiprocessing.set_start_method("spawn", force=True)
        >>> multiprocessing.get_start_method()
        'spawn'
    """
    global _chosen, _context
    if _chosen is not None and not force:
        raise RuntimeError(
            f"For 'set_start_method', the context has already been set to {_chosen!r}: write force=True."
        )
    _chosen = None if method is None and force else _checked("set_start_method", method)
    _context = _multiprocessing.get_context(_chosen or "spawn")
    globals().update({name: getattr(_context, name) for name in _OF_CONTEXT})


def get_context(method: str | None = None) -> BaseContext:
    """The functions of this module for a start method.

    Examples:
        >>> from mindspore import multiprocessing
        >>> multiprocessing.get_context("spawn").get_start_method()
        'spawn'
    """
    return _context if method is None else _multiprocessing.get_context(_checked("get_context", method))


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
