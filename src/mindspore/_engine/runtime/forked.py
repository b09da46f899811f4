"""Forked processes: XLA's threads are not copied, and a computation in the child would wait for them forever.

So a forked child gets an error at its first operator or graph. Tensors that exist can be read there, and a child that computes
nothing, such as a worker that reads files, does not notice.
"""

from __future__ import annotations

import os
from typing import Any, NoReturn

from mindspore._engine.base import deferred_checks, trace_state

_guarded = False


def guard() -> None:
    """From now on children of this process are no processes to compute in."""
    global _guarded
    if not _guarded and hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_in_child)
        _guarded = True


def _in_child() -> None:
    trace_state.intercept_all(_Refusing())
    deferred_checks.refuse_graphs(_refuse)


class _Refusing:
    """A dispatch mode in which no operator runs."""

    def __ms_dispatch__(self, func: Any, args: Any) -> NoReturn:
        _refuse(f"the operator '{func.name}'")


def _refuse(what: str) -> NoReturn:
    raise RuntimeError(
        f"Process {os.getpid()} was forked from a process that had computed before, and cannot run {what}: a fork has none of the "
        "threads that compute, and would wait for ever. Start processes anew instead: multiprocessing.set_start_method('spawn') "
        "or get_context('spawn'); or fork before the first operator runs; or compute with NumPy in the child."
    )
