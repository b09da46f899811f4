"""Sparse matrices as plain Tensors: positions and values beside each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.index_bounds import require_coordinates
from mindspore._engine.operator.arguments import Array, Shape
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.dtype_checks import alike
from mindspore._ops.declaring.requirements import require, require_form, require_index_dtype, require_rank

_POSITIONS = np.array([[0, 1], [2, 0]], np.int32)  # of the examples that operators are tested with


def _dense(indices: np.ndarray, values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    result = np.zeros(shape, values.dtype)
    result[tuple(indices.T)] = values
    return result


def _check_positions(indices: Any, values: Any, shape: tuple[int, ...], what: str) -> None:
    require_index_dtype("indices", indices)
    require_rank("indices", indices, 2)
    require_form(
        indices.shape[1] == len(shape),
        f"the '{what}' must have {indices.shape[1]} elements, as many as a row of 'indices', but got {shape}.",
    )
    require(
        values.ndim == 0 or values.shape[0] == indices.shape[0],
        f"the 'values' must have {indices.shape[0]} elements, one for each row of 'indices', but got {values.shape}.",
    )


def _within(owner: str, name: str = "indices") -> Callable[..., None]:
    """Positions in a sparse array of the shape that is the third argument."""

    def check(indices: Tensor, values: Tensor, shape: Any, *_: Any) -> None:
        lengths = tuple(map(int, shape)) if isinstance(shape, (tuple, list, Tensor)) else ()
        require_coordinates(owner, name, indices, lengths, kind=ValueError)

    return check


def _rows(indptr: Any, count: int) -> Any:
    positions = jnp.arange(count, dtype=indptr.dtype)
    return (jnp.searchsorted(indptr, positions, side="right") - 1).astype(indptr.dtype)


@op(
    primitive="CSR2COO",
    public=False,
    test=lambda t: [
        t.case(np.array([0, 2, 2, 3], np.int32), 3, expect=lambda p, count: np.repeat(np.arange(3), np.diff(p)))
    ],
)
def csr2coo(indptr: Array, count: int):
    """The row of each of ``count`` elements that are stored row by row; ``indptr`` says where each row starts.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.CSR2COO()(Tensor([0, 2, 2, 3]), 3))
        [0 0 2]
    """
    require_rank("indptr", indptr, 1)
    return _rows(indptr, count)


@op(
    primitive="COO2CSR",
    public=False,
    test=lambda t: [
        t.case(np.array([0, 0, 2], np.int32), 3, expect=lambda rows, height: np.array([0, 2, 2, 3], np.int32))
    ],
)
def coo2csr(row_indices: Array, height: int):
    """Where each row starts, for elements sorted by row: ``height + 1`` numbers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.COO2CSR()(Tensor([0, 0, 2]), 3))
        [0 2 2 3]
    """
    require_rank("row_indices", row_indices, 1)
    starts = jnp.arange(height + 1, dtype=row_indices.dtype)
    return jnp.searchsorted(row_indices, starts, side="left").astype(row_indices.dtype)


@op(
    primitive="CSRGather",
    test=lambda t: [
        t.case(
            np.array([0, 1, 1, 2], np.int32), np.array([1, 0], np.int32), t.normal(3, 2), (3, 2),
            expect=lambda p, i, dense, shape: dense[[0, 2], i],
        )
    ],
)  # fmt: skip
def csr_gather(indptr: Array, indices: Array, dense: Array, output_shape: Shape):
    """The elements of a dense array at the stored positions of a CSR matrix.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.csr_gather(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([[1.0, 2.0], [3.0, 4.0]]), (2, 2)))
        [2. 3.]
    """
    require_rank("indptr", indptr, 1)
    require_rank("indices", indices, 1)
    paired = zip(reversed(dense.shape), reversed(output_shape), strict=False)
    fits = dense.ndim <= len(output_shape) and all(got in (1, length) for got, length in paired)
    require(fits, f"the 'dense' must broadcast to the shape {tuple(output_shape)}, but got {dense.shape}.")
    rows = _rows(indptr, indices.shape[0])
    return jnp.broadcast_to(dense, output_shape)[rows, indices]


@op(
    primitive="SparseToDense",
    public=False,
    bounds=_within("SparseToDense"),
    test=lambda t: [t.case(_POSITIONS, t.normal(2), (3, 2), expect=_dense)],
)
def sparse_to_dense(indices: Array, values: Array, sparse_shape: Shape):
    """A dense array with these values at these positions and zeros elsewhere.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.SparseToDense()(Tensor([[0, 1], [1, 0]]), Tensor([1.0, 2.0]), (2, 2)))
        [[0. 1.]
         [2. 0.]]
    """
    _check_positions(indices, values, tuple(sparse_shape), "sparse_shape")
    return jnp.zeros(sparse_shape, values.dtype).at[tuple(indices.T)].set(values)


@op(
    primitive="SparseTensorDenseAdd",
    public=False,
    bounds=_within("SparseTensorDenseAdd", "x1_indices"),
    test=lambda t: [
        t.case(_POSITIONS, t.normal(2), (3, 2), t.normal(3, 2), expect=lambda i, v, s, y: _dense(i, v, s) + y)
    ],
)
def sparse_tensor_dense_add(x1_indices: Array, x1_values: Array, x1_shape: Shape, x2: Array):
    """The sum of a sparse and a dense array; values at the same position add up.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> add = ops.SparseTensorDenseAdd()
        >>> print(add(Tensor([[0, 1]]), Tensor([5.0]), Tensor([1, 2]), Tensor([[1.0, 2.0]])))
        [[1. 7.]]
    """
    _check_positions(x1_indices, x1_values, tuple(x1_shape), "x1_shape")
    require(x2.shape == tuple(x1_shape), f"the 'x2' must have shape {tuple(x1_shape)}, but got {x2.shape}.")
    return x2.at[tuple(x1_indices.T)].add(x1_values)


def _product(i: Any, v: Any, shape: Any, dense: Any, adjoint_st: bool = False, adjoint_dense: bool = False) -> Any:
    sparse = _dense(i, v, shape)
    return (sparse.T if adjoint_st else sparse) @ (dense.T if adjoint_dense else dense)


@op(
    primitive="SparseTensorDenseMatmul",
    bounds=_within("SparseTensorDenseMatmul"),
    init=("adjoint_st", "adjoint_dense"),
    old={"adjoint_dense": ("adjoint_dt",)},
    public=False,
    test=lambda t: [
        t.case(_POSITIONS, t.normal(2), (3, 2), t.normal(2, 4), expect=_product),
        t.case(_POSITIONS, t.normal(2), (3, 2), t.normal(4, 3), True, True, expect=_product),
    ],
)
@alike("values", "dense")
def sparse_tensor_dense_matmul(indices: Array, values: Array, sparse_shape: Shape, dense: Array,
                               adjoint_st: bool = False, adjoint_dense: bool = False):  # fmt: skip
    """The product of a sparse and a dense matrix, either of them transposed and conjugated first if wanted.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> matmul = ops.SparseTensorDenseMatmul()
        >>> print(matmul(Tensor([[0, 1]]), Tensor([5.0]), (2, 2), Tensor([[1.0], [2.0]])))
        [[10.]
         [ 0.]]
    """
    _check_positions(indices, values, tuple(sparse_shape), "sparse_shape")
    require(len(sparse_shape) == 2, f"the 'sparse_shape' must have 2 elements, but got {tuple(sparse_shape)}.")
    require_rank("dense", dense, 2)
    require_rank("values", values, 1)
    rows, columns = (indices[:, 1], indices[:, 0]) if adjoint_st else (indices[:, 0], indices[:, 1])
    height, width = reversed(sparse_shape) if adjoint_st else sparse_shape
    factors = jnp.conj(values) if adjoint_st else values
    other = jnp.conj(dense.T) if adjoint_dense else dense
    require(
        other.shape[0] == width,
        f"the 'dense' must have {width} rows after the transposition asked for, but got {other.shape[0]}.",
    )
    terms = factors[:, None] * other[columns]
    return jnp.zeros((height, other.shape[1]), terms.dtype).at[rows].add(terms)
