"""Products as :mod:`mindspore.scipy` takes them."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.common.sparse_tensor import CSRTensor
from mindspore.common.tensor import Tensor

__all__ = ["dot", "sparse_dot"]


def sparse_dot(a: CSRTensor, b: Tensor) -> Tensor:
    """The product of a sparse matrix with a vector or a one-column matrix."""
    if b.ndim == 1:
        return a.mv(ops.expand_dims(b, -1)).reshape(-1)
    return a.mv(b)


def dot(a: Any, b: Any) -> Any:
    """The product of two vectors or matrices; the first may be sparse.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.utils import dot
        >>> print(dot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        11.0
    """
    return sparse_dot(a, b) if isinstance(a, CSRTensor) else ops.matmul(a, b)
