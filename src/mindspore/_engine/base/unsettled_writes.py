"""Eager writes of Parameters whose new values are still being computed, and may never exist.

XLA computes eagerly dispatched results in the background, and finds out there that memory is short. Until a new value exists, the
old value is kept here; when the computation has failed, the Parameter gets it back.
"""

from __future__ import annotations

import resource
import threading
from typing import Any

import jax
from jax.core import Tracer

_MOST_BYTES = 1 << 26  # of old values; then those that are settled are let go
_MOST_WRITES = 256
_lock = threading.Lock()
_writes: list[tuple[Any, Any, Any]] = []  # (Parameter, old value, new value)
_bytes = 0
_may_fail = False  # whether a computation was dispatched that may need much memory


def expect_failure() -> None:
    """Large computations were dispatched: whoever overwrites Parameters with what they give waits for them first."""
    global _may_fail
    _may_fail = True


def may_fail() -> bool:
    """Whether values that are still being computed may never exist; asked once, by who then waits."""
    global _may_fail
    found, _may_fail = _may_fail, False
    return found or resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def note(parameter: Any, value: Any) -> None:
    """A Parameter is about to get another value; raises if that has failed already."""
    global _bytes
    old = parameter._value
    if not isinstance(value, jax.Array) or not isinstance(old, jax.Array) or isinstance(value, Tracer):
        return
    if _is_settled(value):
        jax.block_until_ready(value)
        return
    with _lock:
        _writes.append((parameter, old, value))
        _bytes += old.nbytes
    if _bytes > _MOST_BYTES or len(_writes) > _MOST_WRITES:
        settle()


def settle(wait: bool = False) -> None:
    """Let go of old values whose successors exist, and put back those whose successors never will."""
    global _bytes
    with _lock:
        remaining = []
        for parameter, old, new in reversed(_writes):  # the latest first, so that the oldest good value stays
            if not wait and not _is_settled(new):
                remaining.append((parameter, old, new))
            elif _has_failed(new) and parameter._value is new:
                parameter._value = old
        _writes[:] = reversed(remaining)
        _bytes = sum(old.nbytes for _, old, _ in _writes)


def _is_settled(value: Any) -> bool:
    try:
        return value.is_ready()
    except RuntimeError:  # donated to a later computation
        return True


def _has_failed(value: Any) -> bool:
    try:
        jax.block_until_ready(value)
    except jax.errors.JaxRuntimeError:
        return True
    except RuntimeError:  # donated to a later computation
        pass
    return False
