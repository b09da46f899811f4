"""Factors of matrices, and linear equations solved with them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.arguments import Array
from mindspore._engine.registry import op, register_function
from mindspore._engine.tensor import Tensor
from mindspore._ops.matrix import qr, svd
from mindspore._ops.requirements import (
    require,
    require_float,
    require_rank,
    require_rank_from,
    require_same_dtype,
    require_square,
)


def _body(function: Any) -> Any:
    """An operator's body, for use inside another one."""
    return function.__wrapped__


def _adjoint(x: Any) -> Any:
    return jnp.conj(x.swapaxes(-1, -2))


def _triangular(t: Any, upper: bool = False) -> np.ndarray:
    """A sample triangle far from singular."""
    square = t.normal(3, 3) * 0.3 + np.eye(3, dtype=np.float32) * 2
    return np.triu(square) if upper else np.tril(square)


def _batched(matrix: Any, rhs: Any) -> tuple[Any, Any]:
    """Matrices and right-hand sides with the same leading axes."""
    batch = jnp.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    return jnp.broadcast_to(matrix, batch + matrix.shape[-2:]), jnp.broadcast_to(rhs, batch + rhs.shape[-2:])


def _check_equations(name: str, matrix: Any, rhs_name: str, rhs: Any) -> None:
    require_float(name, matrix)
    require_same_dtype(**{name: matrix, rhs_name: rhs})
    require_rank_from(rhs_name, rhs, 2)
    text = f"the '{rhs_name}' must have as many rows as '{name}', but got shapes {rhs.shape} and {matrix.shape}."
    require(rhs.shape[-2] == matrix.shape[-2], text)


# -- triangles ---------------------------------------------------------------------------------------------------------
def _solve_triangle(matrix: Any, rhs: Any, lower: bool, adjoint: bool = False, unit: bool = False) -> Any:
    return lax.linalg.triangular_solve(
        *_batched(matrix, rhs),
        left_side=True,
        lower=lower,
        transpose_a=adjoint,
        conjugate_a=adjoint,
        unit_diagonal=unit,
    )


@op(primitive="MatrixTriangularSolve", init=("lower", "adjoint"), public=False,
    test=lambda t: [t.case(_triangular(t), t.normal(3, 2), grad=(1,), expect=np.linalg.solve),
                    t.case(_triangular(t, True), t.normal(2, 3, 2), False, True, grad=(1,),
                           expect=lambda m, b, *_: np.linalg.solve(m.T, b))])  # fmt: skip
def matrix_triangular_solve(matrix: Array, rhs: Array, lower: bool = True, adjoint: bool = False):
    """The solution of ``matrix @ x = rhs`` for a lower or an upper triangle."""
    require_square("matrix", matrix)
    _check_equations("matrix", matrix, "rhs", rhs)
    return _solve_triangle(jnp.tril(matrix) if lower else jnp.triu(matrix), rhs, lower, adjoint)


def triangular_solve(self: Tensor, A: Tensor, upper: bool = True, transpose: bool = False,
                     unitriangular: bool = False) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The solution ``x`` of ``A @ x = self`` for a triangle ``A``, and the triangle itself.

    Examples:
        >>> from mindspore import Tensor
        >>> x, _ = Tensor([[3.0], [4.0]]).triangular_solve(Tensor([[1.0, 1.0], [0.0, 2.0]]))
        >>> print(x)
        [[1.]
         [2.]]
    """
    return solved_triangle(self, A, upper, transpose, unitriangular)


@op(public=False,
    test=lambda t: [t.case(t.normal(3, 2), _triangular(t, True), True, False, False, grad=(0,),
                           expect=lambda b, a, *_: (np.linalg.solve(a, b), np.triu(a))),
                    t.case(t.normal(3, 2), _triangular(t), False, True, False, grad=(0,),
                           expect=lambda b, a, *_: (np.linalg.solve(a.T, b), np.tril(a)))])  # fmt: skip
def solved_triangle(b: Array, A: Array, upper: bool, transpose: bool, unitriangular: bool):
    """The solution of ``A @ x = b`` for a triangle, and the triangle."""
    require_square("A", A)
    _check_equations("A", A, "b", b)
    triangle = jnp.triu(A) if upper else jnp.tril(A)
    matrix, rhs = _batched(triangle, b)
    solution = lax.linalg.triangular_solve(
        matrix, rhs, left_side=True, lower=not upper, transpose_a=transpose, unit_diagonal=unitriangular
    )
    return solution, triangle


@op(primitive="CholeskySolve", init=("upper",), method="cholesky_solve", old={"input": ("x1",), "input2": ("x2",)},
    test=lambda t: [t.case(t.normal(3, 2), _triangular(t), grad=(0,),
                           expect=lambda b, u: np.linalg.solve(u @ u.T, b)),
                    t.case(t.normal(3, 2), _triangular(t, True), True, grad=(0,),
                           expect=lambda b, u, _: np.linalg.solve(u.T @ u, b))])  # fmt: skip
def cholesky_solve(input: Array, input2: Array, upper: bool = False):
    """The solution of ``A @ x = input`` where ``input2`` is the Cholesky factor of ``A``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cholesky_solve(Tensor([[4.0], [9.0]]), Tensor([[2.0, 0.0], [0.0, 3.0]])))
        [[1.]
         [1.]]
    """
    require_square("input2", input2)
    _check_equations("input2", input2, "input", input)
    triangle = jnp.triu(input2) if upper else jnp.tril(input2)
    half = _solve_triangle(triangle, input, not upper, adjoint=upper)
    return _solve_triangle(triangle, half, not upper, adjoint=not upper)


@op(primitive="CholeskyInverse", init=("upper",), method="cholesky_inverse",
    test=lambda t: [t.case(_triangular(t), grad=False, expect=lambda u: np.linalg.inv(u @ u.T)),
                    t.case(_triangular(t, True), True, grad=False,
                           expect=lambda u, _: np.linalg.inv(u.T @ u))])  # fmt: skip
def cholesky_inverse(input_x: Array, upper: bool = False):
    """The inverse of a matrix given by its Cholesky factor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cholesky_inverse(Tensor([[2.0, 0.0], [0.0, 1.0]])))
        [[0.25 0.  ]
         [0.   1.  ]]
    """
    require_rank("input_x", input_x, 2)
    return _body(cholesky_solve)(jnp.eye(input_x.shape[0], dtype=input_x.dtype), input_x, upper)


# -- triangles and permutations ----------------------------------------------------------------------------------------
def _order(pivots: Any, size: int) -> Any:
    """Where each row of the factors comes from; pivots count from 1, as LAPACK's do."""
    require(pivots.dtype == jnp.int32, f"the 'LU_pivots' must have dtype Int32, but got {pivots.dtype}.", TypeError)
    return lax.linalg.lu_pivots_to_permutation(pivots - 1, size)


_PIVOTS = np.array([3, 2, 3], np.int32)


@op(primitive="LuSolve", method="lu_solve", old={"b": ("x",), "LU_data": ("lu_data",), "LU_pivots": ("lu_pivots",)},
    test=lambda t: [t.case(t.normal(3, 2), _triangular(t) + _triangular(t, True), _PIVOTS, grad=(0,),
                           expect=lambda b, lu, _: np.linalg.solve(
                               (np.tril(lu, -1) + np.eye(3)) @ np.triu(lu), b[[2, 1, 0]]))])  # fmt: skip
def lu_solve(b: Array, LU_data: Array, LU_pivots: Array):
    """The solution of ``A @ x = b`` from the LU factors of ``A`` and their pivots, which count from 1.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> factors, pivots = Tensor([[2.0, 0.0], [0.0, 4.0]]), Tensor([1, 2], ms.int32)
        >>> print(ops.lu_solve(Tensor([[2.0], [2.0]]), factors, pivots))
        [[1. ]
         [0.5]]
    """
    require_square("LU_data", LU_data)
    _check_equations("LU_data", LU_data, "b", b)
    factors, rhs = _batched(LU_data, b)
    order = jnp.broadcast_to(_order(LU_pivots, LU_data.shape[-1]), rhs.shape[:-1])
    rhs = jnp.take_along_axis(rhs, order[..., None], axis=-2)
    half = _solve_triangle(factors, rhs, lower=True, unit=True)
    return _solve_triangle(factors, half, lower=False)


@op(primitive="LuUnpack", init=("unpack_data", "unpack_pivots"), public=False,
    test=lambda t: [t.case(t.normal(3, 2), _PIVOTS[:2], grad=False,
                           expect=lambda lu, _: (np.eye(3)[[2, 1, 0]], np.tril(lu, -1) + np.eye(3, 2),
                                                 np.triu(lu)[:2]))])  # fmt: skip
def lu_unpacked(LU_data: Array, LU_pivots: Array, unpack_data: bool = True, unpack_pivots: bool = True):
    """The permutation, the lower and the upper triangle from LU factors and their pivots, which count from 1."""
    require_float("LU_data", LU_data)
    require_rank_from("LU_data", LU_data, 2)
    rows, columns = LU_data.shape[-2:]
    least = min(rows, columns)
    order = _order(LU_pivots, rows)
    permutation = (jnp.arange(rows)[:, None] == order[..., None, :]).astype(LU_data.dtype)
    lower = jnp.tril(LU_data[..., :, :least], -1) + jnp.eye(rows, least, dtype=LU_data.dtype)
    return permutation, lower, jnp.triu(LU_data[..., :least, :])


def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> tuple:
    """The permutation, the lower and the upper triangle from LU factors and pivots; None for what is not unpacked.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> p, lower, upper = ops.lu_unpack(Tensor([[3.0, 4.0], [0.5, 2.0]]), Tensor([2, 2], ms.int32))
        >>> print(p @ lower @ upper)
        [[1.5 4. ]
         [3.  4. ]]
    """
    permutation, lower, upper = lu_unpacked(LU_data, LU_pivots)
    return (permutation if unpack_pivots else None, *((lower, upper) if unpack_data else (None, None)))


register_function(lu_unpack)


# -- orthonormal columns -----------------------------------------------------------------------------------------------
def _numpy_geqrf(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    factors, tau = np.linalg.qr(x.astype(np.float64), mode="raw")
    return factors.T, tau


@op(primitive="Geqrf", method="geqrf",
    test=lambda t: [t.case(t.normal(4, 3), grad=False, expect=_numpy_geqrf)])  # fmt: skip
def geqrf(input: Array):
    """The QR factors as LAPACK stores them: reflectors below the diagonal, R above it, and the reflectors' factors.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> factors, tau = ops.geqrf(Tensor([[3.0], [4.0]]))
        >>> print(factors[0], tau)
        [-5.] [1.6]
    """
    require_float("input", input)
    require_rank_from("input", input, 2)
    factors, tau = jnp.linalg.qr(input, mode="raw")
    return factors.swapaxes(-1, -2), tau


@op(primitive="Orgqr", method="orgqr", old={"input": ("x",), "input2": ("tau",)},
    test=lambda t: [t.case(t.normal(4, 2) * 0.5, t.positive(2), grad=False,
                           expect=lambda a, tau: _reflections(a, tau)[:, :2])])  # fmt: skip
def orgqr(input: Array, input2: Array):
    """The first columns of the orthogonal matrix that :func:`geqrf` describes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.orgqr(*ops.geqrf(Tensor([[3.0], [4.0]]))))
        [[-0.6]
         [-0.8]]
    """
    require_float("input", input)
    require_same_dtype(input=input, input2=input2)
    require_rank_from("input", input, 2)
    require(input.shape[-2] >= input.shape[-1], f"the 'input' must not have more columns than rows: {input.shape}.")
    text = f"the 'input2' must have at most {input.shape[-1]} elements, one per column, but got {input2.shape[-1]}."
    require(input2.shape[-1] <= input.shape[-1], text)
    return lax.linalg.householder_product(input, input2)


def _reflections(a: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """The product of the reflections, as a reference."""
    result = np.eye(len(a))
    for column, factor in enumerate(tau):
        vector = np.concatenate([np.zeros(column), [1], a[column + 1 :, column]])
        result = result @ (np.eye(len(a)) - factor * np.outer(vector, vector))
    return result


@op(primitive="Ormqr", init=("left", "transpose"), method="ormqr",
    old={"input": ("x",), "tau": ("input2",), "other": ("input3",)},
    test=lambda t: [t.case(t.normal(4, 2) * 0.5, t.positive(2), t.normal(4, 3), grad=(2,),
                           expect=lambda a, tau, y: _reflections(a, tau) @ y),
                    t.case(t.normal(4, 2) * 0.5, t.positive(2), t.normal(3, 4), False, True, grad=(2,),
                           expect=lambda a, tau, y, *_: y @ _reflections(a, tau).T)])  # fmt: skip
def ormqr(input: Array, tau: Array, other: Array, left: bool = True, transpose: bool = False):
    """The product of ``other`` with the orthogonal matrix that :func:`geqrf` describes, from the left or the right.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> factors, tau = ops.geqrf(Tensor([[3.0], [4.0]]))
        >>> print(ops.ormqr(factors, tau, Tensor([[3.0], [4.0]]), transpose=True).round())
        [[-5.]
         [ 0.]]
    """
    require_float("input", input)
    require_same_dtype(input=input, other=other)
    require_rank_from("input", input, 2)
    rows, columns = input.shape[-2:]
    side = other.shape[-2 if left else -1]
    require(side == rows, f"the 'other' must have length {rows} on the multiplied axis, but got shape {other.shape}.")
    wide = jnp.pad(input, [(0, 0)] * (input.ndim - 1) + [(0, max(rows - columns, 0))])
    matrix = lax.linalg.householder_product(wide, tau)
    matrix = _adjoint(matrix) if transpose else matrix
    return matrix @ other if left else other @ matrix


@op(primitive="Qr", init=("full_matrices",), public=False,
    test=lambda t: [t.case(t.normal(3, 2), grad=False, expect=lambda x: tuple(np.linalg.qr(x))),
                    t.case(t.normal(3, 2), True, grad=False,
                           expect=lambda x, _: tuple(np.linalg.qr(x, "complete")))])  # fmt: skip
def qr_primitive(x: Array, full_matrices: bool = False):
    """The factors of a matrix: orthonormal columns times an upper triangle."""
    return _body(qr)(x, "complete" if full_matrices else "reduced")


def qr_method(self: Tensor, some: bool = True) -> tuple[Tensor, Tensor]:
    """The factors of this matrix: orthonormal columns times an upper triangle; ``some=False`` gives all columns.

    Examples:
        >>> from mindspore import ops
        >>> q, r = ops.ones((3, 2)).qr()
        >>> print(q.shape, r.shape)
        (3, 2) (2, 2)
    """
    return qr(self, "reduced" if some else "complete")


Tensor.qr = qr_method  # type: ignore[attr-defined]
Tensor.triangular_solve = triangular_solve  # type: ignore[attr-defined]


@op(primitive="Svd", init=("full_matrices", "compute_uv"), public=False,
    test=lambda t: [t.case(t.normal(3, 2), grad=False,
                           expect=lambda x: _numpy_svd(x))])  # fmt: skip
def svd_primitive(input: Array, full_matrices: bool = False, compute_uv: bool = True):
    """Singular values, and the left and right vectors; without ``compute_uv`` zeros in their place."""
    result = _body(svd)(input, full_matrices, compute_uv)
    return result if compute_uv else (result, jnp.zeros((), input.dtype), jnp.zeros((), input.dtype))


def _numpy_svd(x: np.ndarray) -> tuple:
    left, values, right = np.linalg.svd(x, full_matrices=False)
    return values, left, right.T


# -- least squares -----------------------------------------------------------------------------------------------------
@op(primitive="Lstsq", init=("fast", "l2_regularizer"), public=False,
    test=lambda t: [t.case(t.normal(4, 2), t.normal(4, 3), expect=lambda x, a: np.linalg.lstsq(x, a, None)[0]),
                    t.case(t.normal(2, 4), t.normal(2), tolerance=1e-4,
                           expect=lambda x, a: np.linalg.lstsq(x, a, None)[0][:, None])])  # fmt: skip
def least_squares(input: Array, A: Array, fast: bool = True, l2_regularizer: float = 0.0):
    """The ``x`` with the least squares of ``input @ x - A``, and the shortest of these."""
    require_float("input", input)
    require_same_dtype(input=input, A=A)
    require_rank("input", input, 2)
    require_rank("A", A, 1, 2)
    rhs = A if A.ndim == 2 else A[:, None]
    text = f"the 'input' and 'A' must have the same number of rows, but got shapes {input.shape} and {A.shape}."
    require(input.shape[0] == rhs.shape[0], text)
    return jnp.linalg.lstsq(input, rhs)[0]


def lstsq(input: Tensor, A: Tensor) -> Tensor:
    """The ``x`` with the least squares of ``input @ x - A``, and the shortest of these.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.lstsq(Tensor([[1.0], [1.0]]), Tensor([1.0, 3.0])).round())
        [[2.]]
    """
    return least_squares(input, A)


register_function(lstsq, method="lstsq")


def _numpy_ridge(matrix: np.ndarray, rhs: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return np.linalg.solve(matrix.T @ matrix + weight * np.eye(matrix.shape[1]), matrix.T @ rhs)


@op(primitive="MatrixSolveLs", init=("fast",), public=False,
    test=lambda t: [t.case(t.normal(4, 2), t.normal(4, 3), np.array(0.5), grad=(0, 1), expect=_numpy_ridge),
                    t.case(t.normal(2, 4, 2), t.normal(2, 4, 1), np.array(0.5), False, grad=False,
                           expect=lambda m, b, *_: np.linalg.pinv(m) @ b)])  # fmt: skip
def matrix_solve_ls(matrix: Array, rhs: Array, l2_regularizer: Array, fast: bool = True):
    """The ``x`` with the least squares of ``matrix @ x - rhs``; the fast way adds ``l2_regularizer`` times x's."""
    require_rank_from("matrix", matrix, 2)
    _check_equations("matrix", matrix, "rhs", rhs)
    if not fast:
        return jnp.linalg.pinv(matrix) @ rhs
    weight = l2_regularizer.astype(matrix.real.dtype).reshape(())
    adjoint = _adjoint(matrix)
    rows, columns = matrix.shape[-2:]
    ridge = weight * jnp.eye(min(rows, columns), dtype=matrix.dtype)
    if rows >= columns:
        return jnp.linalg.solve(adjoint @ matrix + ridge, adjoint @ rhs)
    return adjoint @ jnp.linalg.solve(matrix @ adjoint + ridge, rhs)


# -- eigenvalues and the logarithm -------------------------------------------------------------------------------------
def _complex(name: str, x: Any) -> Any:
    require_float(name, x)
    require_square(name, x)
    return x.astype(jnp.promote_types(x.dtype, jnp.complex64))


@op(primitive="Eig", init=("compute_v",), public=False,
    test=lambda t: [t.case(np.diag(t.positive(3)), grad=False, expect=lambda x: (np.diag(x), np.zeros(())))])  # fmt: skip
def eig_primitive(x: Array, compute_v: bool = False):
    """Eigenvalues and, with ``compute_v``, eigenvectors as columns; without it a zero in their place."""
    x = _complex("x", x)
    if not compute_v:
        return jnp.linalg.eigvals(x), jnp.zeros((), x.dtype)
    return tuple(jnp.linalg.eig(x))


@op(test=lambda t: [t.case(np.diag(t.positive(3)), grad=False, expect=lambda A: (np.diag(A), np.eye(3)))])
def eig(A: Array):
    """The eigenvalues of a square matrix and its eigenvectors as columns, complex.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> values, vectors = ops.eig(Tensor([[2.0, 0.0], [0.0, 3.0]]))
        >>> print(values)
        [2.+0.j 3.+0.j]
    """
    return tuple(jnp.linalg.eig(_complex("A", A)))


@op(method="eigvals", test=lambda t: [t.case(np.diag(t.positive(3)), grad=False, expect=np.diag)])
def eigvals(A: Array):
    """The eigenvalues of a square matrix, complex.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.eigvals(Tensor([[2.0, 1.0], [0.0, 3.0]])))
        [2.+0.j 3.+0.j]
    """
    return jnp.linalg.eigvals(_complex("A", A))


_ROOTS = 6  # how often the square root is taken before the series
_POINTS, _WEIGHTS = (values for values in np.polynomial.legendre.leggauss(12))


def _logarithm(matrix: Any) -> Any:
    """Square roots until the matrix is near 1, then a rational approximation by Gauss-Legendre quadrature."""
    for _ in range(_ROOTS):
        matrix = jax.scipy.linalg.sqrtm(matrix)
    one = jnp.eye(matrix.shape[0], dtype=matrix.dtype)
    rest = matrix - one
    terms = [w / 2 * jnp.linalg.solve(one + (p + 1) / 2 * rest, rest) for p, w in zip(_POINTS, _WEIGHTS, strict=True)]
    return 2**_ROOTS * sum(terms)


@op(primitive="MatrixLogarithm", public=False,
    test=lambda t: [t.case(np.diag(np.array([1, 2, 0.5], np.complex64)), grad=False, tolerance=1e-5,
                           expect=lambda x: np.diag(np.log(np.diag(x))))])  # fmt: skip
def matrix_logarithm(x: Array):
    """The matrix whose exponential is ``x``, complex."""
    require(jnp.iscomplexobj(x), f"the 'x' must hold complex numbers, but got dtype {x.dtype}.", TypeError)
    require_square("x", x)
    wide = x.astype(jnp.complex128)  # the roots lose digits
    return jnp.vectorize(_logarithm, signature="(n,n)->(n,n)")(wide).astype(x.dtype)
