"""Side effects of a program while it is traced: changes of outside objects, files, clocks, random numbers.

A graph does it once, when it is traced, or not at all. Where compiling must not show (``Scope.faithful``) the trace ends before
it happens: ``lost`` raises a break, and the call runs as Python. Where a graph was asked for, changes to things made outside are
all that counts (``Scope.tracked``, ``changed``). Containers and objects created by the trace itself may be changed freely;
``born`` lists them.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable
from typing import Any

from mindspore._engine.base.errors import graph_break
from mindspore._engine.base.mutation import CHANGING
from mindspore._engine.base.trace_state import state
from mindspore._engine.tensor.tensor import Tensor, is_traced

_CONTAINERS = CHANGING


def counts() -> bool:
    """Whether a lost effect ends the present trace."""
    return state.scope is not None and state.scope.root.faithful


def tracked() -> bool:
    """Whether a change to something made outside ends the present trace."""
    return state.scope is not None and state.scope.root.tracked


def asked() -> bool:
    """Whether the present trace is one the program asked for: GRAPH_MODE, or jit around it."""
    return state.scope is not None and not state.scope.root.faithful


def lost(what: str, fix: str) -> None:
    """End the trace before something happens that a graph would not do at every call."""
    if counts():
        raise graph_break(
            f"{what}: a graph would not do that at every call.\nWhat to write instead: {fix}", f"{what}", fix
        )


def changed(what: str, fix: str) -> None:
    """End the trace before something made outside is changed, unless graphs without Python are asked for."""
    if tracked():
        raise graph_break(
            f"{what}: a graph would not do that at every call.\nWhat to write instead: {fix}", f"{what}", fix
        )


def born(value: Any) -> Any:
    """Note that the trace has made a container or object."""
    scope = state.scope
    if scope is not None and scope.root.tracked:
        scope.root.born[id(value)] = value
        scope.root.born_in[id(value)] = scope
    return value


def born_inside(value: Any) -> Any:
    """The same for a container with everything in it that was made together with it."""
    if tracked():
        pending = [value]
        while pending:
            one = pending.pop()
            if isinstance(one, _CONTAINERS):
                born(one)
            if isinstance(one, (*_CONTAINERS, tuple)):
                pending.extend(one.values() if isinstance(one, dict) else one)
    return value


def taken_from(origin: Any, copy: Any) -> Any:
    """Note which container of the trace another one is a copy of."""
    state.scope.root.origins[id(copy)] = origin
    return copy


def copied_from(origin: list, copy: list) -> list:
    """Note that a list which is there already is a copy of another one; returns the other one."""
    taken_from(origin, copy)
    return origin


def origin_of(copy: Any) -> Any:
    """The container that this one was copied from when it got a name; None for others."""
    return None if state.scope is None else state.scope.root.origins.get(id(copy))


def forget_origin(copy: Any) -> None:
    """What happens to a copy from here on does not reach what it was copied from."""
    state.scope.root.origins.pop(id(copy), None)


def unchanged_origins(copy: list) -> list[list]:
    """The list that this one was copied from, and the one which that was copied from, as far as they hold the same."""
    found: list[list] = []
    origin = origin_of(copy)
    while type(origin) is list and same_items(origin, copy):
        found.append(origin)
        origin = origin_of(origin)
    return found


def same_items(one: list, other: list) -> bool:
    """Whether two lists hold the same objects: neither was changed since one was copied from the other."""
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def own_lists(arguments: Any) -> None:
    """Lists among the arguments are copies inside a graph, as in MindSpore's; dicts are the caller's."""
    pending = [arguments]
    while pending:
        one = pending.pop()
        if isinstance(one, list):
            born(one)
        if isinstance(one, (list, tuple, dict)):
            pending.extend(one.values() if isinstance(one, dict) else one)


def copied(pairs: Iterable[tuple[Any, Any]]) -> None:
    """Copies of what the trace has made are its own as well."""
    if tracked():
        for original, copy in pairs:
            if is_own(original):
                born(copy)
                if (origin := origin_of(original)) is not None:
                    taken_from(origin, copy)


def given_away(value: Any) -> None:
    """A container that the trace has made becomes part of something else: changing it from here on would not arrive there."""
    if state.scope is not None:
        pending = [value]
        while pending:
            one = pending.pop()
            if isinstance(one, (*_CONTAINERS, tuple)):
                state.scope.root.born.pop(id(one), None)
                pending.extend(one.values() if isinstance(one, dict) else one)


def is_own(value: Any) -> bool:
    """Whether the trace has made it."""
    return state.scope is not None and id(value) in state.scope.root.born


def is_of_outer_scope(value: Any) -> bool:
    """Whether the trace has made it before the branch or loop that is being traced now."""
    if state.scope is None:
        return False
    birth, scope = state.scope.root.born_in.get(id(value)), state.scope.parent
    while scope is not None and scope is not birth:
        scope = scope.parent
    return scope is not None


def holds_tracers(value: Any, depth: int = 4) -> bool:
    """Whether an object that graphs do not look into keeps Tensors of the present trace: a closure, an object's fields."""
    if isinstance(value, Tensor):
        return is_traced(value)
    if depth == 0 or isinstance(value, (str, bytes, int, float, type, types.ModuleType, type(None))):
        return False
    return any(holds_tracers(member, depth - 1) for member in _members(value))


def _members(value: Any) -> list[Any]:
    if isinstance(value, types.FunctionType):
        return [cell.cell_contents for cell in value.__closure__ or () if cell != types.CellType()]
    if isinstance(value, types.MethodType):
        return [value.__self__]
    return [] if hasattr(type(value), "construct") else members_of(value)


def members_of(value: Any) -> list[Any]:
    """What a container holds, a partial calls with, an object keeps in attributes and slots."""
    if isinstance(value, functools.partial):
        return [value.func, *value.args, *value.keywords.values()]
    if isinstance(value, (*_CONTAINERS, tuple)):
        return [*value.values()] if isinstance(value, dict) else [*value]
    slots = [getattr(value, name, None) for name in slots_of(type(value))]
    return [*getattr(value, "__dict__", {}).values(), *slots]


def slots_of(kind: type) -> list[str]:
    """The names of attributes that a class keeps in slots."""
    listed = [owner.__dict__.get("__slots__", ()) for owner in kind.__mro__]
    names = [name for one in listed for name in ((one,) if isinstance(one, str) else one)]
    return [name for name in names if name not in ("__dict__", "__weakref__")]
