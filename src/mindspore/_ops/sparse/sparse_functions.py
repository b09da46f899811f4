"""Functions of sparse Tensors: ``ops.coo_*`` and ``ops.csr_*``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.base.dtype import DType
from mindspore._engine.operator.registry import register_function
from mindspore._engine.tensor.members import attach_functions
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.joining import concat
from mindspore._ops.math import arithmetic, compare, elementary, trigonometric
from mindspore._ops.nn import activation, activation_limits
from mindspore._ops.reduction.segments import unsorted_segment_max, unsorted_segment_sum
from mindspore._ops.sparse.sparse_tensors import COOTensor, CSRTensor, add_coo, from_dense_coo, from_dense_csr

SparseFunction = Callable[[Any], Any]


_PARTS = {COOTensor: "Tensor([[0, 1]])", CSRTensor: "Tensor([0, 1]), Tensor([1])"}
_DOCUMENT = """``ops.{plain}`` of the values that a {kind} stores; what it does not store stays zero.

    Examples:
        >>> from mindspore import {kind}, Tensor, ops
        >>> x = {kind}({parts}, Tensor([1.0]), (1, 2))
        >>> bool(ops.{name}(x).values == ops.{plain}(x.values))
        True
    """


def _on_values(kind: type, short: str, function: Callable[..., Any]) -> SparseFunction:
    name = f"{short}_{function.__name__}"

    def on_values(x: Any) -> Any:
        if not isinstance(x, kind):
            raise TypeError(f"Expects {kind.__name__} for {name}, but got {type(x).__name__}.")
        return x._with_values(function(x.values))

    on_values.__name__ = on_values.__qualname__ = name
    on_values.__doc__ = _DOCUMENT.format(name=name, plain=function.__name__, kind=kind.__name__, parts=_PARTS[kind])
    return register_function(on_values)


def _pair(function: Callable[..., Any]) -> tuple[SparseFunction, SparseFunction]:
    """A function of single elements, for both sparse forms."""
    return _on_values(COOTensor, "coo", function), _on_values(CSRTensor, "csr", function)


coo_abs, csr_abs = _pair(elementary.abs)
coo_acos, csr_acos = _pair(trigonometric.acos)
coo_acosh, csr_acosh = _pair(trigonometric.acosh)
coo_asin, csr_asin = _pair(trigonometric.asin)
coo_asinh, csr_asinh = _pair(trigonometric.asinh)
coo_atan, csr_atan = _pair(trigonometric.atan)
coo_atanh, csr_atanh = _pair(trigonometric.atanh)
coo_ceil, csr_ceil = _pair(elementary.ceil)
coo_cos, csr_cos = _pair(trigonometric.cos)
coo_cosh, csr_cosh = _pair(trigonometric.cosh)
coo_exp, csr_exp = _pair(elementary.exp)
coo_expm1, csr_expm1 = _pair(elementary.expm1)
coo_floor, csr_floor = _pair(elementary.floor)
coo_inv, csr_inv = _pair(elementary.inv)
coo_isfinite, csr_isfinite = _pair(compare.isfinite)
coo_isinf, csr_isinf = _pair(compare.isinf)
coo_isnan, csr_isnan = _pair(compare.isnan)
coo_log, csr_log = _pair(elementary.log)
coo_log1p, csr_log1p = _pair(elementary.log1p)
coo_neg, csr_neg = _pair(arithmetic.neg)
coo_relu, csr_relu = _pair(activation.relu)
coo_relu6, csr_relu6 = _pair(activation.relu6)
coo_round, csr_round = _pair(elementary.round)
coo_sigmoid, csr_sigmoid = _pair(activation.sigmoid)
coo_sin, csr_sin = _pair(trigonometric.sin)
coo_sinh, csr_sinh = _pair(trigonometric.sinh)
coo_softsign, csr_softsign = _pair(activation_limits.softsign)
coo_sqrt, csr_sqrt = _pair(elementary.sqrt)
coo_square, csr_square = _pair(elementary.square)
coo_tan, csr_tan = _pair(trigonometric.tan)
coo_tanh, csr_tanh = _pair(activation.tanh)


def _sparse(owner: str, name: str, value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"For '{owner}', the '{name}' must be a {kind.__name__}, but got {type(value).__name__}.")
    return value


def coo_add(x1: COOTensor, x2: COOTensor, thresh: Tensor) -> COOTensor:
    """The sum of two sparse matrices; a sum of two values whose size is below ``thresh`` is left out.

    Examples:
        >>> from mindspore import COOTensor, Tensor, ops
        >>> x = COOTensor(Tensor([[0, 1]]), Tensor([1.0]), (2, 2))
        >>> y = COOTensor(Tensor([[0, 1], [1, 0]]), Tensor([2.0, 4.0]), (2, 2))
        >>> print(ops.coo_add(x, y, Tensor(0.0)).to_dense())
        [[0. 3.]
         [4. 0.]]
    """
    return add_coo(_sparse("coo_add", "x1", x1, COOTensor), x2, thresh)


def coo_concat(sp_input: Sequence[COOTensor], concat_dim: int = 0) -> COOTensor:
    """Sparse matrices concatenated along an axis, with positions sorted by row and column.

    Examples:
        >>> from mindspore import COOTensor, Tensor, ops
        >>> x = COOTensor(Tensor([[0, 1]]), Tensor([1.0]), (1, 2))
        >>> print(ops.coo_concat((x, x)).to_dense())
        [[0. 1.]
         [0. 1.]]
    """
    if not isinstance(sp_input, (tuple, list)) or len(sp_input) < 2:
        raise TypeError(f"For 'coo_concat', the 'sp_input' must be 2 or more COOTensors, but got {sp_input!r}.")
    axis = concat_dim % 2 if concat_dim in (-2, -1, 0, 1) else None
    if axis is None:
        raise ValueError(f"For 'coo_concat', the 'concat_dim' must be in [-2, 2), but got {concat_dim}.")
    parts, start = [], 0
    other = _sparse("coo_concat", "sp_input", sp_input[0], COOTensor).shape[1 - axis]
    for matrix in sp_input:
        if _sparse("coo_concat", "sp_input", matrix, COOTensor).shape[1 - axis] != other:
            shapes = ", ".join(str(part.shape) for part in sp_input)
            raise ValueError(f"For 'coo_concat', the shapes must agree except in axis {axis}, but got {shapes}.")
        moved = [start, 0] if axis == 0 else [0, start]
        parts.append(matrix.indices + Tensor(moved, matrix.indices.dtype))
        start += matrix.shape[axis]
    indices, values = concat(parts), concat([matrix.values for matrix in sp_input])
    shape = (start, other) if axis == 0 else (other, start)
    order = (indices[:, 0] * shape[1] + indices[:, 1]).argsort()
    return COOTensor(indices[order], values[order], shape)


def csr_add(a: CSRTensor, b: CSRTensor, alpha: Tensor, beta: Tensor) -> CSRTensor:
    """``alpha * a + beta * b``.

    Examples:
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> x = CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 2))
        >>> print(ops.csr_add(x, x, Tensor(1.0), Tensor(3.0)).to_dense())
        [[0. 8.]]
    """
    return _sparse("csr_add", "a", a, CSRTensor).add(b, alpha, beta)


def csr_mul(x: CSRTensor, y: Tensor) -> CSRTensor:
    """The product of the stored values with the elements of a dense array at the same positions.

    Examples:
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> x = CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 2))
        >>> print(ops.csr_mul(x, Tensor([[5.0, 6.0]])).values)
        [12.]
    """
    return _sparse("csr_mul", "x", x, CSRTensor) * y


def csr_div(x: CSRTensor, y: Tensor) -> CSRTensor:
    """The stored values divided by the elements of a dense array at the same positions.

    Examples:
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> x = CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 2))
        >>> print(ops.csr_div(x, Tensor([[5.0, 4.0]])).values)
        [0.5]
    """
    return _sparse("csr_div", "x", x, CSRTensor) / y


def csr_mv(csr_tensor: CSRTensor, dense: Tensor) -> Tensor:
    """The product of a sparse matrix and a vector, which is a matrix of a single column.

    Examples:
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> x = CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 2))
        >>> print(ops.csr_mv(x, Tensor([[5.0], [4.0]])))
        [[8.]]
    """
    return _sparse("csr_mv", "csr_tensor", csr_tensor, CSRTensor).mv(dense)


def csr_mm(a: CSRTensor, b: CSRTensor, trans_a: bool = False, trans_b: bool = False, adjoint_a: bool = False,
           adjoint_b: bool = False) -> CSRTensor:  # fmt: skip
    """The product of two sparse matrices, either of them transposed (and, as adjoint, conjugated) first if wanted.

    Examples:
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> x = CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 2))
        >>> print(ops.csr_mm(x, x, trans_b=True).to_dense())
        [[4.]]
    """
    sides = []
    for name, matrix, transposed, adjoint in (("a", a, trans_a, adjoint_a), ("b", b, trans_b, adjoint_b)):
        dense = _sparse("csr_mm", name, matrix, CSRTensor).to_dense()
        dense = dense.swapaxes(0, 1) if transposed or adjoint else dense
        sides.append(dense.conj() if adjoint else dense)
    return from_dense_csr(sides[0].matmul(sides[1]), "csr_mm")


def csr_reduce_sum(csr_tensor: CSRTensor, axis: int) -> Tensor:
    """The sum of each row; ``axis`` is 1 or -1, and stays with length 1.

    Examples:
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> print(ops.csr_reduce_sum(CSRTensor(Tensor([0, 2]), Tensor([0, 1]), Tensor([2.0, 3.0]), (1, 2)), 1))
        [[5.]]
    """
    return _sparse("csr_reduce_sum", "csr_tensor", csr_tensor, CSRTensor).sum(axis)


def csr_softmax(logits: CSRTensor, dtype: DType) -> CSRTensor:
    """Softmax of the stored values of each row, in this dtype.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> x = CSRTensor(Tensor([0, 2]), Tensor([0, 1]), Tensor([2.0, 2.0]), (1, 3))
        >>> print(ops.csr_softmax(x, ms.float32).values)
        [0.5 0.5]
    """
    rows, height = _sparse("csr_softmax", "logits", logits, CSRTensor).rows, logits.shape[0]
    values = logits.values.astype(dtype)
    powers = (values - unsorted_segment_max(values, rows, height)[rows]).exp()
    return logits._with_values(powers / unsorted_segment_sum(powers, rows, height)[rows])


def csr_to_coo(tensor: CSRTensor) -> COOTensor:
    """The same matrix with a row and a column for each value.

    Examples:
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> print(ops.csr_to_coo(CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 2))).indices)
        [[0 1]]
    """
    return _sparse("csr_to_coo", "tensor", tensor, CSRTensor).to_coo()


def csr_to_dense(csr_tensor: CSRTensor) -> Tensor:
    """The matrix with its zeros.

    Examples:
        >>> from mindspore import CSRTensor, Tensor, ops
        >>> print(ops.csr_to_dense(CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 2))))
        [[0. 2.]]
    """
    return _sparse("csr_to_dense", "csr_tensor", csr_tensor, CSRTensor).to_dense()


def dense_to_sparse_coo(tensor: Tensor) -> COOTensor:
    """The elements of a matrix that are not zero, with their positions.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.dense_to_sparse_coo(Tensor([[0.0, 2.0]])).indices)
        [[0 1]]
    """
    return from_dense_coo(tensor, "dense_to_sparse_coo")


def dense_to_sparse_csr(tensor: Tensor) -> CSRTensor:
    """The elements of a matrix that are not zero, row by row.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.dense_to_sparse_csr(Tensor([[0.0, 2.0]])).indptr)
        [0 1]
    """
    return from_dense_csr(tensor, "dense_to_sparse_csr")


def _to_coo(self: Tensor) -> COOTensor:
    """The elements of a matrix that are not zero, with their positions.

    >>> from mindspore import Tensor
    >>> Tensor([[0.0, 2.0]]).to_coo().shape
    (1, 2)
    """
    return from_dense_coo(self)


def _to_csr(self: Tensor) -> CSRTensor:
    """The elements of a matrix that are not zero, row by row.

    >>> from mindspore import Tensor
    >>> Tensor([[0.0, 2.0]]).to_csr().shape
    (1, 2)
    """
    return from_dense_csr(self)


attach_functions(_to_coo, _to_csr)

for _function in (
    coo_add, coo_concat, csr_add, csr_mul, csr_div, csr_mv, csr_mm, csr_reduce_sum, csr_softmax, csr_to_coo, csr_to_dense,
    dense_to_sparse_coo, dense_to_sparse_csr,
):  # fmt: skip
    register_function(_function)
