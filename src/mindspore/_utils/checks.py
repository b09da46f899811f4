"""Argument checks that raise MindSpore-style messages. Every function returns the checked value.

>>> from mindspore._utils import checks
>>> checks.check_int("Dense", "in_channels", 3, low=1)
3
>>> checks.check_one_of("Conv2d", "pad_mode", "sam", ("same", "valid", "pad"))
Traceback (most recent call last):
...
ValueError: For 'Conv2d', the 'pad_mode' must be one of ['same', 'valid', 'pad'], but got 'sam' (type 'str'). Did you mean 'same'?
"""

from __future__ import annotations

import difflib
import dis
import reprlib
import sys
import types
from collections.abc import Callable, Collection, Iterable, Mapping
from numbers import Integral, Real
from typing import Any, TypeVar

from mindspore._utils.refusals import WrongObject, WrongType, refused, several, type_or_value

Value = TypeVar("Value")

_SYNONYMS = {"cuda": "gpu", "npu": "ascend", "acc": "accuracy"}  # what other frameworks call it
_PRINTABLE = (type(None), bool, int, float, complex, str, bytes, tuple, list, dict, set, type)


def shown(value: Any) -> str:
    """``value`` as an error message shows it: short, with its type, never a page of numbers.

    >>> shown("a"), shown(object)
    ("'a' (type 'str')", "'object' (a class)")
    """
    if isinstance(value, type):
        return f"'{value.__name__}' (a class)"
    kind = f"type '{type(value).__name__}'"
    return f"{reprlib.repr(value)} ({kind})" if type(value) in _PRINTABLE else f"a value of {kind}"


def _type_names(types: tuple[type, ...]) -> str:
    names = [f"'{kind.__name__}'" if kind is not type(None) else "None" for kind in types]
    return names[0] if len(names) == 1 else f"one of {', '.join(names[:-1])} or {names[-1]}"


def check_type(
    owner: str, name: str, value: Value, types: type | tuple[type, ...], error: type[Exception] = TypeError
) -> Value:
    """Check ``isinstance``, except that a bool is no int and no float unless ``bool`` is listed; ``error`` where it is no TypeError.

    >>> check_type("Dense", "has_bias", True, bool)
    True
    """
    types = types if isinstance(types, tuple) else (types,)
    refused_bool = isinstance(value, bool) and bool not in types and object not in types
    if refused_bool or not isinstance(value, types):
        if error is TypeError:
            error = WrongType if all(kind.__module__ == "builtins" for kind in types) else WrongObject
        raise refused(error, f"For '{owner}', the '{name}' must be {_type_names(types)}, but got {shown(value)}.")
    return value


def check_bool(owner: str, name: str, value: Any, error: type[Exception] = TypeError) -> bool:
    """Check for True or False; 0 and 1 are refused."""
    return check_type(owner, name, value, bool, error)


def check_str(owner: str, name: str, value: Any, allow_empty: bool = True) -> str:
    """Check for a string, non-empty when asked."""
    check_type(owner, name, value, str)
    if not value and not allow_empty:
        raise refused(ValueError, f"For '{owner}', the '{name}' must be a non-empty string, but got ''.")
    return value


def check_callable(owner: str, name: str, value: Any) -> Callable:
    """Check for something that can be called."""
    if not callable(value):
        raise refused(
            WrongType, f"For '{owner}', the '{name}' must be a function or another callable, but got {shown(value)}."
        )
    return value


def check_int(owner: str, name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """Check for an integer (NumPy's too, bool not) within ``[low, high]``, and return a Python int.

    >>> check_int("set_context", "device_id", 7, low=0, high=4095)
    7
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise refused(WrongType, f"For '{owner}', the '{name}' must be an int, but got {shown(value)}.")
    number = int(value)
    if (low is not None and number < low) or (high is not None and number > high):
        raise refused(
            ValueError, f"For '{owner}', the '{name}' must be {_interval(low, high)}, but got {shown(number)}."
        )
    return number


def _interval(low: Any, high: Any) -> str:
    if high is None:
        return f"greater than or equal to {low}"
    return f"less than or equal to {high}" if low is None else f"in range [{low}, {high}]"


def check_positive_int(owner: str, name: str, value: Any) -> int:
    """Check for an integer of at least 1."""
    return check_int(owner, name, value, low=1)


def check_non_negative_int(owner: str, name: str, value: Any) -> int:
    """Check for an integer of at least 0."""
    return check_int(owner, name, value, low=0)


def check_float_range(
    owner: str, name: str, value: Any, low: float, high: float, include_low: bool = True, include_high: bool = True
) -> float:
    """Check for a real number between ``low`` and ``high``; either end may be left out.

    >>> check_float_range("Dropout", "p", 0.5, 0.0, 1.0, include_high=False)
    0.5
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise refused(WrongType, f"For '{owner}', the '{name}' must be a float or an int, but got {shown(value)}.")
    number = float(value)
    above = number >= low if include_low else number > low
    below = number <= high if include_high else number < high
    if not (above and below):  # written so that NaN is refused too
        ends = f"{'[' if include_low else '('}{low}, {high}{']' if include_high else ')'}"
        # an int is taken for a float here, which to MindSpore is a wrong type; NaN passes its checks and fails later
        error = type_or_value(ValueError) if isinstance(value, Integral) else ValueError
        error = error if number == number else several(ValueError, RuntimeError)
        raise refused(error, f"For '{owner}', the '{name}' must be in range {ends}, but got {shown(number)}.")
    return number


def check_one_of(owner: str, name: str, value: Value, allowed: Collection[Value]) -> Value:
    """Check that ``value`` is one of ``allowed``; the message suggests the nearest allowed value."""
    # types are compared so that True is not taken for 1, nor 1.0 for 1
    if any(type(value) is type(choice) and value == choice for choice in allowed):
        return value
    same_type = any(type(value) is type(choice) for choice in allowed)
    # MindSpore calls anything that is not among names a wrong value, even if it is no str
    error = ValueError if same_type or all(isinstance(choice, str) for choice in allowed) else TypeError
    names = [choice for choice in allowed if isinstance(choice, str)]
    if names and not isinstance(value, str):
        error = type_or_value(error)
    hint = suggestion(value, names) if isinstance(value, str) or not names else " Write a str."
    raise refused(error, f"For '{owner}', the '{name}' must be one of {list(allowed)}, but got {shown(value)}.{hint}")


def nearest_name(word: Any, candidates: Iterable[str]) -> str | None:
    """The candidate spelled most like ``word``, or None when nothing is close.

    >>> nearest_name("Conv2D", ["Conv1d", "Conv2d", "Dense"])
    'Conv2d'
    """
    if not isinstance(word, str):
        return None
    by_lower_case: dict[str, str] = {}
    for candidate in candidates:
        by_lower_case.setdefault(candidate.lower(), candidate)
    other = _SYNONYMS.get(word.lower().split(":")[0])
    if other in by_lower_case:
        return by_lower_case[other]
    close = difflib.get_close_matches(word.lower(), by_lower_case, n=1, cutoff=0.7)
    return by_lower_case[close[0]] if close else None


def suggestion(word: Any, candidates: Iterable[str]) -> str:
    """``" Did you mean 'x'?"`` for the nearest candidate, or an empty string."""
    near = nearest_name(word, candidates)
    return f" Did you mean '{near}'?" if near is not None else ""


def unknown_attribute(
    module_name: str, name: str, candidates: Iterable[str], hints: Mapping[str, str] | None = None
) -> AttributeError | ImportError:
    """The error a module-level ``__getattr__`` raises: a written hint, else the nearest name.

    >>> print(unknown_attribute("mindspore.nn", "Linear", ["Dense"], {"Linear": "It is called nn.Dense here."}))
    module 'mindspore.nn' has no attribute 'Linear'. It is called nn.Dense here.
    """
    # underscored names are asked for by tools (copy, inspect, doctest): no time is spent on suggestions for them
    public = [] if name.startswith("_") else [candidate for candidate in candidates if not candidate.startswith("_")]
    hint = f" {hints[name]}" if hints and name in hints else suggestion(name, public)
    if hint and _is_import(_asker()):  # Python would say "cannot import name" without our words
        return ImportError(f"cannot import name '{name}' from '{module_name}'.{hint}", name=module_name)
    return AttributeError(f"module '{module_name}' has no attribute '{name}'.{hint}", name=name)


def _asker() -> types.FrameType:
    """The frame that asks a module's ``__getattr__`` for a name."""
    frame = sys._getframe(3)
    wrapped = (
        frame.f_globals.get("__name__") == "mindspore._utils.compat.private_paths"
    )  # which asks the module's own first
    return frame.f_back if wrapped and frame.f_back is not None else frame


def _is_import(frame: types.FrameType) -> bool:
    """Whether this frame is at the names of a ``from module import name``."""
    return frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti] == dis.opmap["IMPORT_FROM"]
