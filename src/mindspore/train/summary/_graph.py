"""A network as a graph that TensorBoard shows: boxes for Cells, operators inside them, and what flows between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore._engine.graph.shape_probe import Observation, observe
from mindspore._utils import log
from mindspore._utils.files.event_file import GraphNode, graph_definition
from mindspore.nn.cell import Cell

_ROOT = "Default"  # MindSpore's name for the box around everything


def network_graph(network: Cell, inputs: Sequence[Any] = ()) -> bytes:
    """The graph of a network: what it does with these inputs, or without any the tree of its Cells."""
    if inputs:
        try:
            return graph_definition(_flow(network, observe(network, inputs)))
        except Exception as error:  # a picture is not worth a training that stops
            log.info("%s", f"The graph of {type(network).__name__} shows its Cells only: {error}")
    return graph_definition(_tree(network))


def _flow(network: Cell, seen: Observation) -> list[GraphNode]:
    parameters = {
        param.name: (f"{_box(path)}/{name}", tuple(param.shape))
        for path, cell in network.cells_and_names()
        for name, param in cell._params.items()
        if param is not None
    }
    sources: dict[str, GraphNode] = {}
    nodes: list[GraphNode] = []
    for number, step in enumerate(seen.steps):
        name = f"{_box(step.path)}/{step.name}-op{number}"
        inputs = []
        for source in step.sources:
            if isinstance(source, int):
                inputs.append(nodes[source].name)
                continue
            if source not in sources:
                sources[source] = _source(source, parameters)
            inputs.append(sources[source].name)
        shapes = tuple(shape for shape in step.shapes if shape is not None)
        nodes.append(GraphNode(name, step.name, tuple(inputs), shapes))
    return [*sources.values(), *nodes]


def _source(name: str, parameters: dict[str, tuple[str, tuple[int, ...]]]) -> GraphNode:
    if name in parameters:
        box, shape = parameters[name]
        return GraphNode(box, "Parameter", (), (shape,))
    return GraphNode(name, "Input" if name.startswith("input_") else "State")


def _box(path: str) -> str:
    return "/".join([_ROOT, *path.split(".")]) if path else _ROOT


def _tree(network: Cell) -> list[GraphNode]:
    nodes = []
    for path, cell in network.cells_and_names():
        kind = type(cell).__name__
        if not cell.name_cells():
            nodes.append(GraphNode(f"{_box(path)}/{kind}", kind, tuple(_own_names(path, cell))))
        nodes += [GraphNode(name, "Parameter") for name in _own_names(path, cell)]
    return nodes


def _own_names(path: str, cell: Cell) -> list[str]:
    return [f"{_box(path)}/{name}" for name, param in cell._params.items() if param is not None]
