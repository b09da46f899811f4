"""Host callbacks of compiled graphs: print, check, raise."""

from __future__ import annotations

import itertools
import logging
import re
from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.experimental import io_callback

from mindspore._engine.base.trace_state import state
from mindspore._engine.tensor.tensor import Tensor

_numbers = itertools.count(1)
_stopped: dict[int, Exception] = {}  # errors raised in a callback thread, until the graph's caller picks them up
_wanted = {"summaries": False}  # part of the cache key: graphs are traced with or without summary callbacks
_MARK = re.compile(r"graph stopped by error (\d+)")


def summaries_wanted() -> bool:
    """Whether a summary recorder is active."""
    return _wanted["summaries"]


def want_summaries(wanted: bool) -> None:
    """Set whether a summary recorder is active."""
    _wanted["summaries"] = wanted


class _Stopped(Exception):
    """Aborts a running graph. The error itself waits in ``_stopped``: only text passes through XLA."""


def call(function: Callable[..., Any], tensors: Sequence[Tensor], ordered: bool = True) -> None:
    """Call ``function(*arrays)`` on the host each time the traced graph runs."""
    scope = state.scope
    if state.replaying or scope is None:  # rematerialisation in the backward pass must not repeat effects
        return
    scope.root.calls_host = True
    ordered = scope.root.in_order = ordered or scope.root.in_order  # what is printed before an error is seen before it
    jax.debug.callback(_guarded(function), *[tensor._read() for tensor in tensors], ordered=ordered)


def fetch(function: Callable[..., Sequence[Any]], forms: Sequence[jax.ShapeDtypeStruct],
          tensors: Sequence[Tensor] = ()) -> tuple[Tensor, ...]:  # fmt: skip
    """The arrays that ``function(*arrays)`` returns: eagerly, or as a host callback each time the traced graph runs."""
    scope = state.scope
    if scope is None:
        return tuple(Tensor(value) for value in function(*[tensor.asnumpy() for tensor in tensors]))
    scope.root.calls_host = True
    arrays = [tensor._read() for tensor in tensors]
    values = io_callback(_guarded(function), tuple(forms), *arrays, ordered=True)
    tensors = [Tensor.wrap(value) for value in values]
    for tensor in tensors:
        tensor._birth = scope
    return tuple(tensors)


def _guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a callback: its error aborts the graph and is kept for the caller."""

    def guarded(*arrays: Any) -> Any:
        try:
            return function(*arrays)
        except Exception as error:
            number = next(_numbers)
            _stopped[number] = error
            raise _Stopped(f"graph stopped by error {number}") from None

    return guarded


def original(error: Exception) -> Exception:
    """The error raised in a host callback, if that aborted the graph; otherwise the given error."""
    match = _MARK.search(str(error))
    return error if match is None else _stopped.pop(int(match.group(1)), error)


def _is_news(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], _Stopped))


# jax logs exceptions of callbacks; ours reach the user as exceptions.
logging.getLogger(jax.debug.callback.__module__).addFilter(_is_news)
