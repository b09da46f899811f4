"""Gradients of factorizations, solutions and distances."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from mindspore._engine.operator.arguments import Array
from mindspore._ops.declaring.gradient_primitives import gradient, pull
from mindspore._ops.linalg.matrix import cdist, cholesky
from mindspore._ops.reduction.quantiles import pdist_primitive


@gradient("CholeskyGrad")
def cholesky_grad(x: Array, grad: Array):
    """The gradient of ``Cholesky``, from its result ``x``, a lower triangle."""
    lower = jnp.tril(x)
    return pull(cholesky, grad, lower @ jnp.conj(jnp.swapaxes(lower, -1, -2)))


@gradient("LstsqV2Grad")
def lstsq_v2_grad(gX: Array, A: Array, B: Array):
    """The gradients of ``LstsqV2`` by matrix and right-hand side; the matrix has full rank."""

    def solution(matrix: Any, right: Any) -> Any:
        adjoint = jnp.conj(jnp.swapaxes(matrix, -1, -2))
        vectors = right.ndim < matrix.ndim
        columns = right[..., None] if vectors else right
        if matrix.shape[-2] >= matrix.shape[-1]:
            found = jnp.linalg.solve(adjoint @ matrix, adjoint @ columns)
        else:  # the shortest of many solutions
            found = adjoint @ jnp.linalg.solve(matrix @ adjoint, columns)
        return found[..., 0] if vectors else found

    return pull(solution, gX, A, B)


@gradient("LuUnpackGrad", ("L_grad_flag", "U_grad_flag"))
def lu_unpack_grad(L_grad: Array, U_grad: Array, LU_data: Array, L_grad_flag: bool, U_grad_flag: bool):
    """The gradients of ``LuUnpack`` by the packed factors, from each of the two triangles."""

    def lower(packed: Any) -> Any:
        return jnp.tril(packed, -1)[..., :, : L_grad.shape[-1]]

    def upper(packed: Any) -> Any:
        return jnp.triu(packed)[..., : U_grad.shape[-2], :]

    by_lower = pull(lower, L_grad, LU_data) if L_grad_flag else jnp.zeros_like(LU_data)
    by_upper = pull(upper, U_grad, LU_data) if U_grad_flag else jnp.zeros_like(LU_data)
    return by_lower, by_upper


@gradient("CdistGrad", ("p",))
def cdist_grad(grad: Array, input_x: Array, input_y: Array, cdist: Array, p: float = 2.0):
    """The gradient of ``Cdist`` by its first input; the distances are computed again."""
    return pull(_distances, grad, input_x, x2=input_y, p=p)


_distances = cdist


@gradient("PdistGrad", ("p",))
def pdist_grad(y_grad: Array, x: Array, y: Array, p: float = 2.0):
    """The gradient of ``Pdist``; the distances are computed again."""
    return pull(pdist_primitive, y_grad, x, p=p)
