"""Steps of functions of :mod:`mindspore.ops.function` that libraries call by themselves."""

from __future__ import annotations

import math
from typing import Any

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.random import get_seed
from mindspore._engine.tensor.tensor import Tensor
from mindspore.ops import function
from mindspore.ops._primitive_cache import _get_cache_prim as _get_cache_prim


def linear(x: Tensor, w: Tensor, b: Tensor | None) -> Tensor:
    """``x`` times the transposed weights, plus the bias."""
    product = function.matmul(x, w.T)
    return product if b is None else product + b


def _inner_dropout(x: Tensor, p: float, training: bool) -> Tensor:
    return function.dropout(x, p, training) if training and 0 < p <= 1 else x


def _inner_pad(x: Tensor, padding: Any, value: Any = None) -> Tensor:
    return function.pad(x, padding, value=value)


def _innner_log_softmax(inputs: Tensor, axis: int) -> Tensor:
    return function.log_softmax(inputs, axis)


def _in_projection(q: Tensor, k: Tensor, v: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, b_q: Any = None, b_k: Any = None,
                   b_v: Any = None) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Queries, keys and values, each times weights of its own."""
    width = q.shape[-1]
    for name, weight, columns in (("w_q", w_q, width), ("w_k", w_k, k.shape[-1]), ("w_v", w_v, v.shape[-1])):
        if tuple(weight.shape) != (width, columns):
            raise ValueError(f"Expecting `{name}` shape of {(width, columns)}, but got {tuple(weight.shape)}.")
    return linear(q, w_q, b_q), linear(k, w_k, b_k), linear(v, w_v, b_v)


def _in_projection_packed(q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Any, k_is_v: bool,
                          q_is_k: bool) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The same with the three weights one below the other."""
    weights, biases = function.split(w, q.shape[-1], 0), (None,) * 3 if b is None else function.split(b, q.shape[-1], 0)
    queries, keys, values = (
        linear(x, weight, bias) for x, weight, bias in zip((q, k, v), weights, biases, strict=True)
    )
    return queries, keys, values


def _scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None, dropout_p: float,
                                  is_causal: bool, is_training: bool, dtype: Any) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The values weighted by the softmax of scaled products of queries and keys, and these weights."""
    scale = 1 / math.sqrt(query.shape[-1])
    scores = function.matmul(query * scale, key.swapaxes(-2, -1))
    if is_causal:
        allowed = function.ones(scores.shape[-2:], scores.dtype).tril()
        attn_mask = function.zeros_like(allowed).masked_fill(allowed == 0, float("-inf"))
    if attn_mask is not None:
        scores = scores + attn_mask
    weights = _inner_dropout(function.softmax(scores, -1), dropout_p, is_training)
    return function.matmul(weights, value).astype(dtype), weights


def _check_qkv_shape(query_ndim: int, key_ndim: int, value_ndim: int) -> bool:
    """Whether there is a batch; an error if queries, keys and values do not agree."""
    if query_ndim not in (2, 3):
        raise ValueError(f"The `query` must be unbatched 2D or batched 3D tensor, but got `query` with {query_ndim}D.")
    if (key_ndim, value_ndim) != (query_ndim, query_ndim):
        kind = "batched" if query_ndim == 3 else "unbatched"
        raise ValueError(
            f"For {kind} `query`, the `key` and `value` must be {query_ndim}D tensor, but got `key` with {key_ndim}D and "
            f"`value` with {value_ndim}D."
        )
    return query_ndim == 3


def _check_kpm_shape(query_ndim: int, kmp_ndim: int) -> None:
    """An error if the mask of padding has not one axis less than the queries."""
    wanted = query_ndim - 1
    if isinstance(query_ndim, int) and kmp_ndim != wanted:
        raise ValueError(
            f"For `query` with {query_ndim}D, the `key_padding_mask` must be {wanted}D, but got {kmp_ndim}D."
        )


def _check_attn_mask_shape(query_ndim: int, query_shape: Any, key_shape: Any, attn_mask_ndim: int, attn_mask_shape: Any,
                           num_heads: int) -> None:  # fmt: skip
    """An error if the mask of attention does not fit queries and keys."""
    if attn_mask_ndim not in (2, 3):
        raise ValueError(f"The `attn_mask` must be 2D or 3D, but got {attn_mask_ndim}D.")
    heads = num_heads * (query_shape[1] if query_ndim == 3 else 1)
    wanted = (query_shape[0], key_shape[0]) if attn_mask_ndim == 2 else (heads, query_shape[0], key_shape[0])
    if tuple(attn_mask_shape) != wanted:
        raise ValueError(f"Expected `attn_mask` shape to be {wanted}, but got {tuple(attn_mask_shape)}.")


def _interploate_ext_make_tuple(input: Tensor, value: Any) -> tuple:
    """A number for each axis after the second; MindSpore's spelling."""
    return tuple(value) if isinstance(value, (list, tuple)) else (value,) * (input.ndim - 2)


def _interpolate_ext_scale_factor_convert_size(input: Tensor, scale_factor: Any) -> tuple[int, ...]:
    """The sizes that factors give."""
    return tuple(math.floor(size * factor) for size, factor in zip(input.shape[2:], scale_factor, strict=True))


def _get_seed(op_seed: int | None, kernel_name: str) -> tuple[int, int]:
    """The two seeds of a random operator: the program's (``set_seed``) and its own; 0 where none was given."""
    return get_seed() or 0, op_seed or 0


def _set_prim_op_user_data(prim: Any, name: str, value: Any) -> Any:
    """Keep something with a Primitive; returns the Primitive."""
    prim.add_prim_attr(name, value)
    return prim


def get_square_sum(x: Tensor) -> Tensor:
    """The sum of the squares, as one element of float32."""
    return function.square(x.astype(dtypes.float32)).sum().expand_dims(0)


def apply_global_norm(clip_norm: Tensor, global_norm: Tensor, x: Tensor) -> Tensor:
    """A gradient, shortened as all of them together are."""
    return (x * clip_norm / global_norm).astype(x.dtype)


def _expand(x: Tensor, ndim: int) -> Tensor:
    """With axes of length 1 in front, up to this rank."""
    return x.reshape((1,) * (ndim - x.ndim) + tuple(x.shape))


def _check_same_type(dtype1: Any, dtype2: Any) -> bool:
    """Whether two dtypes are the same."""
    return dtype1 == dtype2
