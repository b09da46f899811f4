"""Products of groups of rows with matrices of their own."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._ops.declaring.requirements import require, require_choice
from mindspore._ops.generated.declare import body, generated_op
from mindspore._ops.generated.quantized import integer_product

_ACTIVATIONS = {
    "relu": jax.nn.relu, "gelu": lambda x: jax.nn.gelu(x, approximate=False), "silu": jax.nn.silu,
    "fastgelu": lambda x: x * jax.nn.sigmoid(1.702 * x),
}  # fmt: skip
_GATES = {"geglu": "gelu", "swiglu": "silu", "reglu": "relu"}
_ENDS = np.array([2, 5], np.int64)


def group_sizes(group_list: Any, kind: int) -> Any:
    """How many rows every group has; ``kind`` 0 lists ends, 1 sizes."""
    require_choice("group_list_type", kind, (0, 1))
    return group_list if kind else jnp.diff(group_list, prepend=0)


def _numpy_groups(x: np.ndarray, w: np.ndarray, ends: np.ndarray, kind: int = 0) -> np.ndarray:
    parts = np.split(x, ends)
    return np.concatenate([part @ w[min(i, len(w) - 1)] * (i < len(w)) for i, part in enumerate(parts)])


@generated_op(test=lambda t: [t.case(t.normal(6, 3), t.normal(2, 3, 4), _ENDS, 0, grad=(0, 1), expect=_numpy_groups),
                              t.case(t.normal(5, 3), t.normal(2, 3, 4), np.array([2, 3], np.int64), 1, grad=(0, 1),
                                     expect=lambda x, w, _, k: _numpy_groups(x, w, _ENDS))])  # fmt: skip
def product_of_groups(x: Array, weight: Array, group_list: Array, group_list_type: int = 0):
    """Every group of rows times its matrix; rows after the last group become zeros."""
    require(x.ndim == 2 and weight.ndim == 3 and x.shape[1] == weight.shape[1],
            f"the 'x' and 'weight' must have shapes (M, K) and (E, K, N), but got {x.shape} and {weight.shape}.")  # fmt: skip
    sizes = group_sizes(group_list, group_list_type)
    if jnp.issubdtype(x.dtype, jnp.floating):
        return jax.lax.ragged_dot(x, weight.astype(x.dtype), sizes.astype(jnp.int32))
    mine = _members(sizes, x.shape[0])
    products = integer_product(x[None], weight)
    return jnp.where(mine[:, :, None], products, 0).sum(0)


def _members(sizes: Any, rows: int) -> Any:
    """For every group whether a row belongs to it."""
    ends = jnp.cumsum(sizes)[:, None]
    numbers = jnp.arange(rows)
    return (numbers >= ends - sizes[:, None]) & (numbers < ends)


def _numpy_columns(x: np.ndarray, w: np.ndarray, ends: np.ndarray) -> np.ndarray:
    starts = np.concatenate([[0], ends[:-1]])
    return np.stack([x[:, a:b] @ w[a:b] for a, b in zip(starts, ends, strict=True)])


@generated_op(test=lambda t: [t.case(t.normal(3, 5), t.normal(5, 4), _ENDS, grad=(0, 1), expect=_numpy_columns)])
def product_of_column_groups(x: Array, weight: Array, group_list: Array, group_list_type: int = 0):
    """For every group of columns of ``x`` and rows of ``weight`` their product."""
    mine = _members(group_sizes(group_list, group_list_type), x.shape[1]).astype(x.dtype)
    return jnp.einsum("km,em,mn->ekn", x, mine, weight)


def _activated(x: Any, name: str) -> Any:
    if name in _GATES:
        left, right = jnp.split(x, 2, -1)
        return _ACTIVATIONS[_GATES[name]](left) * right
    return _ACTIVATIONS[name](x)


@generated_op(test=lambda t: [t.case(t.normal(5, 3), t.normal(3, 4), t.normal(4, 2), None, t.normal(4), t.normal(2), "relu",
                                     expect=lambda x, v, w, e, a, b, _: np.maximum(x @ v + a, 0) @ w + b),
                              t.case(t.normal(5, 3), t.normal(2, 3, 4), t.normal(2, 4, 2), np.array([2, 3], np.int64),
                                     None, None, "relu", grad=(0, 1, 2),
                                     expect=lambda x, v, w, *_: _numpy_groups(
                                         np.maximum(_numpy_groups(x, v, _ENDS), 0), w, _ENDS))])  # fmt: skip
def feed_forward(x: Array, weight1: Array, weight2: Array, tokens: Array | None = None, bias1: Array | None = None,
                 bias2: Array | None = None, activation: str = "fastgelu"):  # fmt: skip
    """Two layers with an activation between them; with ``tokens`` for each expert its own."""
    require_choice("activation", activation, (*_ACTIVATIONS, *_GATES))
    rows = x.reshape(-1, x.shape[-1])
    for number, (weight, bias) in enumerate(((weight1, bias1), (weight2, bias2))):
        rows = _layer(rows, weight, bias, tokens)
        rows = rows if number else _activated(rows, activation)
    return rows.reshape(*x.shape[:-1], rows.shape[-1])


def _layer(rows: Any, weight: Any, bias: Any, tokens: Any) -> Any:
    if tokens is None:
        product = rows @ weight.reshape(weight.shape[-2:]).astype(rows.dtype)
        return product if bias is None else product + bias.reshape(-1).astype(rows.dtype)
    product = body(product_of_groups)(rows, weight, tokens, 1)
    if bias is None:
        return product
    return product + _members(tokens, rows.shape[0]).astype(rows.dtype).T @ bias.astype(rows.dtype)
