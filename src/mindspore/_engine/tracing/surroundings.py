"""Guards of state that changes without notification: contents of lists and dicts, plain objects, global variables.

Assigning to an attribute of a Cell increments the version counter. ``net.sizes.append(3)`` or ``SCALE = 2`` does not, so a
graph that read such state compares it before every call: comparisons by identity, made in C. Where something is another
object, values
are compared, so that an equal list is no reason for another graph. A graph that read nothing of the kind has no Surroundings.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain, repeat
from operator import is_
from types import ModuleType
from typing import Any

import numpy as np

from mindspore._engine.base.mutation import MISSING
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.code_names import (
    assigned_outside,
    forget_names,
    globals_in,
    names_in_methods,
    names_read_by_themselves,
)
from mindspore._engine.tracing.contents import Kind, fields_of, is_library, kind_of, sample


class Surroundings:
    """Guards of a graph on untracked Python state, with the values at trace time."""

    def __init__(self, cells: Iterable[Any], functions: Iterable[Any], objects: Iterable[Any], names: frozenset[str]):
        self.sources = (list(cells), list(functions), list(objects), names)
        self.seen = Look(*self.sources)

    def __bool__(self) -> bool:
        return bool(self.seen.checks)

    def hold(self) -> bool:
        """Whether all guards hold."""
        return self.seen.is_unchanged() or self._are_equal()

    def _are_equal(self) -> bool:
        now = Look(*self.sources)
        if _difference(self.seen.values, now.values) is not None:
            forget_names(map(type, self.sources[0]))  # methods may be others
            return False
        self.seen = now  # new objects with equal values
        return True

    def difference(self) -> str | None:
        """The first guard that fails, as text."""
        now = Look(*self.sources)
        path = _difference(self.seen.values, now.values)
        return path and f"{path} changed: {_short(self.seen.values, path)} -> {_short(now.values, path)}"


class Look:
    """One snapshot of the guarded state: values by path, and tables for a quick comparison by identity."""

    def __init__(self, cells: list[Any], functions: list[Any], objects: list[Any], names: frozenset[str]):
        self.names = names
        self.values: dict[str, Any] = {}
        self.noted: set[tuple[int, str]] = set()
        self.paths: Counter[str] = Counter()
        self.known: dict[int, Any] = {}  # containers that were looked into, kept alive
        self.entries: list[tuple[dict, str, Any]] = []  # variables: where, name, value
        self.attributes: list[tuple[Any, str, Any]] = []  # the same for what is no entry of a dict
        self.containers: list[Any] = []
        self.arrays: list[tuple[np.ndarray, np.ndarray]] = []
        for cell in cells:
            self._look_at_cell(cell)
        for function in functions:
            self._look_at_function(function)
        for one in objects:
            self._look_into(one, type(one).__name__)
        self._tabulate()

    # -- tables -------------------------------------------------------------------------------------------------------
    def _tabulate(self) -> None:
        self.checks: list[Callable[[], bool]] = []
        if self.entries:
            self.checks.append(partial(_same_values, dict.get, *_columns(self.entries)))
        if self.attributes:
            self.checks.append(partial(_same_values, getattr, *_columns(self.attributes)))
        if self.containers:
            lengths, members = [*map(len, self.containers)], [*chain.from_iterable(self.containers)]
            self.checks.append(partial(_same_members, self.containers, lengths, members))
        self.checks += [partial(_same_bits, array, copy) for array, copy in self.arrays]

    def is_unchanged(self) -> bool:
        """Identity check of all guards; runs before every call of the graph."""
        try:
            for check in self.checks:
                if not check():
                    return False
        except (RuntimeError, ValueError):  # a dict that another thread changes; a variable that has no value now
            return False
        return True

    # -- looking --------------------------------------------------------------------------------------------------------
    def _look_at_cell(self, cell: Any) -> None:
        kind = type(cell).__name__
        for name, value in cell.graph_attributes(self.names):
            if self._has_state(value):
                self._note_entry(cell.__dict__, name, f"{kind}.{name}")
        for name in sorted(names_in_methods(type(cell))):
            owner = next((one for one in type(cell).__mro__ if name in vars(one)), None)
            if owner is None or is_library(owner.__module__) or name in cell.__dict__:
                continue
            member = vars(owner)[name]
            # methods may be replaced; a property has no value of its own
            if inspect.isfunction(member) or not hasattr(type(member), "__get__"):
                self._note_attribute(type(cell), name, f"{owner.__name__}.{name}")

    def _look_at_function(self, function: Any) -> None:
        code = function.__code__
        if is_library(function.__module__ or ""):
            return
        self._note_attribute(function, "__code__", f"the code of {function.__qualname__}")  # replaced by %autoreload
        for name in sorted(globals_in(code)):
            value = function.__globals__.get(name, MISSING)
            if isinstance(value, ModuleType):
                self._look_at_module(value)
            elif value is not MISSING:
                self._note_entry(function.__globals__, name, f"'{name}' of {function.__globals__.get('__name__')}")
        assigned = assigned_outside(code)
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            if name not in assigned and not _is_empty(cell):
                self._note_attribute(cell, "cell_contents", f"'{name}' around {function.__qualname__}")
        self._look_into((function.__defaults__, function.__kwdefaults__), f"a default of {function.__qualname__}")

    def _look_at_module(self, module: ModuleType) -> None:
        if not is_library(module.__name__):
            for name in sorted(self.names & vars(module).keys()):
                if not isinstance(vars(module)[name], ModuleType):
                    self._note_entry(vars(module), name, f"{module.__name__}.{name}")

    def _note_entry(self, owner: dict, name: str, path: str) -> None:
        if (id(owner), name) not in self.noted and not _is_traced(owner[name]):
            self.noted.add((id(owner), name))
            self.entries.append((owner, name, owner[name]))
            self._look_into(owner[name], path)

    def _note_attribute(self, owner: Any, name: str, path: str) -> None:
        value = getattr(owner, name, MISSING)
        if (id(owner), name) in self.noted or inspect.ismethod(value) or _is_traced(value):
            return
        if isinstance(value, ModuleType):
            self._look_at_module(value)
            return
        self.noted.add((id(owner), name))
        self.attributes.append((owner, name, value))
        self._look_into(value, path)

    def _look_into(self, value: Any, path: str) -> None:
        """Note a value, and what it holds."""
        kind, path = kind_of(value), self._unique(path)
        if kind is Kind.LEAF or id(value) in self.known:
            self.values[path] = value if kind is Kind.LEAF else f"{kind.value} seen before"
            return
        self.known[id(value)] = value
        self.values[path] = (type(value), kind.length(value))
        if kind is Kind.ARRAY:
            self.arrays.append((value, value.copy()))
            self.values[path] = self.arrays[-1][1]
            return
        self.containers.extend(kind.containers(value))
        for label, item in kind.items(value):
            self._look_into(item, f"{path}{label}")
        if kind is Kind.OBJECT or (kind is Kind.DICT and hasattr(value, "__dict__")):
            self._look_at_object(value, path)

    def _unique(self, path: str) -> str:
        self.paths[path] += 1
        return path if self.paths[path] == 1 else f"{path} ({self.paths[path]})"

    def _look_at_object(self, value: Any, path: str) -> None:
        own = getattr(value, "__dict__", {})
        for name in fields_of(value, self.names | names_read_by_themselves(type(value), self.names)):
            if name in own:
                self._note_entry(own, name, f"{path}.{name}")
            else:
                self._note_attribute(value, name, f"{path}.{name}")

    def _has_state(self, value: Any) -> bool:
        """Whether something in a value can change; numbers and the like in attributes of Cells are compared elsewhere."""
        if isinstance(value, tuple):
            return any(map(self._has_state, value))
        return kind_of(value) is not Kind.LEAF


def _columns(rows: list[tuple]) -> list[tuple]:
    return [tuple(column) for column in zip(*rows)]


def _same_values(read: Callable[..., Any], owners: tuple, names: tuple, values: tuple) -> bool:
    return all(map(is_, map(read, owners, names, repeat(MISSING)), values))


def _same_members(containers: list[Any], lengths: list[int], members: list[Any]) -> bool:
    return [*map(len, containers)] == lengths and all(map(is_, chain.from_iterable(containers), members))


def _is_empty(cell: Any) -> bool:
    try:
        return cell.cell_contents is MISSING
    except ValueError:
        return True


def _is_traced(value: Any) -> bool:
    return isinstance(value, Tensor) and value._birth is not None


def _same_bits(array: np.ndarray, copy: np.ndarray) -> bool:
    if array.shape != copy.shape or array.dtype != copy.dtype:
        return False
    array, copy = sample(array), sample(copy)
    if array.dtype.hasobject or not array.flags.c_contiguous or not array.size:
        return array.tobytes() == copy.tobytes()
    width = next(kind for kind in (np.uint64, np.uint8) if array.nbytes % np.dtype(kind).itemsize == 0)
    return bool((array.reshape(-1).view(width) == copy.reshape(-1).view(width)).all())


def _difference(old: dict[str, Any], new: dict[str, Any]) -> str | None:
    """The path of the first value that changed."""
    if old.keys() != new.keys():
        return next(iter(path for path in (*old, *new) if (path in old) != (path in new)))
    return next((path for path, value in old.items() if not _equal(value, new[path])), None)


def _equal(old: Any, new: Any) -> bool:
    if old is new:
        return True
    if type(old) is not type(new) or isinstance(old, Tensor):
        return False
    if isinstance(old, np.ndarray):
        return _same_bits(old, new)
    try:
        return bool(old == new) and (type(old) is not float or repr(old) == repr(new))  # 0.0 is not -0.0
    except Exception:
        return False


def _short(values: dict[str, Any], path: str) -> str:
    text = repr(values[path]) if path in values else "nothing"
    return text if len(text) < 60 else text[:57] + "..."
