"""Pytrees: flatten nested tuples, lists and dicts into leaves, and unflatten.

Unlike jax's pytrees, dicts keep insertion order, None is a leaf, and Parameters in a ParameterTuple stay Parameters.
"""

from __future__ import annotations

import functools
import itertools
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from mindspore._engine.base.mutable_values import MutableTuple

LEAF = "*"

# Registered node classes: functions to flatten (children, auxiliary data) and to unflatten.
_NODES: dict[type, tuple[Callable[[Any], tuple[tuple, Any]], Callable[[type, tuple, Any], Any]]] = {}


# Classes that are leaves whatever their attributes; most values of most calls.
_LEAVES: set[type] = {int, float, bool, str, type(None)}


def register_leaf(kind: type) -> None:
    """Register a class whose values are leaves and never opened."""
    _LEAVES.add(kind)


def register_node(
    kind: type, take: Callable[[Any], tuple[tuple, Any]], make: Callable[[type, tuple, Any], Any]
) -> None:
    """Register a class as pytree node: ``make(kind, *take(value))`` rebuilds the value."""
    _NODES[kind] = (take, make)


class Maker(Protocol):
    """How an object is made again of its members; comparable and hashable."""

    def make(self, members: tuple) -> Any: ...


class Remade:
    """The kind of nodes that a ``Maker`` makes again."""


Opening = Callable[[Any], tuple[tuple, Maker] | None]


def flatten(value: Any, opened: Opening | None = None) -> tuple[list[Any], Any]:
    """The leaves in order, and a hashable tree definition. ``opened`` gives the members of objects that are no leaves."""
    leaves: list[Any] = []
    return leaves, _describe(value, leaves, opened)


def _describe(value: Any, leaves: list[Any], opened: Opening | None) -> Any:
    kind = value.__class__
    if kind in _LEAVES:
        leaves.append(value)
        return LEAF
    if kind is tuple or kind is list:
        if _LEAVES.issuperset([v.__class__ for v in value]):
            leaves.extend(value)
            return (kind, (LEAF,) * len(value))
        return (kind, tuple([_describe(v, leaves, opened) for v in value]))
    if kind is dict:
        return (dict, tuple(value), tuple([_describe(v, leaves, opened) for v in value.values()]))
    if isinstance(value, tuple):  # ParameterTuple and named tuples
        return (kind, tuple([_describe(v, leaves, opened) for v in value]))
    if isinstance(value, (list, dict)):
        members, maker = _Derived.taken(value)
        return (Remade, tuple([_describe(v, leaves, opened) for v in members]), maker)
    if kind in _NODES:
        members, rest = _NODES[kind][0](value)
        return (kind, tuple([_describe(v, leaves, opened) for v in members]), rest)
    found = None if opened is None else opened(value)
    if found is not None:
        return (Remade, tuple([_describe(v, leaves, opened) for v in found[0]]), found[1])
    leaves.append(value)
    return LEAF


class _Derived(NamedTuple):
    """A list or dict of a class derived from them: OrderedDict, defaultdict, or one of the program."""

    kind: type
    keys: tuple | None  # None: a list
    names: tuple[str, ...]  # attributes
    factory: Any = None  # of a defaultdict

    @classmethod
    def taken(cls, value: Any) -> tuple[tuple, _Derived]:
        state = getattr(value, "__dict__", {})
        factory = value.default_factory if isinstance(value, defaultdict) else None
        if isinstance(value, list):
            keys, members = None, tuple(list.__iter__(value))
        else:
            keys, members = tuple(dict.keys(value)), tuple(dict.values(value))
        return (*members, *state.values()), cls(value.__class__, keys, tuple(state), factory)

    def make(self, members: tuple) -> Any:
        kind = self.kind
        if self.keys is None:
            count = len(members) - len(self.names)
            made: Any = list.__new__(kind)
            list.extend(made, members[:count])
        else:
            count, base = len(self.keys), OrderedDict if issubclass(kind, OrderedDict) else dict
            made = base.__new__(kind)
            for key, value in zip(self.keys, members[:count], strict=True):
                base.__setitem__(made, key, value)
        if self.factory is not None:
            made.default_factory = self.factory
        if self.names:
            made.__dict__.update(zip(self.names, members[count:], strict=True))
        return made


def unflatten(description: Any, leaves: Iterator[Any]) -> Any:
    """Rebuild the pytree that :func:`flatten` described, with these leaves."""
    if description is LEAF or description == LEAF:
        return next(leaves)
    kind = description[0]
    if (kind is tuple or kind is list) and description[1].count(LEAF) == len(description[1]):
        return kind(itertools.islice(leaves, len(description[1])))
    if kind is dict:
        return {k: unflatten(d, leaves) for k, d in zip(description[1], description[2], strict=True)}
    members = [unflatten(d, leaves) for d in description[1]]
    if kind in (tuple, list):
        return kind(members)
    if kind in _NODES:
        return _NODES[kind][1](kind, tuple(members), description[2])
    if kind is MutableTuple:
        return kind(members)
    if hasattr(kind, "_fields"):
        return kind(*members)
    return tuple(members)  # the tracers of a ParameterTuple are plain Tensors


class _Function:
    """What a partial calls, comparable and hashable whatever it is."""

    def __init__(self, function: Any):
        self.function = function

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Function) and bool(self.function is other.function or self.function == other.function)

    def __hash__(self) -> int:
        try:
            return hash(self.function)
        except TypeError:
            return 0


register_node(
    functools.partial,
    lambda value: ((value.args, value.keywords), _Function(value.func)),
    lambda kind, members, rest: kind(rest.function, *members[0], **members[1]),
)


register_node(
    deque,
    lambda value: (tuple(value), value.maxlen),
    lambda kind, members, rest: kind(members, rest),
)
register_node(
    Remade,
    lambda value: ((), None),
    lambda kind, members, rest: rest.make(members),
)


def map_leaves(function: Callable[[Any], Any], value: Any) -> Any:
    """Map ``function`` over the leaves."""
    leaves, description = flatten(value)
    return unflatten(description, iter([function(leaf) for leaf in leaves]))
