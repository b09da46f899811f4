"""Attention with several heads, as a function of all its weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.registry import register_function
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.creation import zeros
from mindspore._ops.array.joining import chunk, concat
from mindspore._ops.array.padding import pad
from mindspore._ops.array.selection import masked_fill
from mindspore._ops.array.shape import broadcast_to
from mindspore._ops.linalg.affine import dense
from mindspore._ops.linalg.linalg import matmul
from mindspore._ops.nn.dropout import dropout
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, refused

_OWNER = "multi_head_attention_forward"
_FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bfloat16)


def _refuse(text: str, kind: type[Exception] = ValueError) -> None:
    raise kind(f"For '{_OWNER}', {text}")


def _check_inputs(query: Any, key: Any, value: Any, embed_dim: int, num_heads: int) -> None:
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        if not isinstance(tensor, Tensor):
            _refuse(f"the '{name}' must be a Tensor, but got {shown(tensor)}.", TypeError)
    shapes = f"but got shapes {query.shape}, {key.shape} and {value.shape}."
    if query.ndim not in (2, 3) or not query.ndim == key.ndim == value.ndim:
        _refuse(f"the 'query', 'key' and 'value' must have 3 dimensions, or 2 without a batch, {shapes}")
    if query.shape[-1] != embed_dim:
        _refuse(f"the 'query' must have 'embed_dim_to_check' features, {embed_dim}, but got shape {query.shape}.")
    if embed_dim % num_heads:
        _refuse(f"the 'embed_dim_to_check' must be divisible by 'num_heads', but got {embed_dim} and {num_heads}.")
    if key.shape[:-1] != value.shape[:-1]:
        _refuse(f"the 'key' and 'value' must have one length and batch size, {shapes}")


def _project(inputs: tuple[Tensor, ...], in_proj_weight: Any, separate: Any, bias: Any) -> tuple[Tensor, ...]:
    """Queries, keys and values as the heads see them, each (length, batch, embed_dim)."""
    weights = separate if in_proj_weight is None else chunk(in_proj_weight, 3)
    if any(weight is None for weight in weights):
        _refuse("the 'q_proj_weight', 'k_proj_weight' and 'v_proj_weight' must be given when they are separate.")
    biases = (None, None, None) if bias is None else chunk(bias, 3)
    return tuple(map(dense, inputs, weights, biases))


def append_position(x: Tensor, state: Tensor) -> Tensor:
    """(length, batch, size) with a position appended, the same for the whole batch."""
    return concat((x, broadcast_to(state.astype(x.dtype), (1, *x.shape[1:]))), 0)


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(length, batch, embed_dim) as (batch, heads, length, head_dim)."""
    return x.reshape((*x.shape[:2], num_heads, x.shape[2] // num_heads)).transpose(1, 2, 0, 3)


def _given_heads(x: Tensor, batch: int) -> Tensor:
    """(batch * heads, length, size) as (batch, heads, length, size)."""
    return x.reshape((batch, -1, *x.shape[1:]))


def _additive(owner: str, name: str, mask: Any, dtype: Any, shapes: tuple[tuple[int, ...], ...],
              wrong_dtype: type[Exception]) -> Tensor:  # fmt: skip
    """A mask as an addend: minus infinity where a bool or byte mask is set."""
    if not isinstance(mask, Tensor):
        raise refused(WrongObject, f"For '{owner}', the '{name}' must be a Tensor, but got {shown(mask)}.")
    if mask.dtype not in (*_FLOATS, dtypes.bool_, dtypes.uint8):
        raise wrong_dtype(f"For '{owner}', the '{name}' must be of bools or floats, but got {mask.dtype}.")
    if mask.shape not in shapes:
        allowed = " or ".join(map(str, shapes))
        raise ValueError(f"For '{owner}', the '{name}' must have shape {allowed}, but got {mask.shape}.")
    if mask.dtype in _FLOATS:
        return mask.astype(dtype)
    return masked_fill(zeros(mask.shape, dtype), mask.astype(dtypes.bool_), -math.inf)


def additive_masks(owner: str, dtype: Any, key_padding_mask: Any, attn_mask: Any, sizes: tuple[int, ...], extra: int,
                   wrong_dtype: type[Exception] = TypeError) -> list[Tensor]:  # fmt: skip
    """Addends of the scores (batch, heads, queries, keys), padded with 0 for ``extra`` appended keys."""
    batch, num_heads, queries, keys = sizes
    found = []
    if key_padding_mask is not None:
        mask = _additive(owner, "key_padding_mask", key_padding_mask, dtype, ((batch, keys),), wrong_dtype)
        found.append(mask.reshape((batch, 1, 1, keys)))
    if attn_mask is not None:
        allowed = (queries, keys), (batch * num_heads, queries, keys)
        mask = _additive(owner, "attn_mask", attn_mask, dtype, allowed, wrong_dtype)
        found.append(mask if mask.ndim == 2 else mask.reshape(sizes))
    return [pad(mask, (0, extra)) for mask in found] if extra else found


def scaled_scores(heads: Tensor, keys: Tensor) -> Tensor:
    """The dot products of queries and keys, divided by the square root of the size of a head."""
    return matmul(heads / math.sqrt(heads.shape[-1]), keys.swapaxes(-1, -2))


def attend(scores: Tensor, values: Tensor, masks: list[Tensor], dropout_p: float,
           training: bool) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The values weighted by the softmax of the scores, heads joined: (queries, batch, embed_dim); and the weights."""
    batch, num_heads, queries, _ = scores.shape
    for mask in masks:
        scores = scores + mask
    weights = dropout(scores.softmax(-1), dropout_p, training)
    result = matmul(weights, values).transpose(2, 0, 1, 3)
    return result.reshape((queries, batch, num_heads * values.shape[-1])), weights


def multi_head_attention_forward(
        query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: int, num_heads: int, in_proj_weight: Any,
        in_proj_bias: Any, bias_k: Any, bias_v: Any, add_zero_attn: bool, dropout_p: float, out_proj_weight: Tensor,
        out_proj_bias: Any, training: bool = True, key_padding_mask: Any = None, attn_mask: Any = None,
        use_separate_proj_weight: bool = False, q_proj_weight: Any = None, k_proj_weight: Any = None,
        v_proj_weight: Any = None, static_k: Any = None, static_v: Any = None, average_attn_weights: bool = True,
        is_causal: bool = False, k_is_v: bool = False, q_is_k: bool = False,
        dtype: Any = dtypes.float32) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Attention of (length, batch, features), or (length, features), with all weights as arguments.

    Returns the result and the weights of the keys, their mean over the heads if ``average_attn_weights``. With
    ``is_causal`` and no ``attn_mask`` a query sees no later keys. The Cell :class:`mindspore.nn.MultiheadAttention`
    holds the weights itself.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.ops.function.nn_func import multi_head_attention_forward
        >>> x, size = ops.ones((3, 2, 4)), 4
        >>> result, weights = multi_head_attention_forward(
        ...     x, x, x, size, 2, ops.ones((12, 4)), None, None, None, False, 0.0, ops.ones((4, 4)), None)
        >>> print(result.shape, weights.shape)
        (3, 2, 4) (2, 3, 3)
    """
    _check_inputs(query, key, value, embed_dim_to_check, num_heads)
    batched = query.ndim == 3
    inputs: tuple[Any, ...] = (query, key, value)
    if not batched:
        inputs = tuple(x.expand_dims(1) for x in inputs)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.expand_dims(0)
    queries, batch, _ = inputs[0].shape
    if is_causal and attn_mask is None:
        attn_mask = Tensor(np.triu(np.ones((queries, inputs[1].shape[0]), bool), 1))
    separate = (q_proj_weight, k_proj_weight, v_proj_weight)
    projected = _project(inputs, None if use_separate_proj_weight else in_proj_weight, separate, in_proj_bias)
    added = [(bias_k, bias_v)] if bias_k is not None and bias_v is not None else []
    if add_zero_attn:
        nothing = zeros((1, 1, embed_dim_to_check), projected[1].dtype)
        added.append((nothing, nothing))
    heads, keys, values = projected
    for added_key, added_value in added:
        keys, values = append_position(keys, added_key), append_position(values, added_value)
    heads, keys, values = (split_heads(x, num_heads) for x in (heads, keys, values))
    keys = keys if static_k is None else _given_heads(static_k, batch)
    values = values if static_v is None else _given_heads(static_v, batch)
    sizes = (batch, num_heads, queries, keys.shape[2] - (len(added) if static_k is None else 0))
    scores = scaled_scores(heads, keys)
    masks = additive_masks(_OWNER, scores.dtype, key_padding_mask, attn_mask, sizes, keys.shape[2] - sizes[3])
    result, weights = attend(scores, values, masks, dropout_p, training)
    result = dense(result, out_proj_weight, out_proj_bias)
    weights = weights.mean(1) if average_attn_weights else weights
    return (result, weights) if batched else (result.squeeze(1), weights.squeeze(0))


register_function(multi_head_attention_forward)
