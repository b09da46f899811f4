"""Linear algebra by SciPy's names. Matrices of whole numbers are computed in float64."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._ops.linalg.scipy_linalg import DRIVERS, scipy_block_diag, scipy_eigh, scipy_lstsq, scipy_lu
from mindspore._utils.checks import check_int, check_one_of, check_type
from mindspore._utils.documented import claim as _claim
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.scipy.ops import solve_triangular as _solve_triangular
from mindspore.scipy.utils_const import check_flags, check_matrix, check_tensor

__all__ = [
    "block_diag",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "det",
    "eigh",
    "inv",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "solve_triangular",
]


def block_diag(*arrs: Tensor) -> Tensor:
    """The block diagonal matrix of the inputs; a vector is a row.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.linalg import block_diag
        >>> print(block_diag(Tensor([[1, 2]]), Tensor([[3], [4]])))
        [[1 2 0]
         [0 0 3]
         [0 0 4]]
    """
    if not arrs:
        return ops.zeros((1, 0), mstype.float32)
    for array in arrs:
        if check_tensor("block_diag", "arrs", array).ndim > 2:
            raise ValueError(
                f"For 'block_diag', the 'arrs' must have at most 2 dimensions, but got shape {array.shape}."
            )
    return scipy_block_diag(list(arrs))


def cholesky(a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Tensor:
    """The triangular factor of a symmetric positive definite matrix.

    Another matrix is refused with a RuntimeError.

    Args:
        a: the matrix.
        lower: the lower triangle ``L`` with ``a = L @ L.T``, not the upper ``U`` with ``a = U.T @ U``.
        overwrite_a, check_finite: taken for SciPy's sake.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.linalg import cholesky
        >>> print(cholesky(Tensor([[1.0, 2.0], [2.0, 5.0]]), lower=True))
        [[1. 0.]
         [2. 1.]]
    """
    return _cholesky("cholesky", a, lower, overwrite_a, check_finite)


def _cholesky(owner: str, a: Tensor, lower: bool, overwrite_a: bool, check_finite: bool) -> Tensor:
    check_flags(owner, lower=lower, overwrite_a=overwrite_a, check_finite=check_finite)
    return ops.cholesky(check_matrix(owner, "a", a), not lower)


def cho_factor(a: Tensor, lower: bool = False, overwrite_a: bool = False,
               check_finite: bool = True) -> tuple[Tensor, bool]:  # fmt: skip
    """The factor of :func:`cholesky` and whether it is lower triangular: what :func:`cho_solve` takes.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.linalg import cho_factor, cho_solve
        >>> print(cho_solve(cho_factor(Tensor([[4.0, 0.0], [0.0, 2.0]])), Tensor([8.0, 2.0])).round())
        [2. 1.]
    """
    return _cholesky("cho_factor", a, lower, overwrite_a, check_finite), lower


def cho_solve(c_and_lower: tuple[Tensor, bool], b: Tensor, overwrite_b: bool = False,
              check_finite: bool = True) -> Tensor:  # fmt: skip
    """The solution of ``a @ x = b`` from the factor of ``a`` that :func:`cho_factor` gave.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.linalg import cho_factor, cho_solve
        >>> factor = cho_factor(Tensor([[4.0, 0.0], [0.0, 9.0]]))
        >>> print(cho_solve(factor, Tensor([8.0, 18.0])))
        [2. 2.]
    """
    check_type("cho_solve", "c_and_lower", c_and_lower, (tuple, list))
    if len(c_and_lower) != 2:
        raise ValueError(
            f"For 'cho_solve', the 'c_and_lower' must be what cho_factor gave, a pair, but got {c_and_lower}."
        )
    factor, lower = c_and_lower
    check_flags("cho_solve", lower=lower, overwrite_b=overwrite_b, check_finite=check_finite)
    return _solve("cho_solve", "c", factor, b, lambda c, right: ops.cholesky_solve(right, c, not lower))


def _solve(owner: str, name: str, matrix: Tensor, b: Tensor, solve: Any) -> Tensor:
    """Check a matrix and a right-hand side, which may be a vector, and solve."""
    factor = check_matrix(owner, name, matrix)
    if check_tensor(owner, "b", b).dtype != matrix.dtype:
        raise TypeError(
            f"For '{owner}', the data type of '{name}' and 'b' should be the same, but got the data type of '{name}' is "
            f"{matrix.dtype} and the data type of 'b' is {b.dtype}."
        )
    if b.ndim not in (1, 2) or b.shape[0] != factor.shape[0]:
        raise ValueError(
            f"For '{owner}', the shapes of '{name}' and 'b' must be like (N, N) and (N, M) or (N), but got "
            f"{factor.shape} and {b.shape}."
        )
    right = b.astype(factor.dtype)
    return solve(factor, right) if b.ndim == 2 else solve(factor, right.reshape(-1, 1)).reshape(-1)


def det(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> Tensor:
    """The determinant.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.linalg import det
        >>> print(det(Tensor([[2.0, 0.0], [0.0, 3.0]])))
        6.0
    """
    check_flags("det", overwrite_a=overwrite_a, check_finite=check_finite)
    return ops.det(check_matrix("det", "a", a))


def eigh(a: Tensor, b: None = None, lower: bool = True, eigvals_only: bool = False, overwrite_a: bool = False,
         overwrite_b: bool = False, turbo: bool = True, eigvals: None = None, type: int = 1,
         check_finite: bool = True) -> Any:  # fmt: skip
    """The eigenvalues, in ascending order, and eigenvectors of a symmetric or Hermitian matrix.

    Args:
        a: the matrix; only a triangle is read.
        lower: which triangle.
        eigvals_only: leave the eigenvectors out.
        b, eigvals: None; the generalized problem and a part of the eigenvalues are not computed, as in MindSpore.
        overwrite_a, overwrite_b, turbo, type, check_finite: taken for SciPy's sake.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.linalg import eigh
        >>> print(eigh(Tensor([[2.0, 0.0], [0.0, 1.0]]), eigvals_only=True))
        [1. 2.]
    """
    flags = {"eigvals_only": eigvals_only, "overwrite_a": overwrite_a, "overwrite_b": overwrite_b, "turbo": turbo}
    check_flags("eigh", lower=lower, check_finite=check_finite, **flags)
    check_int("eigh", "type", type)
    for name, value in (("b", b), ("eigvals", eigvals)):
        if value is not None:
            raise ValueError(f"For 'eigh', currently only case {name}=None of 'eigh' is implemented.")
    return scipy_eigh(check_matrix("eigh", "a", a, complex_too=True), lower, not eigvals_only)


def inv(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> Tensor:
    """The inverse of a matrix.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.linalg import inv
        >>> print(inv(Tensor([[2.0, 0.0], [0.0, 4.0]])))
        [[0.5  0.  ]
         [0.   0.25]]
    """
    check_flags("inv", overwrite_a=overwrite_a, check_finite=check_finite)
    return ops.inverse(check_matrix("inv", "a", a))


def lstsq(A: Tensor, B: Tensor, rcond: Any = None, driver: str | None = None) -> tuple[Tensor, ...]:
    """The ``x`` with the least squares of ``A @ x - B``; also their sums, the rank of ``A`` and its singular values.

    Args:
        A: a matrix or a batch.
        B: as many rows as ``A``; a vector or several columns.
        rcond: taken for SciPy's sake.
        driver: 'gels' leaves out the rank and the singular values, 'gelsy' (which is meant by None) the sums and the
            singular values, 'gelss' and 'gelsd' nothing. What is left out is an empty Tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.linalg import lstsq
        >>> solution, _, rank, _ = lstsq(Tensor([[1.0], [1.0]]), Tensor([[1.0], [3.0]]))
        >>> print(solution.round(), rank)
        [[2.]] 1
    """
    check_tensor("lstsq", "A", A)
    check_tensor("lstsq", "B", B)
    driver = "gelsy" if driver is None else check_one_of("lstsq", "driver", driver, DRIVERS)
    return scipy_lstsq(A, B, driver)


def lu(a: Tensor, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Tensor, ...]:
    """A permutation, a unit lower triangular and an upper triangular matrix, whose product is ``a``.

    Args:
        a: the matrix, square or not.
        permute_l: two matrices instead, the lower triangular matrix already permuted.
        overwrite_a, check_finite: taken for SciPy's sake.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.linalg import lu
        >>> permutation, lower, upper = lu(Tensor([[0.0, 1.0], [2.0, 0.0]]))
        >>> print(upper)
        [[2. 0.]
         [0. 1.]]
    """
    check_flags("lu", permute_l=permute_l, overwrite_a=overwrite_a, check_finite=check_finite)
    matrix = check_matrix("lu", "a", a, square=False)
    factors, _, permutation = scipy_lu(matrix)
    rows, columns = matrix.shape
    least = min(rows, columns)
    lower = ops.tril(factors[:, :least], -1) + ops.eye(rows, least, matrix.dtype)
    upper = ops.triu(factors[:least, :])
    if permute_l:
        return ops.matmul(permutation.astype(lower.dtype), lower), upper
    return permutation, lower, upper


def lu_factor(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Tensor, Tensor]:
    """Both triangles of :func:`lu` packed into a matrix, and the pivots: the row each row was swapped with.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.linalg import lu_factor, lu_solve
        >>> print(lu_solve(lu_factor(Tensor([[0.0, 1.0], [2.0, 0.0]])), Tensor([3.0, 4.0])))
        [2. 3.]
    """
    check_flags("lu_factor", overwrite_a=overwrite_a, check_finite=check_finite)
    return scipy_lu(check_matrix("lu_factor", "a", a))[:2]


def lu_solve(lu_and_piv: tuple[Tensor, Tensor], b: Tensor, trans: int | str = 0, overwrite_b: bool = False,
             check_finite: bool = True) -> Tensor:  # fmt: skip
    """The solution of ``a @ x = b`` from what :func:`lu_factor` gave; ``trans=1`` is for the transpose of ``a``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.linalg import lu_factor, lu_solve
        >>> factor = lu_factor(Tensor([[4.0, 0.0], [0.0, 9.0]]))
        >>> print(lu_solve(factor, Tensor([8.0, 18.0])))
        [2. 2.]
    """
    check_type("lu_solve", "lu_and_piv", lu_and_piv, (tuple, list))
    check_one_of("lu_solve", "trans", trans, (0, 1, 2, "N", "T", "C"))
    check_flags("lu_solve", overwrite_b=overwrite_b, check_finite=check_finite)
    if len(lu_and_piv) != 2:
        raise ValueError(
            f"For 'lu_solve', the 'lu_and_piv' must be the two results of lu_factor, but got {len(lu_and_piv)}."
        )
    factors, pivots = lu_and_piv

    def solve(matrix: Tensor, right: Tensor) -> Tensor:
        if trans in (0, "N"):
            return ops.lu_solve(right, matrix, pivots + 1)
        half = _solve_triangular(matrix, right, 1)
        permuted = _solve_triangular(matrix, half, 1, lower=True, unit_diagonal=True)
        permutation = ops.lu_unpack(matrix, pivots + 1, False)[0]
        return ops.matmul(permutation, permuted)

    return _solve("lu_solve", "lu", factors, b, solve)


def solve_triangular(a: Tensor, b: Tensor, trans: int | str = 0, lower: bool = False, unit_diagonal: bool = False,
                     overwrite_b: bool = False, debug: Any = None, check_finite: bool = True) -> Tensor:  # fmt: skip
    """The solution of ``a @ x = b`` for a triangle ``a``, or for a batch of them.

    Args:
        a: of shape (..., N, N).
        b: of shape (..., N) or (..., N, M).
        trans: 1 or 'T' for the transpose of ``a``, 2 or 'C' for its adjoint.
        lower: read the lower triangle, not the upper.
        unit_diagonal: take the diagonal as ones.
        overwrite_b, debug, check_finite: taken for SciPy's sake.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.linalg import solve_triangular
        >>> print(solve_triangular(Tensor([[2.0, 0.0], [1.0, 1.0]]), Tensor([4.0, 3.0]), lower=True))
        [2. 1.]
    """
    return _solve_triangular(a, b, trans, lower, unit_diagonal)


_claim(__name__)
