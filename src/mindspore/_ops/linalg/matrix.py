"""Functions of whole matrices: inverse, determinant, decompositions, distances."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.arguments import Array, Axis, DType
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.matrices import diagonal
from mindspore._kernels.matrices.distances import distances
from mindspore._ops.declaring.conventions import magnitude, safe_root
from mindspore._ops.declaring.dtype_checks import accepts, halves_as_float32
from mindspore._ops.declaring.promotion import as_float, check_broadcast, kind_of, normal_axis
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_float,
    require_form,
    require_rank,
    require_rank_from,
    require_same_dtype,
    require_square,
)
from mindspore._ops.declaring.value_rules import not_invertible, not_positive_definite
from mindspore._ops.linalg import small_matrices

_NO_AXIS = -65530  # how the Cross primitive says "the first axis of length 3"


def _regular(t: Any, *batch: int) -> np.ndarray:
    """Sample matrices far from singular."""
    return t.normal(*batch, 3, 3) * 0.3 + np.eye(3, dtype=np.float32) * 2


def _symmetric(t: Any) -> np.ndarray:
    half = _regular(t)
    return half @ half.T


@op(method="inverse", primitive="MatrixInverse", init=("adjoint",),
    test=lambda t: [t.case(_regular(t), expect=np.linalg.inv),
                    t.case(_regular(t), True, expect=lambda x, _: np.linalg.inv(x.T))])  # fmt: skip
@halves_as_float32
def inverse(input: Array, adjoint: bool = False):
    """The inverse of a square matrix, or of each matrix of a batch.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.inverse(Tensor([[2.0, 0.0], [0.0, 4.0]])))
        [[0.5  0.  ]
         [0.   0.25]]
    """
    require_float("input", input)
    require_square("input", input)
    return small_matrices.inverse(jnp.conj(input.swapaxes(-1, -2)) if adjoint else input)


@op(aliases="matrix_determinant", method=("det", "matrix_determinant"), primitive="MatrixDeterminant",
    test=lambda t: [t.case(_regular(t, 2), expect=np.linalg.det)])  # fmt: skip
def det(input: Array):
    """The determinant of a square matrix, or of each matrix of a batch.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.det(Tensor([[2.0, 0.0], [0.0, 4.0]])))
        8.0
    """
    require_float("input", input)
    require_square("input", input)
    return jnp.linalg.det(input)


@op(aliases="log_matrix_determinant", method=("slogdet", "log_matrix_determinant"), primitive="LogMatrixDeterminant",
    test=lambda t: [t.case(_regular(t, 2), expect=lambda x: tuple(np.linalg.slogdet(x)))])  # fmt: skip
@halves_as_float32
def slogdet(input: Array):
    """The sign of the determinant and the logarithm of its absolute value.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> sign, logarithm = ops.slogdet(Tensor([[1.0, 0.0], [0.0, -1.0]]))
        >>> print(sign, logarithm)
        -1.0 0.0
    """
    require_float("input", input)
    require_square("input", input)
    return tuple(jnp.linalg.slogdet(input))


@op(method="logdet", test=lambda t: [t.case(_symmetric(t), expect=lambda x: np.log(np.linalg.det(x)))])
@halves_as_float32
def logdet(input: Array):
    """The logarithm of the determinant.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.logdet(Tensor([[1.0, 0.0], [0.0, 1.0]])))
        0.0
    """
    require_float("input", input)
    require_square("input", input)
    sign, logarithm = jnp.linalg.slogdet(input)
    return jnp.where(sign > 0, logarithm, jnp.where(sign == 0, -jnp.inf, jnp.nan)).astype(input.dtype)


def _powers_of_inverse(power: Tensor, input: Tensor, n: int) -> None:
    if n < 0:
        text = f"the 'input' must hold invertible matrices where 'n' is negative, but 'n' is {n} and one is singular."
        require_values("MatrixPower", text, not_invertible, power, input, kind=ValueError, wait=True)


@op(method="matrix_power", primitive="MatrixPower", init=("n",), outcome=_powers_of_inverse,
    test=lambda t: [t.case(_regular(t), 3, expect=np.linalg.matrix_power), t.case(_regular(t, 2), -2)])  # fmt: skip
def matrix_power(input: Array, n: int):
    """A square matrix multiplied with itself; a negative ``n`` is a power of the inverse.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.matrix_power(Tensor([[1.0, 1.0], [0.0, 1.0]]), 3))
        [[1. 3.]
         [0. 1.]]
    """
    require_square("input", input)
    return jnp.linalg.matrix_power(input, n)


@op(test=lambda t: [t.case(_regular(t) * 0.1, grad=False)], primitive="MatrixExp")
def matrix_exp(input: Array):
    """The exponential of a square matrix.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.matrix_exp(ops.zeros((2, 2))))
        [[1. 0.]
         [0. 1.]]
    """
    require_float("input", input)
    require_square("input", input)
    return jax.scipy.linalg.expm(input)


def _definite(factor: Tensor, input_x: Tensor, upper: bool) -> None:
    text = (
        "the 'input_x' must hold symmetric positive definite matrices, but one has no Cholesky factor. "
        "(Cholesky expects symmetric positive definite matrices as inputs.)"
    )
    require_values("Cholesky", text, not_positive_definite, factor, input_x, wait=True)


@op(method="cholesky", primitive="Cholesky", init=("upper",), outcome=_definite,
    test=lambda t: [t.case(_symmetric(t), expect=np.linalg.cholesky, grad=False),
                    t.case(_symmetric(t), True, expect=lambda x, _: np.linalg.cholesky(x).T, grad=False)])  # fmt: skip
@halves_as_float32
def cholesky(input_x: Array, upper: bool = False):
    """The triangular factor of a symmetric positive definite matrix.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cholesky(Tensor([[4.0, 0.0], [0.0, 9.0]])))
        [[2. 0.]
         [0. 3.]]
    """
    require_float("input_x", input_x)
    require_square("input_x", input_x)
    return jnp.linalg.cholesky(input_x, upper=upper)


@op(method="svd", old={"input": ("a",)},
    test=lambda t: [t.case(t.normal(3, 2), compute_uv=False, grad=False,
                           expect=lambda x, compute_uv: np.linalg.svd(x, compute_uv=compute_uv))])  # fmt: skip
@halves_as_float32
def svd(input: Array, full_matrices: bool = False, compute_uv: bool = True):
    """Singular values ``s`` and, on request, ``u`` and ``v`` with ``input = u @ diag(s) @ v.T``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.svd(Tensor([[3.0, 0.0], [0.0, 4.0]]), compute_uv=False))
        [4. 3.]
    """
    require_float("input", input)
    require_rank_from("input", input, 2)
    if not compute_uv:
        return jnp.linalg.svd(input, full_matrices=full_matrices, compute_uv=False)
    u, s, transposed = jnp.linalg.svd(input, full_matrices=full_matrices)
    v = jnp.conj(transposed.swapaxes(-1, -2))
    if jnp.issubdtype(input.dtype, jnp.floating) and input.shape[-2] >= input.shape[-1] > 0:
        u, v = _signed(u, v, s.shape[-1])
    return s, u, v


def _signed(u: Any, v: Any, count: int) -> tuple[Any, Any]:
    """The largest element of each column of ``v`` is positive: the sign that MindSpore's vectors of tall matrices mostly have."""
    largest = jnp.take_along_axis(v, jnp.argmax(jnp.abs(v), -2)[..., None, :], -2)
    signs = lax.stop_gradient(jnp.where(largest < 0, -1, 1).astype(v.dtype))
    others = jnp.ones((*u.shape[:-2], 1, u.shape[-1] - count), u.dtype)
    return u * jnp.concatenate([signs, others], -1), v * signs


@op(test=lambda t: [t.case(t.normal(3, 2), grad=False, expect=lambda x: tuple(np.linalg.qr(x)))])
@halves_as_float32
def qr(input: Array, mode: str = "reduced"):
    """The factors of a matrix: orthonormal columns times an upper triangle.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> q, r = ops.qr(Tensor([[3.0, 1.0], [4.0, 2.0]]))
        >>> print(ops.matmul(q, r).round())
        [[3. 1.]
         [4. 2.]]
    """
    require_choice("mode", mode, ("reduced", "complete"))
    require_float("input", input)
    require_rank_from("input", input, 2)
    return tuple(jnp.linalg.qr(input, mode))


@op(test=lambda t: [t.case(t.normal(3, 2), expect=np.linalg.pinv, tolerance=1e-4)])
@halves_as_float32
def pinv(x: Array, atol: float | None = None, rtol: float | None = None, hermitian: bool = False):
    """The Moore-Penrose inverse; singular values up to ``max(atol, rtol * largest)`` count as zero.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.pinv(Tensor([[2.0], [0.0]])).round(decimals=0).shape)
        (1, 2)
    """
    require_float("x", x)
    require_rank_from("x", x, 2)
    require(atol is None or atol >= 0, f"the 'atol' must not be negative, but got {atol}.")
    if rtol is None:
        rtol = 0.0 if atol else max(x.shape[-2:]) * float(jnp.finfo(x.dtype).eps)
    largest = jnp.linalg.norm(x, 2, axis=(-2, -1))
    cutoff = jnp.maximum(rtol, atol / jnp.where(largest > 0, largest, 1)) if atol else rtol
    return jnp.linalg.pinv(x, rtol=cutoff, hermitian=hermitian)


def _solved(solution: Tensor, matrix: Tensor, rhs: Tensor, adjoint: bool) -> None:
    text = "the 'matrix' must be invertible, but one is singular."
    require_values("MatrixSolve", text, not_invertible, solution, matrix, rhs, kind=ValueError, wait=True)


@op(primitive="MatrixSolve", init=("adjoint",), outcome=_solved,
    test=lambda t: [t.case(_regular(t), t.normal(3, 2), expect=np.linalg.solve),
                    t.case(_regular(t), t.normal(3, 2), True,
                           expect=lambda m, rhs, _: np.linalg.solve(m.T, rhs))])  # fmt: skip
@halves_as_float32
def matrix_solve(matrix: Array, rhs: Array, adjoint: bool = False):
    """The solution ``x`` of ``matrix @ x = rhs``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.matrix_solve(Tensor([[2.0, 0.0], [0.0, 4.0]]), Tensor([[2.0], [2.0]])))
        [[1. ]
         [0.5]]
    """
    require_float("matrix", matrix)
    require_square("matrix", matrix)
    require_same_dtype(matrix=matrix, rhs=rhs)
    require_rank_from("rhs", rhs, 1)
    rows, got = matrix.shape[-1], rhs.shape[-2 if rhs.ndim > 1 else -1]
    require(got == rows, f"the 'rhs' must have {rows} rows, as many as the 'matrix', but got {got}: shape {rhs.shape}.")
    return jnp.linalg.solve(jnp.conj(matrix.swapaxes(-1, -2)) if adjoint else matrix, rhs)


@op(method="cross", primitive="Cross", init=("dim",), primitive_defaults={"dim": _NO_AXIS},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), expect=np.cross),
                    t.case(t.normal(3, 2), t.normal(3, 2), 0,
                           expect=lambda x, y, dim: np.cross(x, y, axis=dim))])  # fmt: skip
def cross(input: Array, other: Array, dim: int | None = None):
    """The vector product along an axis of length 3, by default the first such axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cross(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0])))
        [0. 0. 1.]
    """
    check_broadcast(input, other)
    x, y = jnp.broadcast_arrays(input, other.astype(input.dtype))
    if dim is None or dim == _NO_AXIS:
        require(3 in x.shape, f"the 'input' must have an axis of length 3, but got shape {x.shape}.")
        axis = x.shape.index(3)
    else:
        axis = normal_axis(dim, x.ndim, "dim")
        require(x.shape[axis] == 3, f"the 'dim' must be an axis of length 3, but axis {dim} of shape {x.shape} is not.")
    return jnp.cross(x, y, axis=axis)


_KERNEL_NORMS = {1.0: "absolute", np.inf: "largest"}


def _norm_of(difference: Any, p: float) -> Any:
    """The p-norm along the last axis, with gradient 0 at the zero vector."""
    difference = magnitude(difference)
    if p == 0:
        return jnp.sum(difference != 0, axis=-1).astype(difference.dtype)
    if np.isinf(p):
        return jnp.max(difference, axis=-1)
    return safe_root(jnp.sum(difference if p == 1 else safe_root(difference, p), axis=-1), 1.0 / p)


@op(primitive="Cdist", init=("p",), old={"x1": ("x",), "x2": ("y",)},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(4, 3),
                           expect=lambda x, y: np.sqrt(((x[:, None] - y) ** 2).sum(-1))),
                    t.case(t.normal(2, 3), t.normal(4, 3), 1.0,
                           expect=lambda x, y, p: np.abs(x[:, None] - y).sum(-1))])  # fmt: skip
@accepts("f", "x1", "x2")
def cdist(x1: Array, x2: Array, p: float = 2.0):
    """The p-norm distance between every row of ``x1`` and every row of ``x2``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cdist(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0], [0.0, 0.0]])))
        [[5. 0.]]
    """
    require_same_dtype(x1=x1, x2=x2)
    require_rank_from("x1", x1, 2)
    require_rank_from("x2", x2, 2)
    require(p >= 0, f"the 'p' must not be negative, but got {p}.")
    text = f"the 'x1' and 'x2' must have the same number of columns, but got shapes {x1.shape} and {x2.shape}."
    require(x1.shape[-1] == x2.shape[-1], text)
    if p in _KERNEL_NORMS:
        return distances(x1, x2, _KERNEL_NORMS[p])
    return _euclidean(x1, x2) if p == 2 else _norm_of(x1[..., :, None, :] - x2[..., None, :, :], p)


@jax.custom_jvp
def _euclidean(x: Any, y: Any) -> Any:
    """Distances between all rows. Differences are taken first: of rows that nearly agree, nothing is lost."""
    return jnp.sqrt(distances(x, y, "square"))


@_euclidean.defjvp
def _euclidean_jvp(primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
    """Products of matrices, both ways: the difference of every pair of rows need not be summed over again."""
    (x, y), (dx, dy) = primals, tangents
    distance = _euclidean(x, y)
    own = jnp.sum(x * dx, -1)[..., :, None] + jnp.sum(y * dy, -1)[..., None, :]
    mixed = jnp.matmul(x, dy.swapaxes(-1, -2)) + jnp.matmul(dx, y.swapaxes(-1, -2))
    apart = distance > 0
    return distance, jnp.where(apart, (own - mixed) / jnp.where(apart, distance, 1), 0)


@op(test=lambda t: [t.case(t.normal(3, 2), expect=lambda x: np.sqrt(((x[[0, 0, 1]] - x[[1, 2, 2]]) ** 2).sum(-1))),
                    t.case(t.normal(4, 3), 1.0)])  # fmt: skip
def pdist(input: Array, p: float = 2.0):
    """The p-norm distances between the rows of a matrix: of the first to all later ones, of the second, and so on.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.pdist(Tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])))
        [5.        1.        4.2426405]
    """
    require_rank("input", input, 2)
    require_float("input", input)
    require(p >= 0, f"the 'p' must not be negative, but got {p}.")
    first, second = np.triu_indices(input.shape[0], 1)
    if p == 2:
        return _euclidean(input, input).reshape(-1)[first * input.shape[0] + second]
    return _norm_of(input[first] - input[second], p)


@op(primitive="Trace", call_order=("input",), method="trace",
    test=lambda t: [t.case(t.normal(3, 4), expect=np.trace),
                    t.case(t.normal(3, 4, 2), 1, 0, 2, expect=np.trace)])  # fmt: skip
@accepts("bifc", "input")
def trace(input: Array, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DType | None = None):
    """The sum of the diagonal of a matrix, or of a parallel to it.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.trace(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        5.0
    """
    require_rank_from("input", input, 2)
    first, second = normal_axis(axis1, input.ndim, "axis1"), normal_axis(axis2, input.ndim, "axis2")
    require_form(first != second, f"the 'axis1' and 'axis2' must be two axes, but got {axis1} and {axis2}.")
    kind = input.dtype if dtype is None else dtype.np_dtype
    fixed = all(isinstance(size, int) for size in input.shape)
    if input.ndim == 2 and offset == 0 and fixed and kind == input.dtype == jnp.float32:
        return diagonal.trace(input)
    return jnp.trace(input, offset, first, second, kind)


@op(primitive="L2Normalize", init=("axis", "epsilon"), public=False, old={"input_x": ("x", "input")},
    test=lambda t: [t.case(t.normal(3, 2), expect=lambda x: x / np.sqrt((x * x).sum(0))),
                    t.case(t.normal(2, 3), -1, 1e-12,
                           expect=lambda x, *_: x / np.sqrt((x * x).sum(1, keepdims=True)))])  # fmt: skip
@accepts("f", "input_x")
def l2_normalize(input_x: Array, axis: Axis = 0, epsilon: float = 1e-4):
    """Scale vectors along an axis to length 1: ``x / sqrt(max(sum(x * x), epsilon))``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.L2Normalize(axis=1)(Tensor([[3.0, 4.0]])))
        [[0.6 0.8]]
    """
    axes = list((axis,) if isinstance(axis, int) else axis or ())
    require(len(axes) == 1, f"the 'axis' must be an int or a tuple of one int, but got {axis}.", TypeError)
    require_rank_from("input_x", input_x, 1)
    x = as_float(input_x)
    total = jnp.sum(jnp.square(x), axis=normal_axis(axes[0], x.ndim), keepdims=True)
    # At a tie the gradient is that of a constant length, not half of it.
    return x * jax.lax.rsqrt(jnp.where(total > epsilon, total, epsilon).astype(x.dtype))


@op(test=lambda t: [t.case(t.normal(3), expect=np.vander), t.case(t.normal(3), 2, expect=np.vander)])
def vander(x: Array, N: int | None = None):
    """The matrix whose columns are falling powers of a vector.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.vander(Tensor([1.0, 2.0, 3.0])))
        [[1. 1. 1.]
         [4. 2. 1.]
         [9. 3. 1.]]
    """
    require_rank("x", x, 1)
    columns = x.shape[0] if N is None else N
    require(columns >= 1, f"the 'N' must be positive, but got {columns}.")
    base = x.astype(jnp.int64) if kind_of(x.dtype) in "bi" else x
    return jnp.stack([base**power for power in range(columns - 1, -1, -1)], axis=1).astype(base.dtype)
