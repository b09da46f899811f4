"""Linear equations with triangular matrices, alone or as Cholesky and LU factors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.execution.index_bounds import require_inside
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.dtype_checks import halves_as_float32
from mindspore._ops.declaring.requirements import (
    require,
    require_float,
    require_rank_from,
    require_same_dtype,
    require_shape,
    require_square,
)


def _triangular(t: Any, upper: bool = False) -> np.ndarray:
    """A sample triangle far from singular."""
    square = t.normal(3, 3) * 0.3 + np.eye(3, dtype=np.float32) * 2
    return np.triu(square) if upper else np.tril(square)


def _batched(matrix: Any, rhs: Any) -> tuple[Any, Any]:
    """Matrices and right-hand sides with the same leading axes."""
    batch = jnp.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    return jnp.broadcast_to(matrix, batch + matrix.shape[-2:]), jnp.broadcast_to(rhs, batch + rhs.shape[-2:])


def check_equations(name: str, matrix: Any, rhs_name: str, rhs: Any) -> None:
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
    """The solution of ``matrix @ x = rhs`` for a lower or an upper triangle.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.MatrixTriangularSolve()(Tensor([[2.0, 0.0], [1.0, 1.0]]), Tensor([[4.0], [3.0]])))
        [[2.]
         [1.]]
    """
    require_square("matrix", matrix)
    check_equations("matrix", matrix, "rhs", rhs)
    return _solve_triangle(jnp.tril(matrix) if lower else jnp.triu(matrix), rhs, lower, adjoint)


def _triangular_solve(self: Tensor, A: Tensor, upper: bool = True, transpose: bool = False,
                     unitriangular: bool = False) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The solution ``x`` of ``A @ x = self`` for a triangle ``A``, and the triangle itself.

    Examples:
        >>> from mindspore import Tensor
        >>> x, _ = Tensor([[3.0], [4.0]]).triangular_solve(Tensor([[1.0, 1.0], [0.0, 2.0]]))
        >>> print(x)
        [[1.]
         [2.]]
    """
    return triangular_solve(self, A, upper, transpose, unitriangular)


@op(public=False,
    test=lambda t: [t.case(t.normal(3, 2), _triangular(t, True), True, False, False, grad=(0,),
                           expect=lambda b, a, *_: (np.linalg.solve(a, b), np.triu(a))),
                    t.case(t.normal(3, 2), _triangular(t), False, True, False, grad=(0,),
                           expect=lambda b, a, *_: (np.linalg.solve(a.T, b), np.tril(a)))])  # fmt: skip
def triangular_solve(b: Array, A: Array, upper: bool, transpose: bool, unitriangular: bool):
    """The solution of ``A @ x = b`` for a triangle, and the triangle."""
    require_square("A", A)
    check_equations("A", A, "b", b)
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
    check_equations("input2", input2, "input", input)
    triangle = jnp.triu(input2) if upper else jnp.tril(input2)
    half = _solve_triangle(triangle, input, not upper, adjoint=upper)
    return _solve_triangle(triangle, half, not upper, adjoint=not upper)


@op(primitive="CholeskyInverse", init=("upper",), method="cholesky_inverse",
    test=lambda t: [t.case(_triangular(t), expect=lambda u: np.linalg.inv(u @ u.T)),
                    t.case(_triangular(t, True), True,
                           expect=lambda u, _: np.linalg.inv(u.T @ u))])  # fmt: skip
@halves_as_float32
def cholesky_inverse(input_x: Array, upper: bool = False):
    """The inverse of a matrix given by its Cholesky factor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cholesky_inverse(Tensor([[2.0, 0.0], [0.0, 1.0]])))
        [[0.25 0.  ]
         [0.   1.  ]]
    """
    require_float("input_x", input_x)
    require_square("input_x", input_x)
    half = jnp.linalg.inv(input_x)  # as in MindSpore the whole factor counts, not only its triangle
    adjoint = jnp.conj(half.swapaxes(-1, -2))
    return half @ adjoint if upper else adjoint @ half


# -- triangles and permutations ----------------------------------------------------------------------------------------
def _order(pivots: Any, size: int) -> Any:
    """Where each row of the factors comes from; pivots count from 1, as LAPACK's do."""
    got = f"the 'LU_pivots' must hold integers, but got dtype {pivots.dtype}."
    require(jnp.issubdtype(pivots.dtype, jnp.integer), got, TypeError)
    return lax.linalg.lu_pivots_to_permutation(pivots.astype(jnp.int32) - 1, size)


_PIVOTS = np.array([3, 2, 3], np.int32)


def _pivots_of(owner: str, name: str) -> Callable[..., None]:
    """Pivots count the rows from 1."""

    def check(*args: Any) -> None:
        factors, pivots = args[1:3] if owner == "LuSolve" else args[:2]
        require_inside(owner, name, pivots, 1, factors.shape[-2] + 1, ValueError)

    return check


@op(primitive="LuSolve", method="lu_solve", bounds=_pivots_of("LuSolve", "lu_pivots"), old={"b": ("x",), "LU_data": ("lu_data",), "LU_pivots": ("lu_pivots",)},
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
    got = f"the 'LU_pivots' must have dtype Int32, but got {LU_pivots.dtype}."
    require(LU_pivots.dtype == jnp.int32, got, TypeError)
    require_square("LU_data", LU_data)
    require_shape("LU_pivots", LU_pivots, LU_data.shape[:-1])
    check_equations("LU_data", LU_data, "b", b)
    factors, rhs = _batched(LU_data, b)
    order = jnp.broadcast_to(_order(LU_pivots, LU_data.shape[-1]), rhs.shape[:-1])
    rhs = jnp.take_along_axis(rhs, order[..., None], axis=-2)
    half = _solve_triangle(factors, rhs, lower=True, unit=True)
    return _solve_triangle(factors, half, lower=False)


@op(primitive="LuUnpack", init=("unpack_data", "unpack_pivots"), public=False, bounds=_pivots_of("LuUnpack", "LU_pivots"),
    test=lambda t: [t.case(t.normal(3, 2), _PIVOTS[:2], grad=False,
                           expect=lambda lu, _: (np.eye(3)[[2, 1, 0]], np.tril(lu, -1) + np.eye(3, 2),
                                                 np.triu(lu)[:2]))])  # fmt: skip
def lu_unpacked(LU_data: Array, LU_pivots: Array, unpack_data: bool = True, unpack_pivots: bool = True):
    """The permutation, the lower and the upper triangle from LU factors and their pivots, which count from 1.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> factors, pivots = Tensor([[4.0, 3.0], [0.5, -1.5]]), Tensor([1, 2], mindspore.int32)
        >>> print(ops.LuUnpack()(factors, pivots)[2])
        [[ 4.   3. ]
         [ 0.  -1.5]]
    """
    require_rank_from("LU_data", LU_data, 2)
    rows, columns = LU_data.shape[-2:]
    least = min(rows, columns)
    text = f"the 'LU_pivots' must have {least} numbers, the shorter side of 'LU_data', but got shape {LU_pivots.shape}."
    require(1 <= LU_pivots.ndim < LU_data.ndim and LU_pivots.shape[-1] == least, text)
    LU_pivots = jnp.broadcast_to(LU_pivots, (*LU_data.shape[:-2], least))
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


attach("triangular_solve", _triangular_solve)
