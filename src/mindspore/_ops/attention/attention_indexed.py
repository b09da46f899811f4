"""DeepSeek Sparse Attention: which keys matter for a token, and attention to them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.attention.attention_core import attend
from mindspore._ops.declaring.requirements import require, require_choice, require_same_dtype

_FAR = 2**63 - 1


def _batched(x: Any, ends: Any, length: int) -> Any:
    """Parts of (tokens, ...) that end at ``ends`` as (batch, length, ...), each from its start."""
    starts = jnp.concatenate([jnp.zeros(1, ends.dtype), ends[:-1]])
    rows = starts[:, None] + jnp.arange(length)
    return x[jnp.minimum(rows, x.shape[0] - 1)]


def _flat(x: Any, ends: Any, tokens: int) -> Any:
    """(tokens, ...) back from (batch, length, ...)."""
    part = jnp.searchsorted(ends, jnp.arange(tokens), side="right")
    starts = jnp.concatenate([jnp.zeros(1, ends.dtype), ends[:-1]])
    return x[part, jnp.arange(tokens) - starts[part]]


def _key_rows(key: Any, layout: str, table: Any, ends: Any) -> Any:
    """(batch, keys, heads, depth) from any layout of keys."""
    if layout == "PA_BSND":
        require(table is not None, "the 'block_table' must be given for the layout 'PA_BSND'.")
        return key[table].reshape(table.shape[0], -1, *key.shape[2:])
    return _batched(key, ends, key.shape[0]) if layout == "TND" else key


def _sizes(lengths: Any, layout: str, batch: int, whole: int) -> Any:
    """How many positions count for each part of a batch."""
    if lengths is None:
        return jnp.full(batch, whole)
    return jnp.diff(lengths, prepend=0) if layout == "TND" else lengths.reshape(-1)


def _checked(layout: str, key_layout: str, lengths: Any, key_lengths: Any, mode: int) -> None:
    require_choice("layout_query", layout, ("BSND", "TND"))
    require_choice("the layout of keys", key_layout, ("BSND", "TND", "PA_BSND"))
    require(key_layout in (layout, "PA_BSND"), f"the layouts must agree, but got {layout!r} and {key_layout!r}.")
    require(layout != "TND" or lengths is not None, "the 'actual_seq_lengths_query' must be given for layout 'TND'.")
    given = key_lengths is not None or key_layout == "BSND"
    require(given, f"the lengths of keys must be given for layout {key_layout!r}.")
    require_choice("sparse_mode", mode, (0, 3))


def _visible(queries: int, keys: int, lengths: Any, key_lengths: Any, mode: int) -> Any:
    """(batch, queries, keys): True where a key exists and, in mode 3, does not follow the query."""
    columns = jnp.arange(keys)
    seen = columns < key_lengths[:, None, None]
    if mode == 3:
        own = jnp.arange(queries)[None, :, None] + (key_lengths - lengths)[:, None, None]
        seen = seen & (columns <= own)
    return jnp.broadcast_to(seen, (key_lengths.shape[0], queries, keys))


@op(public=False,
    test=lambda t: [t.case(t.normal(2, 3, 2, 4), t.normal(2, 5, 1, 4), t.positive(2, 3, 2), None, None, None, "BSND",
                           "BSND", 2, 3, grad=False)])  # fmt: skip
def best_keys(query: Array, key: Array, weights: Array, lengths: Array | None, key_lengths: Array | None,
              table: Array | None, layout: str, key_layout: str, count: int, mode: int):  # fmt: skip
    """The keys with the largest weighted scores for every token, and their scores."""
    _checked(layout, key_layout, lengths, key_lengths, mode)
    require_same_dtype(query=query, key=key)
    tokens = query.shape[0]
    q, w = query, weights
    if layout == "TND":
        q, w = (_batched(x, lengths, tokens) for x in (query, weights))
    k = _key_rows(key, key_layout, table, key_lengths)
    require(k.shape[2] == 1, f"the 'key' must have 1 head, but got {k.shape[2]}.")
    sizes = _sizes(lengths, layout, q.shape[0], q.shape[1])
    key_sizes = _sizes(key_lengths, key_layout, q.shape[0], k.shape[1])
    scores = jax.nn.relu(jnp.einsum("bqnd,bkd->bqnk", q, k[:, :, 0], preferred_element_type=jnp.float32))
    scores = jnp.einsum("bqnk,bqn->bqk", scores, w.astype(jnp.float32))
    lowest = jnp.finfo(jnp.float32).min
    scores = jnp.where(_visible(q.shape[1], k.shape[1], sizes, key_sizes, mode), scores, lowest)
    scores = jnp.pad(scores, ((0, 0), (0, 0), (0, max(count - k.shape[1], 0))), constant_values=lowest)
    values, indices = lax.top_k(scores, count)
    indices = jnp.where(values == lowest, -1, indices).astype(jnp.int32)[:, :, None]
    values = jnp.where(values == lowest, 0, values).astype(query.dtype)[:, :, None]
    if layout == "TND":
        indices, values = (_flat(x, lengths, tokens) for x in (indices, values))
    return indices, values


def lightning_indexer(
    query: Tensor, key: Tensor, weights: Tensor, *, actual_seq_lengths_query: Tensor | None = None,
    actual_seq_lengths_key: Tensor | None = None, block_table: Tensor | None = None, layout_query: str = "BSND",
    layout_key: str = "BSND", sparse_count: int = 2048, sparse_mode: int = 3, pre_tokens: int = _FAR,
    next_tokens: int = _FAR, return_value: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The keys that matter most for every token: those with the largest ``sum(weights * relu(query @ key.T))``.

    Args:
        query, key: (batch, positions, heads, depth), or (tokens, heads, depth) in layout "TND"; the key has a single head.
        weights: of the heads of the query.
        actual_seq_lengths_query, actual_seq_lengths_key: how many positions count; where parts end in layout "TND".
        block_table: the blocks of ``key`` of each part of the batch, for layout "PA_BSND".
        sparse_count: how many keys are chosen; -1 stands where there are fewer.
        sparse_mode: 0 all keys, 3 none that follows the token.
        return_value: whether the second result holds their scores.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> query, key = ops.ones((1, 2, 1, 1)), Tensor([[[[3.0]], [[4.0]]]])
        >>> print(ops.lightning_indexer(query, key, ops.ones((1, 2, 1)), sparse_count=1)[0].reshape(-1))
        [0 1]
    """
    indices, values = best_keys(query, key, weights, actual_seq_lengths_query, actual_seq_lengths_key, block_table,
                                layout_query, layout_key, sparse_count, sparse_mode)  # fmt: skip
    return indices, values if return_value else values * 0


@op(public=False,
    test=lambda t: [t.case(t.normal(2, 3, 2, 4), t.normal(2, 5, 1, 4), t.normal(2, 5, 1, 4), t.ints(2, 3, 1, 3, high=5),
                           None, None, None, t.normal(2, 3, 2, 2), t.normal(2, 5, 1, 2), 0.5, 1, "BSND", "BSND", 3,
                           grad=(0, 1, 2, 7, 8))])  # fmt: skip
def attention_to_keys(query: Array, key: Array, value: Array, indices: Array, table: Array | None,
                      lengths: Array | None, key_lengths: Array | None, query_rope: Array | None,
                      key_rope: Array | None, scale: float, size: int, layout: str, key_layout: str, mode: int):  # fmt: skip
    """Attention to chosen blocks of keys, the largest scores and the sums of powers."""
    _checked(layout, key_layout, lengths, key_lengths, mode)
    require_same_dtype(query=query, key=key)
    tokens = query.shape[0]

    def rows(x: Any) -> Any:
        return None if x is None else _batched(x, lengths, tokens) if layout == "TND" else x

    q, chosen, near = rows(query), rows(indices), rows(query_rope)
    k, v, near_key = (
        None if x is None else _key_rows(x, key_layout, table, key_lengths) for x in (key, value, key_rope)
    )
    sizes = _sizes(lengths, layout, q.shape[0], q.shape[1])
    key_sizes = _sizes(key_lengths, key_layout, q.shape[0], k.shape[1])
    blocks = jnp.arange(k.shape[1]) // size
    listed = (chosen[..., None] == blocks).any(3).transpose(0, 2, 1, 3)
    seen = jnp.repeat(listed, q.shape[2] // listed.shape[1], 1)
    seen = seen & _visible(q.shape[1], k.shape[1], sizes, key_sizes, mode)[:, None]
    q, k, v = (x.transpose(0, 2, 1, 3) for x in (q, k, v))
    further = None if near is None else (near.transpose(0, 2, 1, 3), near_key.transpose(0, 2, 1, 3))
    result, largest, total = attend(q, k, v, scale, ~seen, further=further)
    result = result.transpose(0, 2, 1, 3)
    groups = k.shape[1]
    parts = [x[..., 0].reshape(x.shape[0], groups, -1, x.shape[2]).transpose(0, 1, 3, 2) for x in (largest, total)]
    if layout == "TND":
        result = _flat(result, lengths, tokens)
        parts = [_flat(x.transpose(0, 2, 1, 3), lengths, tokens).transpose(1, 0, 2) for x in parts]
    return result, *(part.astype(jnp.float32) for part in parts)


def sparse_flash_attention(
    query: Tensor, key: Tensor, value: Tensor, sparse_indices: Tensor, scale_value: float, *,
    block_table: Tensor | None = None, actual_seq_lengths_query: Tensor | None = None,
    actual_seq_lengths_kv: Tensor | None = None, query_rope: Tensor | None = None, key_rope: Tensor | None = None,
    sparse_block_size: int = 1, layout_query: str = "BSND", layout_kv: str = "BSND", sparse_mode: int = 3,
    pre_tokens: int = _FAR, next_tokens: int = _FAR, attention_mode: int = 0, return_softmax_lse: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Attention of every token to the keys that ``sparse_indices`` names, as :func:`lightning_indexer` finds them.

    Args:
        sparse_indices: numbers of blocks of ``sparse_block_size`` keys; negative ones name none.
        query_rope, key_rope: further parts of query and key whose products count too.
        block_table, actual_seq_lengths_query, actual_seq_lengths_kv: as for :func:`lightning_indexer`.
        sparse_mode: 0 all that is named, 3 none that follows the token.

    Returns the attention, the largest scores and the sums of powers.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> x = Tensor([[[[1.0]], [[2.0]]]])
        >>> print(ops.sparse_flash_attention(x, x, x, ops.zeros((1, 2, 1, 1), ms.int32), 1.0)[0].reshape(-1))
        [1. 1.]
    """
    if attention_mode == 2 and (query_rope is None or key_rope is None):
        text = "For 'sparse_flash_attention', the 'query_rope' and 'key_rope' must be given for 'attention_mode' 2."
        raise ValueError(text)
    if sparse_block_size < 1 or sparse_block_size & (sparse_block_size - 1):
        raise ValueError(
            f"For 'sparse_flash_attention', the 'sparse_block_size' must be a power of 2, but got {sparse_block_size}."
        )
    return attention_to_keys(query, key, value, sparse_indices, block_table, actual_seq_lengths_query,
                             actual_seq_lengths_kv, query_rope, key_rope, scale_value, sparse_block_size, layout_query,
                             layout_kv, sparse_mode)  # fmt: skip


for _function in (lightning_indexer, sparse_flash_attention):
    register_function(_function)
