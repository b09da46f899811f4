"""Layers of sparse matrices."""

from __future__ import annotations

from typing import Any

from mindspore.common.sparse_tensor import COOTensor
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.ops import operations as P

__all__ = ["SparseTensorDenseMatmul", "SparseToDense"]


class SparseToDense(Cell):
    """A sparse matrix with its zeros.

    Examples:
        >>> from mindspore import COOTensor, Tensor, nn
        >>> print(nn.SparseToDense()(COOTensor(Tensor([[0, 1]]), Tensor([2.0]), (1, 3))))
        [[0. 2. 0.]]
    """

    def __init__(self) -> None:
        super().__init__()
        self.sparse_to_dense = P.SparseToDense()

    def construct(self, sparse_tensor: COOTensor) -> Tensor:
        return self.sparse_to_dense(sparse_tensor.indices, sparse_tensor.values, sparse_tensor.shape)


class SparseTensorDenseMatmul(Cell):
    """The product of a sparse and a dense matrix.

    Args:
        adjoint_st: whether the sparse matrix is transposed and conjugated first.
        adjoint_dt: whether the dense matrix is.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> matmul = nn.SparseTensorDenseMatmul()
        >>> print(matmul(Tensor([[0, 1]]), Tensor([5.0]), (1, 2), Tensor([[1.0], [2.0]])))
        [[10.]]
    """

    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False):
        super().__init__()
        self.sparse_tensor_dense_matmul = P.SparseTensorDenseMatmul(adjoint_st, adjoint_dt)

    def construct(self, indices: Tensor, values: Tensor, sparse_shape: Any, dense: Tensor) -> Tensor:
        return self.sparse_tensor_dense_matmul(indices, values, sparse_shape, dense)
