"""Snapshots of closure variables.

A branch or loop body is traced several times, for its vjp long after the program has moved on. Its functions have cells of their
own, and each trace begins with the values the variables had when the construct was reached.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mindspore._engine.base.errors import GraphError
from mindspore._engine.base.mutation import ClosureVariable, Contents, MutationTarget
from mindspore._engine.base.trace_state import state
from mindspore._engine.base.user_frames import PARTS
from mindspore._engine.syntax.values import Variables, is_same
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import effects

_EMPTY = object()
_UNASSIGNED = types.CellType()
_REACH = 8  # search depth from a variable to an object inside it
_LEAVES = (Tensor, str, bytes, int, float, complex, type, types.ModuleType, type(None))


class Shared:
    """A container of before the construct, where it lies in what a branch leaves: the same one, whatever its contents are then."""

    __slots__ = ("original",)

    def __init__(self, original: Any):
        self.original = original

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shared) and other.original is self.original

    __hash__ = None  # type: ignore[assignment]


def unshared(value: Any) -> Any:
    """The value with the containers themselves again."""
    kind = value.__class__
    if kind is Shared:
        return value.original
    if kind is tuple:
        members = [unshared(member) for member in value]
        return value if all(a is b for a, b in zip(members, value, strict=True)) else tuple(members)
    if kind in (list, dict):
        for place, member in enumerate(value) if kind is list else list(value.items()):
            value[place] = unshared(member)
    return value


class Frozen:
    """Functions with a snapshot of the variables they share with the enclosing function."""

    def __init__(self, *functions: Callable[..., Any] | None, variables: Variables | None = None):
        self.functions = functions
        self.variables = set() if variables is None else set(_cells_of(variables))  # the construct sees to these itself
        self.values: dict[int, tuple[types.CellType, Any, Any]] = {}  # cell id -> (cell, value at the snapshot)
        self.copies: dict[int, tuple[Any, Any]] = {}  # id of a container -> (container, copy)
        self.originals: dict[int, Any] = {}  # id of a copy -> original
        changed = {} if state.scope is None else state.scope.root.changed
        # Attributes and containers mutated by the trace so far.
        self.mutations = {key: (target, target.read()) for key, (target, _) in changed.items()}
        for function in functions:
            self._take_cells(function)
        self.cells = {key: types.CellType() for key in self.values}  # id of a cell -> the one that takes its place
        self.outer_cells = {id(self.cells[key]): cell for key, (cell, _, _) in self.values.items()}
        if state.scope is not None:
            own = [*[copy for _, copy in self.copies.values()], *self.cells.values()]
            state.scope.copies.update({id(one): one for one in own})
            effects.copied(self.copies.values())

    def _take_cells(self, function: Any) -> None:
        for cell in getattr(function, "__closure__", None) or ():
            if id(cell) not in self.values:
                try:
                    value = cell.cell_contents
                except ValueError:  # empty cell: unassigned
                    value = _EMPTY
                self.values[id(cell)] = (cell, value, self._copied(value))
                for inner in _functions_in(value):
                    self._take_cells(inner)

    def _copied(self, value: Any) -> Any:
        """The value with its containers copied: they may be mutated later."""
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
        """New function objects that share the snapshot's variables, with the values they had."""
        self._restore_mutations()
        cells = self.cells
        for key, (_, _, value) in self.values.items():
            if value is not _EMPTY:
                cells[key].cell_contents = _remade(value, cells) if _functions_in(value) else value
            elif cells[key] != _UNASSIGNED:
                del cells[key].cell_contents
        return [_remade(function, cells) for function in self.functions]

    def _restore_mutations(self) -> None:
        """Restore attributes and containers to the snapshot, within the current scope."""
        scope = state.scope
        for key, (target, before) in list(scope.root.changed.items()) if scope is not None else ():
            value = self.mutations.get(key, (target, before))[1]
            if not is_same([value, target.read()]):
                scope.note_change(target)
                target.write(value)

    def original(self, value: Any) -> Any:
        """The container that a copy was made from; other values unchanged."""
        return self.originals.get(id(value), value)

    def originals_of(self, values: Sequence[Any]) -> tuple:
        return tuple([self.original(value) for value in values])

    def shared(self, value: Any, changed: Sequence[MutationTarget]) -> Any:
        """The value with ``Shared`` in place of containers that were there before the construct."""
        kind = value.__class__
        if kind not in (tuple, list, dict, set):
            return value
        if id(value) in self.originals:
            return Shared(self.originals[id(value)])
        if any(target.owner is value for target in changed):
            return Shared(value)
        if kind is set:
            return value
        before = list(value.values()) if kind is dict else value
        members = [self.shared(member, changed) for member in before]
        if all(a is b for a, b in zip(members, before, strict=True)):
            return value
        return dict(zip(value, members, strict=True)) if kind is dict else kind(members)

    def program_target(self, target: MutationTarget) -> MutationTarget:
        """The mutation target in the program for one in the snapshot."""
        if isinstance(target, Contents) and id(target.owner) in self.originals:
            return Contents(self.original(target.owner))
        if isinstance(target, ClosureVariable) and id(target.owner) in self.outer_cells:
            return ClosureVariable(self.outer_cells[id(target.owner)], target.name)
        return target

    def start_of(self, target: MutationTarget) -> Any:
        """What a mutation target held when the construct was reached."""
        return (self.program_target(target) if isinstance(target, ClosureVariable) else target).read()

    def concerns(self, target: MutationTarget) -> bool:
        """Whether a target existed before the construct; objects created inside it end with it."""
        if id(target.owner) in self.originals:
            return True
        if id(target.owner) in self.copies:  # the code around has a copy, which stays as it was
            raise GraphError(
                f"Where a Tensor decides, a {type(target.owner).__name__} is changed by an object or by a function kept in one, and a variable "
                "of the code around holds it too. Change it by that variable."
            )
        if id(target.owner) in self.outer_cells:
            return id(self.outer_cells[id(target.owner)]) not in self.variables
        roots = [value for _, value, _ in self.values.values()]
        return is_reachable(target.owner, [*roots, *[r for f in self.functions for r in _globals_of(f)]])


def _cells_of(variables: Variables) -> Iterator[int]:
    """The cells, by id, that a construct's own variables live in."""
    for cell in getattr(variables.get, "__closure__", None) or ():
        yield id(cell)
        if isinstance(inner := cell.cell_contents if cell != _UNASSIGNED else None, Variables):
            yield from _cells_of(inner)


def is_reachable(wanted: Any, roots: Sequence[Any]) -> bool:
    """Whether an object, or a closure's cell, is reachable from the roots by attributes, elements and closure variables."""
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
    if isinstance(value, types.FunctionType):
        return list(value.__closure__ or ())
    if isinstance(value, types.CellType):
        return [] if value == _UNASSIGNED else [value.cell_contents]
    if isinstance(value, types.MethodType):
        return [value.__self__, value.__func__]
    return effects.members_of(value)


def _globals_of(function: Any) -> list[Any]:
    """The values of the globals that a function references."""
    if not isinstance(function, types.FunctionType):
        return []
    names, codes = set(), [function.__code__]
    while codes:
        code = codes.pop()
        names.update(code.co_names)
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return [function.__globals__[name] for name in names if name in function.__globals__]


def _functions_in(value: Any) -> list[Any]:
    """The closures in a value that share cells with the function."""
    if isinstance(value, types.FunctionType):
        return [value] if value.__closure__ and (value.__code__ in PARTS or "is_rewritten" in value.__dict__) else []
    if isinstance(value, Variables):
        return [value.get, value.set]
    return [function for member in value for function in _functions_in(member)] if value.__class__ is tuple else []


def _remade(value: Any, cells: dict[int, types.CellType]) -> Any:
    """Rebuild functions with other cells."""
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
