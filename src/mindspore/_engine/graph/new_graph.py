"""Makes the graph for a call that none serves yet; numbers that change from call to call become its inputs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindspore._engine.base.errors import GraphError, graph_break, is_text, located
from mindspore._engine.execution.tape import paused
from mindspore._engine.graph import stored_graph
from mindspore._engine.graph.graph import Graph
from mindspore._engine.graph.recompile import report_recompile
from mindspore._engine.runtime import device_state
from mindspore._engine.runtime.compile_watch import watched
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import capture
from mindspore._kernels import library

if TYPE_CHECKING:
    from mindspore._engine.graph.compiled import Compiled

NUMBERS = (int, float)
_KEPT = 8  # graphs of one signature that differ in the state of the Cells
MOST_SIGNATURES = 256  # of one function; those not used for longest go, and are compiled again if they return


def compile_call(owner: Compiled, leaves: list[Any], description: Any) -> tuple[Graph, list[Any]]:
    """The graph for a call, kept by its owner, and the call's inputs."""
    _try_dynamic(owner, leaves, description)
    found, inputs = owner.find(leaves, description)
    if found is not None:
        return found, inputs
    graph, inputs = compile_graph(owner, leaves, description)
    keep(owner, graph.key, graph)
    return graph, inputs


def keep(owner: Compiled, key: tuple, graph: Graph) -> None:
    """A graph of its owner for calls of this signature."""
    kept = owner.graphs.setdefault(key, [])
    kept.append(graph)
    del kept[:-_KEPT]
    while len(owner.graphs) > MOST_SIGNATURES:
        del owner.graphs[next(iter(owner.graphs))]


def compile_graph(
    owner: Compiled, leaves: list[Any], description: Any, make: Callable[..., Graph] = Graph
) -> tuple[Graph, list[Any]]:
    """A graph of a kind that ``make`` says, compiled and not kept."""
    key, input_leaves = owner.key_of(leaves, description)
    inputs = [leaves[p] for p in input_leaves]
    graph = make(owner, key, description, leaves, input_leaves)
    report_recompile(owner, key, leaves)
    owner.compilations += 1
    ticket = stored_graph.ticket_of(owner, key, leaves, input_leaves) if make is Graph and not owner.on_host else None
    if ticket is None or not stored_graph.load(ticket, graph):
        _trace_and_compile(owner, graph, inputs)
        if ticket is not None:
            stored_graph.store(ticket, graph)
        graph.lowered = None
    given = set(input_leaves)
    graph.constants = [_placeholder(leaf) if i in given else leaf for i, leaf in enumerate(leaves)]
    return graph, inputs


def _trace_and_compile(owner: Compiled, graph: Graph, inputs: list[Any]) -> None:
    library.release_memory()  # compiling needs its own
    try:
        with paused(), watched(owner.name, owner.roots):
            _refuse_text(owner.name, inputs)
            guess = itertools.chain.from_iterable(map(capture.state_of, owner.roots))
            graph.compile(inputs, itertools.chain(guess, owner.surprises))
    except Exception as error:
        failure: Any = located(error, owner.name)
        failure.scope = graph.scope
        raise failure from None
    device_state.trim_heap()
    graph.scope = None


def _refuse_text(name: str, inputs: list[Any]) -> None:
    """A Tensor of strings cannot be an input of a graph."""
    if any(is_text(tensor._value) for tensor in inputs if tensor.__class__ is Tensor):
        raise graph_break(
            f"For '{name}', an argument is a Tensor of strings: a graph takes Tensors of numbers or bools. Turn the strings into "
            "numbers first, or keep them outside of the compiled function.",
            f"'{name}' was given a Tensor of strings",
            "pass numbers, for example those of dataset.text.Lookup.",
        )


def _try_dynamic(owner: Compiled, leaves: list[Any], description: Any) -> None:
    """A number that changes from call to call becomes an input, unless the program needs it as a constant."""
    changed = _changed_numbers(owner, leaves, description)
    if not changed:
        return
    static = next(iter(itertools.chain.from_iterable(owner.graphs.values())))
    owner.dynamic |= changed
    try:
        graph, _ = compile_graph(owner, leaves, description)
    except (GraphError, TypeError, ValueError, IndexError):
        graph = None
    if graph is None or graph.out_avals != static.out_avals or graph.trace.description != static.trace.description:
        owner.dynamic -= changed
        owner.fixed |= changed
    else:
        keep(owner, graph.key, graph)


def _changed_numbers(owner: Compiled, leaves: list[Any], description: Any) -> set[int]:
    for graph in itertools.chain.from_iterable(owner.graphs.values()):
        if graph.description != description or len(graph.constants) != len(leaves):
            continue
        changed = set()
        for index, (old, new) in enumerate(zip(graph.constants, leaves)):
            number = type(new) in NUMBERS and type(old) is type(new) and index not in owner.fixed
            if number and index not in owner.dynamic and old != new:
                changed.add(index)
        if changed:
            return changed
    return set()


def _placeholder(leaf: Any) -> Any:
    """An input that comes with each call is not kept alive, unless it has hooks that the graph contains."""
    return leaf if getattr(leaf, "_hooks", None) else None
