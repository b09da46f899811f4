"""Factors of matrices, least squares, eigenvalues."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.dtype_checks import accepts, halves_as_float32
from mindspore._ops.declaring.requirements import (
    require,
    require_float,
    require_rank,
    require_rank_from,
    require_same_dtype,
    require_square,
)
from mindspore._ops.linalg.matrix import qr, svd
from mindspore._ops.linalg.triangular import check_equations


def _body(function: Any) -> Any:
    """An operator's body, for use inside another operator."""
    return function.__wrapped__


def _adjoint(x: Any) -> Any:
    return jnp.conj(x.swapaxes(-1, -2))


# -- orthonormal columns -----------------------------------------------------------------------------------------------
def _numpy_geqrf(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    factors, tau = np.linalg.qr(x.astype(np.float64), mode="raw")
    return factors.T, tau


@op(primitive="Geqrf", method="geqrf",
    test=lambda t: [t.case(t.normal(4, 3), grad=False, expect=_numpy_geqrf)])  # fmt: skip
@halves_as_float32
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
@halves_as_float32
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
    require_rank("input2", input2, input.ndim - 1)
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
@halves_as_float32
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
    require_rank("tau", tau, input.ndim - 1)
    require_rank_from("other", other, 2)
    rows, columns = input.shape[-2:]
    text = f"the 'input' must not have more columns than rows of elements, but got shape {input.shape}."
    require(rows >= tau.shape[-1], text)
    text = f"the 'tau' must have at most {columns} elements, one per column, but got shape {tau.shape}."
    require(tau.shape[-1] <= columns, text)
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
@halves_as_float32
def qr_primitive(x: Array, full_matrices: bool = False):
    """The factors of a matrix: orthonormal columns times an upper triangle.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> q, r = ops.Qr()(Tensor([[3.0, 1.0], [4.0, 2.0]]))
        >>> print(ops.matmul(q, r).round(3))
        [[3. 1.]
         [4. 2.]]
    """
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


attach("qr", qr_method)


@op(primitive="Svd", init=("full_matrices", "compute_uv"), public=False,
    test=lambda t: [t.case(t.normal(3, 2), grad=False,
                           expect=lambda x: _numpy_svd(x))])  # fmt: skip
@halves_as_float32
def svd_primitive(input: Array, full_matrices: bool = False, compute_uv: bool = True):
    """Singular values, and the left and right vectors; without ``compute_uv`` zeros instead of the vectors.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Svd(compute_uv=False)(Tensor([[3.0, 0.0], [0.0, 2.0]]))[0])
        [3. 2.]
    """
    result = _body(svd)(input, full_matrices, compute_uv)
    return result if compute_uv else (result, jnp.zeros((), input.dtype), jnp.zeros((), input.dtype))


def _numpy_svd(x: np.ndarray) -> tuple:
    left, values, transposed = np.linalg.svd(x, full_matrices=False)
    right = transposed.T
    signs = np.sign(right[np.abs(right).argmax(0), range(right.shape[1])])  # NumPy's depend on the processor
    return values, left * signs, right * signs


# -- least squares -----------------------------------------------------------------------------------------------------
@op(primitive="Lstsq", init=("fast", "l2_regularizer"), public=False,
    test=lambda t: [t.case(t.normal(4, 2), t.normal(4, 3), expect=lambda x, a: np.linalg.lstsq(x, a, None)[0]),
                    t.case(t.normal(2, 4), t.normal(2), tolerance=1e-4,
                           expect=lambda x, a: np.linalg.lstsq(x, a, None)[0][:, None])])  # fmt: skip
@halves_as_float32
def least_squares(input: Array, A: Array, fast: bool = True, l2_regularizer: float = 0.0):
    """The ``x`` with the least squares of ``input @ x - A``, and the shortest of these.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Lstsq()(Tensor([[1.0, 0.0], [0.0, 2.0]]), Tensor([[3.0], [4.0]])).round(3))
        [[3.]
         [2.]]
    """
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
@halves_as_float32
@accepts("f", "l2_regularizer")
def matrix_solve_ls(matrix: Array, rhs: Array, l2_regularizer: Array, fast: bool = True):
    """The ``x`` with the least squares of ``matrix @ x - rhs``; the fast way adds ``l2_regularizer`` times x's.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> matrix, rhs = Tensor([[1.0, 0.0], [0.0, 2.0]]), Tensor([[3.0], [4.0]])
        >>> print(ops.MatrixSolveLs()(matrix, rhs, Tensor(0.0, mindspore.float64)).round(3))
        [[3.]
         [2.]]
    """
    require_rank_from("matrix", matrix, 2)
    check_equations("matrix", matrix, "rhs", rhs)
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
def _at_least_single(name: str, x: Any) -> Any:
    """A square matrix whose eigenvalues are found as they are: real ones take a third of the time of complex ones."""
    require_float(name, x)
    require_square(name, x)
    return x.astype(jnp.promote_types(x.dtype, jnp.float32))


@op(primitive="Eig", init=("compute_v",), public=False,
    test=lambda t: [t.case(np.diag(t.positive(3)), grad=False, expect=lambda x: (np.diag(x), np.zeros(())))])  # fmt: skip
def eig_primitive(x: Array, compute_v: bool = False):
    """Eigenvalues and, with ``compute_v``, eigenvectors as columns; without it a zero instead.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> values, _ = ops.Eig(compute_v=False)(Tensor([[2.0, 0.0], [0.0, 3.0]]))
        >>> print(values)
        [2.+0.j 3.+0.j]
    """
    x = _at_least_single("x", x)
    if not compute_v:
        return jnp.linalg.eigvals(x), jnp.zeros((), jnp.promote_types(x.dtype, jnp.complex64))
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
    return tuple(jnp.linalg.eig(_at_least_single("A", A)))


@op(method="eigvals", test=lambda t: [t.case(np.diag(t.positive(3)), grad=False, expect=np.diag)])
def eigvals(A: Array):
    """The eigenvalues of a square matrix, complex.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.eigvals(Tensor([[2.0, 1.0], [0.0, 3.0]])))
        [2.+0.j 3.+0.j]
    """
    return jnp.linalg.eigvals(_at_least_single("A", A))


_ROOTS = 6  # how often the square root is taken before the series
_POINTS, _WEIGHTS = (values for values in np.polynomial.legendre.leggauss(12))


def _logarithm(matrix: Any) -> Any:
    """Square roots until the matrix is near 1, then a rational approximation by Gauss-Legendre quadrature."""
    for _ in range(_ROOTS):
        matrix = jax.scipy.linalg.sqrtm(matrix)
    identity = jnp.eye(matrix.shape[0], dtype=matrix.dtype)
    rest = matrix - identity
    terms = [
        w / 2 * jnp.linalg.solve(identity + (p + 1) / 2 * rest, rest) for p, w in zip(_POINTS, _WEIGHTS, strict=True)
    ]
    return 2**_ROOTS * sum(terms)


@op(primitive="MatrixLogarithm", public=False,
    test=lambda t: [t.case(np.diag(np.array([1, 2, 0.5], np.complex64)), grad=False, tolerance=1e-5,
                           expect=lambda x: np.diag(np.log(np.diag(x))))])  # fmt: skip
def matrix_logarithm(x: Array):
    """The matrix whose exponential is ``x``, complex.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.MatrixLogarithm()(Tensor([[1.0, 0.0], [0.0, 1.0]], mindspore.complex64)))
        [[0.+0.j 0.+0.j]
         [0.+0.j 0.+0.j]]
    """
    require(jnp.iscomplexobj(x), f"the 'x' must hold complex numbers, but got dtype {x.dtype}.", TypeError)
    require_square("x", x)
    wide = x.astype(jnp.complex128)  # the roots lose digits
    return jnp.vectorize(_logarithm, signature="(n,n)->(n,n)")(wide).astype(x.dtype)
