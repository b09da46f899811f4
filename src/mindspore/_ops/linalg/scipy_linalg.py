"""Operators behind :mod:`mindspore.scipy.linalg`: what :mod:`mindspore.ops` has no name for."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy
from jax import lax

from mindspore._engine.execution.host_callbacks import fetch
from mindspore._engine.operator.arguments import Array, Arrays
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.dtype_checks import halves_as_float32
from mindspore._ops.declaring.promotion import common_dtype, upcast_half
from mindspore._ops.declaring.requirements import require, require_float, require_rank_from, require_same_dtype


def _symmetric(t: Any) -> np.ndarray:
    half = t.normal(3, 3)
    return half + half.T + 4 * np.diag(np.arange(3, dtype=np.float32))


@op(public=False,
    test=lambda t: [t.case(_symmetric(t), True, False, expect=lambda a, *_: np.linalg.eigvalsh(a)),
                    t.case(_symmetric(t), False, False, grad=False,
                           expect=lambda a, *_: np.linalg.eigvalsh(a))])  # fmt: skip
@halves_as_float32
def scipy_eigh(a: Array, lower: bool, vectors: bool):
    """The eigenvalues of a symmetric matrix, of which only a triangle is read, and on request the eigenvectors."""
    half = jnp.tril(a, -1) if lower else jnp.triu(a, 1)
    diagonal = jnp.diagonal(a, axis1=-2, axis2=-1)
    full = half + jnp.conj(half.swapaxes(-1, -2)) + diagonal[..., None] * jnp.eye(a.shape[-1], dtype=a.dtype)
    if not vectors:
        return jnp.linalg.eigvalsh(full).astype(a.dtype)
    values, columns = jnp.linalg.eigh(full)
    return values.astype(a.dtype), columns


def _numpy_lu(a: np.ndarray) -> tuple:
    factors, pivots = scipy.linalg.lu_factor(a)
    return factors, pivots, scipy.linalg.lu(a)[0].astype(np.int32)


@op(public=False, test=lambda t: [t.case(t.normal(3, 3), expect=_numpy_lu, grad=(0,), tolerance=1e-5)])
@halves_as_float32
def scipy_lu(a: Array):
    """Both triangles packed into a matrix, the pivots, which count from 0, and the permutation as a matrix."""
    require_float("a", a)
    require_rank_from("a", a, 2)
    factors, pivots, order = lax.linalg.lu(a)
    permutation = jnp.arange(a.shape[-2])[:, None] == order[..., None, :]
    return factors, pivots, permutation.astype(jnp.int32)


_SYSTEMS = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}


def _triangle(t: Any) -> np.ndarray:
    return np.tril(t.normal(3, 3)) + 3 * np.eye(3, dtype=np.float32)


@op(public=False,
    test=lambda t: [t.case(_triangle(t), t.normal(3, 2), 0, True, False, expect=lambda a, b, *_: np.linalg.solve(a, b)),
                    t.case(_triangle(t), t.normal(3), "T", True, False,
                           expect=lambda a, b, *_: np.linalg.solve(a.T, b))])  # fmt: skip
def scipy_solve_triangular(a: Array, b: Array, trans: Any, lower: bool, unit_diagonal: bool):
    """The solution of ``a @ x = b`` for a triangle ``a``."""
    require_same_dtype(a=a, b=b)
    require_rank_from("a", a, 2)
    require(a.shape[-1] == a.shape[-2], f"the last two dimensions of 'a' must be the same, but got shape {a.shape}.")
    text = f"the 'b' must have {a.ndim} or {a.ndim - 1} dimensions, as 'a' or one less, but got {b.ndim}."
    require(b.ndim in (a.ndim, a.ndim - 1), text)
    text = f"the 'a' and 'b' must have shapes (..., N, N) and (..., N, M) or (..., N), but got {a.shape} and {b.shape}."
    require(b.shape[: a.ndim - 1] == a.shape[:-1], text)
    if not jnp.issubdtype(a.dtype, jnp.inexact):
        a, b = a.astype(jnp.float32), b.astype(jnp.float32)
    half = a.dtype == jnp.float16
    matrix, right = (x.astype(jnp.float32) if half else x for x in (a, b))
    solution = lax.linalg.triangular_solve(
        matrix, right if b.ndim == a.ndim else right[..., None], left_side=True, lower=lower,
        transpose_a=_SYSTEMS[trans] > 0, conjugate_a=_SYSTEMS[trans] == 2, unit_diagonal=unit_diagonal,
    )  # fmt: skip
    return solution.reshape(b.shape).astype(a.dtype)


def _numpy_blocks(arrays: Any) -> Any:
    return np.asarray(scipy.linalg.block_diag(*arrays))


@op(public=False, test=lambda t: [t.case([t.normal(2, 3), t.normal(2), t.normal()], expect=_numpy_blocks)])
def scipy_block_diag(arrays: Arrays) -> Any:
    """The block diagonal matrix of the inputs."""
    blocks = [jnp.atleast_2d(array.astype(common_dtype(*arrays))) for array in arrays]
    rows = np.cumsum([0, *(block.shape[0] for block in blocks)])
    columns = np.cumsum([0, *(block.shape[1] for block in blocks)])
    result = jnp.zeros((int(rows[-1]), int(columns[-1])), blocks[0].dtype)
    for block, row, column in zip(blocks, rows, columns):
        result = lax.dynamic_update_slice(result, block, (int(row), int(column)))
    return result


DRIVERS = ("gels", "gelsy", "gelss", "gelsd")


def _least_squares(A: Any, B: Any) -> tuple[Any, Any, Any]:
    """The solution for a single matrix, its rank and its singular values."""
    solution, _, rank, values = jnp.linalg.lstsq(A, B)
    return solution, rank, values


@op(public=False,
    test=lambda t: [t.case(t.normal(4, 2), t.normal(4, 3), "gelss", grad=False, tolerance=1e-4,
                           expect=lambda a, b, _: np.linalg.lstsq(a, b, None)),
                    t.case(t.normal(3, 4, 2), t.normal(3, 4), "gels",
                           tolerance=1e-4)])  # fmt: skip
def scipy_lstsq(A: Array, B: Array, driver: str):
    """Least squares: the solution, the residuals, the rank and the singular values; empty what the driver lacks."""
    require_float("A", A)
    require_same_dtype(A=A, B=B)
    require_rank_from("A", A, 2)
    text = f"the 'A' and 'B' must have shapes (..., M, N) and (..., M, K) or (..., M), but got {A.shape} and {B.shape}."
    vector = B.ndim == A.ndim - 1
    require((vector or B.ndim == A.ndim) and B.shape[: A.ndim - 1][-1] == A.shape[-2], text)
    wide, right = map(upcast_half, (A, B[..., None] if vector else B))
    batch = jnp.broadcast_shapes(A.shape[:-2], right.shape[:-2])
    wide, right = (jnp.broadcast_to(x, batch + x.shape[-2:]) for x in (wide, right))
    solve = _least_squares
    for _ in batch:
        solve = jax.vmap(solve)
    solution, rank, values = solve(wide, right)
    residual = jnp.sum(jnp.abs(wide @ solution - right) ** 2, axis=-2)
    nothing = jnp.zeros((0,), A.dtype)
    kept = driver != "gelsy" and A.shape[-2] > A.shape[-1]
    found = (
        (solution[..., 0] if vector else solution).astype(A.dtype),
        (residual[..., 0] if vector else residual).real.astype(A.dtype) if kept else nothing,
        rank.astype(jnp.int64) if driver != "gels" else jnp.zeros((0,), jnp.int64),
        values.astype(A.dtype) if driver in ("gelss", "gelsd") else nothing,
    )
    return found


def assign(cost_matrix: Tensor, dimension_limit: Tensor, maximize: bool) -> tuple[Tensor, ...]:
    """The best assignment of columns to rows, found on the host; -1 fills up what the limit leaves out."""
    least = min(cost_matrix.shape)

    def solve(costs: Any, limit: Any) -> list[np.ndarray]:
        width = int(limit)
        if width < 1:
            raise ValueError(f"For 'linear_sum_assignment', the 'dimension_limit' must be positive, but got {width}.")
        costs = np.asarray(costs).astype(np.float64)[:, :width]
        if not np.isfinite(costs).all():
            raise ValueError(
                "For 'linear_sum_assignment', the 'cost_matrix' must hold finite numbers, but got inf or nan."
            )
        found = scipy.optimize.linear_sum_assignment(costs, maximize)
        return [np.pad(indices.astype(np.int64), (0, least - len(indices)), constant_values=-1) for indices in found]

    form = jax.ShapeDtypeStruct((least,), jnp.int64)
    return fetch(solve, [form, form], (cost_matrix, dimension_limit))


_TITLES: dict[str, Any] = {"LU": scipy_lu, "SolveTriangular": scipy_solve_triangular, "lstsq": scipy_lstsq}
for _title, _function in _TITLES.items():
    _function.op.title = _title  # messages use the names that programs know
