"""The tree of a Cell: its Parameters and child Cells, their names and order."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from mindspore._engine import changes
from mindspore._engine.parameter import Parameter, ParameterTuple
from mindspore._engine.tensor import Tensor

if TYPE_CHECKING:
    from mindspore.nn.cell import Cell


class CellTree:
    """What a Cell owns. Split from Cell for readability; not used on its own."""

    _params: dict[str, Any]
    _cells: dict[str, Any]
    _auto_prefix: bool

    # -- registration -------------------------------------------------------------------------------------------------
    def _assign_member(self, name: str, value: Any) -> None:
        """An attribute assignment that concerns Parameters or Cells."""
        if name in self._params and not isinstance(value, Parameter):
            self._assign_to_parameter(name, value)
        elif isinstance(value, Parameter):
            self._refuse_taken(name, value, self._cells)
            self.__dict__.pop(name, None)
            self.insert_param_to_cell(name, value, check_name_contain_dot=False)
        elif isinstance(value, ParameterTuple):
            object.__setattr__(self, name, value)
            for parameter in value:
                self._params.setdefault(parameter.name, parameter)
            changes.note()
        else:
            self._refuse_taken(name, value, self._params)
            self.__dict__.pop(name, None)
            self._cells[name] = value
            if self._auto_prefix:
                value.update_parameters_name(f"{name}.")
            changes.note()

    def _refuse_taken(self, name: str, value: Any, group: dict[str, Any]) -> None:
        if group.get(name) is not None:
            raise TypeError(
                f"For 'Cell', the attribute '{name}' is taken by {type(group[name]).__name__} and cannot become "
                f"{type(value).__name__}. Delete it first: del cell.{name}."
            )

    def _assign_to_parameter(self, name: str, value: Any) -> None:
        if isinstance(value, Tensor):
            held = self._params[name]
            if held is None:
                raise TypeError(f"For 'Cell', the attribute '{name}' is an empty Parameter place; assign a Parameter.")
            converted = value if value.dtype == held.dtype else value.astype(held.dtype)
            if converted.shape != held.shape:
                raise ValueError(
                    f"Can not change the shape of Parameter '{held.name}' from {held.shape} to {value.shape} by assignment."
                )
            converted._read()
            held._become(converted)
        elif value is None:
            self._params[name] = None
            changes.note()
        else:
            raise TypeError(
                f"For 'Cell', the attribute '{name}' holds a Parameter; it can be assigned a Parameter or Tensor, but got "
                f"{value!r} of type {type(value).__name__}."
            )

    def insert_param_to_cell(self, param_name: str, param: Parameter | None, check_name_contain_dot: bool = True) -> None:
        """Register a Parameter under an attribute name."""
        if not isinstance(param_name, str) or not param_name:
            raise KeyError(f"For 'insert_param_to_cell', the 'param_name' must be a non-empty str, but got {param_name!r}.")
        if check_name_contain_dot and "." in param_name:
            raise KeyError(f"For 'insert_param_to_cell', the 'param_name' can not contain '.', but got {param_name!r}.")
        if param_name not in self._params and hasattr(type(self), param_name):
            raise KeyError(f"For 'insert_param_to_cell', the '{param_name}' already exists in {type(self).__name__}.")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"For 'insert_param_to_cell', the 'param' must be a Parameter, but got {type(param).__name__}.")
        if param is not None and param.has_placeholder_name:
            param.name = param_name
        self._params[param_name] = param
        changes.note()

    def insert_child_to_cell(self, child_name: str, child_cell: Any) -> None:
        """Register a child Cell under an attribute name."""
        if not isinstance(child_name, str):
            raise TypeError(f"For 'insert_child_to_cell', the 'child_name' must be a str, but got {type(child_name).__name__}.")
        if not child_name or "." in child_name:
            raise KeyError(f"For 'insert_child_to_cell', the 'child_name' can not be empty or contain '.', but got {child_name!r}.")
        if hasattr(self, child_name) and child_name not in self._cells:
            raise KeyError(f"For 'insert_child_to_cell', the '{child_name}' already exists in {type(self).__name__}.")
        if not hasattr(child_cell, "construct"):
            raise TypeError(f"For 'insert_child_to_cell', the 'child_cell' must be a Cell, but got {type(child_cell).__name__}.")
        self._assign_member(child_name, child_cell)

    # -- Parameters ---------------------------------------------------------------------------------------------------
    def parameters_and_names(self, name_prefix: str = "", expand: bool = True) -> Iterator[tuple[str, Parameter]]:
        """Pairs of attribute path and Parameter, own ones first, each Parameter once."""
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
        return [p for p in self.get_parameters(recurse) if p.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        return [p for p in self.get_parameters(recurse) if not p.requires_grad]

    def parameters_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter]:
        """Parameters by name, as checkpoints store them."""
        return OrderedDict((p.name, p) for p in self.get_parameters(recurse))

    def parameters_broadcast_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter] | None:
        found = OrderedDict((p.name, p) for p in self.get_parameters(recurse) if not p.layerwise_parallel)
        return found or None

    def check_names(self) -> None:
        """Refuse two Parameters with one name."""
        names: set[str] = set()
        for parameter in self.get_parameters():
            if parameter.name in names:
                raise ValueError(
                    f"The value of {parameter!r} is not unique: the name '{parameter.name}' already exists. Give each "
                    "Parameter a name of its own."
                )
            names.add(parameter.name)

    def check_names_and_refcount_parameters(self) -> None:
        self.check_names()

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Name every Parameter ``prefix`` + its attribute path."""
        if not isinstance(prefix, str):
            raise TypeError(f"For 'update_parameters_name', the 'prefix' must be a str, but got {type(prefix).__name__}.")
        for path, parameter in self.parameters_and_names(expand=recurse):
            if prefix:
                parameter.is_init = False
            parameter.name = prefix + path

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Parameter, Parameter]:
        """Make the data of lazy Parameters; returns old to new, which are the same objects here."""
        return {p: p.init_data() for p in self.get_parameters()}

    def set_param_ps(self, recurse: bool = True, init_in_server: bool = False) -> None:
        """Kept for parameter-server programs: Parameters stay where they are."""

    # -- Cells --------------------------------------------------------------------------------------------------------
    def cells(self) -> Any:
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

    def cells_and_names(self, cells: set[int] | None = None, name_prefix: str = "") -> Iterator[tuple[str, Any]]:
        """This Cell and all below it with their paths, each once, parents first."""
        seen = set() if cells is None else cells
        if id(self) in seen:
            return
        seen.add(id(self))
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                path = f"{name_prefix}.{name}" if name_prefix else name
                yield from cell.cells_and_names(seen, path)

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
        self.__dict__["cell_type"] = cell_type

    @property
    def param_prefix(self) -> str:
        return self.__dict__["_param_prefix"]

    # -- text -----------------------------------------------------------------------------------------------------------
    def extend_repr(self) -> str:
        """What stands between the brackets of ``print(cell)``; layers show their arguments here."""
        return ""

    def __repr__(self) -> str:
        own = self.extend_repr()
        children = [f"({name}): {_indented(repr(cell))}" for name, cell in self._cells.items() if cell is not None]
        if not children:
            return f"{type(self).__name__}({own})"
        lines = [own, *children] if own else children
        return f"{type(self).__name__}(\n  " + "\n  ".join(lines) + "\n)"


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")
