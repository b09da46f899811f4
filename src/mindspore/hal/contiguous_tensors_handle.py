"""Tensors one after the other in one piece of memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_bool, check_int, check_type

__all__ = ["ContiguousTensorsHandle", "combine_tensor_list_contiguous"]

_ALIGNMENT = 512  # bytes


class ContiguousTensorsHandle:
    """A Tensor of one axis with the elements of others, and where each of them begins.

    Args:
        tensor_list: Tensors of one dtype.
        enable_mem_align: whether each begins at a multiple of 512 bytes.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.hal.contiguous_tensors_handle import combine_tensor_list_contiguous
        >>> handle = combine_tensor_list_contiguous([Tensor([1.0, 2.0]), Tensor([3.0])], False)
        >>> print(handle[0:3], handle.slice_by_tensor_index(1, 2))
        [1. 2. 3.] [3.]
    """

    def __init__(self, tensor_list: Sequence[Tensor], enable_mem_align: bool = True):
        self.enable_mem_align = check_bool("ContiguousTensorsHandle", "enable_mem_align", enable_mem_align)
        self.tensor_list = [check_type("ContiguousTensorsHandle", "tensor_list", one, Tensor) for one in tensor_list]
        kinds = {str(one.dtype) for one in self.tensor_list}
        if len(kinds) != 1:
            raise TypeError(
                f"For 'ContiguousTensorsHandle', the 'tensor_list' must hold Tensors of one dtype, but got {sorted(kinds)}."
            )
        step = max(_ALIGNMENT // self.tensor_list[0].itemsize, 1) if enable_mem_align else 1
        self.before_padding_sizes = [one.size for one in self.tensor_list]
        self.after_padding_sizes = [-(-size // step) * step for size in self.before_padding_sizes]
        self.total_padding_size = sum(self.after_padding_sizes)
        self.handle_shape = (self.total_padding_size,)
        arrays = [
            np.pad(one.asnumpy().reshape(-1), (0, padded - one.size))
            for one, padded in zip(self.tensor_list, self.after_padding_sizes, strict=True)
        ]
        self._data = Tensor(np.concatenate(arrays))

    def __getitem__(self, item: Any) -> Tensor:
        if isinstance(item, int):
            position = check_int("ContiguousTensorsHandle", "index", item, 0, self.total_padding_size - 1)
            item = slice(position, position + 1)
        if not isinstance(item, slice) or item.step not in (None, 1):
            raise ValueError(
                f"For 'ContiguousTensorsHandle', the index must be an int or a slice without step, but got {item!r}."
            )
        return self._data[item]

    def slice_by_tensor_index(self, start: int | None = None, end: int | None = None) -> Tensor:
        """The elements of the Tensors from number ``start`` to before ``end``."""
        count = len(self.tensor_list)
        first, last = start or 0, count if end is None else end
        check_int("ContiguousTensorsHandle.slice_by_tensor_index", "start", first, 0, count - 1)
        check_int("ContiguousTensorsHandle.slice_by_tensor_index", "end", last, first + 1, count)
        begin = sum(self.after_padding_sizes[:first])
        return self._data[begin : begin + sum(self.after_padding_sizes[first:last])]


def combine_tensor_list_contiguous(
    tensor_list: Sequence[Tensor], enable_mem_align: bool = True
) -> ContiguousTensorsHandle:
    """Put Tensors one after the other."""
    return ContiguousTensorsHandle(tensor_list, enable_mem_align)
