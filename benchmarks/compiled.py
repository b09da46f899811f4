"""A call of a compiled Cell with 20 Parameters against its bare XLA executable on the same arrays."""

from __future__ import annotations

import itertools

import numpy as np

import mindspore as ms
from benchmarks.harness import Function, Options, Row, alternate, at_most_added
from benchmarks.programs import TwentyParameters, execution_mode
from mindspore import Tensor, nn
from mindspore._engine.graph.compiled import Compiled
from mindspore._engine.graph.graph import Graph

_LIMIT = 40.0


def run(options: Options) -> list[Row]:
    with execution_mode(ms.GRAPH_MODE):
        network = TwentyParameters()
        x = Tensor(np.ones((4, 16), np.float32))
        network(x)
        graph = _only_graph(network)
        arrays = [tensor._value for tensor in (*graph.captured, x)]
        executable = graph.executable
        ours, bare = Function(lambda: network(x)), Function(lambda: executable(*arrays))
        times = alternate({"ours": ours, "bare": bare}, options)
    return [at_most_added("Cell with 20 Parameters, against its executable", times["ours"], times["bare"], _LIMIT)]


def _only_graph(network: nn.Cell) -> Graph:
    """The one graph that was compiled for the network."""
    (compiled,) = (member for member in vars(network).values() if isinstance(member, Compiled))
    (graph,) = itertools.chain.from_iterable(compiled.graphs.values())
    assert len(graph.captured) == 20, "the Parameters must be inputs of the executable"
    return graph
