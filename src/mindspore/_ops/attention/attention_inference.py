"""Attention for text generation: prefill of a prompt, incremental decoding, and a fused form of both."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.attention.attention_core import (
    FAR,
    attend,
    beyond,
    either,
    from_heads,
    lengths,
    refuse_quantized,
    to_heads,
)
from mindspore._ops.declaring.requirements import require, require_float, require_same_dtype


def _paged(cache: Any, table: Any, heads: int) -> Any:
    """(batch, heads, positions, depth) from blocks: (blocks, size, heads * depth) or (blocks, heads, size, depth)."""
    pages = cache[table]
    if cache.ndim == 3:
        pages = pages.reshape(table.shape[0], -1, heads, cache.shape[-1] // heads)
        return pages.transpose(0, 2, 1, 3)
    pages = pages.transpose(0, 2, 1, 3, 4)
    return pages.reshape(table.shape[0], heads, -1, cache.shape[-1])


def _placed(mask: Any, queries: int, keys: int) -> Any:
    """A mask of rank 2 to 4, reshaped so that it broadcasts to (batch, heads, queries, keys)."""
    if mask.ndim == 2 and queries == 1:
        mask = mask[:, None, None]
    elif mask.ndim == 3:
        mask = mask[:, None]
    return mask[..., :queries, :keys]


def _column(values: Any) -> Any:
    return jnp.asarray(values).reshape(-1, 1, 1, 1)


def _numpy_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, *_: Any) -> Any:
    powers = np.exp(q @ k.swapaxes(-1, -2))
    total = powers.sum(-1, keepdims=True)
    return powers / total @ v, np.log(total)


_BNSD = (2, 2, 1.0, FAR, FAR, "BNSD", "BNSD", 0)


@op(public=False,
    test=lambda t: [t.case(t.normal(1, 2, 3, 4), t.normal(1, 2, 5, 4), t.normal(1, 2, 5, 4), *[None] * 7, *_BNSD,
                           expect=_numpy_attention, grad=(0, 1, 2)),
                    t.case(t.normal(2, 3, 4), t.normal(2, 3, 2), t.normal(2, 3, 2), None, np.array([3, 2], np.int32),
                           np.array([3, 2], np.int32), None, None, None, None, 2, 1, 0.5, FAR, 0, "BSH", "BSH", 3,
                           grad=(0, 1, 2))])  # fmt: skip
def attention_with_lengths(query: Array, key: Array, value: Array, mask: Array | None, query_lengths: Array | None,
                           key_lengths: Array | None, shift: Array | None, block_table: Array | None,
                           query_padding: Array | None, key_padding: Array | None, heads: int, key_heads: int,
                           scale: float, before: int, after: int, layout: str, out_layout: str, mode: int):  # fmt: skip
    """Attention in a batch whose parts have lengths of their own, and the logarithm of the sum of powers."""
    require_float("query", query)
    require_same_dtype(query=query, key=key)
    require_same_dtype(query=query, value=value)
    require(heads > 0 and key_heads >= 0, f"the 'num_heads' must be positive, but got {heads} and {key_heads}.")
    key_heads = key_heads or heads
    q = to_heads(query, layout, heads)
    require(q.shape[1] == heads, f"the 'num_heads' must be that of the query, {q.shape[1]}, but got {heads}.")
    if block_table is None:
        k, v = to_heads(key, layout, key_heads), to_heads(value, layout, key_heads)
    else:
        k, v = _paged(key, block_table, key_heads), _paged(value, block_table, key_heads)
    queries, keys = q.shape[2], k.shape[2]
    rows, columns = jnp.arange(queries)[:, None], jnp.arange(keys)
    lasting = _column(queries if query_lengths is None else query_lengths)
    known = _column(keys if key_lengths is None else key_lengths)
    if key_padding is not None and key_lengths is not None:  # what counts stands at the end, before the padding
        columns = columns - (keys - jnp.maximum(key_padding.reshape(()), 0) - known)
    if query_padding is not None and query_lengths is not None:
        rows = rows - (queries - jnp.maximum(query_padding.reshape(()), 0) - lasting)
    unknown = None if key_lengths is None else (columns < 0) | (columns >= known)
    given = None if mask is None or mode > 1 else _placed(mask, queries, keys).astype(jnp.bool_)
    hidden = either(unknown, given, beyond(rows, columns, mode, before, after, known - lasting, mask is not None))
    shift = None if shift is None else _placed(shift, queries, keys)
    result, largest, total = attend(q, k, v, scale, hidden, shift)
    if query_lengths is not None:
        result = jnp.where((rows < 0) | (rows >= lasting), 0, result)
    return from_heads(result, out_layout), jnp.log(total) + largest


def _unwrapped(tensors: Any) -> Any:
    return tensors[0] if isinstance(tensors, (tuple, list)) and len(tensors) == 1 else tensors


def prompt_flash_attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, actual_seq_lengths: Any = None,
    actual_seq_lengths_kv: Any = None, pse_shift: Tensor | None = None, deq_scale1: Any = None, quant_scale1: Any = None,
    deq_scale2: Any = None, quant_scale2: Any = None, quant_offset2: Any = None, num_heads: int = 1,
    scale_value: float = 1.0, pre_tokens: int = FAR, next_tokens: int = 0, input_layout: str = "BSH",
    num_key_value_heads: int = 0, sparse_mode: int = 0, inner_precise: int = 1,
) -> Tensor:  # fmt: skip
    """Attention of a whole prompt: ``softmax(scale_value * query @ key.T + pse_shift) @ value``, head by head.

    Args:
        attn_mask: 1 (or True) where a key is hidden from a query.
        actual_seq_lengths, actual_seq_lengths_kv: how many positions count, for each part of the batch.
        num_key_value_heads: the heads of key and value, each for several of the query; 0 for as many.
        sparse_mode: 0 the mask and the band of ``pre_tokens`` and ``next_tokens``, 1 the mask, 2 causal from the first
            position, 3 causal to the last, 4 the band counted from the last.

    Examples:
        >>> from mindspore import ops
        >>> x = ops.ones((1, 2, 4))
        >>> print(ops.prompt_flash_attention(x, x, x, num_heads=2)[0, 0])
        [1. 1. 1. 1.]
    """
    owner = "prompt_flash_attention"
    refuse_quantized(owner, deq_scale1=deq_scale1, quant_scale1=quant_scale1, deq_scale2=deq_scale2,
                     quant_scale2=quant_scale2, quant_offset2=quant_offset2)  # fmt: skip
    require_layout(owner, input_layout, ("BSH", "BNSD"))
    return attention_with_lengths(
        query, key, value, attn_mask, lengths(owner, "actual_seq_lengths", actual_seq_lengths),
        lengths(owner, "actual_seq_lengths_kv", actual_seq_lengths_kv), pse_shift, None, None, None, num_heads,
        num_key_value_heads, scale_value, pre_tokens, next_tokens, input_layout, input_layout, sparse_mode,
    )[0]  # fmt: skip


def require_layout(owner: str, layout: str, allowed: tuple[str, ...]) -> None:
    """The layout must be among those of the function."""
    if layout not in allowed:
        raise ValueError(f"For '{owner}', the 'input_layout' must be one of {list(allowed)}, but got {layout!r}.")


def incre_flash_attention(
    query: Tensor, key: Any, value: Any, attn_mask: Tensor | None = None, actual_seq_lengths: Any = None,
    pse_shift: Tensor | None = None, dequant_scale1: Any = None, quant_scale1: Any = None, dequant_scale2: Any = None,
    quant_scale2: Any = None, quant_offset2: Any = None, antiquant_scale: Any = None, antiquant_offset: Any = None,
    block_table: Tensor | None = None, num_heads: int = 1, input_layout: str = "BSH", scale_value: float = 1.0,
    num_key_value_heads: int = 0, block_size: int = 0, inner_precise: int = 1, kv_padding_size: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Attention of one new token to all keys so far.

    Args:
        key, value: a Tensor, or a tuple of a single Tensor.
        actual_seq_lengths: how many keys there are, for each part of the batch.
        block_table: which blocks of ``key`` and ``value`` belong to each part of the batch.
        kv_padding_size: how many keys at the end do not count; what counts stands before them.

    Examples:
        >>> from mindspore import ops
        >>> x = ops.ones((1, 3, 4))
        >>> print(ops.incre_flash_attention(x[:, :1], (x,), (x,), num_heads=2)[0, 0])
        [1. 1. 1. 1.]
    """
    owner = "incre_flash_attention"
    refuse_quantized(owner, dequant_scale1=dequant_scale1, quant_scale1=quant_scale1, dequant_scale2=dequant_scale2,
                     quant_scale2=quant_scale2, quant_offset2=quant_offset2, antiquant_scale=antiquant_scale,
                     antiquant_offset=antiquant_offset)  # fmt: skip
    require_layout(owner, input_layout, ("BSH", "BNSD", "BSND"))
    return attention_with_lengths(
        query, _unwrapped(key), _unwrapped(value), attn_mask, None, lengths(owner, "actual_seq_lengths", actual_seq_lengths), pse_shift,
        block_table, None, kv_padding_size, num_heads, num_key_value_heads, scale_value, FAR, FAR, input_layout,
        input_layout, 0,
    )[0]  # fmt: skip


def fused_infer_attention_score(
    query: Tensor, key: Any, value: Any, *, pse_shift: Tensor | None = None, atten_mask: Tensor | None = None,
    actual_seq_lengths: Any = None, actual_seq_lengths_kv: Any = None, dequant_scale1: Any = None,
    quant_scale1: Any = None, dequant_scale2: Any = None, quant_scale2: Any = None, quant_offset2: Any = None,
    antiquant_scale: Any = None, antiquant_offset: Any = None, key_antiquant_scale: Any = None,
    key_antiquant_offset: Any = None, value_antiquant_scale: Any = None, value_antiquant_offset: Any = None,
    block_table: Tensor | None = None, query_padding_size: Tensor | None = None, kv_padding_size: Tensor | None = None,
    key_shared_prefix: Any = None, value_shared_prefix: Any = None, actual_shared_prefix_len: Any = None,
    num_heads: int = 1, scale: float = 1.0, pre_tokens: int = FAR, next_tokens: int = FAR, input_layout: str = "BSH",
    num_key_value_heads: int = 0, sparse_mode: int = 0, inner_precise: int = 1, block_size: int = 0,
    antiquant_mode: int = 0, key_antiquant_mode: int = 0, value_antiquant_mode: int = 0, softmax_lse_flag: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Attention of a prompt, or of one new token; and, if requested, the log-sum-exp of the scores.

    The arguments are those of :func:`prompt_flash_attention` and :func:`incre_flash_attention`; the layout
    "BNSD_BSND" gives back heads after positions.

    Examples:
        >>> from mindspore import ops
        >>> x = ops.ones((1, 2, 3, 4))
        >>> result, _ = ops.fused_infer_attention_score(x, x, x, num_heads=2, input_layout="BNSD_BSND")
        >>> print(result.shape)
        (1, 3, 2, 4)
    """
    owner = "fused_infer_attention_score"
    refuse_quantized(
        owner, dequant_scale1=dequant_scale1, quant_scale1=quant_scale1, dequant_scale2=dequant_scale2,
        quant_scale2=quant_scale2, quant_offset2=quant_offset2, antiquant_scale=antiquant_scale,
        antiquant_offset=antiquant_offset, key_antiquant_scale=key_antiquant_scale,
        key_antiquant_offset=key_antiquant_offset, value_antiquant_scale=value_antiquant_scale,
        value_antiquant_offset=value_antiquant_offset,
    )  # fmt: skip
    for name, given in (("key_shared_prefix", key_shared_prefix), ("value_shared_prefix", value_shared_prefix)):
        if given is not None:
            raise ValueError(f"For '{owner}', the '{name}' must be None. Join the prefix and the key before.")
    require_layout(owner, input_layout, ("BSH", "BNSD", "BSND", "BNSD_BSND"))
    layout, _, out_layout = input_layout.partition("_")
    if query.shape[2 if layout == "BNSD" else 1] == 1:
        actual_seq_lengths = None  # a single new token attends to all keys
    result, logarithm = attention_with_lengths(
        query, _unwrapped(key), _unwrapped(value), atten_mask, lengths(owner, "actual_seq_lengths", actual_seq_lengths),
        lengths(owner, "actual_seq_lengths_kv", actual_seq_lengths_kv), pse_shift, block_table, query_padding_size,
        kv_padding_size, num_heads, num_key_value_heads, scale, pre_tokens, next_tokens, layout, out_layout or layout,
        sparse_mode,
    )  # fmt: skip
    return result, logarithm if softmax_lse_flag else Tensor(np.zeros(1, np.float32))


for _function in (prompt_flash_attention, incre_flash_attention, fused_infer_attention_score):
    register_function(_function)
