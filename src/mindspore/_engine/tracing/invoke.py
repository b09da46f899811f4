"""Calls of user functions: directly, or rewritten while a graph is traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._engine.base.trace_state import state
from mindspore._utils.deferred import deferred

_python_calls = deferred("mindspore._engine.syntax.python_calls")  # loaded at the first trace


def invoke(function: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
    """Call a user function as the current mode requires."""
    if state.scope is None:
        return function(*args, **kwargs)
    return _python_calls.call(function, *args, **kwargs)
