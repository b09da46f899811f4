"""Sparse matrices given by their parts, and functions that make sparse Tensors of parts."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base.dtype import float16, float32, int64
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import OPERANDS, op, register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.reduction.segments import unsorted_segment_sum
from mindspore._ops.sparse.sparse_members import make_row_tensor
from mindspore._ops.sparse.sparse_tensors import COOTensor, CSRTensor, RowTensor
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, refused


def _part(owner: str, name: str, tensor: Any, ndim: int, *allowed: Any) -> Tensor:
    if not isinstance(tensor, Tensor):
        raise refused(WrongObject, f"For '{owner}', the '{name}' must be a Tensor, but got {shown(tensor)}.")
    if allowed and tensor.dtype not in allowed:
        wanted = " or ".join(map(str, allowed))
        raise TypeError(f"For '{owner}', the '{name}' must have dtype {wanted}, but got {tensor.dtype}.")
    if tensor.ndim != ndim:
        raise ValueError(f"For '{owner}', the '{name}' must have {ndim} dimensions, but got shape {tensor.shape}.")
    return tensor


def _known(owner: str, tensor: Tensor) -> np.ndarray:
    """The elements: how many results there are depends on them."""
    tensor._read()
    return tensor._host(
        f"{owner}, whose result has as many values as it finds,", "call it outside of compiled functions."
    )


@register_primitive
class Coalesce(Primitive):
    """The parts of a coalesced sparse matrix: values of the same position are summed.

    Takes positions (a column of ``x_indices`` for each value), values and shape, and gives them back sorted.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> indices, values, shape = ops.Coalesce()(
        ...     Tensor([[0, 0, 1], [1, 1, 2]]), Tensor([1.0, 5.0, 4.0]), Tensor([3, 3]))
        >>> print(values)
        [6. 4.]
    """

    def __call__(self, x_indices: Tensor, x_values: Tensor, x_shape: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        _part("Coalesce", "x_indices", x_indices, 2, int64)
        _part("Coalesce", "x_values", x_values, 1, float16, float32)
        _part("Coalesce", "x_shape", x_shape, 1, int64)
        if x_indices.shape != (x_shape.shape[0], x_values.shape[0]):
            raise ValueError(
                f"For 'Coalesce', the 'x_indices' must have shape {(x_shape.shape[0], x_values.shape[0])}, a row for each "
                f"axis and a column for each value, but got {x_indices.shape}."
            )
        positions, shape = _known("Coalesce", x_indices), _known("Coalesce", x_shape)
        if positions.size and (positions.min() < 0 or (positions >= shape[:, None]).any()):
            raise ValueError(
                f"For 'Coalesce', the 'x_indices' must lie in the shape {tuple(shape)}, but got {positions}."
            )
        found, inverse = np.unique(positions, axis=1, return_inverse=True)
        values = unsorted_segment_sum(x_values, Tensor(inverse.reshape(-1).astype(np.int32)), found.shape[1])
        return Tensor(found), values, x_shape


def coalesce(x_indices: Tensor, x_values: Tensor, x_shape: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The parts of a coalesced sparse matrix, see :class:`Coalesce`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.coalesce(Tensor([[1, 0, 1]]), Tensor([1.0, 5.0, 4.0]), Tensor([3]))[0])
        [[0 1]]
    """
    return Coalesce()(x_indices, x_values, x_shape)


@register_primitive
class SparseSlice(Primitive):
    """The part of a sparse matrix that begins at ``start`` and has the shape ``size``, as positions, values and shape.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> indices, values, shape = ops.SparseSlice()(
        ...     Tensor([[0, 1], [1, 2], [2, 2]]), Tensor([1, 2, 4]), Tensor([3, 4]), Tensor([0, 1]), Tensor([2, 3]))
        >>> print(indices, values, shape)
        [[0 0]
         [1 1]] [1 2] [2 3]
    """

    def __call__(
        self, indices: Tensor, values: Tensor, shape: Tensor, start: Tensor, size: Tensor
    ) -> tuple[Tensor, ...]:
        _part("SparseSlice", "indices", indices, 2, int64)
        _part("SparseSlice", "values", values, 1)
        rank = indices.shape[1]
        for name, tensor in (("shape", shape), ("start", start), ("size", size)):
            if _part("SparseSlice", name, tensor, 1, int64).shape != (rank,):
                raise ValueError(f"For 'SparseSlice', the '{name}' must have shape ({rank},), but got {tensor.shape}.")
        if values.shape[0] != indices.shape[0]:
            raise ValueError(
                f"For 'SparseSlice', the 'values' must have {indices.shape[0]} elements, one for each row of 'indices', but "
                f"got {values.shape[0]}."
            )
        positions, begin = _known("SparseSlice", indices), _known("SparseSlice", start)
        end = np.minimum(begin + _known("SparseSlice", size), _known("SparseSlice", shape))
        kept = np.flatnonzero(((positions >= begin) & (positions < end)).all(1))
        return Tensor(positions[kept] - begin), values[Tensor(kept)], Tensor(np.maximum(end - begin, 0))


@op(public=False,
    test=lambda t: [t.case(t.normal(4, 2), np.array([0, 1, 3], np.int32), np.array([0, 2, 2], np.int32), 3,
                           expect=lambda x, i, s, n: np.stack([x[0], x[0] * 0, (x[1] + x[3]) / 2]))])  # fmt: skip
def means_of_rows(x: Array, indices: Array, segment_ids: Array, count: int):
    """The mean of the rows chosen for each of ``count`` segments; zeros for a segment without rows."""
    chosen = x[indices]
    sums = jnp.zeros((count, *x.shape[1:]), x.dtype).at[segment_ids].add(chosen)
    sizes = jnp.zeros(count, x.dtype).at[segment_ids].add(1)
    return sums / jnp.maximum(sizes, 1).reshape(-1, *[1] * (x.ndim - 1))


def sparse_segment_mean(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    """The mean of rows ``indices`` of ``x`` for each segment; ``segment_ids``, sorted, says which row belongs where.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x = Tensor([[0.0, 1.0], [1.0, 2.0], [3.0, 6.0]])
        >>> print(ops.sparse_segment_mean(x, Tensor([0, 1, 2]), Tensor([1, 2, 2])))
        [[0. 0.]
         [0. 1.]
         [2. 4.]]
    """
    owner = "sparse_segment_mean"
    if _part(owner, "indices", indices, 1).shape != _part(owner, "segment_ids", segment_ids, 1).shape:
        raise ValueError(
            f"For '{owner}', the 'indices' and 'segment_ids' must have the same shape, but got {indices.shape} and "
            f"{segment_ids.shape}."
        )
    if x.ndim == 0:
        raise ValueError(f"For '{owner}', the 'x' must have at least 1 dimension, but got a number.")
    segments, rows = _known(owner, segment_ids), _known(owner, indices)
    if (np.diff(segments) < 0).any() or (segments < 0).any():
        raise ValueError(f"For '{owner}', the 'segment_ids' must be sorted and not negative, but got {segments}.")
    if rows.size and (rows.min() < 0 or rows.max() >= x.shape[0]):
        raise ValueError(f"For '{owner}', the 'indices' must be in [0, {x.shape[0]}), but got {rows}.")
    return means_of_rows(x, indices, segment_ids, int(segments[-1]) + 1 if segments.size else 0)


def make_coo_tensor(indices: Tensor, values: Tensor, dense_shape: tuple[int, ...]) -> COOTensor:
    """A COOTensor of its parts.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.make_coo_tensor(Tensor([[0, 1]]), Tensor([5.0]), (1, 2)).to_dense())
        [[0. 5.]]
    """
    return COOTensor(indices, values, dense_shape)


def make_csr_tensor(indptr: Tensor, indices: Tensor, values: Tensor, dense_shape: tuple[int, ...]) -> CSRTensor:
    """A CSRTensor of its parts.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.make_csr_tensor(Tensor([0, 1]), Tensor([1]), Tensor([5.0]), (1, 2)).to_dense())
        [[0. 5.]]
    """
    return CSRTensor(indptr, indices, values, dense_shape)


def row_tensor_add(x: RowTensor, y: Tensor) -> Tensor:
    """The sum of a RowTensor and a dense tensor of the same shape.

    Examples:
        >>> from mindspore import RowTensor, Tensor, ops
        >>> x = RowTensor(Tensor([1]), Tensor([[5.0, 6.0]]), (2, 2))
        >>> print(ops.row_tensor_add(x, ops.ones((2, 2))))
        [[1. 1.]
         [6. 7.]]
    """
    if not isinstance(x, RowTensor):
        raise TypeError(f"For 'row_tensor_add', the 'x' must be a RowTensor, but got {shown(x)}.")
    if not isinstance(y, Tensor) or y.shape != tuple(x.dense_shape):
        raise ValueError(
            f"For 'row_tensor_add', the 'y' must be a Tensor of shape {x.dense_shape}, but got {shown(y)}."
        )
    return unsorted_segment_sum(x.values, x.indices, x.dense_shape[0]) + y


register_function(make_row_tensor, aliases="make_row_tensor_inner")
for _function in (coalesce, sparse_segment_mean, make_coo_tensor, make_csr_tensor, row_tensor_add):
    register_function(_function)


# -- after a dense Tensor --------------------------------------------------------------------------------------------------
def _after_dense(name: str, dense: Any, sparse: Any) -> Any:
    """``dense * sparse`` and ``dense + sparse``, which are the same the other way round."""
    if name == "mul":
        return sparse * dense
    return sparse + dense if name == "add" and isinstance(sparse, COOTensor) else NotImplemented


OPERANDS[COOTensor] = OPERANDS[CSRTensor] = _after_dense
