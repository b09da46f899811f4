"""A network's operators, shapes and dtypes for inputs of given shapes, found by abstract evaluation without side effects.

The network runs once on stand-ins, as it does when a graph is made of it, with every Parameter and the inputs on a tape.
The tape has the operators and what flows between them; which Cell was at work is noted on the way in and out.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import jax

from mindspore._engine.base.errors import located
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.tape import KernelNode, LeafNode, Tape, paused, recording
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.graph.trace import tracing_lock
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import capture
from mindspore._engine.tracing.traced_kernel import watch, watch_weight

_OWN = -1  # the key of our hooks in a Cell; registered ones count from 0


class ProbedCall(NamedTuple):
    """An operator that ran: its name, the Cell at work, where its inputs come from and the shapes of its outputs."""

    name: str
    path: str
    sources: tuple[int | str, ...]  # numbers of steps, and names of inputs and Parameters
    shapes: tuple[tuple[int, ...] | None, ...]


class Call:
    """A Cell that ran: its path in the network, and the Tensors it returned."""

    def __init__(self, path: str, cell: Any, depth: int):
        self.path = path
        self.cell = cell
        self.depth = depth
        self.outputs: list[tuple[tuple[int, ...], Any]] = []  # shapes and dtypes


class Observation:
    """The calls of Cells in the order they began, and the steps in the order they ran."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.steps: list[ProbedCall] = []


def observe(network: Any, args: Sequence[Any]) -> Observation:
    """Run a Cell on stand-ins for its arguments. Nothing is computed, and nothing of the network changes."""
    seen = Observation()
    weights = [one for one in dict.fromkeys(capture.state_of(network)) if one.dtype.np_dtype is not None]
    leaves, description = flatten(tuple(args))
    tensor_leaves = [index for index, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]
    forms = [
        jax.ShapeDtypeStruct(one.shape, one.dtype.np_dtype) for one in [*weights, *(leaves[p] for p in tensor_leaves)]
    ]

    def on_arrays(*flat: Any) -> tuple:
        tensors = [Tensor.linked(value, None) for value in flat]
        with paused(), Scope(), Scope(dict(zip(weights, tensors, strict=False))) as scope, recording() as tape:
            names = {watch_weight(tape, weight): getattr(weight, "name", "state") for weight in weights}
            given = list(leaves)
            for number, (leaf_index, tensor) in enumerate(zip(tensor_leaves, tensors[len(weights) :], strict=True)):
                tensor._birth = scope
                given[leaf_index], leaf = watch(tape, tensor)
                given[leaf_index]._birth = scope
                names[leaf] = f"input_{number}"
            with _watched(network, seen, tape) as paths:
                network._cell_run(*unflatten(description, iter(given)))
            seen.steps = _steps(tape, names, paths)
        return ()

    with tracing_lock:
        try:
            jax.eval_shape(on_arrays, *forms)
        except Exception as error:
            raise located(error, type(network).__name__) from None
    return seen


@contextmanager
def _watched(network: Any, seen: Observation, tape: Tape):
    """Notes who is at work. Yields the paths of finished nodes, filled while the network runs.

    The hooks are put in place by hand: registering them would tell compiled graphs that the Cell has changed.
    """
    open_calls: list[Call] = []
    paths: dict[int, str] = {}  # by the position of a node on the tape

    def settle() -> None:
        path = open_calls[-1].path if open_calls else ""
        for position in range(len(paths), len(tape.nodes)):
            paths[position] = path

    def enter(cell: Any, _: Any) -> None:
        settle()
        call = Call(names[cell], cell, len(open_calls))
        if not state.probing:  # a branch is traced for nothing first
            seen.calls.append(call)
        open_calls.append(call)

    def leave(cell: Any, _: Any, outputs: Any) -> None:
        settle()
        call = open_calls.pop()
        call.outputs = [(one.shape, one.dtype) for one in flatten(outputs)[0] if isinstance(one, Tensor)]

    names: dict[Any, str] = {}
    for name, cell in network.cells_and_names():
        names.setdefault(cell, name)
    for cell in names:
        cell._forward_pre_hook[_OWN] = _Hook(enter)
        cell._forward_hook[_OWN] = _Hook(leave)
    try:
        yield paths
        settle()
    finally:
        for cell in names:
            del cell._forward_pre_hook[_OWN], cell._forward_hook[_OWN]


class _Hook:
    """A hook in the form a Cell keeps them."""

    always_call = with_kwargs = False

    def __init__(self, function: Any):
        self.function = function


def _steps(tape: Tape, names: dict[Any, str], paths: dict[int, str]) -> list[ProbedCall]:
    nodes = [(position, node) for position, node in enumerate(tape.nodes) if not isinstance(node, LeafNode)]
    numbers = {node: number for number, (_, node) in enumerate(nodes)}
    shapes: dict[Any, list[Any]] = {node: [None] * node.outputs for _, node in nodes}
    for _, node in nodes:  # what comes out of a step is known from those that take it
        for link, value in zip(node.parents, getattr(node, "inputs", ())):
            if link is not None and link[0] in shapes:
                shapes[link[0]][link[1]] = tuple(value.shape)
    found = []
    for position, node in nodes:
        links = [link[0] for link in node.parents if link is not None]
        sources = tuple(dict.fromkeys(numbers[one] if one in numbers else names.get(one, "state") for one in links))
        name = node.kernel.name if isinstance(node, KernelNode) else "Python"
        found.append(ProbedCall(name, paths.get(position, ""), sources, tuple(shapes[node])))
    return found
