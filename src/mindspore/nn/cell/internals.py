"""Private members of Cell that libraries reach for: each answers as MindSpore's does, from our own state."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from mindspore._engine.operator.primitive import Primitive
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell.arguments import signature_of
from mindspore.nn.cell.facts import CellFacts, fact


class CellInternals(CellFacts):
    """The part of Cell that only libraries see. Split off for readability; not used on its own."""

    _id = 1
    _amp_level = ""
    _is_recursion_hook = False
    grad_ops_label = False
    is_top_cell = False
    arguments_key = ""
    enable_tuple_broaden = False
    support_non_tensor_inputs = False

    # -- what was set -------------------------------------------------------------------------------------------------
    @fact
    def mixed_precision_type(self) -> Any:
        """The float type that ``set_mixed_precision_type`` or ``to_float`` gave; None before."""
        return None if self._cell_dtype is None else self.get_mixed_precision_type()

    @fact
    def _scope(self) -> str | None:
        return self.get_scope()

    @fact
    def _jit_config_dict(self) -> dict[str, Any]:
        return self.jit_config_dict

    @fact
    def _compile_cache(self) -> set[Any]:
        return self.compile_cache

    @fact
    def _compiled(self) -> bool:
        return self.compiled

    @fact
    def _in_strategy(self) -> Any:
        return self._flags.get("in_strategy")

    @fact
    def _out_strategy(self) -> Any:
        return self._flags.get("out_strategy")

    @fact
    def _user_parameters(self) -> list[Any]:
        return []

    @fact
    def _params_list(self) -> OrderedDict[str, Any]:
        """Tuples of Parameters that are attributes, by name."""
        return OrderedDict()

    @fact
    def _non_persistent_buffers_set(self) -> set[str]:
        return self.__dict__["_unsaved_buffers"]

    def _get_attr_from_cell(self, network: Any) -> None:
        """Compilation settings of a Cell are inherited by the Cell that wraps it."""
        if not isinstance(network, CellInternals):
            raise refused(WrongObject, f"For 'Cell', the 'network' must be a Cell, but got {shown(network)}.")
        if "jit_config" in network._flags:
            self._flags["jit_config"] = network._flags["jit_config"]

    # -- the tree -----------------------------------------------------------------------------------------------------
    def _children_scope_recursive(self, parent_prefix: str = "Default") -> Iterator[tuple[str, Any]]:
        """Pairs of scope and Cell for every descendant, parents first."""
        for name, cell in self._cells.items():
            if cell is not None:
                scope = f"{parent_prefix}/{name}-{type(cell).__name__}"
                yield scope, cell
                yield from cell._children_scope_recursive(scope)

    def _set_scope(self, name: str) -> None:
        if self.get_scope() is None:
            self._flags["scope"] = name

    def _named_members(self, get_members_fn: Callable[[Any], Any], prefix: str = "", recurse: bool = True,
                       remove_duplicate: bool = True) -> Iterator[tuple[str, Any]]:  # fmt: skip
        """Pairs of path and member, of the members that a function tells of every Cell; what is None is left out."""
        seen: set[int] = set()
        cells: Any = self.cells_and_names(name_prefix=prefix) if recurse else [(prefix, self)]
        for path, cell in cells:
            for name, member in get_members_fn(cell):
                if member is None or (remove_duplicate and id(member) in seen):
                    continue
                seen.add(id(member))
                yield (f"{path}.{name}" if path else name), member

    def _get_prims_recursively(self) -> list[Primitive]:
        """The Primitives in attributes of this Cell and of those below."""
        cell: Any = self
        found = list(cell._primitives.values())
        for child in self._cells.values():
            if child is not None:
                found += child._get_prims_recursively()
        return found

    def _apply(self, fn: Callable[[Any], Any], recurse: bool = True) -> Any:
        """Replace the values of Parameters and buffers by what a function makes of them; returns the Cell."""
        cells: Any = [cell for _, cell in self.cells_and_names()] if recurse else [self]
        for cell in cells:
            for param in cell._params.values():
                if param is not None:
                    param.set_data(fn(param.value()))
            for name, buffer in cell._buffers.items():
                if buffer is not None:
                    cell._buffers[name] = fn(buffer)
        return self

    def _update_local_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Put a prefix before the names of the Parameters."""
        self.update_parameters_name(prefix, recurse)

    # -- the call -----------------------------------------------------------------------------------------------------
    def _check_construct_args(self, *args: Any, **kwargs: Any) -> None:
        signature_of(self).check(args, kwargs, type(self).__name__)

    def _run_construct(self, *args: Any, **kwargs: Any) -> Any:
        """``construct`` between the forward hooks."""
        cell: Any = self
        return cell._cell_run(*args, **kwargs)

    def _recompute(self, should_add_flag: bool = True, output_recompute: bool = False) -> None:
        cell: Any = self
        cell.recompute()

    def _set_recompute_scope(self) -> None:
        cell: Any = self
        cell.recompute()

    def _mp_comm_recompute(self, mp_comm_recompute: bool = True) -> None:
        """How collectives of a recomputed Cell are scheduled is XLA's choice."""

    def _parallel_optimizer_comm_recompute(self, parallel_optimizer_comm_recompute: bool = False) -> None:
        """How Parameters of a recomputed Cell are gathered is XLA's choice."""

    def _recompute_slice_activation(self, slice_activation: bool = False) -> None:
        """How activations of a recomputed Cell are kept is XLA's choice."""

    def _add_attr(self, name: str, value: Any) -> None:
        cell: Any = self
        cell.add_flags(**{name: value})

    def _del_attr(self, name: str) -> None:
        self._flags.pop(name, None)

    def _add_init_args(self, **args: Any) -> None:
        """Nothing is kept: the arguments of a layer are its attributes."""
