"""``mindspore._check_jit_forbidden_api``: functions and modules that a program keeps out of graphs.

>>> from mindspore import _check_jit_forbidden_api as forbidden
>>> forbidden.add_jit_forbidden_module("my_plots")
>>> forbidden.is_jit_forbidden_module("my_plots.lines"), forbidden.is_jit_forbidden_module("my_nets")
(True, False)
>>> forbidden.remove_jit_forbidden_module("my_plots")
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["jit_forbidden_register"]

F = TypeVar("F", bound=Callable[..., Any])
_jit_forbidden_module: set[str] = set()
_jit_forbidden_method: set[str] = set()


def jit_forbidden_register(fn: F) -> F:
    """Mark a function that is not meant for graphs; returns it. Here graphs leave what they cannot hold to Python."""
    add_jit_forbidden_method(f"{fn.__module__}.{fn.__qualname__}")
    return fn


def add_jit_forbidden_method(method: str) -> None:
    """Mark a function by its name with its module."""
    _jit_forbidden_method.add(method)


def remove_jit_forbidden_method(method: str) -> None:
    """Take the mark of a function away."""
    _jit_forbidden_method.discard(method)


def get_jit_forbidden_method() -> set[str]:
    """The names of the marked functions."""
    return _jit_forbidden_method


def add_jit_forbidden_module(module: str) -> None:
    """Mark a module and those inside it."""
    _jit_forbidden_module.add(module)


def remove_jit_forbidden_module(module: str) -> None:
    """Take the mark of a module away."""
    _jit_forbidden_module.discard(module)


def get_jit_forbidden_module() -> set[str]:
    """The names of the marked modules."""
    return _jit_forbidden_module


def is_jit_forbidden_module(module: str) -> bool:
    """Whether a module, or one around it, is marked."""
    parts = module.split(".")
    return any(".".join(parts[: end + 1]) in _jit_forbidden_module for end in range(len(parts)))
