"""The variables of a function as they are at one moment.

A branch or loop body is traced several times, for its gradient long after the program has gone on. Each time it gets
variables of its own, with the values they had when the construct was reached.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.base.mutation import Contents, MutationTarget
from mindspore._engine.base.trace_state import state
from mindspore._engine.base.user_frames import PARTS
from mindspore._engine.syntax.values import Variables, is_same
from mindspore._engine.tensor.tensor import Tensor

_EMPTY = object()
_UNASSIGNED = types.CellType()
_REACH = 8  # steps from a variable to an object inside it
_LEAVES = (Tensor, str, bytes, int, float, complex, type, types.ModuleType, type(None))


class Frozen:
    """Some functions with the values of all variables they share with the function around them."""

    def __init__(self, *functions: Callable[..., Any] | None):
        self.functions = functions
        self.values: dict[
            int, tuple[types.CellType, Any, Any]
        ] = {}  # by the cell's id: its value, and the value frozen
        self.copies: dict[int, tuple[Any, Any]] = {}  # lists, dicts and sets by id, with their copies
        self.originals: dict[int, Any] = {}  # by the copy's id
        changed = {} if state.scope is None else state.scope.root.changed
        # Attributes and containers the trace has changed so far.
        self.places = {key: (place, place.read()) for key, (place, _) in changed.items()}
        for function in functions:
            self._take_cells(function)
        if state.scope is not None:
            state.scope.copies.update({id(copy): copy for _, copy in self.copies.values()})

    def _take_cells(self, function: Any) -> None:
        for cell in getattr(function, "__closure__", None) or ():
            if id(cell) not in self.values:
                try:
                    value = cell.cell_contents
                except ValueError:  # not assigned yet
                    value = _EMPTY
                self.values[id(cell)] = (cell, value, self._copied(value))
                for inner in _functions_in(value):
                    self._take_cells(inner)

    def _copied(self, value: Any) -> Any:
        """The value, with copies of the containers in it: they may change later."""
        if value.__class__ is tuple:
            return tuple([self._copied(v) for v in value])
        if value.__class__ not in (list, dict, set):
            return value
        known = self.copies.get(id(value))
        if known is not None:
            return known[1]
        copy: Any = value.__class__()
        self.copies[id(value)] = (value, copy)
        self.originals[id(copy)] = value
        if isinstance(value, list):
            copy.extend(self._copied(v) for v in value)
        elif isinstance(value, dict):
            copy.update({k: self._copied(v) for k, v in value.items()})
        else:
            copy.update(value)
        return copy

    def thaw(self) -> list[Any]:
        """The functions anew, each time with fresh variables."""
        self._put_back()
        cells = {key: types.CellType() for key in self.values}
        for key, (_, _, value) in self.values.items():
            if value is not _EMPTY:
                cells[key].cell_contents = _remade(value, cells) if _functions_in(value) else value
        return [_remade(function, cells) for function in self.functions]

    def _put_back(self) -> None:
        """Give attributes and containers what they held when the construct was reached, in the present scope."""
        scope = state.scope
        for key, (place, before) in list(scope.root.changed.items()) if scope is not None else ():
            value = self.places.get(key, (place, before))[1]
            if not is_same([value, place.read()]):
                scope.note_change(place)
                place.write(value)

    def original(self, value: Any) -> Any:
        """The container a copy was made from; other values are their own."""
        return self.originals.get(id(value), value)

    def originals_of(self, values: Sequence[Any]) -> tuple:
        return tuple([self.original(value) for value in values])

    def place(self, place: MutationTarget) -> MutationTarget:
        """The place in the program that a place in the frozen variables stands for."""
        if isinstance(place, Contents) and id(place.owner) in self.originals:
            return Contents(self.original(place.owner))
        return place

    def concerns(self, place: MutationTarget) -> bool:
        """Whether the place was there before the construct; what is made inside a branch or loop ends with it."""
        if id(place.owner) in self.originals:
            return True
        roots = [value for _, value, _ in self.values.values()]
        return is_reachable(place.owner, [*roots, *[r for f in self.functions for r in _globals_of(f)]])


def is_reachable(wanted: Any, roots: Sequence[Any]) -> bool:
    """Whether an object can be got at from others by attributes, elements and the variables of functions."""
    seen: set[int] = set()
    level = list(roots)
    for _ in range(_REACH):
        following: list[Any] = []
        for value in level:
            if value is wanted:
                return True
            if id(value) not in seen and not isinstance(value, _LEAVES):
                seen.add(id(value))
                following += _members(value)
        level = following
    return False


def _members(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (tuple, list, set)):
        return list(value)
    if isinstance(value, types.FunctionType):
        return [cell.cell_contents for cell in value.__closure__ or () if cell != _UNASSIGNED]
    if isinstance(value, types.MethodType):
        return [value.__self__]
    return list(getattr(value, "__dict__", {}).values())


def _globals_of(function: Any) -> list[Any]:
    """The values of the global names a function mentions."""
    if not isinstance(function, types.FunctionType):
        return []
    names, codes = set(), [function.__code__]
    while codes:
        code = codes.pop()
        names.update(code.co_names)
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return [function.__globals__[name] for name in names if name in function.__globals__]


def _functions_in(value: Any) -> list[Any]:
    """The functions in a variable's value that see variables of the same function."""
    if isinstance(value, types.FunctionType):
        return [value] if value.__closure__ and (value.__code__ in PARTS or "is_rewritten" in value.__dict__) else []
    if isinstance(value, Variables):
        return [value.get, value.set]
    return [function for member in value for function in _functions_in(member)] if value.__class__ is tuple else []


def _remade(value: Any, cells: dict[int, types.CellType]) -> Any:
    """Functions with other cells for their variables."""
    if value.__class__ is tuple:
        return tuple([_remade(member, cells) for member in value])
    if isinstance(value, Variables):
        return Variables(_remade(value.get, cells), _remade(value.set, cells), *value.names)
    if not isinstance(value, types.FunctionType) or not value.__closure__:
        return value
    closure = tuple([cells.get(id(cell), cell) for cell in value.__closure__])
    made = types.FunctionType(value.__code__, value.__globals__, value.__name__, value.__defaults__, closure)
    made.__kwdefaults__ = value.__kwdefaults__
    made.__dict__.update(value.__dict__)
    return made
