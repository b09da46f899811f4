"""How guards look into Python values: constants, containers, and objects with fields."""

from __future__ import annotations

import argparse
import collections
import dataclasses
import enum
import sys
import types
from collections.abc import Iterable
from itertools import chain, islice
from typing import Any

import numpy as np

from mindspore._engine.tensor.tensor import Tensor

_LIBRARIES = {"mindspore", "jax", "jaxlib", "numpy", "scipy", "ml_dtypes", *sys.stdlib_module_names} - {"__main__"}
_NAMESPACES = (types.SimpleNamespace, argparse.Namespace, collections.UserDict, collections.UserList)
_LARGE = 4096  # larger containers are guarded by their first and last members
_LARGE_ARRAY = 1 << 26  # bytes; larger arrays are guarded by a strided sample


class Kind(enum.Enum):
    """How a value is looked into."""

    LEAF = "a value"
    TUPLE = "a tuple"
    LIST = "a list"
    DICT = "a dict"
    SET = "a set"
    ARRAY = "an array"
    OBJECT = "an object"

    def length(self, value: Any) -> int:
        return len(value) if self in (Kind.TUPLE, Kind.LIST, Kind.DICT, Kind.SET) else 0

    def containers(self, value: Any) -> list[Any]:
        """What shows the present members, each time it is iterated over."""
        if self is Kind.DICT:
            shown: list[Any] = [value.keys(), value.values()]
        else:
            shown = [value] if self in (Kind.LIST, Kind.SET) else []
        return [Ends(one) if len(one) > _LARGE else one for one in shown]

    def items(self, value: Any) -> Iterable[tuple[str, Any]]:
        """The members with what stands behind the name of the container."""
        if self is Kind.DICT:
            pairs = [(f"[{_label(key)}]", item) for key, item in _ends(value.items())]
            return [*pairs, (" has the keys", tuple(_ends(value)))]
        if self in (Kind.TUPLE, Kind.LIST):
            return [(f"[{index}]", item) for index, item in _ends(list(enumerate(value)))]
        return [(" has the members", frozenset(value))] if self is Kind.SET else []


class Ends:
    """The first and last members of a large container, and its whole length."""

    def __init__(self, container: Any):
        self.container = container

    def __len__(self) -> int:
        return len(self.container)

    def __iter__(self):
        return iter(_ends(self.container))


def _ends(members: Any) -> Iterable[Any]:
    if len(members) <= _LARGE:
        return members
    last = islice(reversed(members), _LARGE // 2) if hasattr(members, "__reversed__") else ()
    return chain(islice(members, _LARGE // 2), last)


def _label(key: Any) -> str:
    return repr(key) if isinstance(key, (str, int, float, tuple)) else f"{type(key).__name__} {id(key)}"


def sample(array: np.ndarray) -> np.ndarray:
    """All of an array, or a strided sample of a very large one."""
    return array if array.nbytes <= _LARGE_ARRAY else array.reshape(-1)[:: array.nbytes // _LARGE_ARRAY + 1].copy()


def is_library(module: str) -> bool:
    """Whether code and objects of a module are assumed constant at run time."""
    return module.partition(".")[0] in _LIBRARIES


def kind_of(value: Any) -> Kind:
    """How to look into a value. What is fixed, a Tensor, or a Cell, which graphs know by themselves, is a leaf."""
    kind = type(value)
    if kind in _PLAIN:
        return _PLAIN[kind]
    for base, found in _BASES:
        if isinstance(value, base):
            return found
    if isinstance(value, _NAMESPACES):
        return Kind.OBJECT
    if callable(value) and not hasattr(kind, "__dict__"):
        return Kind.LEAF
    own = hasattr(value, "__dict__") or hasattr(kind, "__slots__")
    return Kind.OBJECT if own and not is_library(kind.__module__) and not hasattr(kind, "_enter_trace") else Kind.LEAF


def fields_of(value: Any, names: frozenset[str]) -> list[str]:
    """The attributes of an object that a graph may have read: of one that only holds settings all, else those code mentions."""
    own = list(getattr(value, "__dict__", ()))
    slots = [name for kind in type(value).__mro__ for name in _slots(kind) if hasattr(value, name)]
    if isinstance(value, _NAMESPACES) or dataclasses.is_dataclass(value):
        return [*own, *slots]
    classes = [name for name in sorted(names) if name not in own and name not in slots and _is_class_value(value, name)]
    return [name for name in (*own, *slots) if name in names] + classes


def _slots(kind: type) -> Iterable[str]:
    slots = kind.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else [name for name in slots if not name.startswith("__")]


def _is_class_value(value: Any, name: str) -> bool:
    """Whether an attribute is that of the class, and no method or property, which would run."""
    found = next((vars(kind)[name] for kind in type(value).__mro__ if name in vars(kind)), None)
    return found is not None and not hasattr(type(found), "__get__")


_PLAIN: dict[type, Kind] = {
    **dict.fromkeys((bool, int, float, complex, str, bytes, type(None), type(...), range, slice, type), Kind.LEAF),
    **dict.fromkeys((types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.MethodType), Kind.LEAF),
    tuple: Kind.TUPLE, list: Kind.LIST, dict: Kind.DICT, set: Kind.SET, np.ndarray: Kind.ARRAY, Tensor: Kind.LEAF,
}  # fmt: skip
_BASES: tuple[tuple[type, Kind], ...] = (
    (Tensor, Kind.LEAF), (type, Kind.LEAF), (enum.Enum, Kind.LEAF), (types.ModuleType, Kind.LEAF), (tuple, Kind.TUPLE),
    (list, Kind.LIST), (collections.deque, Kind.LIST), (dict, Kind.DICT), (set, Kind.SET), (np.ndarray, Kind.ARRAY),
)  # fmt: skip
