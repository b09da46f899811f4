"""Facts about a Cell: when it was made, what was compiled, its path in the network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar
from weakref import WeakKeyDictionary

from mindspore._c_expression import MixedPrecisionType
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.registry import PRIMITIVES
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_bool, check_non_negative_int, check_one_of, check_type
from mindspore.nn.cell.fields import OWN_FIELDS
from mindspore.nn.cell.precision import set_mixed
from mindspore.nn.cell.primitives import InnerPrimitive
from mindspore.nn.cell.tree import CellTree

_PRECISIONS = {
    MixedPrecisionType.NOTSET: None,
    MixedPrecisionType.FP16: dtypes.float16,
    MixedPrecisionType.FP32: dtypes.float32,
    MixedPrecisionType.BF16: dtypes.bfloat16,
}


class fact:  # noqa: N801 - a decorator
    """A property that gives way to an attribute of the same name: programs call their own attributes as they like."""

    def __init__(self, compute: Callable[[Any], Any]):
        self.compute = compute
        self.__doc__ = compute.__doc__

    def __get__(self, cell: Any, owner: type | None = None) -> Any:
        return self if cell is None else self.compute(cell)


class CellFacts(CellTree):
    """The part of Cell that answers questions. Split off for readability; not used on its own."""

    _flags: dict[str, Any]
    _cell_dtype: Any
    IGNORE_LIST = sorted(OWN_FIELDS)  # the attributes that are a Cell's own, not the program's
    T_destination = TypeVar("T_destination", bound=dict)
    global_cells: ClassVar[WeakKeyDictionary[Any, str]] = (
        WeakKeyDictionary()
    )  # the Cells that were called, with their classes
    total_instance_count = 0  # how many Cells were made in this process
    bprop_debug = False
    cast = InnerPrimitive(
        "cast", lambda _: PRIMITIVES["Cast"]()
    )  # Cells of MindSpore up to 2.5 had it, and libraries call it

    @fact
    def create_time(self) -> int:
        """When the Cell was made, in nanoseconds since 1970."""
        return self.__dict__["_create_time"]

    @fact
    def cell_init_args(self) -> str:
        """The class, and the two arguments of Cell itself."""
        return f"{type(self).__name__}[{self.__dict__['_auto_prefix']}, {self._flags or None}]"

    @fact
    def compiled(self) -> bool:
        """Whether there is a graph of this Cell."""
        return bool(self.compile_cache)

    @fact
    def compile_cache(self) -> set[Any]:
        """The keys of the graphs of this Cell."""
        graphs = self.__dict__.get("_cell_graphs")
        return set() if graphs is None else set(graphs.graphs)

    @fact
    def phase_cache(self) -> dict[str, int]:
        """How many graphs there are for the phase the Cell is in."""
        return {self.__dict__["_phase"]: len(self.compile_cache)} if self.compile_cache else {}

    @fact
    def compile_phase(self) -> str:
        """The phase the next graph is for: 'train' or 'predict'."""
        return self.__dict__["_phase"]

    @fact
    def enable_backward_hook(self) -> bool:
        """Whether a function watches the gradients of this Cell."""
        return bool(self.__dict__["_backward_hook"] or self.__dict__["_backward_pre_hook"])

    @fact
    def exist_names(self) -> set[str]:
        """The names of the Parameters that are the Cell's own."""
        return {param.name for param in self._params.values() if param is not None}

    @fact
    def exist_objs(self) -> set[Any]:
        """The Parameters that are the Cell's own."""
        return {param for param in self._params.values() if param is not None}

    @fact
    def jit_config_dict(self) -> dict[str, Any]:
        """What ``set_jit_config`` was given."""
        return dict(getattr(self._flags.get("jit_config"), "jit_config_dict", {}))

    @fact
    def parallel_parameter_name_list(self) -> tuple[str, ...]:
        """Parameters to be merged by the compiler of another back end: none."""
        return ()

    @fact
    def parallel_parameter_merge_net_dict(self) -> dict[str, Any]:
        """Networks to be merged by the compiler of another back end: none."""
        return {}

    @fact
    def has_bprop(self) -> bool:
        """Whether the Cell computes its own gradient."""
        return hasattr(self, "bprop")

    @fact
    def parameter_layout_dict(self) -> dict[str, Any]:
        """How the compiler of another back end laid out the Parameters: shardings are found on the Parameters here."""
        return {}

    @property
    def pipeline_segment(self) -> int | None:
        """The segment of its pipeline stage this Cell was put into."""
        return self._flags.get("pipeline_segment")

    @pipeline_segment.setter
    def pipeline_segment(self, value: int) -> None:
        segment = check_non_negative_int("Cell", "pipeline_segment", value)
        for _, cell in self.cells_and_names():
            cell._flags["pipeline_segment"] = segment

    # -- scopes -------------------------------------------------------------------------------------------------------
    def generate_scope(self) -> None:
        """Store for every descendant Cell its path, as ``get_scope`` tells it.

        Examples:
            >>> from mindspore import nn
            >>> net = nn.SequentialCell(nn.Dense(2, 3))
            >>> net.generate_scope()
            >>> net[0].get_scope()
            'Default/0-Dense'
        """
        self._give_scopes("Default")

    def _give_scopes(self, above: str) -> None:
        for name, cell in self._cells.items():
            if cell is not None:
                cell._flags["scope"] = f"{above}/{name}-{type(cell).__name__}"
                cell._give_scopes(cell._flags["scope"])

    def get_scope(self) -> str | None:
        """The path that ``generate_scope`` gave this Cell; None before."""
        return self._flags.get("scope")

    # -- precision and memory -------------------------------------------------------------------------------------------
    def get_mixed_precision_type(self) -> MixedPrecisionType:
        """The float type this Cell computes in, if ``to_float`` set any."""
        return next(
            (kind for kind, dtype in _PRECISIONS.items() if dtype == self._cell_dtype), MixedPrecisionType.NOTSET
        )

    def set_mixed_precision_type(self, precision: MixedPrecisionType, recursive: bool = True) -> None:
        """Let the Cell, and by default its descendants, compute in a float type.

        Examples:
            >>> from mindspore import Tensor, nn
            >>> from mindspore._c_expression import MixedPrecisionType
            >>> net = nn.Dense(2, 3)
            >>> net.set_mixed_precision_type(MixedPrecisionType.FP16)
            >>> net(Tensor([[1.0, 2.0]])).dtype
            mindspore.float16
        """
        check_type("set_mixed_precision_type", "precision", precision, MixedPrecisionType)
        check_bool("set_mixed_precision_type", "recursive", recursive)
        for cell in [cell for _, cell in self.cells_and_names()] if recursive else [self]:
            set_mixed(cell, _PRECISIONS[precision])

    def to_empty(self, *, device: str | None = None, recurse: bool = True) -> Any:
        """Give Parameters and buffers memory of their own without reading what they held: all zeros; returns the Cell.

        Examples:
            >>> from mindspore import nn
            >>> print(nn.Dense(2, 1).to_empty().weight.value())
            [[0. 0.]]
        """
        check_one_of("to_empty", "device", device, (None, "CPU", "GPU", "Ascend"))
        check_bool("to_empty", "recurse", recurse)
        cells: list[Any] = [cell for _, cell in self.cells_and_names()] if recurse else [self]
        for tensor in (held for cell in cells for held in (*cell._params.values(), *cell._buffers.values())):
            if tensor is not None:
                tensor.assign_value(Tensor(shape=tensor.shape, dtype=tensor.dtype, init="zeros").init_data())
        return self

    def remove_redundant_parameters(self) -> None:
        """Nothing is left to drop: a process lets go of the Parameters of other stages with the first step."""

    def run_construct(self, cast_inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """``construct`` alone, without hooks.

        Examples:
            >>> from mindspore import Tensor, nn
            >>> print(nn.ReLU().run_construct((Tensor([-1.0, 2.0]),), {}))
            [0. 2.]
        """
        cell: Any = self
        return cell.construct(*cast_inputs, **kwargs)
