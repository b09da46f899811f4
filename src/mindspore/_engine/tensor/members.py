"""Attaching members to Tensor: the only module that sets attributes of the class."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from mindspore._engine.tensor.tensor import Tensor


def attach(name: str, member: Any) -> None:
    """Make a function, property or constant a member of Tensor."""
    if isinstance(member, FunctionType) and member.__name__.startswith("_") and not member.__name__.startswith("__"):
        member.__name__ = member.__qualname__ = name  # Python's own errors about arguments name the method
    setattr(Tensor, name, member)


def attach_functions(*functions: Callable[..., Any]) -> None:
    """Make functions methods of Tensor, under their own names without a leading underscore."""
    for function in functions:
        name = function.__name__
        attach(name if name.startswith("__") else name.removeprefix("_"), function)
