"""Control flow: Scan, Loop and If with subgraphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.export.onnx.builder import Builder, Converter, Value, converts, is_known
from mindspore._engine.export.onnx.walk import Findings, convert


def with_graphs(function: Converter) -> Converter:
    """Mark a converter that converts subgraphs itself and collects their findings."""
    function.has_graphs = True  # type: ignore[attr-defined]
    return function


def _described(builder: Builder, name: str, aval: Any) -> Any:
    sizes = [int(size) if is_known(size) else str(size) for size in aval.shape]
    return builder.onnx.helper.make_tensor_value_info(name, builder.element_type(aval.dtype), sizes)


def _graph(inner: Builder, word: str, inputs: Sequence[Any], results: Sequence[Value], avals: Sequence[Any]) -> Any:
    """A subgraph of a node. ONNX requires each result to be a distinct node output."""
    names = [inner.node("Identity", [inner.name_of(value)]) for value in results]
    outputs = [_described(inner, name, aval) for name, aval in zip(names, avals, strict=True)]
    return inner.onnx.helper.make_graph(inner.nodes, inner.fresh(word), list(inputs), outputs)


@converts("scan")
@with_graphs
def scan(builder: Builder, equation: Any, findings: Findings, *values: Value) -> list[str]:
    params = equation.params
    body, consts, carried = params["jaxpr"], params["num_consts"], params["num_carry"]
    inner = Builder(builder)
    avals = body.jaxpr.invars[consts:]
    names = [inner.fresh("scanned") for _ in avals]
    inputs = [_described(inner, name, var.aval) for name, var in zip(names, avals)]
    sources = [builder.name_of(value) for value in values[consts:]]
    if len(sources) == carried:  # Scan takes its length from the scanned inputs
        count = inner.fresh("count")
        inputs.append(inner.onnx.helper.make_tensor_value_info(count, builder.element_type(np.int64), []))
        sources.append(builder.constant(np.arange(params["length"]), np.int64))
    results = convert(inner, body.jaxpr, body.consts, [*values[:consts], *map(Value, names)], findings)
    graph = _graph(inner, "body", inputs, results, [var.aval for var in body.jaxpr.outvars])
    through, out = len(sources) - carried, len(results) - carried
    backwards = int(params["reverse"])
    directions = {"scan_output_directions": [backwards] * out} if out else {}
    return builder.nodes_of(
        "Scan", sources, len(results), body=graph, num_scan_inputs=through, scan_input_directions=[backwards] * through, **directions,
    )  # fmt: skip


@converts("while")
@with_graphs
def while_loop(builder: Builder, equation: Any, findings: Findings, *values: Value) -> list[str]:
    params = equation.params
    test, body = params["cond_jaxpr"], params["body_jaxpr"]
    test_consts = values[: params["cond_nconsts"]]
    body_consts = values[len(test_consts) : len(test_consts) + params["body_nconsts"]]
    start = values[len(test_consts) + len(body_consts) :]
    (first,) = convert(builder, test.jaxpr, test.consts, [*test_consts, *start], findings)
    inner = Builder(builder)
    variables = body.jaxpr.invars[len(body_consts) :]
    names = [inner.fresh("carried") for _ in variables]
    inputs = [
        inner.onnx.helper.make_tensor_value_info(inner.fresh("step"), builder.element_type(np.int64), []),
        inner.onnx.helper.make_tensor_value_info(inner.fresh("goes_on"), builder.element_type(np.bool_), []),
        *[_described(inner, name, var.aval) for name, var in zip(names, variables)],
    ]
    results = convert(inner, body.jaxpr, body.consts, [*body_consts, *map(Value, names)], findings)
    (again,) = convert(inner, test.jaxpr, test.consts, [*test_consts, *results], findings)
    avals = [test.jaxpr.outvars[0].aval, *[var.aval for var in body.jaxpr.outvars]]
    graph = _graph(inner, "body", inputs, [again, *results], avals)
    sources = [builder.name_of(value) for value in start]
    return builder.nodes_of("Loop", ["", builder.name_of(first), *sources], len(results), body=graph)


@converts("cond")
@with_graphs
def branches(builder: Builder, equation: Any, findings: Findings, which: Value, *values: Value) -> list[str]:
    return _if(builder, equation, findings, which, values, 0)


def _if(builder: Builder, equation: Any, findings: Findings, which: Value, values: Any, number: int) -> list[str]:
    """The branch with this index, or one of the following: nested Ifs."""
    all_branches = equation.params["branches"]
    avals = [var.aval for var in equation.outvars]

    def graph_of(index: int) -> Any:
        inner = Builder(builder)
        results = convert(inner, all_branches[index].jaxpr, all_branches[index].consts, values, findings)
        return _graph(inner, "branch", [], results, avals)

    kind = equation.invars[0].aval.dtype
    index = builder.name_of(which)
    beyond = index if kind == np.bool_ else builder.node("Greater", [index, builder.scalar(number, kind)])
    if number + 2 >= len(all_branches):
        rest = graph_of(min(number + 1, len(all_branches) - 1))
    else:
        inner = Builder(builder)
        names = _if(inner, equation, findings, which, values, number + 1)
        rest = _graph(inner, "branches", [], [Value(name) for name in names], avals)
    return builder.nodes_of("If", [beyond], len(avals), then_branch=rest, else_branch=graph_of(number))
