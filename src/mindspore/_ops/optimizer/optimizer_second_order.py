"""Second-order steps: gradients multiplied by inverses of covariance matrices, which are kept as blocks on the diagonal."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.requirements import require_square


@op(public=False,
    test=lambda t: [t.case(np.diag([1.0, 3.0]).astype(np.float32), 1.0, 2.0, 4, grad=False,
                           expect=lambda m, d, s, b: np.linalg.inv(s * m + d * np.eye(2))[None]),
                    t.case(np.diag([1.0, 3.0, 7.0]).astype(np.float32), 1.0, 1.0, 2, grad=False,
                           expect=lambda m, d, s, b: np.array([[[0.5, 0], [0, 0.25]], [[0.125, 0], [0, 1]]]))])  # fmt: skip
def block_inverse(matrix: Array, damping: Operand, scale: Operand, block: int):
    """The inverses of the blocks on the diagonal of ``scale * matrix + damping * I``; a shorter last block is padded."""
    require_square("matrix", matrix)
    size = min(matrix.shape[0], block)
    count = -(-matrix.shape[0] // size)
    missing = count * size - matrix.shape[0]
    damped = matrix * jnp.reshape(scale, ()) + jnp.reshape(damping, ()) * jnp.eye(matrix.shape[0], dtype=matrix.dtype)
    filled = jnp.pad(damped, ((0, missing), (0, missing)))
    filled = filled + jnp.diag((jnp.arange(count * size) >= matrix.shape[0]).astype(matrix.dtype))
    diagonal = jnp.arange(count)
    blocks = filled.reshape(count, size, count, size)[diagonal, :, diagonal]
    unit = jnp.eye(size, dtype=matrix.dtype)
    return jax.vmap(lambda factor: jax.scipy.linalg.cho_solve((factor, True), unit))(jnp.linalg.cholesky(blocks))


@op(public=False,
    test=lambda t: [t.case(t.normal(3, 4), t.normal(2, 2, 2), t.normal(1, 3, 3), grad=False,
                           expect=lambda g, a, b: b[0] @ np.concatenate([g[:, :2] @ a[0], g[:, 2:] @ a[1]], 1)),
                    t.case(t.normal(3, 2, 2), t.normal(1, 4, 4), t.normal(2, 2, 2), grad=False)])  # fmt: skip
def between_inverses(gradient: Array, input_inverse: Array, output_inverse: Array):
    """``output_inverse @ gradient @ input_inverse`` for matrices given by the blocks on their diagonals."""
    rows = gradient.reshape(gradient.shape[0], -1)
    (across, wide, _), (down, high, _) = input_inverse.shape, output_inverse.shape
    filled = jnp.pad(rows, ((0, down * high - rows.shape[0]), (0, across * wide - rows.shape[1])))
    parts = filled.reshape(down, high, across, wide)
    product = jnp.einsum("xij,xjyk,ykl->xiyl", output_inverse, parts, input_inverse)
    return product.reshape(down * high, across * wide)[: rows.shape[0], : rows.shape[1]].reshape(gradient.shape)
