"""Reading and writing elements of Tensors, as functions."""

from __future__ import annotations

from typing import Any

from mindspore._engine.tensor.tensor import Tensor

__all__ = ["_tensor_getitem", "_tensor_getitem_origin", "_tensor_setitem", "_tensor_setitem_origin"]


def _tensor_getitem(self: Tensor, index: Any) -> Tensor:
    """``self[index]``."""
    return self[index]


def _tensor_setitem(self: Tensor, index: Any, value: Any) -> Tensor:
    """``self[index] = value``; returns the Tensor."""
    self[index] = value
    return self


_tensor_getitem_origin, _tensor_setitem_origin = _tensor_getitem, _tensor_setitem
