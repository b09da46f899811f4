"""What ``mutable`` returns: numbers and containers marked as inputs of a graph, whose values it does not keep as constants.

They are ints, floats, tuples, lists and dicts in every respect. In a graph numbers become inputs when they change, with or without
the mark (``graph/recompile.py``); the mark decides which containers ``GradOperation(get_all=True)`` differentiates.
"""

from __future__ import annotations

from typing import Any


class _Mutable:
    __ms_mutable__ = True
    __ms_dynamic_len__ = False


class MutableInt(_Mutable, int):
    """An int whose value may change from call to call."""


class MutableFloat(_Mutable, float):
    """A float whose value may change from call to call."""


class MutableTuple(_Mutable, tuple):
    """A tuple whose elements may change from call to call."""


class MutableList(_Mutable, list):
    """A list whose elements may change from call to call."""


class MutableDict(_Mutable, dict):
    """A dict whose values may change from call to call."""


NUMBERS: dict[type, type] = {MutableInt: int, MutableFloat: float}
_KINDS = {int: MutableInt, float: MutableFloat, tuple: MutableTuple, list: MutableList, dict: MutableDict}


def marked(value: Any, dynamic_len: bool) -> Any:
    """The value with the mark; None if it is of another type."""
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
