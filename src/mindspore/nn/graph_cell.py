"""GraphCell: a network that comes from a file instead of a class."""

from __future__ import annotations

from typing import Any

from mindspore._engine.execution import random
from mindspore._engine.export.runnable_graph import RunnableGraph
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell

__all__ = ["GraphCell"]


class GraphCell(Cell):
    """Runs a graph that :func:`mindspore.load` read from a file, in both modes.

    Its Parameters have the names they had when the graph was exported. Inputs must have the dtypes and shapes of then;
    sizes that were left open (None) may differ from call to call.

    Args:
        graph: what :func:`mindspore.load` returned.
        params_init: other values for Parameters, by name.
        obf_random_seed: for graphs obfuscated by MindSpore; accepted.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from mindspore import Tensor, nn
        >>> from mindspore.train._formats.export import export, load
        >>> net, x = nn.Dense(3, 2), Tensor(np.ones((4, 3), np.float32))
        >>> path = os.path.join(tempfile.mkdtemp(), "dense")
        >>> export(net, x, file_name=path, file_format="MINDIR")
        >>> loaded = nn.graph_cell.GraphCell(load(path + ".mindir"))
        >>> bool(np.allclose(loaded(x).asnumpy(), net(x).asnumpy()))
        True
        >>> list(loaded.parameters_dict())
        ['weight', 'bias']
    """

    def __init__(self, graph: Any, params_init: dict[str, Any] | None = None, obf_random_seed: int | None = None):
        super().__init__(auto_prefix=False)
        if not isinstance(graph, RunnableGraph):
            raise refused(
                TypeError,
                f"For 'GraphCell', the argument 'graph' must be what mindspore.load returns, but got {shown(graph)}.",
            )
        values = _checked_values(params_init, graph)
        state: list[Tensor] = []
        for weight in graph.weights:
            if weight.kind == "parameter":
                value = values.get(weight.name, weight.value)
                parameter = Parameter(Tensor(value), name=weight.name, requires_grad=weight.requires_grad)
                # files name weights as they like; a name that Cells have themselves stays the Parameter's own
                key = (
                    f"{weight.name}_weight"
                    if hasattr(type(self), weight.name) or weight.name == "graph"
                    else weight.name
                )
                self.insert_param_to_cell(key, parameter, check_name_contain_dot=False)
                state.append(parameter)
            else:
                state.append(random.generator if weight.kind == "random" else Tensor(weight.value))
        self.__dict__.update(graph=graph, _graph_state=tuple(state))

    def construct(self, *inputs: Any) -> Any:
        return self.graph(self._graph_state, inputs)

    def extend_repr(self) -> str:
        return f"graph of {self.graph.name}"


def _checked_values(params_init: Any, graph: RunnableGraph) -> dict[str, Any]:
    """The values given for Parameters, each fit for the Parameter of its name."""
    if params_init is None:
        return {}
    if not isinstance(params_init, dict):
        raise refused(
            TypeError, f"For 'GraphCell', the argument 'params_init' must be a dict, but got {type(params_init)}."
        )
    known = {weight.name: weight.value for weight in graph.weights if weight.kind == "parameter"}
    for name, value in params_init.items():
        if not isinstance(name, str) or not isinstance(value, Tensor):
            raise refused(
                TypeError,
                "For 'GraphCell', the key of the 'params_init' must be str, and the value must be Tensor or Parameter, but got "
                f"the key type: {type(name)}, and the value type: {type(value)}",
            )
        if name in known and value.shape != known[name].shape:
            raise refused(
                ValueError,
                f"For 'GraphCell', the value of '{name}' in 'params_init' must have the shape {known[name].shape}, but got "
                f"{value.shape}.",
            )
    return {name: value.astype(Tensor(known[name]).dtype) for name, value in params_init.items() if name in known}
