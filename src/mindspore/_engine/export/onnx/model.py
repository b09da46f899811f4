"""The ONNX ModelProto of a traced graph."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mindspore._engine.export.export_trace import TracedGraph
from mindspore._engine.export.onnx.builder import OPSET, Builder, Value, is_known
from mindspore._engine.export.onnx.older import older_model, without_unused
from mindspore._engine.export.onnx.walk import Findings, convert
from mindspore._engine.export.stablehlo import weights_of

PARAMETERS = "mycelium.parameters"  # a note for the reader: a JSON object, name -> whether it is trained
_LARGEST = 2**31 - 2**20  # bytes; the protobuf message limit


def to_onnx(graph: TracedGraph, input_names: Sequence[str], custom: Callable[[Any], Any] | None = None, *, opset: int = OPSET,
            output_names: Sequence[str] | None = None, symbols: Mapping[str, str] | None = None) -> bytes:  # fmt: skip
    """The contents of an .onnx file; all unsupported primitives are reported in one error.

    ``symbols`` has other names for open sizes.
    """
    builder = Builder(opset=opset)
    inputs = _inputs(builder, graph, input_names)
    weights = _weights(builder, graph)
    findings = Findings()
    values = convert(builder, graph.jaxpr.jaxpr, graph.jaxpr.consts, [*weights, *map(Value, inputs)], findings)
    if findings.counts:
        raise ValueError(
            f"For 'export', {graph.owner.name} cannot be written as ONNX. These operations have no form there:\n"
            f"{findings.text()}\nNothing was written. Use file_format='MINDIR', or replace these operations."
        )
    outputs = _outputs(builder, values[: len(graph.trace.tensor_leaves)], output_names)
    return _serialized(builder, graph, inputs, outputs, custom, symbols or {}, opset)


def _inputs(builder: Builder, graph: TracedGraph, names: Sequence[str]) -> list[str]:
    """Names of the graph inputs, and the nodes that read their dynamic dimensions."""
    inputs = [builder.fresh(name) for name in names]
    for name, aval in zip(inputs, graph.input_avals, strict=True):
        for axis, size in enumerate(aval.shape):
            if not is_known(size) and str(size) not in builder.sizes:
                builder.sizes[str(size)] = builder.node("Shape", [name], start=axis, end=axis + 1)
    return inputs


def _weights(builder: Builder, graph: TracedGraph) -> list[Value]:
    """Parameters as named initializers; other Tensors as constants."""
    values = []
    for weight in weights_of(graph):
        array = weight.value._host("Exporting a Tensor", "")
        if weight.kind != "tensor":  # the PRNG state must not be folded as a constant
            name = builder.fresh(weight.name)
            builder.add_initializer(name, array)
            values.append(Value(name))
        else:
            values.append(Value(array=array))
    return values


def _outputs(builder: Builder, values: Sequence[Value], given: Sequence[str] | None) -> list[str]:
    if given is not None and len(given) != len(values):
        raise ValueError(
            f"For 'export', 'output_names' must have a name for each of the {len(values)} results, but got {list(given)}."
        )
    names = []
    for number, value in enumerate(values):
        usual = "output" if len(values) == 1 else f"output_{number}"
        name = builder.fresh(usual if given is None else given[number])
        helper = builder.onnx.helper
        builder.nodes.append(helper.make_node("Identity", [builder.name_of(value)], [name], name=f"Identity_{name}"))
        names.append(name)
    return names


def _serialized(builder: Builder, graph: TracedGraph, inputs: list[str], outputs: list[str], custom: Any,
                symbols: Mapping[str, str], opset: int) -> bytes:  # fmt: skip
    onnx, helper = builder.onnx, builder.onnx.helper

    def described(name: str, aval: Any) -> Any:
        sizes = [int(size) if is_known(size) else symbols.get(str(size), str(size)) for size in aval.shape]
        return helper.make_tensor_value_info(name, builder.element_type(aval.dtype), sizes)

    nodes, used = without_unused(builder.nodes, set(outputs))
    initializers = [tensor for name, tensor in builder.initializers.items() if name in used]
    if sum(len(tensor.raw_data) for tensor in initializers) > _LARGEST:
        raise ValueError(
            f"For 'export', the weights of {graph.owner.name} are larger than 2 GB, which one ONNX file cannot hold. Use "
            "file_format='MINDIR'."
        )
    proto = helper.make_graph(
        nodes,
        graph.owner.name,
        [described(name, aval) for name, aval in zip(inputs, graph.input_avals)],
        [described(name, aval) for name, aval in zip(outputs, graph.result_avals)],
        initializers,
    )
    operators = [helper.make_opsetid("", builder.opset)]
    version = helper.find_min_ir_version_for(operators)
    model = helper.make_model(proto, opset_imports=operators, ir_version=version, producer_name="mycelium")
    trained = {w.name: w.requires_grad for w in weights_of(graph) if w.kind == "parameter" and w.name in used}
    helper.set_model_props(model, {PARAMETERS: json.dumps(trained)})
    if opset < builder.opset:
        model, lacking = older_model(onnx, model, opset)
        if lacking:
            lines = "\n".join(f"  {reason} ({count} x)" for reason, count in lacking.items())
            raise ValueError(
                f"For 'export', {graph.owner.name} cannot be written in the operator set {opset}:\n{lines}\nNothing was written. Use a "
                f"larger 'opset'."
            )
    onnx.checker.check_model(model)
    if custom is not None:
        custom(model)
    return model.SerializeToString()
