"""The messages of checkpoint files."""

from mindspore._utils.files.messages import message

__all__ = ["Checkpoint", "MapTensorProto", "TensorProto"]

TensorProto = message("TensorProto", "dims:1*:int tensor_type:2:str tensor_content:3:bytes")
MapTensorProto = message("MapTensorProto", "tensor:1*:Tensor", Tensor=TensorProto)
_Value = message("Value", "tag:1:str tensor:2:Tensor maptensor:3:Map", Tensor=TensorProto, Map=MapTensorProto)
Checkpoint = message("Checkpoint", "value:1*:Value", Value=_Value)
Checkpoint.Value = _Value
