"""``mindspore.common.tensor``: Tensor and its factory function."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.dtype import DType
from mindspore._engine.tensor.buffers import swap_tensors
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tensor.tensor_state import TensorMeta
from mindspore._utils.hints import checks_keywords

__all__ = ["Tensor", "swap_tensors", "tensor"]

_TensorMeta = TensorMeta  # libraries derive metaclasses from it


@checks_keywords
def tensor(
    input_data: Any = None, dtype: DType | None = None, shape: Any = None, init: Any = None, const_arg: bool = False,
    device: str | None = None,
) -> Tensor:  # fmt: skip
    """A Tensor with this data; the arguments are those of :class:`mindspore.Tensor`.

    Examples:
        >>> import mindspore as ms
        >>> ms.tensor([1, 2], ms.float32)
        Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """
    return Tensor(input_data, dtype, shape, init, const_arg=const_arg, device=device)


tensor.from_numpy = Tensor.from_numpy  # type: ignore[attr-defined]  # programs write mindspore.tensor.from_numpy
