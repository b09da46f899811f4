"""A graph of primitives as the bytes of a MINDIR file."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import ml_dtypes
import numpy as np

from mindspore._engine.export.mindir.builder import FunctionForm, GraphFunction, GraphNode, TensorForm
from mindspore._engine.export.mindir.file_numbers import DTYPE_NUMBERS
from mindspore._engine.export.mindir.known_primitives import FUNCTIONS
from mindspore._engine.export.mindir.model import MONAD, PrimitiveGraph
from mindspore._utils.refusals import refused
from mindspore.train._mindir.attributes import DTYPES
from mindspore.train._mindir.loaded import UNTRAINED
from mindspore.train._mindir.primitives import PRIMITIVE_FUNCTION
from mindspore.train.mind_ir_pb2 import (
    AttributeProto,
    GraphProto,
    ModelProto,
    NodeProto,
    PrimitiveProto,
    TensorProto,
    ValueInfoProto,
)

IR_VERSION, MODEL_VERSION = "1.1", "2.10.0"  # of the files that MindSpore 2.10 writes
_NUMBERS = {dtype: number for number, dtype in reversed(list(DTYPES.items()))}
_DTYPE_NUMBERS = {np.dtype(dtype.np_dtype): number for number, dtype in reversed(list(DTYPE_NUMBERS.items()))}
_PROPAGATES = ("Depend", "Partial")
_MOST_BYTES = 2**30  # of Parameters in one file
_FRONT_BYTES = 64  # before the first Parameter, and between them


def model_of(graph: PrimitiveGraph) -> Any:
    """The message of a graph."""
    primitives: dict[str, tuple[str, Any]] = {}
    graphs = [_graph(function, primitives) for function in graph.functions]
    graphs[0].parameter = [
        TensorProto(
            dims=list(form.shape), data_type=_NUMBERS[form.dtype], name=name, raw_data=_raw(weight.value._host("Exporting a Tensor", "")),
            ref_key=weight.name, compression_type=0,
        )
        for name, weight, form in graph.parameters
    ]  # fmt: skip
    model = ModelProto(
        ir_version=IR_VERSION, producer_name="MindSpore", model_version=MODEL_VERSION, graph=graphs[0], functions=graphs[1:],
        little_endian=1, primitives=[one for _, one in primitives.values()], mind_ir_version=3,
    )  # fmt: skip
    model.user_info[UNTRAINED] = json.dumps(
        [weight.name for _, weight, _ in graph.parameters if not weight.requires_grad]
    )
    return model


def files_of(graph: PrimitiveGraph, name: str) -> dict[str, list[bytes]]:
    """The contents of the file, by name; Parameters of more than a gigabyte stand in files of their own."""
    model = model_of(graph)
    if sum(len(one.raw_data) for one in model.graph.parameter) <= _MOST_BYTES:
        return {f"{name}.mindir": [model.SerializeToString()]}
    location, offset = os.path.join(f"{name}_variables", "data_0"), _FRONT_BYTES
    chunks = [bytes([int(sys.byteorder == "little")]) + bytes(_FRONT_BYTES - 1)]
    for one in sorted(model.graph.parameter, key=lambda one: one.ref_key):
        data = one.raw_data
        one.ClearField("raw_data")
        one.external_data.location, one.external_data.offset, one.external_data.length = location, offset, len(data)
        chunks.append(data + bytes(-len(data) % _FRONT_BYTES))
        offset += len(chunks[-1])
    return {f"{name}_graph.mindir": [model.SerializeToString()], location: chunks}


def _graph(function: GraphFunction, primitives: dict[str, tuple[str, Any]]) -> Any:
    return GraphProto(
        name=function.name,
        node=[_node(node, primitives) for node in function.nodes],
        input=[_info(name, form) for name, form in function.inputs],
        output=[_info(function.output, function.form)],
        bprop_hash="",
        bprop_filepath="",
    )


def _info(name: str, form: Any) -> Any:
    if isinstance(form, TensorForm):
        return ValueInfoProto(name=name, tensor=[_tensor(form)])
    return ValueInfoProto(name=name, attr_info=_form("", form))


def _node(node: GraphNode, primitives: dict[str, tuple[str, Any]]) -> Any:
    if node.kind == "constant":
        value = encoded("value", node.value)
        return NodeProto(output=[node.output], name=node.output, op_type="Constant", attribute=[value])
    callee = node.callee if node.kind == "call" else _primitive(node, primitives)
    return NodeProto(
        input=list(node.inputs), output=[node.output], name=node.output, op_type=f"REF::{callee}",
        attribute=[_form("shape", node.form)], domain=f"Default/{node.callee}-op{node.output.rsplit(':', 1)[-1]}",
    )  # fmt: skip


def _primitive(node: GraphNode, primitives: dict[str, tuple[str, Any]]) -> str:
    """The name of a primitive with its attributes, each of them once in the file."""
    attributes = dict(node.attributes)
    if node.callee in _PROPAGATES:
        attributes["side_effect_propagate"] = 1
    key = f"{node.callee} {attributes!r}"
    if key not in primitives:
        name = f"{node.callee}:{len(primitives) + 1}"
        kind = PRIMITIVE_FUNCTION if node.callee in FUNCTIONS else 1
        listed = [encoded(own, value) for own, value in attributes.items()]
        made = PrimitiveProto(name=name, op_type=node.callee, attribute=listed, instance_name="", prim_type=kind)
        primitives[key] = (name, made)
    return primitives[key][0]


def _tensor(form: TensorForm, **data: Any) -> Any:
    dims = [-1 if isinstance(size, str) else size for size in form.shape]
    return TensorProto(dims=dims, data_type=_NUMBERS[form.dtype], **data)


def _raw(array: np.ndarray) -> bytes:
    return np.ascontiguousarray(array).tobytes()


def _form(name: str, form: Any) -> Any:
    """What a value is, for the compiler that reads the file."""
    named = {"name": name} if name else {}
    if form == "monad":
        return AttributeProto(**named, type=AttributeProto.UMONAD)
    if isinstance(form, FunctionForm):
        ways = [AttributeProto(s=one.encode(), type=AttributeProto.FUNCGRAPHCLOSURE) for one in form.names]
        if len(ways) == 1:
            return AttributeProto(**named, s=form.names[0].encode(), type=AttributeProto.FUNCGRAPHCLOSURE)
        return AttributeProto(**named, type=AttributeProto.UNIONFUNCCLOSURE, values=ways)
    if isinstance(form, (tuple, list)):
        kind = AttributeProto.TUPLE if isinstance(form, tuple) else AttributeProto.LIST
        made = AttributeProto(**named, type=kind, values=[_form("", one) for one in form])
        made.seq_info.is_dyn_len = 0
        return made
    if isinstance(form, TensorForm):
        return AttributeProto(**named, type=AttributeProto.TENSORS, tensors=[_tensor(form)])
    if form is None:
        return AttributeProto(**named, type=AttributeProto.NONE)
    kind = np.dtype(bool) if isinstance(form, bool) else np.dtype(np.int64 if isinstance(form, int) else np.float32)
    return AttributeProto(
        **named, type=AttributeProto.SCALAR, tensors=[TensorProto(dims=[0], data_type=_NUMBERS[kind])]
    )


def encoded(name: str, value: Any, inside: bool = False) -> Any:
    """An attribute of this value; numbers in sequences stand in lists of one."""
    named = {"name": name} if name else {}

    def scalar(kind: int, single: str, several: str, content: Any) -> Any:
        return AttributeProto(**named, type=kind, **{several: [content]} if inside else {single: content})

    if value is MONAD:
        return AttributeProto(**named, type=AttributeProto.UMONAD)
    if value is None:
        return AttributeProto(**named, type=AttributeProto.NONE)
    if isinstance(value, (bool, np.bool_)):
        return scalar(AttributeProto.BOOL, "i", "ints", int(value))
    if isinstance(value, (int, np.integer)):
        return scalar(AttributeProto.INT64, "i", "ints", int(value))
    if isinstance(value, (float, np.floating)) and not isinstance(value, ml_dtypes.bfloat16):
        return scalar(AttributeProto.FLOAT, "f", "floats", float(value))
    if isinstance(value, str):
        return scalar(AttributeProto.STRING, "s", "strings", value.encode())
    if isinstance(value, np.dtype):
        return scalar(AttributeProto.INT64, "i", "ints", _DTYPE_NUMBERS[value])
    if isinstance(value, (tuple, list)):
        kind = AttributeProto.TUPLE if isinstance(value, tuple) else AttributeProto.LIST
        return AttributeProto(**named, type=kind, values=[encoded("", one, inside=True) for one in value])
    if isinstance(value, np.ndarray):
        tensor = _tensor(TensorForm(value.shape, value.dtype), raw_data=_raw(value), name="value0")
        return AttributeProto(**named, type=AttributeProto.TENSORS, tensors=[tensor])
    raise refused(TypeError, f"For 'export', a value of type {type(value).__name__} has no form in a MINDIR file.")
