"""Primitive classes of arrays of Tensors behind a handle."""

from mindspore._ops.reinforcement.tensor_arrays import (
    TensorArray,
    TensorArrayClear,
    TensorArrayClose,
    TensorArrayGather,
    TensorArrayRead,
    TensorArraySize,
    TensorArrayStack,
    TensorArrayWrite,
)

__all__ = [
    "TensorArray",
    "TensorArrayClear",
    "TensorArrayClose",
    "TensorArrayGather",
    "TensorArrayRead",
    "TensorArraySize",
    "TensorArrayStack",
    "TensorArrayWrite",
]
