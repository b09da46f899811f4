"""Checks of numbers by the names of ``mindspore._checkparam``: a number passes and is returned, or an error tells why."""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable
from typing import Any

import numpy as np


class Rel(enum.IntEnum):
    """Relations between a number and limits.

    Examples:
        >>> from mindspore._checkparam import Rel, check_int_range
        >>> check_int_range(3, 0, 5, Rel.INC_LEFT, "depth", "Net")
        3
    """

    EQ, NE, LT, LE, GT, GE, INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH, IN, NOT_IN = range(1, 13)


EQ, NE, LT, LE, GT, GE = Rel.EQ, Rel.NE, Rel.LT, Rel.LE, Rel.GT, Rel.GE
INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH = Rel.INC_NEITHER, Rel.INC_LEFT, Rel.INC_RIGHT, Rel.INC_BOTH
IN, NOT_IN = Rel.IN, Rel.NOT_IN

COMPARED: dict[int, tuple[str, Callable[[Any, Any], bool]]] = {
    EQ: ("=", operator.eq),
    NE: ("!=", operator.ne),
    LT: ("<", operator.lt),
    LE: ("<=", operator.le),
    GT: (">", operator.gt),
    GE: (">=", operator.ge),
    IN: ("in", lambda value, allowed: value in allowed),
    NOT_IN: ("not in", lambda value, allowed: value not in allowed),
}
_BRACKETS: dict[int, str] = {INC_NEITHER: "()", INC_LEFT: "[)", INC_RIGHT: "(]", INC_BOTH: "[]"}
_NUMBERS = {int: (int, np.integer), float: (float, np.floating)}


def who(arg_name: str | None, prim_name: str | None) -> str:
    name = f"'{arg_name}'" if arg_name else "input value"
    return f"For '{prim_name}', the {name}" if prim_name else f"The {name}"


def kind_of(value: Any) -> str:
    return type(value).__name__


def number(value: Any, kind: type, arg_name: str | None, prim_name: str | None) -> Any:
    """A number of that kind and no other; a bool is none."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, _NUMBERS[kind]):
        raise TypeError(
            f"{who(arg_name, prim_name)} must be {kind.__name__}, but got '{value}' with type '{kind_of(value)}'."
        )
    return value


def _related(value: Any, limit: Any, rel: int, kind: type, arg_name: str | None, prim_name: str | None) -> Any:
    sign, holds = COMPARED[rel]
    number(value, kind, arg_name, prim_name)
    if not holds(value, limit):  # NaN relates to nothing
        raise ValueError(
            f"{who(arg_name, prim_name)} must be {kind.__name__} and must {sign} {limit}, but got '{value}' with type "
            f"'{kind_of(value)}'."
        )
    return value


def _in_range(value: Any, low: Any, high: Any, rel: int, arg_name: str | None, prim_name: str | None) -> Any:
    left, right = _BRACKETS[rel]
    above = value >= low if left == "[" else value > low
    below = value <= high if right == "]" else value < high
    if not (above and below):
        raise ValueError(
            f"{who(arg_name, prim_name)} must be in range of {left}{low}, {high}{right}, but got {value} with type '{kind_of(value)}'."
        )
    return value


def check_is_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """Any int."""
    return number(arg_value, int, arg_name, prim_name)


def check_int(arg_value: Any, value: int, rel: int, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """An int in a relation to another."""
    return _related(arg_value, value, rel, int, arg_name, prim_name)


def check_equal_int(arg_value: Any, value: int, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """An int, not a sequence."""
    return check_int(arg_value, value, EQ, arg_name, prim_name)


def check_positive_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """An int above 0.

    >>> check_positive_int(0, "depth", "Net")
    Traceback (most recent call last):
    ...
    ValueError: For 'Net', the 'depth' must be int and must > 0, but got '0' with type 'int'.
    """
    return check_int(arg_value, 0, GT, arg_name, prim_name)


def check_negative_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """An int below 0."""
    return check_int(arg_value, 0, LT, arg_name, prim_name)


def check_non_negative_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """An int of at least 0."""
    return check_int(arg_value, 0, GE, arg_name, prim_name)


def check_non_positive_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> int:
    """An int of at most 0."""
    return check_int(arg_value, 0, LE, arg_name, prim_name)


def check_int_range(*arguments: Any, arg_name: str | None = None, prim_name: str | None = None, **named: Any) -> int:
    """An int between limits: (value, low, high, rel, name, owner), in 1.0 (name, value, low, high, rel, owner)."""
    arguments = _with_named(arguments, named, _RANGE)
    value, low, high, rel, arg_name, prim_name = _named_last(arguments, arg_name, prim_name)
    return _in_range(number(value, int, arg_name, prim_name), low, high, rel, arg_name, prim_name)


def check_is_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """Any float."""
    return number(arg_value, float, arg_name, prim_name)


def check_float(
    arg_value: Any, value: float, rel: int, arg_name: str | None = None, prim_name: str | None = None
) -> float:
    """A float in a relation to another."""
    return _related(arg_value, value, rel, float, arg_name, prim_name)


def check_positive_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """A float above 0."""
    return check_float(arg_value, 0, GT, arg_name, prim_name)


def check_negative_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """A float below 0."""
    return check_float(arg_value, 0, LT, arg_name, prim_name)


def check_non_negative_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """A float of at least 0."""
    return check_float(arg_value, 0, GE, arg_name, prim_name)


def check_non_positive_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> float:
    """A float of at most 0."""
    return check_float(arg_value, 0, LE, arg_name, prim_name)


def check_float_range(
    *arguments: Any, arg_name: str | None = None, prim_name: str | None = None, **named: Any
) -> float:
    """A float between limits: (value, low, high, rel, name, owner)."""
    arguments = _with_named(arguments, named, _RANGE)
    value, low, high, rel, arg_name, prim_name = _named_last(arguments, arg_name, prim_name)
    return _in_range(number(value, float, arg_name, prim_name), low, high, rel, arg_name, prim_name)


def check_number_range(*arguments: Any, arg_name: str | None = None, prim_name: str | None = None, **named: Any) -> Any:
    """A number between limits: (value, low, high, rel, type, name, owner), in 1.0 (name, value, low, high, rel, owner)."""
    kind, arguments = None, _with_named(arguments, named, (*_RANGE, "value_type"))
    if arguments and not isinstance(arguments[0], str):
        kind, arguments = arguments[4], (*arguments[:4], *arguments[5:])
    value, low, high, rel, arg_name, prim_name = _named_last(arguments, arg_name, prim_name)
    if kind is not None and kind in _NUMBERS:
        number(value, kind, arg_name, prim_name)
    return _in_range(value, low, high, rel, arg_name, prim_name)


def check_number(arg_name: str, arg_value: Any, value: Any, rel: int, prim_name: str | None = None) -> Any:
    """A number in a relation to another."""
    sign, holds = COMPARED[rel]
    if not holds(arg_value, value):
        owner = f"For '{prim_name}', the" if prim_name else "The"
        raise ValueError(f"{owner} argument '{arg_name}' must {sign} {value}, but got {arg_value}.")
    return arg_value


_RANGE = ("arg_value", "lower_limit", "upper_limit", "rel")


def _with_named(arguments: tuple, named: dict[str, Any], names: tuple[str, ...]) -> tuple:
    """Arguments with those that were given by name in their places."""
    if not named:
        return arguments
    missing = [name for name in names[len(arguments) :] if name not in named]
    if missing or len(named) + len(arguments) > len(names):
        raise TypeError(
            f"A range is checked with {', '.join(names)}; got {len(arguments)} by position, and {sorted(named)}."
        )
    return (*arguments, *(named[name] for name in names[len(arguments) :]))


def _named_last(arguments: tuple, arg_name: str | None, prim_name: str | None) -> tuple:
    """Arguments with the value first, whichever order they came in."""
    if isinstance(arguments[0], str):
        arguments = (*arguments[1:5], arguments[0], *arguments[5:])
    return (*arguments, *(arg_name, prim_name)[len(arguments) - 4 :])
