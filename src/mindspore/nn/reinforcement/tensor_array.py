"""An array of Tensors that a network writes and reads by index."""

from __future__ import annotations

from typing import Any

from mindspore._ops.reinforcement import tensor_arrays as arrays
from mindspore._utils.checks import check_non_negative_int, check_type
from mindspore.common.dtype import DType
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell


class TensorArray(Cell):
    """An array of Tensors of one dtype and shape, written and read by index.

    In a compiled graph an array of fixed size (``dynamic_size=False``) is written where it lies; one that grows is
    written by Python between the parts of the graph.

    Args:
        dtype, element_shape: of every Tensor in it.
        dynamic_size: whether it grows with what is written; else it has ``size`` rows.
        size: how many rows there are from the beginning.
        name: of the array.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> array = nn.TensorArray(ms.float32, (2,))
        >>> _ = array.write(0, Tensor([1.0, 2.0])), array.write(1, Tensor([3.0, 4.0]))
        >>> print(array.read(1), array.size())
        [3. 4.] 2
        >>> print(array.stack())
        [[1. 2.]
         [3. 4.]]
    """

    def __init__(self, dtype: Any, element_shape: Any, dynamic_size: bool = True, size: int = 0, name: str = "TA"):
        super().__init__()
        check_type("TensorArray", "dtype", dtype, DType)
        check_non_negative_int("TensorArray", "size", size)
        self.handle_ = arrays.TensorArray(dtype, element_shape, dynamic_size, size, name)()
        self.tensor_array_write = arrays.TensorArrayWrite()
        self.tensor_array_read = arrays.TensorArrayRead(dtype, element_shape)
        self.tensor_array_close = arrays.TensorArrayClose()
        self.tensor_array_clear = arrays.TensorArrayClear()
        self.tensor_array_stack = arrays.TensorArrayStack(dtype, element_shape, dynamic_size, size)
        self.tensor_array_size = arrays.TensorArraySize()

    def write(self, index: Any, value: Any) -> bool:
        """Write a value at an index."""
        self.tensor_array_write(self.handle_, index, value)
        return True

    def read(self, index: Any) -> Tensor:
        """The value at an index."""
        return self.tensor_array_read(self.handle_, index)

    def stack(self) -> Tensor:
        """All values as one Tensor."""
        return self.tensor_array_stack(self.handle_)

    def size(self) -> Tensor:
        """How many values there are."""
        return self.tensor_array_size(self.handle_)

    def clear(self) -> bool:
        """Empty the array, which may be written again."""
        self.tensor_array_clear(self.handle_)
        return True

    def close(self) -> bool:
        """Give the array's memory back; it can be used no more."""
        self.tensor_array_close(self.handle_)
        return True
