"""The tree of a Cell: its Parameters and child Cells, their names and order."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, ValuesView
from typing import TYPE_CHECKING, Any

from mindspore._c_expression import Cell_
from mindspore._engine.base import dtype as mstype
from mindspore._engine.base import version_counter
from mindspore._engine.base.trace_state import state
from mindspore._engine.tensor.parameter import Parameter, ParameterTuple
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import effects
from mindspore._ops.effects.state import refuse_loss
from mindspore._utils.checks import check_type, shown
from mindspore._utils.compat.old_names import old_names
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell.display import cell_html
from mindspore.nn.cell.later_members import yields
from mindspore.nn.cell.lists import note_empty, warn_of_lost_members

if TYPE_CHECKING:
    from mindspore.nn.cell import Cell

_PREFIX = re.compile(r"[\w.\-]*", re.ASCII)


def _dtype_for(number: float, held: Tensor) -> Any:
    """The dtype of a Parameter for a number it holds without a loss, else None: the number's own."""
    loses = {bool: False, int: held.dtype == mstype.bool_, float: held.dtype.is_integer or held.dtype == mstype.bool_}
    return None if loses[type(number)] else held.dtype


class CellTree(Cell_):
    """What a Cell owns. Split from Cell for readability; not used on its own."""

    _params: dict[str, Any]
    _cells: dict[str, Any]
    _buffers: dict[str, Any]
    _auto_prefix: bool

    # -- registration -------------------------------------------------------------------------------------------------
    def _assign_member(self, name: str, value: Any) -> None:
        """An attribute assignment that concerns Parameters, Cells or buffers."""
        if isinstance(value, Parameter):
            self._refuse_taken("insert_param_to_cell", name, (self._cells, self._buffers))
            self.__dict__.pop(name, None)  # a plain attribute gives way
            self.insert_param_to_cell(name, value, check_name_contain_dot=False)
        elif isinstance(value, ParameterTuple):
            for parameter in value:
                if parameter.has_placeholder_name:
                    parameter.name = f"Parameter${self._count_unnamed()}"
                self.insert_param_to_cell(parameter.name, parameter, check_name_contain_dot=False)
            object.__setattr__(self, name, value)
            version_counter.note()
        elif isinstance(value, CellTree):
            self._refuse_taken("insert_child_to_cell", name, (self._params, self._buffers))
            self.__dict__.pop(name, None)
            self._put_cell(name, value)
            if self._auto_prefix:
                value.update_parameters_name(f"{name}.")
            version_counter.note()
        elif name in self._params:
            self._assign_value(self._params, name, value, "Parameter")
        elif name in self._buffers:
            self._assign_value(self._buffers, name, value, "buffer")
        elif value is None:
            self._cells[name] = None
            version_counter.note()
        else:
            raise refused(
                TypeError,
                f"For 'Cell', the attribute '{name}' holds the Cell {type(self._cells[name]).__name__}; it can be assigned a Cell "
                f"or None, but got {shown(value)}. To use the name for something else, delete it first: del cell.{name}.",
            )

    def _put_cell(self, name: str, cell: Any) -> None:
        """Hold a Cell under a name; names of Parameters stay as they are."""
        self._cells[name] = cell
        if state.scope is not None and cell is not None:
            self._keep_in_trace(cell)

    def _keep_in_trace(self, member: Any) -> None:
        """A Cell that the trace has made is kept by what was made outside, if this Cell was."""
        made = state.scope.root.made
        if id(self) not in made:
            for _, cell in member.cells_and_names():
                made.pop(id(cell), None)

    def _count_unnamed(self) -> int:
        """The number of the next Parameter that came in a tuple and without a name."""
        self.__dict__["_unnamed"] = self.__dict__.get("_unnamed", 0) + 1
        return self.__dict__["_unnamed"]

    def _assign_value(self, group: dict[str, Any], name: str, value: Any, kind: str) -> None:
        """Give a Parameter or buffer the value of a Tensor; the object stays the same."""
        held = group[name]
        if state.scope is not None and isinstance(value, (bool, int, float)) and held is not None:
            value = Tensor(value, _dtype_for(value, held))  # construct may assign a number
        if value is None or (held is None and kind == "buffer" and isinstance(value, Tensor)):
            group[name] = value
            version_counter.note()
        elif isinstance(value, Tensor) and held is not None:
            if kind == "Parameter" and effects.asked():  # as in MindSpore, where Python converts
                refuse_loss("Assign", held, value)
            converted = value if value.dtype == held.dtype else value.astype(held.dtype)
            other_shape = kind == "Parameter" and converted.shape != held.shape
            if other_shape and state.scope is not None:
                raise refused(
                    ValueError,
                    f"For 'Cell', the Parameter '{held.name}' has the shape {held.shape} and cannot be assigned a Tensor of shape "
                    f"{value.shape}. Assign a new Parameter, or use set_data(..., slice_shape=True) to change the shape.",
                )
            converted._read()
            if other_shape:
                held.set_data(converted)
            elif kind == "Parameter":
                held._overwrite(converted)
            else:
                held._become(converted)
        else:
            raise refused(
                TypeError,
                f"For 'Cell', the attribute '{name}' holds a {kind}; it can be assigned a {kind}, Tensor or None, but got "
                f"{shown(value)}. To use the name for something else, delete it first: del cell.{name}.",
            )

    def _refuse_taken(self, owner: str, name: str, groups: tuple[dict[str, Any], ...]) -> None:
        of_class = hasattr(type(self), name) and not yields(type(self), name)
        if of_class or any(group.get(name) is not None for group in groups):
            other = "Choose another name." if of_class else f"Choose another name, or delete it first: del cell.{name}."
            raise KeyError(f"For '{owner}', the '{name}' already exists in {type(self).__name__}. {other}")

    @old_names(check_name="check_name_contain_dot")
    def insert_param_to_cell(
        self, param_name: str, param: Parameter | None, check_name_contain_dot: bool = True
    ) -> None:
        """Register a Parameter under an attribute name.

        Examples:
            >>> from mindspore import Parameter, Tensor, nn
            >>> net = nn.Cell()
            >>> net.insert_param_to_cell("bias", Parameter(Tensor([1.0])))
            >>> net.bias.name
            'bias'
        """
        check_type("insert_param_to_cell", "param_name", param_name, str)
        if not param_name:
            raise KeyError("For 'insert_param_to_cell', the 'param_name' must not be empty.")
        if check_name_contain_dot and "." in param_name:
            raise KeyError(
                f"For 'insert_param_to_cell', the 'param_name' must not contain '.', but got {param_name!r}."
            )
        self._require_initialised()
        if param_name not in self._params:
            self._refuse_taken("insert_param_to_cell", param_name, (self._cells, self._buffers, self.__dict__))
        if param is not None and not isinstance(param, Parameter):
            raise refused(
                WrongObject,
                f"For 'insert_param_to_cell', the 'param' must be a Parameter or None, but got {shown(param)}.",
            )
        if param is not None and param.has_placeholder_name:
            param.name = param_name
        self._params[param_name] = param
        version_counter.note()

    @old_names(child="child_cell")
    def insert_child_to_cell(self, child_name: str, child_cell: Any) -> None:
        """Register a child Cell under an attribute name; unlike assignment, this leaves the names of its Parameters.

        Examples:
            >>> from mindspore import nn
            >>> net = nn.Cell()
            >>> net.insert_child_to_cell("inner", nn.Cell())
            >>> list(net.name_cells())
            ['inner']
        """
        check_type("insert_child_to_cell", "child_name", child_name, str)
        if not child_name or "." in child_name:
            raise KeyError(
                f"For 'insert_child_to_cell', the 'child_name' must not be empty or contain '.', but got {child_name!r}."
            )
        self._require_initialised()
        if child_name not in self._cells:
            self._refuse_taken("insert_child_to_cell", child_name, (self._params, self._buffers, self.__dict__))
        if child_cell is not None and not isinstance(child_cell, CellTree):
            raise refused(
                WrongObject,
                f"For 'insert_child_to_cell', the 'child_cell' must be a Cell or None, but got {shown(child_cell)}.",
            )
        self._put_cell(child_name, child_cell)
        version_counter.note()

    def _require_initialised(self) -> None:
        if "_params" not in self.__dict__:
            name = type(self).__name__
            raise AttributeError(
                f"For '{name}', please use 'super().__init__()' as the first line of '{name}.__init__()'."
            )

    # -- Parameters ---------------------------------------------------------------------------------------------------
    def parameters_and_names(self, name_prefix: str = "", expand: bool = True) -> Iterator[tuple[str, Parameter]]:
        """Pairs of attribute path and Parameter, the Cell's own first, each Parameter once."""
        seen: set[int] = set()
        cells = self.cells_and_names(name_prefix=name_prefix) if expand else [(name_prefix, self)]
        for path, cell in cells:
            for name, parameter in cell._params.items():
                if parameter is not None and id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield (f"{path}.{name}" if path else name), parameter

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        """All Parameters of this Cell and, unless ``expand`` is False, of the Cells below."""
        for _, parameter in self.parameters_and_names(expand=expand):
            yield parameter

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The Parameters with requires_grad."""
        found = [p for p in self.get_parameters(recurse) if p.requires_grad]
        if not found:
            note_empty(self, found)
        elif recurse and not self.__dict__.get("_cell_called"):
            warn_of_lost_members(self)
        return found

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The Parameters without requires_grad."""
        return [p for p in self.get_parameters(recurse) if not p.requires_grad]

    def parameters_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter]:
        """Parameters by name, as checkpoints store them."""
        return OrderedDict((p.name, p) for p in self.get_parameters(recurse))

    def parameters_broadcast_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter] | None:
        """Parameters by name without those marked ``layerwise_parallel``; None when there are none."""
        found = OrderedDict((p.name, p) for p in self.get_parameters(recurse) if not p.layerwise_parallel)
        return found or None

    def check_names(self) -> None:
        """Refuse two Parameters of the same name."""
        clash = self._clashing_name()
        if clash is not None:
            path, parameter = clash
            raise ValueError(
                f"The value of {path} is {parameter!r}, its name '{parameter.name}' already exists. Please set a unique name for the "
                "parameter, or none: it is then named after its attribute."
            )

    def _clashing_name(self) -> tuple[str, Parameter] | None:
        names: set[str] = set()
        for path, parameter in self.parameters_and_names():
            if parameter.name in names:
                return path, parameter
            names.add(parameter.name)
        return None

    def check_names_and_refresh_name(self) -> None:
        """Name all Parameters after their attribute paths if two of them share a name; done by the first call."""
        if self._clashing_name() is not None:
            self.update_parameters_name()

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Name every Parameter ``prefix`` + its attribute path."""
        check_type("update_parameters_name", "prefix", prefix, str)
        if not _PREFIX.fullmatch(prefix):
            raise refused(
                ValueError,
                f"For 'update_parameters_name', the 'prefix' may contain letters, digits, '_', '.' and '-', but got {prefix!r}.",
            )
        for path, parameter in self.parameters_and_names(expand=recurse):
            parameter.name = prefix + path

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Parameter, Parameter]:
        """Make the data of lazy Parameters; returns old to new, which are the same objects here."""
        return {p: p.init_data() for p in self.get_parameters()}

    def set_param_ps(self, recurse: bool = True, init_in_server: bool = False) -> None:
        """Kept for parameter-server programs: Parameters stay where they are."""

    # -- Cells --------------------------------------------------------------------------------------------------------
    def cells(self) -> ValuesView[Cell]:
        """The direct children."""
        return self.name_cells().values()

    def name_cells(self) -> OrderedDict[str, Cell]:
        """The direct children by attribute name, each Cell once."""
        found: OrderedDict[str, Cell] = OrderedDict()
        seen: set[int] = set()
        for name, cell in self._cells.items():
            if cell is not None and id(cell) not in seen:
                seen.add(id(cell))
                found[name] = cell
        return found

    def cells_and_names(self, cells: set[int] | None = None, name_prefix: str = "") -> Iterator[tuple[str, Cell]]:
        """This Cell and all below it with their paths, each once, parents first."""
        seen = set() if cells is None else cells
        if id(self) in seen:
            return
        seen.add(id(self))
        yield name_prefix, self  # type: ignore[misc] - every node is a Cell
        for name, cell in self._cells.items():
            if cell is not None and (cell or cell._cells or cell._params):  # an empty container is left out
                path = f"{name_prefix}.{name}" if name_prefix else name
                yield from cell.cells_and_names(seen, path)

    def get_sub_cell(self, target: str) -> Any:
        """The Cell at a path such as ``"blocks.0.conv"``."""
        return self._member_at("get_sub_cell", target, "_cells", "Cell") if target else self

    def _member_at(self, owner: str, target: str, group: str, kind: str) -> Any:
        """The Cell or buffer at a path of attribute names."""
        check_type(owner, "target", target, str)
        *path, name = target.split(".")
        cell: Any = self
        for step in path:
            cell = cell._own_member(owner, step, "_cells", "Cell")
        return cell._own_member(owner, name, group, kind)

    def _own_member(self, owner: str, name: str, group: str, kind: str) -> Any:
        members = getattr(self, group)
        if name not in members:
            has = f"'{name}' is no {kind}" if hasattr(self, name) else f"it has no attribute '{name}'"
            raise AttributeError(
                f"For '{owner}', {type(self).__name__} was searched for the {kind} '{name}', but {has}. It has: {list(members)}."
            )
        return members[name]

    def apply(self, fn: Callable[[Cell], Any]) -> Any:
        """Call ``fn`` on every Cell, children first; returns this Cell."""
        for cell in self.cells():
            cell.apply(fn)
        fn(self)  # type: ignore[arg-type]
        return self

    def update_cell_prefix(self) -> None:
        """Set ``param_prefix`` of every Cell to its path."""
        for path, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = path

    def update_cell_type(self, cell_type: str) -> None:
        """Remember what kind of network this is; kept for old programs."""
        self.__dict__["cell_type"] = cell_type

    @property
    def param_prefix(self) -> str:
        """The path of this Cell, once ``update_cell_prefix`` of a Cell above was called."""
        return self.__dict__["_param_prefix"]

    # -- text -----------------------------------------------------------------------------------------------------------
    def extend_repr(self) -> str:
        """What stands between the brackets of ``print(cell)``; layers show their arguments here."""
        return ""

    def __repr__(self) -> str:
        own = self.extend_repr()
        children = [f"({name}): {_indented(repr(cell))}" for name, cell in self.__dict__.get("_cells", {}).items()]
        if not children and "\n" not in own:
            return f"{type(self).__name__}({own})"
        lines = [_indented(own), *children] if own else children
        return f"{type(self).__name__}(\n  " + "\n  ".join(lines) + "\n)"

    def _repr_html_(self) -> str:
        return cell_html(self)  # type: ignore[arg-type]


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")
