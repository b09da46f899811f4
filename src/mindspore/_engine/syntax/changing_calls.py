"""Calls that change what they are given: methods of containers and arrays, and functions of libraries such as ``heapq``."""

from __future__ import annotations

import bisect
import heapq
import operator
import random
import types
from typing import Any

import numpy as np

from mindspore._engine.base.mutation import CHANGING

_METHODS = {
    "append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort", "update", "setdefault", "popitem", "add", "discard",
    "appendleft", "extendleft", "popleft", "rotate", "__setitem__", "__delitem__", "__iadd__", "move_to_end", "subtract",
    "difference_update", "intersection_update", "symmetric_difference_update",
}  # fmt: skip
_METHODS_OF_ARRAYS = {"fill", "sort", "partition", "put", "resize", "itemset", "setfield", "setflags", "__setitem__"}
_IN_PLACE = ("iadd", "iand", "iconcat", "ifloordiv", "ilshift", "imatmul", "imod", "imul", "ior", "ipow", "irshift", "isub",
             "itruediv", "ixor", "setitem", "delitem")  # fmt: skip
_FUNCTIONS = {  # they change their first argument
    heapq.heapify, heapq.heappush, heapq.heappop, heapq.heappushpop, heapq.heapreplace, bisect.insort, bisect.insort_left,
    bisect.insort_right, random.shuffle, np.copyto, np.put, np.place, np.putmask, np.fill_diagonal, np.random.shuffle,
    *[getattr(operator, name) for name in _IN_PLACE],
}  # fmt: skip


def changed_by(function: Any, args: tuple, kwargs: dict[str, Any]) -> list[Any]:
    """The containers and arrays that a call of a function written in C or of a library changes."""
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if isinstance(owner, CHANGING):
        found = [owner] if name in _METHODS else []
    elif isinstance(owner, np.ndarray):
        found = [owner] if name in _METHODS_OF_ARRAYS else []
    elif isinstance(function, (types.MethodDescriptorType, types.WrapperDescriptorType)):  # list.append(log, x)
        found = [*args[:1]] if name in _METHODS | _METHODS_OF_ARRAYS else []
    else:
        found = [*args[:1]] if _is_listed(function) else []
    out = kwargs.get("out")
    found += out if isinstance(out, tuple) else [out]
    return [one for one in found if isinstance(one, (*CHANGING, np.ndarray))]


def _is_listed(function: Any) -> bool:
    try:
        return function in _FUNCTIONS
    except TypeError:  # a method of an object without a hash
        return False
