"""Linear equations solved step by step: the matrix is only multiplied with, so it may be sparse or a function.

Each method is a loop that a graph compiles as a loop. The gradient of a solution for a matrix and a right-hand side is
found by solving once more, with the transposed matrix; of a function that multiplies it goes back through the steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore._engine.autodiff.custom_vjp import call_with_bprop
from mindspore._engine.tracing.traced_kernel import tracing
from mindspore._utils.checks import check_one_of, check_positive_int, check_type, shown
from mindspore.common import dtype as mstype
from mindspore.common.sparse_tensor import CSRTensor
from mindspore.common.tensor import Tensor
from mindspore.scipy.utils import dot
from mindspore.scipy.utils_const import check_tensor

__all__ = ["bicgstab", "cg", "gmres"]

Product = Callable[[Tensor], Any]
Solver = Callable[[Product, Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]


def cg(A: Any, b: Tensor, x0: Tensor | None = None, *, tol: float = 1e-5, atol: float = 0.0,
       maxiter: int | None = None, M: Any = None) -> tuple[Tensor, Any]:  # fmt: skip
    """The solution of ``A @ x = b`` for a symmetric positive definite ``A``, by conjugate gradients.

    Args:
        A: a Tensor, a CSRTensor, or a function that multiplies.
        b: the right-hand side.
        x0: the first guess, zeros unless given.
        tol, atol: the residual may be as long as the larger of ``tol`` times the length of ``b`` and ``atol``.
        maxiter: the most steps.
        M: about the inverse of ``A``, like it a matrix or a function; it makes the way shorter.

    Returns:
        The solution, and 0, or the number of steps when these were not enough (in a graph as a Tensor).

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.sparse.linalg import cg
        >>> x, info = cg(Tensor([[4.0, 1.0], [1.0, 3.0]]), Tensor([5.0, 4.0]))
        >>> print(x.round(), info)
        [1. 1.] 0
    """
    prepare = _product("cg", "M", M)

    def solve(times: Product, b: Tensor, x: Tensor, limit: Tensor) -> Any:
        residual = b - times(x)
        prepared = prepare(residual)

        def step(now: dict[str, Any]) -> dict[str, Any]:
            image = times(now["direction"])
            size = now["size"] / _inner(now["direction"], image)
            residual = now["residual"] - image * size
            prepared = prepare(residual)
            after = _inner(residual, prepared)
            return {
                "x": now["x"] + now["direction"] * size, "residual": residual, "size": after,
                "direction": prepared + now["direction"] * (after / now["size"]), "steps": now["steps"] + 1,
            }  # fmt: skip

        begin = {"residual": residual, "size": _inner(residual, prepared), "direction": prepared}
        return _until_short(step, {"x": x, **begin}, limit, _most(b, "cg", maxiter))

    return _solution("cg", solve, A, b, x0, tol, atol)


def bicgstab(A: Any, b: Tensor, x0: Tensor | None = None, *, tol: float = 1e-5, atol: float = 0.0,
             maxiter: int | None = None, M: Any = None) -> tuple[Tensor, Any]:  # fmt: skip
    """The solution of ``A @ x = b`` by stabilized biconjugate gradients; see :func:`cg` for the arguments.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.sparse.linalg import bicgstab
        >>> x, info = bicgstab(Tensor([[2.0, 1.0], [0.0, 3.0]]), Tensor([3.0, 3.0]))
        >>> print(x.round(), info)
        [1. 1.] 0
    """
    prepare = _product("bicgstab", "M", M)

    def solve(times: Product, b: Tensor, x: Tensor, limit: Tensor) -> Any:
        first = b - times(x)

        def step(now: dict[str, Any]) -> dict[str, Any]:
            size = _inner(first, now["residual"])
            turn = _ratio(size * now["alpha"], now["size"] * now["omega"])
            direction = now["residual"] + (now["direction"] - now["image"] * now["omega"]) * turn
            prepared = prepare(direction)
            image = times(prepared)
            alpha = _ratio(size, _inner(first, image))
            half = now["residual"] - image * alpha
            steadied = prepare(half)
            turned = times(steadied)
            omega = _ratio(_inner(turned, half), _inner(turned, turned))
            return {
                "x": now["x"] + prepared * alpha + steadied * omega, "residual": half - turned * omega, "size": size,
                "alpha": alpha, "omega": omega, "direction": direction, "image": image, "steps": now["steps"] + 1,
            }  # fmt: skip

        unit, nothing = ops.ones((), b.dtype), ops.zeros_like(b)
        begin = {"size": unit, "alpha": unit, "omega": unit, "direction": nothing, "image": nothing}
        return _until_short(step, {"x": x, "residual": first, **begin}, limit, _most(b, "bicgstab", maxiter))

    return _solution("bicgstab", solve, A, b, x0, tol, atol)


def gmres(A: Any, b: Tensor, x0: Tensor | None = None, *, tol: float = 1e-5, atol: float = 0.0, restart: int = 20,
          maxiter: int | None = None, M: Any = None, callback: Any = None, restrt: Any = None,
          callback_type: Any = None, solve_method: str = "batched") -> tuple[Tensor, Any]:  # fmt: skip
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
    check_positive_int("gmres", "restart", restart)
    prepare = _product("gmres", "M", M)

    def solve(times: Product, b: Tensor, x: Tensor, limit: Tensor) -> Any:
        def step(now: dict[str, Any]) -> dict[str, Any]:
            x = now["x"] + _best_of_directions(times, prepare, prepare(now["residual"]), min(restart, b.size))
            return {"x": x, "residual": b - times(x), "steps": now["steps"] + 1}

        return _until_short(step, {"x": x, "residual": b - times(x)}, limit, _most(b, "gmres", maxiter))

    return _solution("gmres", solve, A, b, x0, tol, atol)


def _best_of_directions(times: Product, prepare: Product, residual: Tensor, count: int) -> Tensor:
    """The combination of ``residual, A @ residual, ...`` that makes the residual shortest (Arnoldi's method)."""
    length = _length(residual)
    numbers, rows = ops.arange(count), ops.arange(count + 1)

    def extend(index: Any, carried: tuple) -> tuple:
        basis, matrix = carried  # a direction per row; a column per direction
        image = prepare(times(basis[index].reshape(residual.shape))).reshape(-1)
        column = ops.matmul(basis, image)
        image = image - ops.matmul(column, basis)
        rest = _length(image)
        fresh = rest > 1e-7 * length  # nothing new otherwise: the directions so far suffice, and the others are zero
        added = ops.where(fresh, image / ops.where(fresh, rest, 1.0), 0.0)
        column = ops.where(rows == index + 1, rest, column)
        basis = ops.where((rows == index + 1).expand_dims(1), added, basis)
        return basis, ops.where(numbers == index, column.expand_dims(1), matrix)

    start = ops.where((rows == 0).expand_dims(1), (residual / length).reshape(-1), 0.0).astype(residual.dtype)
    begin = (start, ops.zeros((count + 1, count), residual.dtype))
    basis, matrix = ops.ForiLoop()(0, count, extend, begin, False)
    normal = ops.matmul(matrix.T, matrix)
    identity = ops.eye(count, count, normal.dtype)
    unused = identity * (normal.diagonal() == 0)  # keeps the equations of zero columns solvable
    weights = ops.matmul(ops.inverse(normal + unused), matrix[0] * length)
    return ops.matmul(weights, basis[:-1]).reshape(residual.shape)


# -- what all have in common ------------------------------------------------------------------------------------------
def _product(owner: str, name: str, matrix: Any) -> Product:
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


def _ratio(x: Tensor, y: Tensor) -> Tensor:
    """A quotient; 0 where nothing is left to divide by, which is so at the solution."""
    return ops.where(y == 0, 0.0, x / ops.where(y == 0, 1.0, y)).astype(x.dtype)


def _most(b: Tensor, owner: str, maxiter: int | None) -> int:
    return 10 * b.size if maxiter is None else check_positive_int(owner, "maxiter", maxiter)


def _until_short(step: Callable[..., Any], begin: dict[str, Any], limit: Tensor, most: int) -> tuple[Tensor, Tensor]:
    """Repeat a step until the residual is short enough; the solution, and 0 or the number of steps."""

    def too_long(now: dict[str, Any]) -> Tensor:
        return _length(now["residual"]) > limit

    def ordered(now: dict[str, Any]) -> dict[str, Any]:
        after = step(now)
        return {name: after[name] for name in now}

    begin = {**begin, "steps": ops.zeros((), mstype.int64)}
    last = ops.WhileLoop()(lambda now: ops.logical_and(too_long(now), now["steps"] < most), ordered, begin)
    return last["x"], ops.where(too_long(last), most, 0).astype(mstype.int64)


def _solution(owner: str, solve: Solver, A: Any, b: Any, x0: Any, tol: float, atol: float) -> tuple[Tensor, Any]:
    times = _product(owner, "A", A)
    check_tensor(owner, "b", b)
    check_type(owner, "x0", x0, (Tensor, type(None)))
    start = ops.zeros_like(b) if x0 is None else x0
    if start.shape != b.shape:
        raise ValueError(f"For '{owner}', the 'x0' must have the shape of 'b', {b.shape}, but got {start.shape}.")

    def solved(times: Product, right: Tensor, start: Tensor) -> tuple[Tensor, Tensor]:
        limit = ops.maximum(tol * _length(right), Tensor(atol, right.dtype))
        return solve(times, right, start, limit)

    def bprop(matrix: Tensor, right: Tensor, out: Any, dout: Any) -> tuple[Tensor, Tensor]:
        of_right = solved(_transposed(A, matrix), dout[0], ops.zeros_like(right))[0]
        return _gradient_of_matrix(A, of_right, out[0]), of_right

    if isinstance(A, (Tensor, CSRTensor)):
        entries = A if isinstance(A, Tensor) else A.values
        x, info = call_with_bprop(lambda: solved(times, b, start), bprop, (entries, b), (), owner)
    else:
        x, info = solved(times, b, start)
    return x, info if tracing() else int(info)


def _transposed(A: Any, entries: Tensor) -> Product:
    if isinstance(A, Tensor):
        return lambda x: ops.matmul(entries.T, x)
    rows = _rows(A)

    def times(x: Tensor) -> Tensor:
        parts = entries.reshape((-1,) + (1,) * (x.ndim - 1)) * x[rows]
        return ops.zeros((A.shape[1], *x.shape[1:]), x.dtype).index_add(0, A.indices, parts)

    return times


def _gradient_of_matrix(A: Any, of_right: Tensor, x: Tensor) -> Tensor:
    """Minus the products of the right-hand side's gradient and the solution, for each entry of the matrix."""
    left, right = of_right.reshape((x.shape[0], -1)), x.reshape((x.shape[0], -1))
    if isinstance(A, Tensor):
        return -ops.matmul(left, right.T)
    return -(left[_rows(A)] * right[A.indices]).sum(1)


def _rows(A: CSRTensor) -> Tensor:
    """The row of each entry."""
    positions = ops.arange(A.indices.shape[0])
    return (ops.searchsorted(A.indptr, positions, right=True) - 1).astype(mstype.int32)
