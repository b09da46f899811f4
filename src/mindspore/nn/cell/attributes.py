"""Attributes of a Cell: where each kind is kept.

``construct`` reads attributes while a graph is built, so their values are built into the graph. A graph therefore remembers
what it saw (``snapshot``) and is not used while the Cell looks different; setting a flag back finds the first graph
again. ``assignments`` has what ``construct`` itself assigns. Lists, dicts and objects in attributes may change without an
assignment; a graph looks at those before every call (``surroundings``).
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from mindspore._engine.base import version_counter
from mindspore._engine.base.mutation import MISSING
from mindspore._engine.base.trace_state import state
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.tensor.parameter import Parameter, ParameterTuple
from mindspore._engine.tracing import invoke
from mindspore._engine.tracing.state_cell import HeldTree
from mindspore._utils.hints import MissingName
from mindspore.nn._hints import CELL_HINTS
from mindspore.nn.cell.assignments import CellAssignments, short
from mindspore.nn.cell.fields import NOT_COPIED, OWN_FIELDS
from mindspore.nn.cell.precision import convert_tensor
from mindspore.nn.cell.snapshot import same
from mindspore.nn.cell.tree import CellTree


class CellAttributes(CellAssignments):
    """The attribute part of Cell. Split off for readability; not used on its own."""

    _primitives: dict[str, Primitive]
    _cell_converts: int  # how many calls are running that see Parameters in another form
    _cell_dtype: Any
    _cell_mixed: Any
    last_change: str
    _attribute_hints: ClassVar = CELL_HINTS  # what other frameworks call it

    # -- reading and writing --------------------------------------------------------------------------------------------
    def __setattr__(self, name: str, value: Any) -> None:
        members = self.__dict__
        if isinstance(value, (CellTree, Parameter, ParameterTuple)):
            self._require_initialised()
            members["_cell_held"].pop(name, None)
            self._assign_member(name, value)
        elif "_params" not in members or name.startswith("__") or hasattr(getattr(type(self), name, None), "__set__"):
            object.__setattr__(self, name, value)  # not ready yet, Python's own, or a property of the class
        elif name in members["_params"] or name in members["_cells"] or name in members["_buffers"]:
            self._assign_member(name, value)
        elif state.scope is not None:
            self._assign_in_trace(name, value)
        else:
            self._assign_plain(name, value)

    # by the names under which libraries call the parts of it
    def _set_attr_for_cell(self, name: str, value: Any) -> None:
        self._assign_member(name, value)

    def _set_attr_for_params(self, name: str, value: Any) -> None:
        self._assign_member(name, value)

    def _set_attr_for_parameter_in_list_or_tuple(self, name: str, value: Any) -> None:
        """Parameters in a list or tuple become the Cell's own, under their names."""
        for parameter in value:
            if isinstance(parameter, Parameter):
                self.insert_param_to_cell(parameter.name, parameter, check_name_contain_dot=False)
        object.__setattr__(self, name, value)
        version_counter.note()

    def _assign_plain(self, name: str, value: Any) -> None:
        members = self.__dict__
        held = members["_cell_held"].get(name)
        before = members.get(name, MISSING) if held is None else held.form()
        if isinstance(value, Primitive):
            members["_primitives"][name] = value
            value.set_prim_instance_name(name)
        if isinstance(held, HeldTree) and not held.takes(value):
            del members["_cell_held"][name]
            held = None
        if held is None:
            members[name] = value
        else:
            held.assign(value)
        if "_cell_traced" in members and not same(before, self._cell_form_of(name)):
            members["last_change"] = f"{name}: {short(before)} -> {short(value)}"
            version_counter.note()

    def __getattr__(self, name: str) -> Any:
        members = self.__dict__
        parameters = members.get("_params")
        if parameters is None:
            kind = type(self).__name__
            cause = f" For '{kind}', please use 'super().__init__()' as the first line of '{kind}.__init__()'."
            cause = "" if name.startswith("__") else cause
            raise AttributeError(f"The '{kind}' object has no attribute '{name}'.{cause}")
        if name in parameters:
            found = parameters[name]
            return self._as_construct_sees(name, found) if members["_cell_converts"] else found
        if name in members["_cells"]:
            found = members["_cells"][name]
            if state.scope is not None and found is not None:  # perhaps not called, but asked for what it holds
                found._note_in_trace()
            return found
        if name in members["_buffers"]:
            found = members["_buffers"][name]
            return self._as_construct_sees(name, found) if members["_cell_converts"] else found
        held = members["_cell_held"].get(name)
        if held is not None:
            value = held.present() if state.scope is None else self._read_in_trace(held)
            if value is not MISSING:
                if state.piecewise and state.scope is None and isinstance(held, HeldTree):
                    members[name] = value  # Python may change it in place
                    del members["_cell_held"][name]
                return value
        own = getattr(type(self), name, None)
        if isinstance(own, property) and own.fget is not None:
            return own.fget(self)  # raise the property's own AttributeError again
        raise _unknown_attribute(self, name)

    def _as_construct_sees(self, name: str, tensor: Any) -> Any:
        """A Parameter or buffer in the Cell's precision, after the functions that watch it."""
        seen = tensor if self._cell_dtype is None else convert_tensor(tensor, self._cell_dtype)
        hook = self.__dict__.get("_parameter_hooks", {}).get(name)
        return seen if hook is None else invoke.invoke(hook, (seen,), {})

    def __delattr__(self, name: str) -> None:
        members = self.__dict__
        groups = [members.get(group, {}) for group in ("_params", "_cells", "_buffers", "_primitives", "_cell_held")]
        if name not in members and not any(name in group for group in groups):
            raise _unknown_attribute(self, name)
        for group in (*groups, members):
            group.pop(name, None)
        version_counter.note()

    def __dir__(self) -> list[str]:
        members = self.__dict__
        owned = (members.get(group, ()) for group in ("_params", "_cells", "_buffers", "_cell_held"))
        return sorted({*object.__dir__(self), *(name for group in owned for name in group)})

    # -- copies ---------------------------------------------------------------------------------------------------------
    def __getstate__(self) -> dict[str, Any]:
        members = {k: v for k, v in self.__dict__.items() if k not in NOT_COPIED}
        for name, value in members.items():
            if name in OWN_FIELDS and isinstance(value, (dict, set)):
                members[name] = value.copy()  # a shallow copy of a Cell registers on its own
        for name, held in self.__dict__.get("_cell_held", {}).items():
            if held.present() is not MISSING:
                members[name] = held.present()
        members["_cell_held"] = {}
        return members

    def __setstate__(self, members: dict[str, Any]) -> None:
        self.__dict__.update(members)


def _unknown_attribute(cell: CellAttributes, name: str) -> AttributeError:
    return MissingName(f"The '{type(cell).__name__}' object", name, cell._attribute_hints, partial(dir, cell), ".")
