"""The members of sparse Tensors as functions, and sparse Tensors made by functions, as old programs write them."""

from __future__ import annotations

from mindspore._engine.operator.registry import register_function
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.sparse.sparse_tensors import COOTensor, CSRTensor, RowTensor, SparseTensor


def coo_tensor_get_indices(x: COOTensor) -> Tensor:
    """The positions a COOTensor stores.

    Examples:
        >>> from mindspore import COOTensor, Tensor, ops
        >>> print(ops.coo_tensor_get_indices(COOTensor(Tensor([[0, 1]]), Tensor([5.0]), (1, 2))))
        [[0 1]]
    """
    return x.indices


def coo_tensor_get_values(x: COOTensor) -> Tensor:
    """The values a COOTensor stores.

    Examples:
        >>> from mindspore import COOTensor, Tensor, ops
        >>> print(ops.coo_tensor_get_values(COOTensor(Tensor([[0, 1]]), Tensor([5.0]), (1, 2))))
        [5.]
    """
    return x.values


def coo_tensor_get_dense_shape(x: COOTensor) -> tuple[int, ...]:
    """The shape of the matrix a COOTensor stands for.

    Examples:
        >>> from mindspore import COOTensor, Tensor, ops
        >>> print(ops.coo_tensor_get_dense_shape(COOTensor(Tensor([[0, 1]]), Tensor([5.0]), (1, 2))))
        (1, 2)
    """
    return x.shape


def csr_tensor_get_indptr(x: CSRTensor) -> Tensor:
    """Where each row of a CSRTensor starts.

    Examples:
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> print(ops.csr_tensor_get_indptr(CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([5.0]), (1, 2))))
        [0 1]
    """
    return x.indptr


def csr_tensor_get_indices(x: CSRTensor) -> Tensor:
    """The columns of the values of a CSRTensor.

    Examples:
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> print(ops.csr_tensor_get_indices(CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([5.0]), (1, 2))))
        [1]
    """
    return x.indices


def csr_tensor_get_values(x: CSRTensor) -> Tensor:
    """The values a CSRTensor stores.

    Examples:
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> print(ops.csr_tensor_get_values(CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([5.0]), (1, 2))))
        [5.]
    """
    return x.values


def csr_tensor_get_dense_shape(x: CSRTensor) -> tuple[int, ...]:
    """The shape of the matrix a CSRTensor stands for.

    Examples:
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> print(ops.csr_tensor_get_dense_shape(CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([5.0]), (1, 2))))
        (1, 2)
    """
    return x.shape


def row_tensor_get_indices(x: RowTensor) -> Tensor:
    """The numbers of the rows a RowTensor stores.

    Examples:
        >>> from mindspore import RowTensor, Tensor, ops
        >>> print(ops.row_tensor_get_indices(RowTensor(Tensor([3]), Tensor([[5.0]]), (4, 1))))
        [3]
    """
    return x.indices


def row_tensor_get_values(x: RowTensor) -> Tensor:
    """The rows a RowTensor stores.

    Examples:
        >>> from mindspore import RowTensor, Tensor, ops
        >>> print(ops.row_tensor_get_values(RowTensor(Tensor([3]), Tensor([[5.0]]), (4, 1))))
        [[5.]]
    """
    return x.values


def row_tensor_get_dense_shape(x: RowTensor) -> tuple[int, ...]:
    """The shape of the array a RowTensor is a part of.

    Examples:
        >>> from mindspore import RowTensor, Tensor, ops
        >>> print(ops.row_tensor_get_dense_shape(RowTensor(Tensor([3]), Tensor([[5.0]]), (4, 1))))
        (4, 1)
    """
    return x.dense_shape


def make_row_tensor(indices: Tensor, values: Tensor, dense_shape: tuple[int, ...]) -> RowTensor:
    """A RowTensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.make_row_tensor(Tensor([3]), Tensor([[5.0]]), (4, 1)).dense_shape
        (4, 1)
    """
    return RowTensor(indices, values, dense_shape)


def make_sparse_tensor(indices: Tensor, values: Tensor, dense_shape: tuple[int, ...]) -> COOTensor:
    """A SparseTensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.make_sparse_tensor(Tensor([[0, 1]]), Tensor([5.0]), (1, 2)).shape
        (1, 2)
    """
    return SparseTensor(indices, values, dense_shape)


for _function in (
    coo_tensor_get_indices, coo_tensor_get_values, coo_tensor_get_dense_shape, csr_tensor_get_indptr,
    csr_tensor_get_indices, csr_tensor_get_values, csr_tensor_get_dense_shape, row_tensor_get_indices,
    row_tensor_get_values, row_tensor_get_dense_shape, make_row_tensor, make_sparse_tensor,
):  # fmt: skip
    register_function(_function)
