"""Rows of a table by index."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.execution.index_bounds import require_inside
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.promotion import normal_axis
from mindspore._ops.declaring.requirements import require, require_index_dtype, require_rank


def _inside_table(input: Tensor, weight: Tensor, *_: Any) -> None:
    require_inside("Embedding", "input", input, 0, weight.shape[0])


@op(
    bounds=_inside_table,
    test=lambda t: [
        t.case(np.array([[0, 2], [1, 0]]), t.normal(3, 2), expect=lambda i, w: w[i]),
        t.case(np.array([0, 2]), t.normal(3, 2), 2, grad=False, expect=lambda i, w, padding: w[i]),
        t.case(np.array([1]), np.array([[0, 0], [3, 4]], np.float32), None, 1.0, grad=False,
               expect=lambda i, w, *_: np.array([[0.6, 0.8]], np.float32)),
    ],
)  # fmt: skip
def embedding(
    input: Array,
    weight: Array,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
):
    """Rows of a table, a row for each index.

    Args:
        padding_idx: a row that gets no gradient.
        max_norm: rows longer than this, measured by the norm ``norm_type``, are scaled down to it.
        scale_grad_by_freq: divide the gradient of a row by how often it was asked for.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.embedding(Tensor([1, 0]), Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[3. 4.]
         [1. 2.]]
    """
    require_index_dtype("input", input)
    require_rank("weight", weight, 2)
    require(weight.shape[0] or not input.size, f"the 'weight' must have rows to read, but got shape {weight.shape}.")
    rows = jnp.take(weight, input, 0, mode="fill", fill_value=0)
    if padding_idx is not None:
        padding = normal_axis(padding_idx, weight.shape[0], "padding_idx")
        rows = jnp.where((input == padding)[..., None], lax.stop_gradient(rows), rows)
    if scale_grad_by_freq:
        counts = jnp.zeros(weight.shape[0], rows.dtype).at[input.reshape(-1)].add(1, mode="drop")
        share = (1 / jnp.maximum(counts, 1))[input][..., None]
        rows = rows * share + lax.stop_gradient(rows * (1 - share))
    if max_norm is not None:
        lengths = lax.stop_gradient(jnp.linalg.norm(rows, norm_type, axis=-1, keepdims=True))
        rows = rows * jnp.where(lengths > max_norm, max_norm / jnp.maximum(lengths, 1e-30), 1).astype(rows.dtype)
    return rows
