"""The messages of MINDIR files as MindSpore writes them: models, graphs, nodes, tensors."""

from __future__ import annotations

from typing import Any

from mindspore._utils.files.messages import message

__all__ = [
    "AttributeProto",
    "FunctorProto",
    "GraphProto",
    "LayoutProto",
    "MapTensorProto",
    "ModelProto",
    "NodeProto",
    "ParallelProto",
    "PreprocessOpProto",
    "PreprocessorProto",
    "PrimitiveProto",
    "ScalarGraphHolderProto",
    "ScalarNodeProto",
    "TensorProto",
    "ValueInfoProto",
]

IR_VERSION_START, IR_VERSION, IR_VERSION_WITH_PRIM_FUNCTION, IR_VERSION_WITH_SCALAR_GRAPH_HOLDER = range(4)
_NUMBERS = "UNDEFINED FLOAT UINT8 INT8 UINT16 INT16 INT32 INT64 STRING BOOL FLOAT16 DOUBLE UINT32 UINT64 COMPLEX64 COMPLEX128 BFLOAT16"
# The values of enumerations, in their order from 0, or from the number in front.
_VALUES = {
    "AttributeProto": (
        f"{_NUMBERS} TENSOR GRAPH TENSORS TUPLE LIST DICT UMONAD IOMONAD NONE PRIMITIVECLOSURE FUNCGRAPHCLOSURE PARTIALCLOSURE "
        "UNIONFUNCCLOSURE CSR_TENSOR COO_TENSOR ROW_TENSOR CLASS_TYPE NAME_SPACE SYMBOL TYPE_NULL MAP_TENSOR FUNCTOR SCALAR "
        "SCALAR_GRAPH_HOLDER",
    ),
    "TensorProto": (
        f"{_NUMBERS} FLOAT64 QINT4X2",
        "NO_COMPRESSION INDEXING SPARSE FSE BIT_PACKING FSE_INT FSE_INFER",
    ),
    "FunctorProto": ("1 SHAPE_CALC_FUNCTOR ANY_FUNCTOR",),
    "PrimitiveProto": ("1 PRIMITIVE PRIMITIVE_FUNCTION",),
}

AttributeProto = message(
    "AttributeProto",
    "name:1:str f:2:float i:3:int d:4:double s:5:bytes t:6:TensorProto g:7:GraphProto floats:8*:float doubles:9*:double "
    "ints:10*:int strings:11*:bytes tensors:12*:TensorProto graphs:13*:GraphProto doc_string:14:str ref_attr_name:15:str "
    "type:16:int values:17*:AttributeProto seq_info:18:SeqInfoProto functor:19:FunctorProto "
    "graph_holder:20:ScalarGraphHolderProto",
)
SeqInfoProto = message("SeqInfoProto", "is_dyn_len:1:int tuple_elem_item:2:AttributeProto")
FunctorProto = message("FunctorProto", "type:1:int name:2:str values:3*:AttributeProto")
ValueInfoProto = message(
    "ValueInfoProto", "name:1:str tensor:2*:TensorProto doc_string:3:str denotation:4:str attr_info:5:AttributeProto"
)
NodeProto = message(
    "NodeProto",
    "input:1*:str output:2*:str name:3:str op_type:4:str attribute:5*:AttributeProto doc_string:6:str domain:7:str "
    "node_attr:8*:AttributeProto primal_attr:9*:AttributeProto",
)
UserInfoEntry = message("UserInfoEntry", "key:1:str value:2:str")
ModelProto = message(
    "ModelProto",
    "ir_version:1:str producer_name:2:str producer_version:3:str domain:4:str model_version:5:str doc_string:6:str "
    "graph:7:GraphProto functions:8*:GraphProto preprocessor:9:PreprocessorProto little_endian:10:int "
    "parallel:11:ParallelProto primitives:12*:PrimitiveProto mind_ir_version:13:int user_info:14*:UserInfoEntry",
)
PreprocessorProto = message("PreprocessorProto", "op:1*:PreprocessOpProto")
PreprocessOpProto = message(
    "PreprocessOpProto",
    "input_columns:1:str output_columns:2:str project_columns:3:str op_type:4:str operations:5:str offload:6:int",
)
GraphProto = message(
    "GraphProto",
    "node:1*:NodeProto name:2:str parameter:3*:TensorProto doc_string:4:str input:5*:ValueInfoProto "
    "output:6*:ValueInfoProto bprop_hash:7:str attribute:8*:AttributeProto bprop_filepath:9:str "
    "map_parameter:10*:MapTensorProto",
)
ExternalDataProto = message("ExternalDataProto", "location:1:str offset:2:int length:3:int")
QuantParamProto = message("QuantParamProto", "quant_algo_name:1:str attribute:2*:AttributeProto")
TensorProto = message(
    "TensorProto",
    "dims:1*:int data_type:2:int float_data:3*:float int32_data:4*:int string_data:5*:bytes int64_data:6*:int name:7:str "
    "doc_string:8:str raw_data:9:bytes double_data:10*:double uint64_data:11*:int external_data:12:ExternalDataProto "
    "ref_key:13:str min_dims:14*:int max_dims:15*:int compression_type:16:int quant_params:17*:QuantParamProto",
)
MapTensorProto = message(
    "MapTensorProto",
    "name:1:str default_value:2:AttributeProto key_tensor:3:TensorProto value_tensor:4:TensorProto "
    "status_tensor:5:TensorProto",
)
ParallelProto = message("ParallelProto", "layout:1*:LayoutProto")
LayoutProto = message(
    "LayoutProto",
    "name:1:str device_arrangement_int:2*:int tensor_map_int:3*:int slice_shape_int:4*:int field_size:5:int "
    "uniform_split:6:int opt_shard_group:7:str pipeline_shared:8:int is_send:9:int peer_rank:10:int sr_tag:11:int "
    "opt_shard_slice_shape_int:12*:int",
)
PrimitiveProto = message(
    "PrimitiveProto", "name:1:str op_type:2:str attribute:3*:AttributeProto instance_name:4:str prim_type:5:int"
)
ScalarNodeProto = message("ScalarNodeProto", "scalar_op_type:1:int in_index:2*:int value:3*:int")
ScalarGraphHolderProto = message("ScalarGraphHolderProto", "scalar_node:1*:ScalarNodeProto input_shape_index:2*:int")


def _link(classes: dict[str, Any]) -> None:
    """Put the classes where fields name them: graphs hold attributes, and attributes graphs."""
    for made in classes.values():
        for name, field in made.FIELDS.items():
            made.FIELDS[name] = field._replace(kind=classes.get(field.kind, field.kind))
    for owner, lists in _VALUES.items():
        for values in lists:
            first, names = (1, values.split()[1:]) if values[0] == "1" else (0, values.split())
            for number, name in enumerate(names, first):
                setattr(classes[owner], name, number)


_link({name: value for name, value in globals().items() if hasattr(value, "FIELDS")})
AttributeProto.SeqInfoProto = SeqInfoProto
ModelProto.UserInfoEntry = UserInfoEntry
TensorProto.ExternalDataProto = ExternalDataProto
TensorProto.QuantParamProto = QuantParamProto
