"""The messages of ONNX files: models, graphs, nodes, tensors. Unknown fields are skipped."""

from __future__ import annotations

from typing import Any

from mindspore._utils.files.messages import message

AttributeProto = message(
    "AttributeProto",
    "name:1:str f:2:float i:3:int s:4:bytes t:5:TensorProto g:6:GraphProto floats:7*:float ints:8*:int strings:9*:bytes "
    "tensors:10*:TensorProto graphs:11*:GraphProto tp:14:TypeProto type:20:int ref_attr_name:21:str "
    "sparse_tensor:22:SparseTensorProto",
)
NodeProto = message(
    "NodeProto",
    "input:1*:str output:2*:str name:3:str op_type:4:str attribute:5*:AttributeProto domain:7:str overload:8:str",
)
Entry = message("Entry", "key:1:str value:2:str")
OperatorSetIdProto = message("OperatorSetIdProto", "domain:1:str version:2:int")
ModelProto = message(
    "ModelProto",
    "ir_version:1:int producer_name:2:str producer_version:3:str graph:7:GraphProto opset_import:8*:OperatorSetIdProto "
    "metadata_props:14*:Entry functions:25*:FunctionProto",
)
GraphProto = message(
    "GraphProto",
    "node:1*:NodeProto name:2:str initializer:5*:TensorProto input:11*:ValueInfoProto output:12*:ValueInfoProto "
    "sparse_initializer:15*:SparseTensorProto",
)
FunctionProto = message(
    "FunctionProto",
    "name:1:str input:4*:str output:5*:str attribute:6*:str node:7*:NodeProto opset_import:9*:OperatorSetIdProto domain:10:str "
    "attribute_proto:11*:AttributeProto overload:13:str",
)
TensorProto = message(
    "TensorProto",
    "dims:1*:int data_type:2:int float_data:4*:float int32_data:5*:int string_data:6*:bytes int64_data:7*:int name:8:str "
    "raw_data:9:bytes double_data:10*:double uint64_data:11*:int external_data:13*:Entry data_location:14:int",
)
SparseTensorProto = message("SparseTensorProto", "values:1:TensorProto indices:2:TensorProto dims:3*:int")
ValueInfoProto = message("ValueInfoProto", "name:1:str type:2:TypeProto")
TypeProto = message(
    "TypeProto", "tensor_type:1:TensorTypeProto sequence_type:4:WrappedTypeProto optional_type:9:WrappedTypeProto"
)
TensorTypeProto = message("TensorTypeProto", "elem_type:1:int shape:2:TensorShapeProto")
WrappedTypeProto = message("WrappedTypeProto", "elem_type:1:TypeProto")
TensorShapeProto = message("TensorShapeProto", "dim:1*:DimensionProto")
DimensionProto = message("DimensionProto", "dim_value:1:int dim_param:2:str")

# AttributeProto.type
FLOAT, INT, STRING, TENSOR, GRAPH, FLOATS, INTS, STRINGS, TENSORS, GRAPHS, SPARSE_TENSOR = range(1, 12)
TYPE_PROTO = 13


def _link(classes: dict[str, Any]) -> None:
    """Put the classes where fields name them: graphs hold attributes, and attributes graphs."""
    for made in classes.values():
        for name, field in made.FIELDS.items():
            made.FIELDS[name] = field._replace(kind=classes.get(field.kind, field.kind))


_link({name: value for name, value in globals().items() if hasattr(value, "FIELDS")})
