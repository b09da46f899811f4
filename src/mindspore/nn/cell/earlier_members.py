"""Methods of Cell that 1.0 to 2.0 publish and later versions removed; Cells and Parameters may have their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mindspore._engine.base.pytree import map_leaves
from mindspore._engine.tensor.parameter import Parameter
from mindspore._utils.checks import check_non_negative_int, check_type, shown
from mindspore._utils.refusals import refused
from mindspore.nn.cell.later_members import Yielding
from mindspore.nn.cell.precision import convert_tensor


def auto_cast_inputs(self: Any, inputs: Any) -> Any:
    """The inputs in the float type that ``to_float`` gave the Cell."""
    chosen = self._cell_dtype
    return inputs if chosen is None else map_leaves(lambda value: convert_tensor(value, chosen), inputs)


def cast_param(self: Any, param: Parameter) -> Any:
    """The Parameter as the Cell computes with it: in the float type of ``to_float``."""
    return param if self._cell_dtype is None else convert_tensor(param, self._cell_dtype)


def flatten_weights(self: Any, fusion_size: int = 0) -> None:
    """Kept for programs that lay Parameters in one piece of memory: XLA places them."""
    check_non_negative_int("flatten_weights", "fusion_size", fusion_size)


def load_parameter_slice(self: Any, params: Any = None) -> None:
    """Kept for programs that cut Parameters by hand: they are sharded when a graph is compiled."""
    if params is not None and not isinstance(params, Mapping):
        raise refused(
            TypeError, f"For 'load_parameter_slice', the 'params' must be an OrderedDict, but got {shown(params)}."
        )


def set_parallel_input_with_inputs(self: Any, *inputs: Any) -> None:
    """Kept for programs that cut inputs by hand: they are sharded at every call."""


def set_auto_parallel(self: Any) -> None:
    """Kept: the parallel mode of the context decides."""


def auto_parallel_compile_and_run(self: Any) -> bool:
    """Whether compiling already runs the graph: it does not."""
    return False


def exec_checkpoint_graph(self: Any) -> None:
    """Kept: Parameters are up to date whenever they are saved."""


def infer_param_pipeline_stage(self: Any) -> list[Parameter]:
    """The trainable Parameters that this process has: those of all stages."""
    return list(self.trainable_params())


def set_param_fl(
    self: Any, push_to_server: bool = False, pull_from_server: bool = False, requires_aggr: bool = True
) -> None:
    """Mark all Parameters for federated learning: see :meth:`mindspore.Parameter.set_param_fl`."""
    for parameter in self.get_parameters():
        parameter.set_param_fl(push_to_server, pull_from_server, requires_aggr)


def place(self: Any, role: str, rank_id: int) -> None:
    """Say which process runs the operators of this Cell and of those below it."""
    check_type("place", "role", role, str)
    for _, cell in self.cells_and_names():
        for operator in cell._primitives.values():
            operator.place(role, rank_id)


_EARLIER: tuple[Callable[..., Any], ...] = (
    auto_cast_inputs, cast_param, flatten_weights, load_parameter_slice, set_parallel_input_with_inputs, set_auto_parallel,
    auto_parallel_compile_and_run, exec_checkpoint_graph, infer_param_pipeline_stage, set_param_fl, place,
)  # fmt: skip


def add_earlier(kind: type) -> None:
    """Give Cell these methods; they give way to what programs assign."""
    for function in _EARLIER:
        setattr(kind, function.__name__, Yielding(function))
