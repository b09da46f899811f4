"""The registries of gradients, and what registered gradients are written with."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.functional.primitive_registry import BpropRegistry as BpropRegistry
from mindspore._ops.functional.primitive_registry import Registry as Registry
from mindspore._ops.functional.primitive_registry import TaylorFpropRegistry as TaylorFpropRegistry
from mindspore._ops.functional.primitive_registry import bprop_getters as bprop_getters
from mindspore._ops.functional.primitive_registry import bprops as bprops
from mindspore._ops.functional.primitive_registry import get_bprop_fn as get_bprop_fn
from mindspore._ops.functional.primitive_registry import get_taylor_fprop_fn as get_taylor_fprop_fn
from mindspore._ops.functional.primitive_registry import taylor_fprop_getters as taylor_fprop_getters
from mindspore._ops.functional.primitive_registry import taylor_fprops as taylor_fprops
from mindspore.ops import function


def convert_to_tensor(data: Any) -> Tensor:
    """The data as a Tensor of Int64.

    >>> convert_to_tensor((2, 3)).dtype
    mindspore.int64
    """
    return data if isinstance(data, Tensor) else Tensor(data, dtypes.int64)


def create_tensor_by_element(ori_tuple: Any, data_type: Any = dtypes.int64) -> Tensor:
    """A Tensor of the elements of a tuple or list, some of which may be Tensors.

    >>> print(create_tensor_by_element((1, Tensor(2))))
    [1 2]
    """
    if isinstance(ori_tuple, Tensor):
        return ori_tuple
    return function.stack(
        [function.cast(Tensor(one) if not isinstance(one, Tensor) else one, data_type) for one in ori_tuple]
    )


def dyn_fill(value_type: Any, shape: Any, value: Any) -> Tensor:
    """A Tensor full of one value.

    >>> print(dyn_fill(dtypes.float32, (2,), 3))
    [3. 3.]
    """
    return function.fill(value_type, tuple(shape.tolist()) if isinstance(shape, Tensor) else tuple(shape), value)


def dyn_ones(shape: Any, value_type: Any) -> Tensor:
    """A Tensor of ones.

    >>> print(dyn_ones((2,), dtypes.int32))
    [1 1]
    """
    return dyn_fill(value_type, shape, 1)


def sum_grad_reduce_axis(x: Tensor, rx: Any, keep_dims: bool = False) -> Tensor:
    """The sum over the axes ``rx``, over none if there are none.

    >>> print(sum_grad_reduce_axis(Tensor([[1.0, 2.0]]), (1,)))
    [3.]
    """
    axes = tuple(rx.tolist()) if isinstance(rx, Tensor) else tuple(rx)
    return function.reduce_sum(x, axes, keep_dims) if axes else x
