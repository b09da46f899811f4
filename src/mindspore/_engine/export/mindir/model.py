"""A traced network as a graph of primitives: inputs, Parameters, what it writes and returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mindspore._engine.base.pytree import LEAF
from mindspore._engine.execution import random
from mindspore._engine.export.export_trace import TracedGraph
from mindspore._engine.export.mindir.builder import (
    GraphFunction,
    GraphValue,
    PrimitiveBuilder,
    Raw,
    TensorForm,
    WithoutPrimitive,
    form_of,
)
from mindspore._engine.export.mindir.marked_calls import MarkedCalls
from mindspore._engine.export.mindir.walk import Walk
from mindspore._engine.export.runnable_graph import Weight
from mindspore._engine.export.stablehlo import used_inputs, weights_of


@dataclass
class PrimitiveGraph:
    """What a file holds: functions, the first of them the network, and its Parameters with their values."""

    functions: list[GraphFunction] = field(default_factory=list)
    parameters: list[tuple[str, Weight, TensorForm]] = field(default_factory=list)


class NoPrimitive(ValueError):
    """Operators without a form in MindSpore's primitives."""


def primitive_graph(graph: TracedGraph, calls: MarkedCalls, names: Sequence[str]) -> PrimitiveGraph:
    """The graph of a trace that was made under ``marked()``; ``names`` are those of the network's arguments."""
    made = PrimitiveGraph()
    builder = PrimitiveBuilder(f"{graph.owner.name}_construct", made.functions)
    walk = Walk(calls)
    jaxpr = graph.jaxpr.jaxpr
    inputs = _inputs(builder, graph, names)
    monad = builder.constant(MONAD)
    captured, loads = _captured(builder, graph, made, monad)
    results = walk.convert(builder, jaxpr, graph.jaxpr.consts, [*captured, *inputs])
    if walk.findings.counts:
        raise NoPrimitive(walk.findings.text())
    count = len(graph.trace.tensor_leaves)
    leaves: list[Any] = list(graph.trace.constants)
    for number, value in zip(graph.trace.tensor_leaves, results[:count]):
        leaves[number] = value
    output, form = _structure(builder, graph.trace.description, iter(leaves))
    effects = _written(builder, graph, made, results[count:], monad, loads)
    builder.function.output = builder.node("Depend", [output, effects], form) if effects else output
    builder.function.form = form
    return made


def _inputs(builder: PrimitiveBuilder, graph: TracedGraph, names: Sequence[str]) -> list[GraphValue]:
    """The inputs of the network: tensors, and tuples of them; what is no Tensor is part of the graph."""
    input_leaves, forms = set(graph.inputs), iter([form_of(aval) for aval in graph.input_avals])
    numbers = iter(range(len(graph.constants)))
    found: list[GraphValue] = []

    def form_in(description: Any) -> Any:
        if description == LEAF:
            return next(forms) if next(numbers) in input_leaves else None
        if description[0] is dict:
            raise NoPrimitive("  an input that is a dict")
        return tuple(form_in(one) for one in description[1])

    def take(name: str, form: Any) -> None:
        if isinstance(form, TensorForm):
            found.append(GraphValue(form, name))
            return
        for index, one in enumerate(form):
            take(builder.node("TupleGetItem", [name, builder.constant(index)], one), one)

    for name, description in zip(names, graph.description[1][0][1], strict=True):
        form = form_in(description)
        if form is not None:
            take(builder.add_input(name, form), form)
    return found


class _Monad:
    """Orders effects."""


MONAD = _Monad()


def _captured(
    builder: PrimitiveBuilder, graph: TracedGraph, made: PrimitiveGraph, monad: str
) -> tuple[list[GraphValue], list[str]]:
    """Parameters are loaded, other Tensors are constants."""
    values, loads = [], []
    used = used_inputs(graph.jaxpr)
    written = {id(tensor) for tensor in graph.trace.written}
    for weight, tensor, needed in zip(weights_of(graph), graph.captured, used):
        form = form_of(tensor._value)
        if tensor is random.generator:
            if needed:
                raise NoPrimitive(
                    "  random numbers: set_train(False) before export, or leave the operators that draw them"
                )
            values.append(GraphValue(form, "random"))
        elif weight.kind == "parameter":
            name = f"{builder.function.name}:{weight.name}"
            if needed or id(tensor) in written:
                made.parameters.append((name, weight, form))
            loaded = builder.node("Load", [name, monad], form) if needed else name
            loads += [loaded] if needed else []
            values.append(GraphValue(form, loaded))
        else:
            values.append(builder.known(np.asarray(tensor._value)))
    return values, loads


def _written(builder: PrimitiveBuilder, graph: TracedGraph, made: PrimitiveGraph, values: Sequence[GraphValue], monad: str,
             loads: list[str]) -> str:  # fmt: skip
    """The effects of a graph: Parameters are assigned after all of them were read."""
    by_id = {id(weight.value): (name, form) for name, weight, form in made.parameters}
    state = monad
    forms = [node.form for node in builder.function.nodes if node.callee == "Load"]
    if loads:
        read = loads[0] if len(loads) == 1 else builder.node("MakeTuple", loads, tuple(forms))
        state = builder.node("UpdateState", [state, read], "monad")
    for tensor, value in zip(graph.trace.written, values, strict=True):
        if tensor is random.generator:
            continue
        if id(tensor) not in by_id:
            raise NoPrimitive("  a Tensor that is no Parameter is written")
        name, form = by_id[id(tensor)]
        assigned = builder.node("Assign", [name, builder.name_of(value), state], form, {"side_effect_mem": True})
        state = builder.node("UpdateState", [state, assigned], "monad")
    return state if state != monad else ""


def _structure(builder: PrimitiveBuilder, description: Any, leaves: Any) -> tuple[str, Any]:
    """The results in their tuples and lists."""
    if description == LEAF:
        leaf = next(leaves)
        if isinstance(leaf, str):
            raise NoPrimitive(f"  the text {leaf!r:.60} among the results")
        return builder.name_of(leaf), leaf.form if isinstance(leaf, GraphValue) else leaf
    kind = description[0]
    parts = [_structure(builder, one, leaves) for one in description[-1]]  # the values of a dict are a tuple in files
    names, forms = [name for name, _ in parts], tuple(form for _, form in parts)
    primitive = "make_list" if kind is list else "MakeTuple"
    return builder.node(primitive, names, list(forms) if kind is list else forms), list(
        forms
    ) if kind is list else forms


__all__ = ["MONAD", "NoPrimitive", "PrimitiveGraph", "Raw", "WithoutPrimitive", "primitive_graph"]
