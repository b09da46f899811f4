"""Linear equations solved step by step: the matrix is only multiplied with, so it may be sparse or a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_one_of, check_positive_int, check_type, shown
from mindspore.common.sparse_tensor import CSRTensor
from mindspore.common.tensor import Tensor
from mindspore.scipy.optimize._line_search import refuse_tracing
from mindspore.scipy.utils import dot
from mindspore.scipy.utils_const import check_tensor

__all__ = ["cg", "gmres"]


def _product(owner: str, name: str, matrix: Any) -> Callable[[Tensor], Any]:
    """Multiplication with the matrix, which None leaves out."""
    if matrix is None:
        return lambda x: x
    if isinstance(matrix, (Tensor, CSRTensor)):
        return lambda x: dot(matrix, x)
    if callable(matrix):
        return matrix
    raise TypeError(
        f"For '{owner}', the '{name}' must be a Tensor, a CSRTensor or a function, but got {shown(matrix)}."
    )


def _inner(x: Tensor, y: Tensor) -> Tensor:
    return (x * y).sum()


def _length(x: Tensor) -> Tensor:
    return ops.sqrt(_inner(x, x))


def _prepared(owner: str, A: Any, b: Any, x0: Any, maxiter: Any, M: Any) -> tuple:
    refuse_tracing(owner)
    check_tensor(owner, "b", b)
    check_type(owner, "x0", x0, (Tensor, type(None)))
    start = ops.zeros_like(b) if x0 is None else x0
    if start.shape != b.shape:
        raise ValueError(f"For '{owner}', the 'x0' must have the shape of 'b', {b.shape}, but got {start.shape}.")
    most = 10 * b.size if maxiter is None else check_positive_int(owner, "maxiter", maxiter)
    return start, most, _product(owner, "A", A), _product(owner, "M", M)


def cg(A: Any, b: Tensor, x0: Tensor | None = None, *, tol: float = 1e-5, atol: float = 0.0,
       maxiter: int | None = None, M: Any = None) -> tuple[Tensor, int]:  # fmt: skip
    """The solution of ``A @ x = b`` for a symmetric positive definite ``A``, by conjugate gradients.

    Args:
        A: a Tensor, a CSRTensor, or a function that multiplies.
        b: the right-hand side.
        x0: the first guess, zeros unless given.
        tol, atol: the residual may be as long as the larger of ``tol`` times the length of ``b`` and ``atol``.
        maxiter: the most steps.
        M: about the inverse of ``A``, like it a matrix or a function; it makes the way shorter.

    Returns:
        The solution, and 0, or the number of steps when these were not enough.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.sparse.linalg import cg
        >>> x, info = cg(Tensor([[4.0, 1.0], [1.0, 3.0]]), Tensor([5.0, 4.0]))
        >>> print(x.round(), info)
        [1. 1.] 0
    """
    x, most, times, prepare = _prepared("cg", A, b, x0, maxiter, M)
    limit = max(tol * float(_length(b)), atol)
    residual = b - times(x)
    direction = prepared = prepare(residual)
    size = _inner(residual, prepared)
    for _ in range(most):
        if float(_length(residual)) <= limit:
            return x, 0
        image = times(direction)
        step = size / _inner(direction, image)
        x, residual = x + direction * step, residual - image * step
        prepared = prepare(residual)
        before, size = size, _inner(residual, prepared)
        direction = prepared + direction * (size / before)
    return x, 0 if float(_length(residual)) <= limit else most


def gmres(A: Any, b: Tensor, x0: Tensor | None = None, *, tol: float = 1e-5, atol: float = 0.0, restart: int = 20,
          maxiter: int | None = None, M: Any = None, callback: Any = None, restrt: Any = None,
          callback_type: Any = None, solve_method: str = "batched") -> tuple[Tensor, int]:  # fmt: skip
    """The solution of ``A @ x = b`` by least residuals; see :func:`cg` for the arguments.

    Args:
        restart: after how many directions the search begins anew.
        callback, restrt, callback_type: taken for SciPy's sake.
        solve_method: 'batched' or 'incremental', which find the same.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.sparse.linalg import gmres
        >>> x, info = gmres(Tensor([[2.0, 1.0], [0.0, 3.0]]), Tensor([3.0, 3.0]))
        >>> print(x.round(), info)
        [1. 1.] 0
    """
    check_one_of("gmres", "solve_method", solve_method, ("batched", "incremental"))
    x, most, times, prepare = _prepared("gmres", A, b, x0, maxiter, M)
    limit = max(tol * float(_length(b)), atol)
    count = min(check_positive_int("gmres", "restart", restart), b.size)
    for _ in range(most):
        residual = b - times(x)
        if float(_length(residual)) <= limit:
            return x, 0
        x = x + _best_of_directions(times, prepare, prepare(residual), count)
    return x, 0 if float(_length(b - times(x))) <= limit else most


def _best_of_directions(times: Callable[..., Any], prepare: Callable[..., Any], residual: Tensor, count: int) -> Tensor:
    """The combination of ``residual, A @ residual, ...`` that makes the residual shortest (Arnoldi's method)."""
    length = _length(residual)
    basis = [residual / length]
    columns: list[list[Tensor]] = []
    for _ in range(count):
        image = prepare(times(basis[-1]))
        column = []
        for one in basis:
            column.append(_inner(one, image))
            image = image - one * column[-1]
        column.append(_length(image))
        columns.append(column)
        if float(column[-1]) <= 1e-7 * float(length):  # nothing new: the directions so far suffice
            break
        basis.append(image / column[-1])
    rows = len(columns) + 1
    zero = ops.zeros((), residual.dtype)
    matrix = ops.stack([ops.stack([*column, *[zero] * (rows - len(column))]) for column in columns], 1)
    right = ops.stack([length, *[zero] * (rows - 1)])
    normal = ops.matmul(matrix.T, matrix)
    weights = ops.matmul(ops.inverse(normal), ops.matmul(matrix.T, right))
    return sum((basis[index] * weights[index] for index in range(1, len(columns))), basis[0] * weights[0])
