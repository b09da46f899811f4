"""The results of a compiled function: Python values are rebuilt, and the caller's own objects returned as themselves."""

from __future__ import annotations

import abc
import collections
import types
from collections.abc import Iterator
from typing import Any, Generic, NamedTuple, Protocol

import numpy as np

from mindspore._engine.base.errors import needs_value
from mindspore._engine.base.mutation import Contents
from mindspore._engine.base.pytree import Maker
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tensor.traced_number import is_traced_number, kind_of
from mindspore._engine.tracing import effects
from mindspore._engine.tracing.contents import is_library

Path = tuple[Any, ...]
_views = {}.keys(), {}.values(), {}.items()
_TUPLES: tuple[type, ...] = (zip, range, enumerate, type(iter(())), type(_views[0]), type(_views[1]))
_LISTS: tuple[type, ...] = (filter, types.GeneratorType, type(iter([])), type(_views[2]))
_ABSTRACT = (abc.ABC, Generic, Protocol)
_LAZY = (*_TUPLES, *_LISTS, map, reversed, type(reversed([])))


def settled(value: Any, in_graph: bool = True) -> Any:
    """The result of a function for which a graph was asked: iterators and views are sequences, NumPy's numbers are Python's."""
    kind = value.__class__
    if kind is map:
        over = value.__reduce__()[1][1:]  # what it iterates over
        made = list if all(isinstance(one, type(iter([]))) for one in over) else tuple
        return made([settled(item, in_graph) for item in value])
    if kind in _TUPLES:
        return tuple([settled(item, in_graph) for item in value])
    if kind is collections.Counter:
        return dict(value)
    if kind in _LISTS:
        return [settled(item, in_graph) for item in value]
    if kind in (tuple, list, dict):
        if not _is_unsettled(value):
            return value
        if kind is dict:
            return {key: settled(item, in_graph) for key, item in value.items()}
        return kind([settled(item, in_graph) for item in value])
    return value.item() if isinstance(value, np.number | np.bool_) and in_graph else value


def _is_unsettled(value: Any) -> bool:
    kind = value.__class__
    if kind in (tuple, list, dict):
        return any(map(_is_unsettled, value.values() if kind is dict else value))
    lazy = kind is map or kind in _TUPLES or kind in _LISTS
    return lazy or kind is collections.Counter or isinstance(value, np.number | np.bool_)


def refuse_unready(leaves: list[Any]) -> None:
    """An iterator belongs to one call, a text with Tensors in it needs their values: a graph cannot give back either."""
    for leaf in leaves:
        if leaf.__class__ in _LAZY and leaf.__class__ is not range:
            raise needs_value(f"Returning a {type(leaf).__name__}", "return a list or tuple.")
        if isinstance(leaf, str) and hasattr(leaf, "pieces"):
            raise needs_value("Returning a text with Tensors in it", "return the Tensors.")


class _Object(NamedTuple):
    """An object of the program that a graph returns: made again at every call."""

    kind: type
    names: tuple[str, ...]
    slots: tuple[str, ...]

    def make(self, members: tuple) -> Any:
        made = object.__new__(self.kind)
        count = len(self.names)
        if count:
            made.__dict__.update(zip(self.names, members[:count], strict=True))
        for name, value in zip(self.slots, members[count:], strict=True):
            object.__setattr__(made, name, value)
        return made


class _Array:
    """A NumPy array that the trace has made and a graph returns: every call gives one of its own."""

    def __init__(self, array: np.ndarray):
        self.array = array.copy()

    def make(self, members: tuple) -> np.ndarray:
        return self.array.copy()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Array)
            and self.array.dtype == other.array.dtype
            and np.array_equal(self.array, other.array)
        )

    def __hash__(self) -> int:
        return hash(self.array.shape)


class _Set(NamedTuple):
    """A set or bytearray that a graph returns: made again at every call."""

    kind: type

    def make(self, members: tuple) -> Any:
        return self.kind(members)


def is_made(container: Any, root: Scope) -> bool:
    """Whether the trace has made a container or changed it, so that what it holds is known from the trace alone."""
    return effects.is_own(container) or Contents(container).key in root.changed


def opened(value: Any) -> tuple[tuple, Maker] | None:
    """The attributes of an object that the trace has made; None for what is the same at every call."""
    if isinstance(value, (Tensor, str, int, float, type(None), type, types.ModuleType)):
        return None
    kind = type(value)
    if kind is np.ndarray:
        return ((), _Array(value)) if effects.is_own(value) else None
    if kind in (set, frozenset, bytearray) and state.scope is not None:
        return (tuple(value), _Set(kind)) if is_made(value, state.scope.root) or effects.holds_tracers(value) else None
    own = effects.is_own(value) and not isinstance(value, np.ndarray)  # of a derived class
    if not own and not effects.holds_tracers(value):
        return None
    if not all(base is object or not is_library(base.__module__) or base in _ABSTRACT for base in kind.__mro__):
        if effects.holds_tracers(value):
            raise needs_value(f"Returning a {kind.__name__} that keeps Tensors", "return the Tensors.")
        return None
    slots = tuple([name for name in effects.slots_of(kind) if hasattr(value, name)])
    fields = getattr(value, "__dict__", {})
    if any(member is value for member in fields.values()):
        raise needs_value(f"Returning a {kind.__name__} that refers to itself", "return the Tensors.")
    return (*fields.values(), *[getattr(value, name) for name in slots]), _Object(kind, tuple(fields), slots)


def numbers_in(leaves: list[Any]) -> dict[int, type]:
    """Which leaves are numbers to the program, with their kinds."""
    return {i: kind_of(leaf) for i, leaf in enumerate(leaves) if is_traced_number(leaf)}


def as_python(tensor: Tensor, kind: type) -> Any:
    """The number that a graph has computed."""
    return kind(np.asarray(tensor._value).item())


# -- the caller's own objects -----------------------------------------------------------------------------------------
def containers_in(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The lists and dicts in a value, outermost first, with the way to them."""
    kind = value.__class__
    if kind is list or kind is dict:
        yield path, value
    if kind in (list, dict, tuple):
        for key, item in value.items() if kind is dict else enumerate(value):
            yield from containers_in(item, (*path, key))


class Given:
    """The containers of a call's arguments as the trace sees them, to be recognised in its result."""

    def __init__(self, arguments: Any, lists_are_copies: bool = False):
        self.containers = [(path, one, members(one)) for path, one in containers_in(arguments)]
        # The caller's lists: what the trace sees are copies, but some methods change the originals, too.
        lists = [(path, one) for path, one, _ in self.containers if one.__class__ is list] if lists_are_copies else []
        self.originals = [(path, one, [*one], effects.copied_from([*one], one)) for path, one in lists]

    def changed(self) -> list[tuple[Path, list]]:
        """The caller's lists that were changed in place, with what they become."""
        return [(path, original) for path, _, before, original in self.originals if not _same(original, before)]

    def found_in(self, result: Any) -> dict[Path, Path]:
        """Where the result is, or holds, a container of the arguments that is as it was, or as the original has become."""
        if not self.containers:
            return {}
        known = {id(one): path for path, one, before in self.containers if _same(one, before)}
        for path, one, before, original in self.originals:
            if not _same(original, before) and _same(one, original):
                known[id(one)] = known[id(original)] = path
            elif not _same(original, before):
                known.pop(id(one), None)
        found = [(path, [one, *effects.unchanged_origins(one)]) for path, one in containers_in(result)]
        return {path: known[id(one)] for path, chain in found for one in chain if id(one) in known}


def members(container: Any) -> list[Any]:
    return [*container.items()] if container.__class__ is dict else [*container]


def _same(container: Any, before: list[Any]) -> bool:
    now = members(container)
    if container.__class__ is dict:
        return len(now) == len(before) and all(a[0] is b[0] and a[1] is b[1] for a, b in zip(now, before, strict=True))
    return len(now) == len(before) and all(a is b for a, b in zip(now, before, strict=True))


def at(value: Any, path: Path) -> Any:
    """What stands at the end of a path."""
    for key in path:
        value = value[key]
    return value


def within(objects: dict[Path, Any], *prefix: Any) -> dict[Path, Any]:
    """The objects below a path, with the ways to them from there; not the one at its end."""
    count = len(prefix)
    below = {path[count:]: one for path, one in objects.items() if path[:count] == prefix}
    return below if count == 1 else {path: one for path, one in below.items() if path}


def replaced(value: Any, objects: dict[Path, Any], path: Path = ()) -> Any:
    """The result with these objects in it."""
    if path in objects:
        return objects[path]
    kind = value.__class__
    if kind is tuple:
        return tuple([replaced(item, objects, (*path, i)) for i, item in enumerate(value)])
    if kind is list or kind is dict:
        for key, item in value.items() if kind is dict else enumerate(value):
            value[key] = replaced(item, objects, (*path, key))
    return value
