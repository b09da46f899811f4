"""Calling the user's own functions: directly, or while a graph is traced, in the form the compiler can follow."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from mindspore._engine.base.trace_state import state


def invoke(function: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
    """Call a user's function in the way the current mode needs."""
    if state.scope is None:
        return function(*args, **kwargs)
    return convert_and_call(function, args, kwargs)


def convert_and_call(function: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
    """Call the function in rewritten form. The rewriter replaces this function when it is loaded, at the first trace."""
    importlib.import_module("mindspore._engine.syntax.rewriter")
    return convert_and_call(function, args, kwargs)
