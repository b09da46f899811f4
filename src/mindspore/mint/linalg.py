"""Linear algebra by PyTorch's names."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType
from mindspore._utils.documented import claim as _claim
from mindspore.common.tensor import Tensor

__all__ = ["inv", "matrix_norm", "norm", "qr", "vector_norm"]


def inv(input: Tensor) -> Tensor:
    """The inverse of a matrix, or of several.

    >>> print(inv(Tensor([[2.0]])))
    [[0.5]]
    """
    return ops.inverse(input)


def matrix_norm(A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *,
                dtype: DType | None = None) -> Tensor:  # fmt: skip
    """The norm of a matrix.

    >>> print(matrix_norm(Tensor([[3.0], [4.0]])))
    5.0
    """
    return ops.matrix_norm(A, ord, dim, keepdim, dtype=dtype)


def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """The norm of a vector or a matrix.

    >>> print(norm(Tensor([3.0, 4.0])))
    5.0
    """
    return ops.norm(A, ord, dim, keepdim, dtype=dtype)


def qr(A: Tensor, mode: str = "reduced") -> tuple[Tensor, ...]:
    """An orthogonal and an upper triangular matrix whose product is ``A``.

    >>> q, r = qr(Tensor([[2.0]]))
    >>> print(q * r)
    [[2.]]
    """
    return ops.qr(A, mode)


def vector_norm(
    x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """The norm of a vector.

    >>> print(vector_norm(Tensor([3.0, 4.0]), 1))
    7.0
    """
    return ops.vector_norm(x, ord, dim, keepdim, dtype=dtype)


_claim(__name__)
