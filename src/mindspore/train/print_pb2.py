"""The messages of files that ``print_file_path`` names."""

from mindspore._utils.files.messages import message

__all__ = ["Print", "TensorProto"]

TensorProto = message("TensorProto", "dims:1*:int tensor_type:2:str tensor_content:3:bytes")
_Value = message("Value", "desc:1:str tensor:2:Tensor", Tensor=TensorProto)
Print = message("Print", "value:1*:Value", Value=_Value)
Print.Value = _Value
