"""What ``mutable`` makes: numbers and containers that say of themselves that a graph does not keep their values.

They are ints, floats, tuples, lists and dicts in every respect. In a graph numbers become inputs when they change, with or without
the mark (``graph/recompile.py``); the mark decides which containers ``GradOperation(get_all=True)`` differentiates.
"""

from __future__ import annotations

from typing import Any


class MutableInt(int):
    """An int whose value may change from call to call."""

    __ms_mutable__ = True
    __ms_dynamic_len__ = False


class MutableFloat(float):
    """A float whose value may change from call to call."""

    __ms_mutable__ = True
    __ms_dynamic_len__ = False


class MutableTuple(tuple):
    """A tuple whose elements may change from call to call."""

    __ms_mutable__ = True
    __ms_dynamic_len__ = False


class MutableList(list):
    """A list whose elements may change from call to call."""

    __ms_mutable__ = True
    __ms_dynamic_len__ = False


class MutableDict(dict):
    """A dict whose values may change from call to call."""

    __ms_mutable__ = True
    __ms_dynamic_len__ = False


NUMBERS: dict[type, type] = {MutableInt: int, MutableFloat: float}
_KINDS = {int: MutableInt, float: MutableFloat, tuple: MutableTuple, list: MutableList, dict: MutableDict}


def marked(value: Any, dynamic_len: bool) -> Any:
    """The value as one of these; None if it is of another type."""
    kind = next((made for plain, made in _KINDS.items() if isinstance(value, plain)), None)
    if kind is None:
        return None
    result = kind(value)
    if dynamic_len:
        result.__ms_dynamic_len__ = True
    return result


def is_fixed(value: Any) -> bool:
    """Whether a container is a constant of a graph, whose Tensors have no gradient."""
    return isinstance(value, (tuple, list, dict)) and not getattr(value, "__ms_mutable__", False)
