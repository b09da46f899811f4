"""Pytrees: flatten nested tuples, lists and dicts into leaves, and unflatten.

Unlike jax's pytrees, dicts keep insertion order, None is a leaf, and Parameters in a ParameterTuple stay Parameters.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

LEAF = "*"

# Registered node classes: functions to flatten (children, auxiliary data) and to unflatten.
_NODES: dict[type, tuple[Callable[[Any], tuple[tuple, Any]], Callable[[type, tuple, Any], Any]]] = {}


def register_node(
    kind: type, take: Callable[[Any], tuple[tuple, Any]], make: Callable[[type, tuple, Any], Any]
) -> None:
    """Register a class as pytree node: ``make(kind, *take(value))`` rebuilds the value."""
    _NODES[kind] = (take, make)


def flatten(value: Any) -> tuple[list[Any], Any]:
    """The leaves in order, and a hashable tree definition."""
    leaves: list[Any] = []
    return leaves, _describe(value, leaves)


def _describe(value: Any, leaves: list[Any]) -> Any:
    kind = value.__class__
    if kind is tuple or kind is list:
        return (kind, tuple([_describe(v, leaves) for v in value]))
    if kind is dict:
        return (dict, tuple(value), tuple([_describe(v, leaves) for v in value.values()]))
    if isinstance(value, tuple):  # ParameterTuple and named tuples
        return (kind, tuple([_describe(v, leaves) for v in value]))
    if isinstance(value, (list, dict)):
        return _describe(list(value) if isinstance(value, list) else dict(value), leaves)
    if kind in _NODES:
        members, rest = _NODES[kind][0](value)
        return (kind, tuple([_describe(v, leaves) for v in members]), rest)
    leaves.append(value)
    return LEAF


def unflatten(description: Any, leaves: Iterator[Any]) -> Any:
    """Rebuild the pytree that :func:`flatten` described, with these leaves."""
    if description is LEAF or description == LEAF:
        return next(leaves)
    kind = description[0]
    if kind is dict:
        return {k: unflatten(d, leaves) for k, d in zip(description[1], description[2], strict=True)}
    members = [unflatten(d, leaves) for d in description[1]]
    if kind in (tuple, list):
        return kind(members)
    if kind in _NODES:
        return _NODES[kind][1](kind, tuple(members), description[2])
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


def map_leaves(function: Callable[[Any], Any], value: Any) -> Any:
    """Map ``function`` over the leaves."""
    leaves, description = flatten(value)
    return unflatten(description, iter([function(leaf) for leaf in leaves]))
