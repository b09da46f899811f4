"""What ``construct`` assigns to attributes while a graph is traced.

A trace runs the program's code, sometimes more than once, and only the graph's runs count. So an assignment is undone at
the end of the trace, and what it assigned arrives in the attribute after each run of the graph:

- a Tensor, also inside a tuple, list or dict, is an output of the graph, and an input of the next run,
- an int that takes a third value, such as ``self.step = self.step + 1``, is treated likewise; inside the graph it is an
  int64 Tensor. So is any number assigned where a Tensor condition decides,
- anything else is built into the graph, and another value means another graph.
"""

from __future__ import annotations

from typing import Any

from mindspore._engine.base import version_counter
from mindspore._engine.base.errors import GraphError
from mindspore._engine.base.mutation import MISSING, Attribute
from mindspore._engine.base.pytree import flatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import effects
from mindspore._engine.tracing.code_names import mentioned, names_in_methods
from mindspore._engine.tracing.state_cell import NUMBERS, Effect, Held, HeldTree, in_branch
from mindspore.nn.cell.fields import OWN_FIELDS
from mindspore.nn.cell.snapshot import Present, Snapshot, same
from mindspore.nn.cell.tree import CellTree

_KEEP_TENSORS = "keep the Tensors themselves, in a tuple, list or dict."
_VALUES_BEFORE_INPUT = 2  # an int that has had this many other values becomes an input of graphs


class CellAssignments(CellTree):
    """The part of Cell that graphs deal with. Split off for readability; not used on its own."""

    _cell_held: dict[str, Held | HeldTree]  # attributes that construct assigns Tensors or a changing int
    _cell_traced: dict[str, Any]  # there once a graph was made: ints that construct assigns, with the values they had
    _cell_version: int  # counts changes that are no attribute: hooks, precision

    def _assign_plain(self, name: str, value: Any) -> None:
        raise NotImplementedError("CellAttributes implements it")

    def _enter_trace(self) -> None:
        """The Cell is called inside a trace, or one of its attributes is assigned there."""
        state.scope.root.called[type(self)] = None
        self._note_in_trace()

    def _note_in_trace(self) -> None:
        """The Cell was asked for inside a trace, perhaps for one of its attributes alone."""
        state.scope.root.cells[self] = None
        self.__dict__.setdefault("_cell_traced", {})

    def _read_in_trace(self, held: Held | HeldTree) -> Any:
        self._enter_trace()
        return held.read()

    # -- assignment -------------------------------------------------------------------------------------------------------
    def _assign_in_trace(self, name: str, value: Any) -> None:
        root = state.scope.root
        if id(self) in root.made and self not in root.cells and not effects.holds_tracers(value):
            self._assign_plain(name, value)  # in its __init__: nobody outside has it, so there is no change to do again
            return
        self._enter_trace()
        self._refuse_class_attribute(name)
        members = self.__dict__
        held = members["_cell_held"].get(name)
        if held is None and (isinstance(value, Tensor) or (type(value) in NUMBERS and in_branch())):
            held = self._hold_in_trace(name)
        if held is None or not held.takes(value):
            self._replace_in_trace(name, value)
            return
        try:
            held.become(value)
        except GraphError:
            raise self._decided_by_tensor(name, value) from None
        members.pop(name, None)
        _assigned().pop((self, name), None)

    def _hold_in_trace(self, name: str) -> Held:
        """From now on the attribute is an output of graphs, and an input if they read it."""
        present = self.__dict__.pop(name, MISSING)
        held = self.__dict__["_cell_held"][name] = Held(_forget_change(self, name, present))
        if held.home is not None and name in mentioned(state.scope.root):
            state.scope.note_read(held)  # it may have been read before: the trace is repeated with the new input
        return held

    def _replace_in_trace(self, name: str, value: Any) -> None:
        """Assign something that is no Tensor, or whose pytree structure has changed."""
        members = self.__dict__
        if in_branch():
            if same(self._cell_form_of(name), value):
                return
            raise self._decided_by_tensor(name, value)
        if any(not isinstance(leaf, Tensor) and effects.holds_tracers(leaf) for leaf in flatten(value)[0]):
            effects.changed(f"It keeps a {type(value).__name__} with Tensors of the graph in '{name}'", _KEEP_TENSORS)
        state.scope.note_change(Attribute(self, name))
        _forget_write(members["_cell_held"].get(name))
        self._note_number(name, state.scope.root.changed[id(self), name][1], value)
        members[name] = value
        effects.given_away(value)
        assigned = _assigned()
        if (self, name) not in assigned:
            assigned[self, name] = value
            Effect(lambda: self._assign_after_run(name, assigned.get((self, name), MISSING)))
        if any(isinstance(leaf, Tensor) for leaf in flatten(value)[0]):
            tree = HeldTree(value, empty=True)
            tree.become(value)
            value = tree
        assigned[self, name] = value

    def _note_number(self, name: str, start: Any, value: Any) -> None:
        if type(value) is int and type(start) is int and value != start:
            values = self.__dict__["_cell_traced"].setdefault(name, set())
            if values is not None:
                values.add(start)

    def _assign_after_run(self, name: str, value: Any) -> None:
        """A graph has run that assigns this. An int that keeps changing becomes an input of the next graph."""
        members = self.__dict__
        if isinstance(value, HeldTree):
            members["_cell_held"][name] = value
            members.pop(name, None)
            version_counter.note()
        elif value is not MISSING:  # else construct assigned a Tensor later on
            self._assign_plain(name, value)
            values = members.get("_cell_traced", {}).get(name)
            if values is not None and len(values) >= _VALUES_BEFORE_INPUT and type(members.get(name)) is int:
                members["_cell_held"][name] = Held(members.pop(name))

    def _decided_by_tensor(self, name: str, value: Any) -> GraphError:
        return GraphError(
            f"The attribute '{name}' of {type(self).__name__} is {short(getattr(self, name, MISSING))} and becomes {short(value)} where a "
            "Tensor decides whether this code runs. There, only a Tensor can become another Tensor, and a number another number; "
            "give the attribute such a value in __init__, or assign it outside of the branch or loop."
        )

    def _settle_numbers(self) -> bool:
        """Build ints back into graphs that need them as Python numbers; return whether there were any.

        Those that are assigned in branches come back with every trace: once is enough to know that they were not the reason.
        """
        found = False
        for _, cell in self.cells_and_names():
            traced = cell.__dict__.setdefault("_cell_traced", {})
            for name, held in list(cell._cell_held.items()):
                counts = isinstance(held, Held) and held.home is not None and held.kind is int
                if counts and traced.get(name, MISSING) is not None:
                    cell.__dict__[name] = held.present()
                    del cell._cell_held[name]
                    traced[name] = None
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
        return self._cell_snapshot(mentioned(state.scope.root), state.scope.root.changed)

    def graph_version_now(self, names: frozenset[str]) -> Any:
        """The same for a graph that was not traced in this process, which read these names."""
        self.__dict__.setdefault("_cell_traced", {})
        return self._cell_snapshot(names, {})

    def _cell_snapshot(self, names: frozenset[str], before: dict[Any, Any]) -> Snapshot:
        values = {}
        for name, value in self.__dict__.items():
            if name in names and name not in OWN_FIELDS:
                values[name] = before[id(self), name][1] if (id(self), name) in before else value
        values.update({name: held.form() for name, held in self._cell_held.items() if name in names})
        for name in names_in_methods(type(self)) & names:
            if name not in OWN_FIELDS:  # modes and hooks are compared by themselves
                values.setdefault(name, MISSING)
        return Snapshot(self._cell_version, self._cell_members(), values)

    def graph_attributes(self, names: frozenset[str]) -> list[tuple[str, Any]]:
        """The program's attributes of these names, with their values."""
        return [(name, value) for name, value in self.__dict__.items() if name in names and name not in OWN_FIELDS]

    def _cell_members(self) -> list[Any]:
        return [*self._params.values(), *self._cells.values(), *self._buffers.values()]

    def _cell_form_of(self, name: str) -> Any:
        held = self._cell_held.get(name)
        return self.__dict__.get(name, MISSING) if held is None else held.form()


def _assigned() -> dict[tuple[Any, str], Any]:
    """What the present trace has assigned to attributes, apart from Tensors."""
    return state.scope.root.__dict__.setdefault("assigned", {})


def _forget_write(held: Any) -> None:
    """A Tensor that was assigned before something else does not arrive after the run."""
    scope = None
    if isinstance(held, Held):
        scope = state.scope
        held.forget_kind()
    while scope is not None:
        scope.writes.pop(held, None)
        scope = scope.parent


def _forget_change(cell: Any, name: str, present: Any) -> Any:
    """What the attribute held when the trace began; the scopes no longer put it back."""
    start, scope = present, state.scope
    while scope is not None:
        start = scope.changed.pop((id(cell), name), (None, start))[1]
        scope = scope.parent
    return start


def short(value: Any) -> str:
    text = "unset" if value is MISSING else repr(value)
    return text if len(text) < 40 else text[:37] + "..."
