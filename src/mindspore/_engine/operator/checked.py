"""Checks for functions that are no operators themselves: the messages are those of operators' arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.operator.arguments import Argument
from mindspore._engine.tensor.tensor import Tensor


def _refused(owner: str, name: str, value: Any, allowed: str) -> Exception:
    return Argument(name, None, False).refuse(value, owner, allowed)


def check_tensors(owner: str, **given: Any) -> None:
    """The arguments, by name, must be Tensors."""
    for name, value in given.items():
        if not isinstance(value, Tensor):
            raise _refused(owner, name, value, "a Tensor")


def check_bools(owner: str, **given: Any) -> None:
    """The arguments, by name, must be True or False."""
    for name, value in given.items():
        if not isinstance(value, (bool, np.bool_)):
            raise _refused(owner, name, value, "a bool")


def check_ints(owner: str, **given: Any) -> None:
    """The arguments, by name, must be whole numbers; a bool is none."""
    for name, value in given.items():
        if isinstance(value, (bool, type)) or not hasattr(value, "__index__"):
            raise _refused(owner, name, value, "an int")


def check_numbers(owner: str, **given: Any) -> None:
    """The arguments, by name, must be real numbers."""
    for name, value in given.items():
        if not isinstance(value, (int, float, np.number, np.bool_)) or isinstance(value, np.complexfloating):
            raise _refused(owner, name, value, "a real number")


def check_strings(owner: str, **given: Any) -> None:
    """The arguments, by name, must be texts or None."""
    for name, value in given.items():
        if value is not None and not isinstance(value, str):
            raise _refused(owner, name, value, "a str")
