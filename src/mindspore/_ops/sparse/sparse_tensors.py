"""COOTensor, CSRTensor and RowTensor: the nonzero values and their indices.

They are nested values like tuples: Cells take and return them in both modes, and gradients have their form.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from jax.core import Tracer

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.dtype import DType
from mindspore._engine.base.pytree import register_node
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.gather import gather_nd
from mindspore._ops.array.joining import concat, stack
from mindspore._ops.array.scatter import scatter_nd
from mindspore._ops.array.shape import broadcast_to
from mindspore._ops.reduction.segments import unsorted_segment_sum
from mindspore._ops.sparse.sparse_kernels import (
    coo2csr,
    csr2coo,
    csr_gather,
    sparse_tensor_dense_add,
    sparse_tensor_dense_matmul,
)
from mindspore._utils import tensor_text
from mindspore._utils.compat.old_names import old_names
from mindspore._utils.refusals import WrongObject, refused
from mindspore._utils.sparse_checks import check_coo, check_csr, check_members


class SparseBase:
    """What the sparse classes have in common: Tensors by name, and the shape of the dense array they stand for."""

    _members: tuple[str, ...] = ("indices", "values")  # in the order of the constructor
    _title = ""  # the name it is printed with
    _tensors: dict[str, Tensor]
    _shape: tuple[int, ...]

    def _fill(self, tensors: tuple[Any, ...], shape: tuple[int, ...]) -> None:
        self._tensors = dict(zip(self._members, tensors, strict=True))
        self._shape = tuple(shape)

    @property
    def indices(self) -> Tensor:
        """Where the values stand."""
        return self._tensors["indices"]

    @property
    def values(self) -> Tensor:
        """The values."""
        return self._tensors["values"]

    @classmethod
    def _made(cls, tensors: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
        """An instance with these members, without checks: they are known to fit."""
        made = object.__new__(cls)
        made._fill(tensors, shape)
        return made

    def _with_values(self, values: Tensor) -> Any:
        tensors = tuple(values if name == "values" else getattr(self, name) for name in self._members)
        return self._made(tensors, self._shape)

    def _copied(self, name: str, other: Any) -> None:
        """Become the sparse Tensor that was given as the argument ``name``."""
        if not isinstance(other, type(self)):
            raise TypeError(f"Expect input `{name}` to be a {type(self).__name__}, but got {type(other)}")
        self._fill(other._taken()[0], other._shape)

    def _taken(self) -> tuple[tuple[Any, ...], tuple[int, ...]]:
        return tuple(getattr(self, name) for name in self._members), self._shape

    def __repr__(self) -> str:
        parts = [f"shape={list(self._shape)}", f"dtype={self.values.dtype}"]
        parts += [f"{name}={_text(getattr(self, name))}" for name in self._members]
        return f"{self._title}({', '.join(parts)})"


def _text(tensor: Tensor) -> str:
    if isinstance(tensor._read(), Tracer):
        return repr(tensor)
    return tensor_text.tensor_graph_print(tensor.asnumpy(), tensor.dtype.name)


class _Matrix(SparseBase):
    """Attributes of COOTensor and CSRTensor."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self._shape

    @property
    def dtype(self) -> DType:
        return self.values.dtype

    @property
    def size(self) -> int:
        """The number of stored values."""
        return self.values.size

    @property
    def itemsize(self) -> int:
        return self.values.itemsize

    @property
    def ndim(self) -> int:
        return len(self._shape)

    def to_tuple(self) -> tuple[Any, ...]:
        """The Tensors it is made of, and the shape."""
        return (*self._taken()[0], self._shape)

    def astype(self, dtype: DType) -> Any:
        """The same with values of another dtype."""
        return self._with_values(self.values.astype(dtype))

    def abs(self) -> Any:
        """The same with the absolute values."""
        return self._with_values(self.values.abs())

    def __neg__(self) -> Any:
        return self._with_values(-self.values)

    def _dense_operand(self, other: Any, symbol: str) -> Tensor:
        """A dense operand in the shape of this tensor."""
        if not isinstance(other, Tensor):
            raise TypeError(
                f"unsupported operand type(s) for {symbol}: '{self._title}' and '{type(other).__name__}'. Write a Tensor "
                f"of shape {self._shape}, or compute with .values."
            )
        return other


def _host(tensor: Tensor, what: str) -> np.ndarray:
    """Positions on the host: they decide how many values the result has."""
    tensor._read()
    return tensor._host(f"{what}, whose result has as many values as it finds,", "compute with to_dense().")


class COOTensor(_Matrix):
    """A matrix given by the positions and values of what is not zero; values at the same position add up.

    Args:
        indices: positions, a row of two for each value; int16, int32 or int64.
        values: the values, a vector.
        shape: the shape of the dense matrix.
        coo_tensor: another COOTensor to share the members of, instead of the three above.

    Examples:
        >>> from mindspore import COOTensor, Tensor
        >>> x = COOTensor(Tensor([[0, 1], [1, 2]]), Tensor([1.0, 2.0]), (2, 3))
        >>> print(x.to_dense())
        [[0. 1. 0.]
         [0. 0. 2.]]
        >>> print((x * Tensor([[1.0, 5.0, 1.0], [1.0, 1.0, 4.0]])).values)
        [5. 8.]
    """

    _title = "COOTensor"

    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None, coo_tensor: Any = None):
        if coo_tensor is not None:
            self._copied("coo_tensor", coo_tensor)
            return
        check_members("COOTensor", {"indices": indices, "values": values}, Tensor, shape)
        check_coo(indices, values, shape)
        self._fill((indices, values), shape)

    def to_dense(self) -> Tensor:
        """The matrix with its zeros."""
        return scatter_nd(self.indices, self.values, self._shape)

    def to_csr(self) -> CSRTensor:
        """The same matrix with its values stored row by row."""
        rows = self.indices[:, 0].astype(dtypes.int32)
        order = rows.argsort()  # stable: the values of a row keep their order
        indptr = coo2csr(rows[order], self._shape[0])
        return CSRTensor._made(
            (indptr, self.indices[:, 1][order].astype(dtypes.int32), self.values[order]), self._shape
        )

    def coalesce(self) -> COOTensor:
        """The coalesced matrix: values of the same position summed, sorted by row and column."""
        return _merged(self.indices, self.values, self._shape, "COOTensor.coalesce")

    def add(self, other: COOTensor, thresh: Tensor) -> COOTensor:
        """The sum of two sparse matrices; a sum of two values whose size is below ``thresh`` is left out."""
        return add_coo(self, other, thresh)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, COOTensor):
            return add_coo(self, other, None)
        dense = self._same_shape(other, "+")
        return sparse_tensor_dense_add(self.indices, *_promoted(self.values, dense, self._shape))

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, COOTensor):
            return add_coo(self, -other, None)
        return self + -self._same_shape(other, "-")

    def __mul__(self, other: Any) -> COOTensor:
        return self._with_values(self.values * gather_nd(self._same_shape(other, "*"), self.indices))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> COOTensor:
        return self._with_values(self.values / gather_nd(self._same_shape(other, "/"), self.indices))

    def _same_shape(self, other: Any, symbol: str) -> Tensor:
        dense = self._dense_operand(other, symbol)
        if dense.shape != self._shape:
            raise ValueError(f"Input tensors should have the same shape, but got {self._shape} and {dense.shape}.")
        return dense


class SparseTensor(COOTensor):
    """The name of :class:`COOTensor` in MindSpore 1.x.

    Examples:
        >>> from mindspore import SparseTensor, Tensor
        >>> SparseTensor(Tensor([[0, 1]]), Tensor([1.0]), (1, 2)).values.shape
        (1,)
    """

    @old_names(dense_shape="shape")
    def __init__(self, indices: Any, values: Any, shape: Any):
        super().__init__(indices, values, shape)

    @property
    def dense_shape(self) -> tuple[int, ...]:
        return self._shape


def _promoted(values: Tensor, dense: Tensor, shape: tuple[int, ...]) -> tuple[Tensor, tuple[int, ...], Tensor]:
    common = (values[:0] + dense.reshape(-1)[:0]).dtype
    return values.astype(common), shape, dense.astype(common)


def _merged(indices: Tensor, values: Tensor, shape: tuple[int, ...], what: str) -> COOTensor:
    positions, inverse = np.unique(_host(indices, what), axis=0, return_inverse=True)
    inverse = Tensor(inverse.reshape(-1).astype(np.int32))
    if not len(positions):
        return COOTensor._made((indices, values), shape)
    return COOTensor._made((Tensor(positions), unsorted_segment_sum(values, inverse, len(positions))), shape)


def add_coo(first: COOTensor, second: Any, threshold: Tensor | None) -> COOTensor:
    """The sum of two sparse matrices of equal shape."""
    if not isinstance(second, COOTensor):
        raise TypeError(f"For 'coo_add', the 'x2' must be a COOTensor, but got {type(second).__name__}.")
    if first.shape != second.shape:
        raise ValueError(f"For 'coo_add', the shapes must be equal, but got {first.shape} and {second.shape}.")
    indices = concat((first.indices, second.indices.astype(first.indices.dtype)))
    total = _merged(indices, concat((first.values, second.values)), first.shape, "coo_add")
    limit = 0 if threshold is None else abs(np.asarray(threshold).item())
    if not limit:
        return total
    both = set(map(tuple, _host(first.indices, "coo_add"))) & set(map(tuple, _host(second.indices, "coo_add")))
    shared = np.array([tuple(row) in both for row in _host(total.indices, "coo_add")], bool)
    kept = Tensor(np.flatnonzero(~shared | (np.abs(_host(total.values, "coo_add")) >= limit)))
    return COOTensor._made((total.indices[kept], total.values[kept]), first.shape)


class CSRTensor(_Matrix):
    """A matrix whose values are stored row by row.

    Args:
        indptr: where each row starts among the values, and their number: one element more than there are rows.
        indices: the column of each value.
        values: the values; of more than one axis when the shape has more than two.
        shape: the shape of the dense matrix.
        csr_tensor: another CSRTensor to share the members of, instead of the four above.

    Examples:
        >>> from mindspore import CSRTensor, Tensor
        >>> x = CSRTensor(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([5.0, 7.0]), (2, 2))
        >>> print(x.to_dense())
        [[0. 5.]
         [7. 0.]]
        >>> print(x.mv(Tensor([[1.0], [2.0]])))
        [[10.]
         [ 7.]]
    """

    _members = ("indptr", "indices", "values")
    _title = "CSRTensor"

    @property
    def indptr(self) -> Tensor:
        """Where the values of each row begin and end."""
        return self._tensors["indptr"]

    def __init__(self, indptr: Any = None, indices: Any = None, values: Any = None, shape: Any = None,
                 csr_tensor: Any = None):  # fmt: skip
        if csr_tensor is not None:
            self._copied("csr_tensor", csr_tensor)
            return
        check_members("CSRTensor", {"indptr": indptr, "indices": indices, "values": values}, Tensor, shape)
        check_csr(indptr, indices, values, shape)
        self._fill((indptr, indices, values), shape)

    @property
    def rows(self) -> Tensor:
        """The row of each value."""
        return csr2coo(self.indptr, self.indices.shape[0])

    def _positions(self) -> Tensor:
        return stack((self.rows, self.indices.astype(self.indptr.dtype)), 1)

    def to_coo(self) -> COOTensor:
        """The same matrix with a row and a column for each value."""
        if self.ndim != 2:
            raise ValueError(f"For 'CSRTensor.to_coo', the shape must have 2 elements, but got {self._shape}.")
        return COOTensor._made((self._positions(), self.values), self._shape)

    def to_dense(self) -> Tensor:
        """The matrix with its zeros."""
        height, width = self._shape[:2]
        return unsorted_segment_sum(self.values, self.rows * width + self.indices, height * width).reshape(self._shape)

    def mv(self, dense_vector: Tensor) -> Tensor:
        """The product with a vector, which is a matrix of a single column."""
        if not isinstance(dense_vector, Tensor):
            got = f"{dense_vector!r} of type {type(dense_vector).__name__}"
            raise TypeError(f"For 'CSRTensor.mv', the 'dense_vector' must be a Tensor, but got {got}.")
        if dense_vector.ndim != 2 or dense_vector.shape[1] != 1:
            raise ValueError(
                f"For 'CSRTensor.mv', the 'dense_vector' must have shape ({self._shape[1]}, 1), but got "
                f"{dense_vector.shape}. Write vector.expand_dims(1)."
            )
        return self.mm(dense_vector)

    def mm(self, matrix: Any) -> Any:
        """The product with a dense matrix, which is a Tensor, or with another CSRTensor, which is a CSRTensor."""
        if isinstance(matrix, CSRTensor):
            return from_dense_csr(self.mm(matrix.to_dense()), "CSRTensor.mm")
        return sparse_tensor_dense_matmul(self._positions(), self.values, self._shape, matrix)

    def sum(self, axis: int) -> Tensor:
        """The sum of each row; ``axis`` is 1 or -1, and stays with length 1."""
        if axis not in (1, 1 - self.ndim):
            raise ValueError(f"For CSRReduceSum, `axis` should be 1 or {1 - self.ndim}, but got {axis}.")
        return unsorted_segment_sum(self.values, self.rows, self._shape[0]).expand_dims(1)

    def add(self, b: CSRTensor, alpha: Any, beta: Any) -> CSRTensor:
        """``alpha * self + beta * b``."""
        if not isinstance(b, CSRTensor):
            raise TypeError(f"For 'csr_add', the 'b' must be a CSRTensor, but got {type(b).__name__}.")
        total = add_coo(self._with_values(self.values * alpha).to_coo(), b._with_values(b.values * beta).to_coo(), None)
        return total.to_csr()

    def __add__(self, other: Any) -> CSRTensor:
        return self.add(other, 1, 1)

    def __sub__(self, other: Any) -> CSRTensor:
        return self.add(other, 1, -1)

    def __mul__(self, other: Any) -> CSRTensor:
        return self._with_values(self.values * self._gathered(other, "*"))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> CSRTensor:
        return self._with_values(self.values / self._gathered(other, "/"))

    def _gathered(self, other: Any, symbol: str) -> Any:
        """A number, or the elements of a dense operand where this matrix has values."""
        if isinstance(other, (int, float)) or (isinstance(other, Tensor) and other.ndim == 0):
            return other
        dense = broadcast_to(self._dense_operand(other, symbol), self._shape)
        return csr_gather(self.indptr, self.indices, dense, self._shape)


def from_dense_coo(tensor: Tensor, what: str = "Tensor.to_coo") -> COOTensor:
    """The elements of a dense matrix that are not zero, with their positions."""
    if not isinstance(tensor, Tensor):
        raise refused(WrongObject, f"For '{what}', the 'tensor' must be a Tensor, but got {type(tensor).__name__}.")
    if tensor.ndim != 2:
        raise ValueError(f"For COOTensor, the length of 'shape' must be 2, but got {tensor.shape}.")
    found = Tensor(np.argwhere(_host(tensor, what)).astype(np.int32))
    return COOTensor._made((found, gather_nd(tensor, found) if len(found) else tensor.reshape(-1)[:0]), tensor.shape)


def from_dense_csr(tensor: Tensor, what: str = "Tensor.to_csr") -> CSRTensor:
    """The elements of a dense matrix that are not zero, row by row."""
    return from_dense_coo(tensor, what).to_csr()


class RowTensor(SparseBase):
    """Some rows of a larger array, as the gradient of a table of which a few rows were used.

    Args:
        indices: the numbers of the rows.
        values: the rows.
        shape: the shape of the whole array.
        row_tensor: another RowTensor to share the members of, instead of the three above.

    Examples:
        >>> from mindspore import RowTensor, Tensor
        >>> x = RowTensor(Tensor([0, 2]), Tensor([[1.0, 2.0], [3.0, 4.0]]), (3, 2))
        >>> x.dense_shape, x.values.shape
        ((3, 2), (2, 2))
    """

    _title = "RowTensor"

    @old_names(dense_shape="shape")
    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None, row_tensor: Any = None):
        if row_tensor is not None:
            self._copied("row_tensor", row_tensor)
            return
        check_members("RowTensor", {"indices": indices, "values": values}, Tensor, shape)
        self._fill((indices, values), shape)

    @property
    def dense_shape(self) -> tuple[int, ...]:
        return self._shape


for _kind in (COOTensor, SparseTensor, CSRTensor, RowTensor):
    register_node(_kind, _kind._taken, lambda kind, tensors, shape: kind._made(tensors, shape))
