"""Reading and writing elements of Tensors, as functions."""

from __future__ import annotations

from typing import Any

from mindspore._engine.tensor.tensor import Tensor
from mindspore.ops.composite.multitype_ops import (
    add as _tensor_add,  # noqa: F401
)
from mindspore.ops.composite.multitype_ops import (
    div as _tensor_div,  # noqa: F401
)
from mindspore.ops.composite.multitype_ops import (
    floordiv as _tensor_floordiv,  # noqa: F401
)
from mindspore.ops.composite.multitype_ops import (
    mod as _tensor_mod,  # noqa: F401
)
from mindspore.ops.composite.multitype_ops import (
    mul as _tensor_mul,  # noqa: F401
)
from mindspore.ops.composite.multitype_ops import (
    pow_ as _tensor_pow,  # noqa: F401
)
from mindspore.ops.composite.multitype_ops import (
    sub as _tensor_sub,  # noqa: F401
)

__all__ = ["_tensor_getitem", "_tensor_getitem_origin", "_tensor_setitem", "_tensor_setitem_origin"]


def _tensor_getitem(self: Tensor, index: Any) -> Tensor:
    """``self[index]``."""
    return self[index]


def _tensor_setitem(self: Tensor, index: Any, value: Any) -> Tensor:
    """``self[index] = value``; returns the Tensor."""
    self[index] = value
    return self


_tensor_getitem_origin, _tensor_setitem_origin = _tensor_getitem, _tensor_setitem
# MindSpore has one for each kind of index; any of ours takes them all.
tensor_index_by_tensor = tensor_index_by_bool_tensor = tensor_index_by_list = _tensor_getitem
tensor_index_by_number = tensor_index_by_slice = tensor_index_by_tuple = _tensor_getitem
tensor_setitem_by_tensor_with_tensor = tensor_setitem_by_tensor_with_number = _tensor_setitem
tensor_setitem_by_tensor_with_sequence = tensor_setitem_by_tuple_with_tensor = _tensor_setitem
tensor_setitem_by_tuple_with_number = tensor_setitem_by_tuple_with_sequence = _tensor_setitem
tensor_setitem_by_number_with_tensor = tensor_setitem_by_number_with_number = _tensor_setitem
tensor_setitem_by_number_with_sequence = tensor_setitem_by_ellipsis_with_tensor = _tensor_setitem
tensor_setitem_by_ellipsis_with_number = tensor_setitem_by_ellipsis_with_sequence = _tensor_setitem
tensor_setitem_by_slice = tensor_setitem_by_list = tensor_setitem_by_bool = tensor_setitem_by_ellipsis = _tensor_setitem
