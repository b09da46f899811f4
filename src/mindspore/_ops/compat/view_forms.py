"""Primitives of MindSpore's views. A view here is a tensor of its own: XLA decides what is copied."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.operator.arguments import Array, Axis
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.scatter_state import scatter_nd_add
from mindspore._ops.array.shape import swapaxes, transpose
from mindspore._ops.methods.in_place import copy_
from mindspore._ops.methods.tensor_views import slice_by_number
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, refused


def _body(function: Any) -> Any:
    """An operator's body, for use inside another operator."""
    return function.__wrapped__


@op(primitive="SelectView", public=False,
    test=lambda t: [t.case(t.normal(2, 3), 1, 0, expect=lambda x, *_: x[1]),
                    t.case(t.normal(2, 3), -1, 1, expect=lambda x, *_: x[:, -1])])  # fmt: skip
def select_view(input_tensor: Array, input_indices: int, axis: int):
    """A slice along an axis, without that axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.SelectView()(Tensor([[1, 2], [3, 4]]), 0, 1))
        [1 3]
    """
    return _body(slice_by_number)(input_tensor, axis, input_indices)


@op(primitive="TransposeView", public=False,
    test=lambda t: [t.case(t.normal(2, 3, 4), (2, 0, 1), expect=np.transpose)])  # fmt: skip
def transpose_view(input: Array, input_perm: Axis):
    """The axes in another order.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.TransposeView()(Tensor([[1, 2], [3, 4]]), (1, 0)))
        [[1 3]
         [2 4]]
    """
    return _body(transpose)(input, input_perm)


@op(primitive="TransposeExtView", public=False,
    test=lambda t: [t.case(t.normal(2, 3, 4), 0, -1, expect=np.swapaxes)])  # fmt: skip
def transpose_ext_view(input: Array, dim0: int, dim1: int):
    """Two axes exchanged.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.TransposeExtView()(Tensor([[1, 2], [3, 4]]), 0, 1))
        [[1 3]
         [2 4]]
    """
    return _body(swapaxes)(input, dim0, dim1) if input.ndim else input


@register_primitive
class CopyWithSlice(Primitive):
    """Stores the elements of the second tensor in the first, and returns it.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x = Tensor([1.0, 2.0])
        >>> print(ops.CopyWithSlice()(x, Tensor([5.0, 6.0])), x)
        [5. 6.] [5. 6.]
    """

    def __call__(self, x: Tensor, y: Tensor) -> Tensor:
        if not isinstance(x, Tensor):
            raise refused(WrongObject, f"For 'CopyWithSlice', the 'x' must be a Tensor, but got {shown(x)}.")
        return copy_(x, y)


@register_primitive
class ScatterNonAliasingAdd(Primitive):
    """Adds ``updates`` at the positions ``indices`` to a Parameter, and returns it; positions as for ``ScatterNdAdd``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> x = Parameter(Tensor([1.0, 2.0, 3.0]), name="x")
        >>> print(ops.ScatterNonAliasingAdd()(x, Tensor([[0], [2]]), Tensor([10.0, 20.0])))
        [11.  2. 23.]
    """

    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
        return scatter_nd_add(input_x, indices, updates)


@register_primitive
class Reusing(Primitive):
    """The tensor as it is; XLA decides which memory is used again.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Reusing()(Tensor([1.0])))
        [1.]
    """

    def __call__(self, x: Tensor) -> Tensor:
        return x
