"""Attributes of a Cell: where each kind is kept, and what graphs know about them.

``construct`` reads attributes while a graph is built, so their values are built into the graph. A graph therefore
remembers what it saw (:class:`Snapshot`) and is not used while the Cell looks different; setting a flag back finds the
first graph again. What ``construct`` itself assigns arrives in the attribute after each run:

- a Tensor is an input and an output of the graph: ``self.cache = x`` compiles once,
- an int that takes a third value, such as ``self.step = self.step + 1``, becomes an input of the graph too; inside the
  graph it is an int64 Tensor. So is any number assigned where a Tensor condition decides,
- anything else is built in, and another value means another graph.

Not noticed is a list or dict that changes in place between two calls: assign a new one.
"""

from __future__ import annotations

import dis
import inspect
from typing import Any

from mindspore._engine import changes
from mindspore._engine.failures import GraphError
from mindspore._engine.held import NUMBERS, Effect, Held, in_branch
from mindspore._engine.parameter import Parameter, ParameterTuple
from mindspore._engine.places import MISSING, Attribute
from mindspore._engine.primitive import Primitive
from mindspore._engine.state import state
from mindspore._engine.tensor import Tensor
from mindspore._utils.checks import nearest_name
from mindspore.nn.cell_precision import convert_tensor
from mindspore.nn.cell_tree import CellTree

# Kept out of copies: compiled graphs and recordings belong to one object.
_NOT_COPIED = ("_cell_graphs", "_compiled_functions", "_recorded", "_cell_held", "_cell_traced")
# What Cell itself keeps among the attributes; graphs know about it in other ways.
_OWN_FIELDS = frozenset((
    "_params", "_cells", "_buffers", "_unsaved_buffers", "_primitives", "_flags", "_auto_prefix", "_name_prefix",
    "_param_prefix", "_phase", "_requires_grad", "_example_inputs", "training", "last_change", "_state_dict_hooks",
    "_forward_pre_hooks", "_forward_hooks", "_backward_hooks", "_backward_pre_hooks", "_cell_version", "_cell_called",
    "_cell_dtype", "_cell_converts", *_NOT_COPIED,
))  # fmt: skip
_VALUES_BEFORE_INPUT = 2  # an int that has had this many other values becomes an input of graphs


class CellAttributes(CellTree):
    """The attribute part of Cell. Split off for readability; not used on its own."""

    _cell_held: dict[str, Held]  # attributes that construct assigns a Tensor or a changing int
    _cell_traced: dict[str, Any]  # there once a graph was made: ints that construct assigns, with the values they had
    _primitives: dict[str, Primitive]
    _cell_version: int  # counts changes that are no attribute: hooks, precision
    _cell_converts: int  # how many calls with to_float are running
    _cell_dtype: Any
    last_change: str

    # -- reading and writing --------------------------------------------------------------------------------------------
    def __setattr__(self, name: str, value: Any) -> None:
        members = self.__dict__
        if isinstance(value, (CellTree, Parameter, ParameterTuple)):
            self._require_initialised()
            members["_cell_held"].pop(name, None)
            self._assign_member(name, value)
        elif "_params" not in members or isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        elif name in members["_params"] or name in members["_cells"] or name in members["_buffers"]:
            self._assign_member(name, value)
        elif state.scope is not None:
            self._assign_in_trace(name, value)
        else:
            self._assign_plain(name, value)

    def _assign_plain(self, name: str, value: Any) -> None:
        members = self.__dict__
        held = members["_cell_held"].get(name)
        before = members.get(name, MISSING) if held is None else held.form()
        if isinstance(value, Primitive):
            members["_primitives"][name] = value
            value.set_prim_instance_name(name)
        if held is not None:
            held.assign(value)
        else:
            members[name] = value
        if "_cell_traced" in members and not _same(before, value if held is None else held.form()):
            members["last_change"] = f"{name}: {_short(before)} -> {_short(value)}"
            changes.note()

    def __getattr__(self, name: str) -> Any:
        members = self.__dict__
        parameters = members.get("_params")
        if parameters is None:
            if not name.startswith("__"):
                self._require_initialised()
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.")
        if name in parameters:
            found = parameters[name]
            return convert_tensor(found, self._cell_dtype) if members["_cell_converts"] else found
        if name in members["_cells"]:
            return members["_cells"][name]
        if name in members["_buffers"]:
            found = members["_buffers"][name]
            return convert_tensor(found, self._cell_dtype) if members["_cell_converts"] else found
        held = members["_cell_held"].get(name)
        if held is not None:
            value = held.present() if state.scope is None else self._read_in_trace(held)
            if value is not MISSING:
                return value
        raise AttributeError(_unknown_attribute(self, name), name=name, obj=self)

    def __delattr__(self, name: str) -> None:
        members = self.__dict__
        groups = [members.get(group, {}) for group in ("_params", "_cells", "_buffers", "_primitives", "_cell_held")]
        if name not in members and not any(name in group for group in groups):
            raise AttributeError(_unknown_attribute(self, name), name=name, obj=self)
        for group in (*groups, members):
            group.pop(name, None)
        changes.note()

    def __dir__(self) -> list[str]:
        members = self.__dict__
        owned = (members.get(group, ()) for group in ("_params", "_cells", "_buffers", "_cell_held"))
        return sorted({*object.__dir__(self), *(name for group in owned for name in group)})

    # -- inside a trace -------------------------------------------------------------------------------------------------
    def _enter_trace(self) -> None:
        """The Cell is called inside a trace."""
        state.scope.root.cells[self] = None
        self.__dict__.setdefault("_cell_traced", {})

    def _read_in_trace(self, held: Held) -> Any:
        state.scope.root.cells[self] = None
        return held.read()

    def _assign_in_trace(self, name: str, value: Any) -> None:
        members = self.__dict__
        state.scope.root.cells[self] = None
        self._refuse_class_attribute(name)
        held = members["_cell_held"].get(name)
        if isinstance(value, Tensor) or (type(value) in NUMBERS and (held is not None or in_branch())):
            held = self._hold_in_trace(name) if held is None else held
            if held.home is None and in_branch():
                raise self._decided_by_tensor(name, value)
            members.pop(name, None)
            _assigned().pop((self, name), None)
            held.become(value if isinstance(value, Tensor) else Tensor(value))
        else:
            self._assign_constant(name, value, held)

    def _hold_in_trace(self, name: str) -> Held:
        """From now on the attribute is an input and an output of graphs."""
        present = self.__dict__.pop(name, MISSING)
        held = self.__dict__["_cell_held"][name] = Held(_forget_change(self, name, present))
        if held.home is not None and name in _mentioned(state.scope.root):
            state.scope.note_read(
                held
            )  # this trace may have read what was there before: it is repeated with the new input
        return held

    def _assign_constant(self, name: str, value: Any, held: Held | None) -> None:
        members = self.__dict__
        before = members.get(name, MISSING) if held is None else held.form()
        if in_branch():
            if _same(before, value):
                return
            raise self._decided_by_tensor(name, value)
        state.scope.note_change(Attribute(self, name))
        start = state.scope.root.changed[id(self), name][1]
        if type(value) is int and type(start) is int and value != start:
            values = members.setdefault("_cell_traced", {}).setdefault(name, set())
            if values is not None:
                values.add(start)
        members[name] = value
        assigned = _assigned()
        if (self, name) not in assigned:
            assigned[self, name] = value
            Effect(lambda: self._assign_after_run(name, assigned.get((self, name), MISSING)))
        assigned[self, name] = value

    def _assign_after_run(self, name: str, value: Any) -> None:
        """A graph has run that assigns this value. An int that keeps changing becomes an input of the next one."""
        if value is MISSING:  # construct assigned a Tensor later on
            return
        self._assign_plain(name, value)
        values = self.__dict__.get("_cell_traced", {}).get(name)
        if values is not None and len(values) >= _VALUES_BEFORE_INPUT and name in self.__dict__:
            self.__dict__["_cell_held"][name] = Held(self.__dict__.pop(name))

    def _decided_by_tensor(self, name: str, value: Any) -> GraphError:
        return GraphError(
            f"The attribute '{name}' of {type(self).__name__} is {_short(self._cell_form_of(name))} and becomes {_short(value)} where a "
            "Tensor decides whether this code runs. There, only a Tensor can become another Tensor, and a number another number; "
            "give the attribute such a value in __init__, or assign it outside of the branch or loop."
        )

    def _settle_numbers(self) -> bool:
        """Build ints back into graphs that need them as Python numbers; whether there were any."""
        found = False
        for _, cell in self.cells_and_names():
            for name, held in list(cell._cell_held.items()):
                if held.form() is int:
                    cell.__dict__[name] = held.present()
                    del cell._cell_held[name]
                    cell.__dict__.setdefault("_cell_traced", {})[name] = None  # never again
                    found = True
        return found

    def _refuse_class_attribute(self, name: str) -> None:
        if hasattr(type(self), name):
            raise GraphError(
                f"The attribute '{name}' is assigned in construct, but defined on the class {type(self).__name__}. Define it in "
                f"__init__: self.{name} = ..., then its value is kept from call to call."
            )

    # -- what graphs know -----------------------------------------------------------------------------------------------
    @property
    def graph_version(self) -> Any:
        """What a graph has seen of this Cell; inside a trace its state at the start, outside its present state."""
        if state.scope is None:
            return Present(self)
        names = _mentioned(state.scope.root)
        before = state.scope.root.changed
        values = {}
        for name, value in self.__dict__.items():
            if name in names and name not in _OWN_FIELDS:
                values[name] = before[id(self), name][1] if (id(self), name) in before else value
        values.update({name: held.form() for name, held in self._cell_held.items() if name in names})
        for name in names_in_methods(type(self)):
            values.setdefault(name, MISSING)
        return Snapshot(self._cell_version, self._cell_members(), values)

    def _cell_members(self) -> list[Any]:
        return [*self._params.values(), *self._cells.values(), *self._buffers.values()]

    def _cell_form_of(self, name: str) -> Any:
        held = self._cell_held.get(name)
        return self.__dict__.get(name, MISSING) if held is None else held.form()

    # -- copies ---------------------------------------------------------------------------------------------------------
    def __getstate__(self) -> dict[str, Any]:
        members = {k: v for k, v in self.__dict__.items() if k not in _NOT_COPIED}
        for name, value in members.items():
            if name in _OWN_FIELDS and isinstance(value, (dict, set)):
                members[name] = value.copy()  # a shallow copy of a Cell registers on its own
        for name, held in self.__dict__.get("_cell_held", {}).items():
            if held.present() is not MISSING:
                members[name] = held.present()
        members["_cell_held"] = {}
        return members

    def __setstate__(self, members: dict[str, Any]) -> None:
        self.__dict__.update(members)


class Snapshot:
    """What a graph has seen of a Cell: its members, and the attributes that code in the graph mentions."""

    __slots__ = ("members", "values", "version")

    def __init__(self, version: int, members: list[Any], values: dict[str, Any]):
        self.version = version
        self.members = members
        self.values = values


class Present:
    """A Cell as it is now, to be compared with what a graph has seen."""

    __slots__ = ("cell",)

    def __init__(self, cell: CellAttributes):
        self.cell = cell

    def __eq__(self, seen: object) -> bool:
        if not isinstance(seen, Snapshot):
            return NotImplemented
        members = self.cell._cell_members()
        return (
            self.cell._cell_version == seen.version
            and len(members) == len(seen.members)
            and all(a is b for a, b in zip(members, seen.members))
            and all(_same(value, self.cell._cell_form_of(name)) for name, value in seen.values.items())
        )

    __hash__ = None  # type: ignore[assignment]


def _assigned() -> dict[tuple[Any, str], Any]:
    """What the present trace has assigned to attributes, apart from Tensors."""
    return state.scope.root.__dict__.setdefault("assigned", {})


def _forget_change(cell: Any, name: str, present: Any) -> Any:
    """What the attribute held when the trace began; the scopes no longer put it back."""
    start, scope = present, state.scope
    while scope is not None:
        start = scope.changed.pop((id(cell), name), (None, start))[1]
        scope = scope.parent
    return start


def _mentioned(root: Any) -> set[str]:
    """Every attribute name that a method of a Cell in this trace reads."""
    count, names = root.__dict__.get("mentioned", (0, set()))
    if count != len(root.cells):
        names = set().union(*(names_in_methods(cls) for cls in {type(cell) for cell in root.cells}))
        root.__dict__["mentioned"] = (len(root.cells), names)
    return names


def names_in_methods(cls: type) -> frozenset[str]:
    """Every attribute name the methods of a class read, apart from those of __init__ and of Cell itself."""
    found = cls.__dict__.get("_mentioned_names")
    if found is None:
        names: set[str] = {"construct"}
        for owner in cls.__mro__:
            if owner.__module__.startswith("mindspore.nn.cell"):
                break
            for name, member in vars(owner).items():
                function = getattr(member, "function", getattr(member, "fget", member))  # a jitted method, a property
                if name != "__init__" and inspect.isfunction(function):
                    names |= _attributes_in(function.__code__)
        found = frozenset(names)
        cls._mentioned_names = found  # type: ignore[attr-defined]
    return found


def _attributes_in(code: Any) -> set[str]:
    names = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_ATTR", "LOAD_METHOD")}
    names |= {c for c in code.co_consts if isinstance(c, str) and c.isidentifier()}  # getattr(self, "name")
    for constant in code.co_consts:
        if inspect.iscode(constant):
            names |= _attributes_in(constant)
    return names


def _unknown_attribute(cell: CellAttributes, name: str) -> str:
    close = nearest_name(name, [n for n in dir(cell) if not n.startswith("_")])
    hint = f" Did you mean '{close}'?" if close else ""
    return f"The '{type(cell).__name__}' object has no attribute '{name}'.{hint}"


def _same(old: Any, new: Any) -> bool:
    """Whether a graph cannot tell the two values apart."""
    if old is new:
        return True
    if isinstance(old, Tensor) or isinstance(new, Tensor) or type(old) is not type(new):
        return False
    try:
        return bool(old == new)
    except Exception:
        return False


def _short(value: Any) -> str:
    text = "unset" if value is MISSING else repr(value)
    return text if len(text) < 40 else text[:37] + "..."
