"""What a compiled graph does on the host whenever it runs: print, check, stop with an error."""

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
_stopped: dict[int, Exception] = {}  # errors on their way from the device's thread to the caller of the graph
_wanted = {"summaries": False}  # a graph is made for a recorder of summaries, or without
_MARK = re.compile(r"graph stopped by error (\d+)")


def summaries_wanted() -> bool:
    """Whether somebody records summaries."""
    return _wanted["summaries"]


def want_summaries(wanted: bool) -> None:
    _wanted["summaries"] = wanted


class _Stopped(Exception):
    """Ends a running graph. The error itself waits in ``_stopped``: only text comes through XLA."""


def call(function: Callable[..., Any], tensors: Sequence[Tensor], ordered: bool = True) -> None:
    """Have ``function(*arrays)`` called whenever the graph that is being traced runs."""
    scope = state.scope
    if state.replaying or scope is None:  # a backward pass computes the forward one again, but tells nothing twice
        return
    scope.root.calls_host = True
    jax.debug.callback(_guarded(function), *[tensor._read() for tensor in tensors], ordered=ordered)


def fetch(function: Callable[..., Sequence[Any]], forms: Sequence[jax.ShapeDtypeStruct],
          tensors: Sequence[Tensor] = ()) -> tuple[Tensor, ...]:  # fmt: skip
    """The arrays that ``function(*arrays)`` returns: now, or whenever the graph that is being traced runs."""
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
    """The function, whose errors stop the graph and wait for its caller."""

    def guarded(*arrays: Any) -> Any:
        try:
            return function(*arrays)
        except Exception as error:
            number = next(_numbers)
            _stopped[number] = error
            raise _Stopped(f"graph stopped by error {number}") from None

    return guarded


def original(error: Exception) -> Exception:
    """The error raised on the host, when that is why the graph failed; otherwise the error given."""
    found = _MARK.search(str(error))
    return error if found is None else _stopped.pop(int(found.group(1)), error)


def _is_news(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], _Stopped))


# JAX logs whatever a callback raises; ours reach the user as exceptions.
logging.getLogger(jax.debug.callback.__module__).addFilter(_is_news)
