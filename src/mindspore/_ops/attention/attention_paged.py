"""Attention to keys and values that are stored in blocks, and how they get there."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.attention.attention_core import attend, refuse_quantized
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_rank,
    require_rank_from,
    require_same_dtype,
    require_shape,
)
from mindspore._utils.checks import check_int, check_one_of, check_type, shown
from mindspore._utils.refusals import WrongObject, refused


def _numpy_stored(key: np.ndarray, cache: np.ndarray, slots: np.ndarray) -> np.ndarray:
    flat = cache.reshape(-1, *cache.shape[2:]).copy()
    flat[slots[slots >= 0]] = key.reshape(-1, *cache.shape[2:])[slots >= 0]
    return flat.reshape(cache.shape)


@op(public=False,
    test=lambda t: [t.case(t.normal(3, 2, 4), t.normal(2, 2, 2, 4), np.array([3, -1, 0], np.int32),
                           expect=_numpy_stored)])  # fmt: skip
def stored_in_blocks(key: Array, cache: Array, slots: Array):
    """The cache with each token of ``key`` in the slot it is given; negative slots are left out."""
    require_rank("key_cache", cache, 4)
    require_same_dtype(key=key, key_cache=cache)
    depth = cache.shape[2] * cache.shape[3]
    require(key.size == slots.size * depth, f"the 'key' must have {slots.size} tokens of {depth}, but got {key.shape}.")
    flat = cache.reshape(-1, *cache.shape[2:])
    slot_indices = jnp.where(slots < 0, flat.shape[0], slots).reshape(-1)
    return flat.at[slot_indices].set(key.reshape(-1, *cache.shape[2:]), mode="drop").reshape(cache.shape)


@register_primitive
class ReshapeAndCache(Primitive):
    """Stores keys and values in blocks: token i in slot ``slot_mapping[i]``. Returns ``key``.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Parameter, Tensor, ops
        >>> cache = Parameter(ops.zeros((2, 2, 1, 1)), name="cache")
        >>> slots = Tensor([3], ms.int32)
        >>> _ = ops.ReshapeAndCache()(Tensor([[[5.0]]]), None, cache, None, slots)
        >>> print(cache.reshape(-1))
        [0. 0. 0. 5.]
    """

    def __call__(self, key: Tensor, value: Tensor | None = None, key_cache: Any = None, value_cache: Any = None,
                 slot_mapping: Any = None) -> Tensor:  # fmt: skip
        for name, tensor in (("key", key), ("key_cache", key_cache), ("slot_mapping", slot_mapping)):
            if not isinstance(tensor, Tensor):
                raise refused(
                    WrongObject, f"For 'ReshapeAndCache', the '{name}' must be a Tensor, but got {shown(tensor)}."
                )
        if (value is None) != (value_cache is None):
            raise TypeError(
                "For 'ReshapeAndCache', the 'value' and 'value_cache' must be given together or not at all."
            )
        stored = [(key_cache, stored_in_blocks(key, key_cache, slot_mapping))]
        if value is not None:
            stored.append((value_cache, stored_in_blocks(value, value_cache, slot_mapping)))
        for cache, new in stored:
            cache._overwrite(new)
        return key


@op(public=False,
    test=lambda t: [t.case(t.normal(2, 2, 4), t.normal(3, 2, 1, 4), t.normal(3, 2, 1, 4),
                           np.array([[0, 2], [1, 0]], np.int32), np.array([3, 2], np.int32), None, None, None, 2, 1, 0.5,
                           0, False),
                    t.case(t.normal(3, 8), t.normal(3, 2, 2, 4), None, np.array([[0, 2], [1, 0]], np.int32),
                           np.array([3, 2], np.int32), None, None, np.array([2, 1], np.int32), 2, 2, 0.5, 2,
                           True, grad=(0, 1))])  # fmt: skip
def attention_to_blocks(query: Array, key_cache: Array, value_cache: Array | None, block_tables: Array,
                        context_lens: Array, mask: Array | None, positions: Array | None, query_lens: Array | None,
                        heads: int, key_heads: int, scale: float, value_depth: int, causal: bool):  # fmt: skip
    """Attention of tokens to the keys of their sequences, which are the blocks of a row of ``block_tables``."""
    require_rank("key_cache", key_cache, 4)
    text = f"the 'kv_head_num' must be that of the cache, {key_cache.shape[2]}, but got {key_heads}."
    require(key_cache.shape[2] == key_heads, text)
    q = query.reshape(-1, heads, key_cache.shape[3])
    tokens, sequences = q.shape[0], block_tables.shape[0]
    if query_lens is None:
        each = -(-tokens // sequences)
        owners, later = jnp.arange(tokens) // each, each - 1 - jnp.arange(tokens) % each
    else:
        ends = jnp.cumsum(query_lens.reshape(-1))
        owners = jnp.minimum(jnp.searchsorted(ends, jnp.arange(tokens), side="right"), sequences - 1)
        later = ends[owners] - 1 - jnp.arange(tokens)
    values = value_cache if value_cache is not None and not value_depth else key_cache[..., : value_depth or None]
    gathered = [cache[block_tables].reshape(sequences, -1, key_heads, cache.shape[3]) for cache in (key_cache, values)]
    k, v = (x.transpose(0, 2, 1, 3)[owners] for x in gathered)
    columns, known = jnp.arange(k.shape[2]), context_lens.reshape(-1)[owners]
    last = known - later if causal else known
    hidden = (columns >= last[:, None])[:, None, None]
    shift = None
    for extra in (mask, positions):
        if extra is not None:
            extra = extra if extra.ndim == 4 else extra.reshape(-1, 1, 1, extra.shape[-1])
            extra = extra[..., : k.shape[2]].astype(jnp.float32)
            extra = jnp.pad(extra, [(0, 0)] * 3 + [(0, k.shape[2] - extra.shape[-1])])
            extra = extra if extra.shape[0] in (1, tokens) else extra[owners]
            shift = extra if shift is None else shift + extra
    result, _, _ = attend(q[:, :, None], k, v, scale, hidden, shift)
    return result.reshape(*query.shape[:-1], -1) if query.ndim != 3 or query.shape[1] != heads else result[:, :, 0]


class _Paged(Primitive):
    """Attention to blocks; the constructor says how many heads there are."""

    def __init__(self, head_num: int, scale_value: float, kv_head_num: int, kv_cache_quant_mode: str = "DEFAULT",
                 mask_mode: str = "MASK_DEFAULT", mla_v_dim: int = 0):  # fmt: skip
        super().__init__()
        self.add_prim_attr("head_num", check_int(self.name, "head_num", head_num, 1))
        self.add_prim_attr("kv_head_num", check_int(self.name, "kv_head_num", kv_head_num, 1))
        self.add_prim_attr("scale_value", float(check_type(self.name, "scale_value", scale_value, (int, float))))
        check_one_of(self.name, "kv_cache_quant_mode", kv_cache_quant_mode, ("DEFAULT", "PERTOKEN"))
        self.mask_mode = check_one_of(self.name, "mask_mode", mask_mode, ("MASK_DEFAULT", "TRAPEZOIDAL"))
        self.mla_v_dim = check_int(self.name, "mla_v_dim", mla_v_dim, 0)

    def attention(self, query: Any, key_cache: Any, value_cache: Any, block_tables: Any, context_lens: Any, mask: Any,
                  positions: Any, query_lens: Any) -> Tensor:  # fmt: skip
        return attention_to_blocks(query, key_cache, value_cache, block_tables, context_lens, mask, positions, query_lens,
                                   self.head_num, self.kv_head_num, self.scale_value, self.mla_v_dim,
                                   self.mask_mode == "TRAPEZOIDAL")  # fmt: skip


@register_primitive
class PagedAttention(_Paged):
    """Attention of tokens to keys and values in blocks.

    ``block_tables`` names the blocks of each sequence and ``context_lens`` how many of their keys count; without
    ``q_seq_lens`` all sequences have as many tokens. ``attn_mask`` and ``alibi_mask`` are added to the scores.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> cache = ops.ones((2, 2, 1, 2))
        >>> attention = ops.PagedAttention(1, 0.5, 1)
        >>> print(attention(ops.ones((1, 1, 2)), cache, cache, Tensor([[1]], ms.int32), Tensor([2], ms.int32)))
        [[[1. 1.]]]
    """

    def __call__(self, query: Tensor, key_cache: Tensor, value_cache: Tensor | None = None, block_tables: Any = None,
                 context_lens: Any = None, antiquant_scale: Any = None, antiquant_offset: Any = None,
                 attn_mask: Tensor | None = None, q_seq_lens: Tensor | None = None,
                 alibi_mask: Tensor | None = None) -> Tensor:  # fmt: skip
        refuse_quantized(self.name, antiquant_scale=antiquant_scale, antiquant_offset=antiquant_offset)
        return self.attention(
            query, key_cache, value_cache, block_tables, context_lens, attn_mask, alibi_mask, q_seq_lens
        )


@register_primitive
class PagedAttentionMask(_Paged):
    """:class:`PagedAttention` whose last input, ``alibi_mask``, is added to the scores.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> cache = ops.ones((2, 2, 1, 2))
        >>> attention = ops.PagedAttentionMask(1, 0.5, 1)
        >>> table, lengths = Tensor([[1]], ms.int32), Tensor([2], ms.int32)
        >>> print(attention(ops.ones((1, 1, 2)), cache, cache, table, lengths, alibi_mask=ops.zeros((1, 1, 1, 2))))
        [[[1. 1.]]]
    """

    def __init__(self, head_num: int, scale_value: float, kv_head_num: int, kv_cache_quant_mode: str = "DEFAULT"):
        super().__init__(head_num, scale_value, kv_head_num, kv_cache_quant_mode)

    def __call__(self, query: Tensor, key_cache: Tensor, value_cache: Tensor, block_tables: Tensor, context_lens: Tensor,
                 antiquant_scale: Any = None, antiquant_offset: Any = None, alibi_mask: Tensor | None = None) -> Tensor:  # fmt: skip
        refuse_quantized(self.name, antiquant_scale=antiquant_scale, antiquant_offset=antiquant_offset)
        return self.attention(query, key_cache, value_cache, block_tables, context_lens, None, alibi_mask, None)


def _turned(x: Any, cos: Any, sin: Any, neighbours: bool) -> Any:
    heads = upcast_half(x.reshape(cos.shape[0], -1, cos.shape[1]))
    if neighbours:
        other = jnp.stack([-heads[..., 1::2], heads[..., ::2]], -1).reshape(heads.shape)
    else:
        first, second = jnp.split(heads, 2, -1)
        other = jnp.concatenate([-second, first], -1)
    return (heads * cos[:, None] + other * sin[:, None]).reshape(x.shape).astype(x.dtype)


@op(primitive="ApplyRotaryPosEmb", init=("cos_format",), public=False,
    test=lambda t: [t.case(t.normal(3, 8), t.normal(3, 4), t.normal(5, 4), t.normal(5, 4), np.array([4, 0, 2], np.int32)),
                    t.case(t.normal(2, 3, 8), t.normal(2, 3, 4), t.normal(3, 4), t.normal(3, 4),
                           np.array([3, 3], np.int32), 3)])  # fmt: skip
def apply_rotary_pos_emb(query: Array, key: Array, cos: Array, sin: Array, position_ids: Array, cos_format: int = 0):
    """Query and key with pairs of elements of every head turned by the angles of their positions.

    The last axis holds the concatenated heads. ``cos_format`` 0 and 1 take row ``position_ids[i]`` of ``cos``
    and ``sin`` for token i, or rows 0, 1, ... for whole sequences; 2 and 3 take the rows as they are. 0 and 2 pair the
    halves of a head, 1 and 3 pair neighbours.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> x, zeros, ones = Tensor([[1.0, 2.0]]), Tensor([[0.0, 0.0]]), Tensor([[1.0, 1.0]])
        >>> print(ops.ApplyRotaryPosEmb(2)(x, x, zeros, ones, Tensor([0], ms.int32))[0])
        [[-2.  1.]]
    """
    require_choice("cos_format", cos_format, (0, 1, 2, 3))
    for name, tensor in (("query", query), ("key", key), ("cos", cos), ("sin", sin)):
        require(tensor.size, f"the '{name}' must not be empty, but got shape {tensor.shape}.")
        require_rank_from(name, tensor, 1)
    require_shape("sin", sin, cos.shape)
    depth = cos.shape[-1]
    text = (
        f"the 'key' must have the query's tokens, {query.shape[:-1]}, and heads of {depth}, but got shape {key.shape}."
    )
    require(key.shape[:-1] == query.shape[:-1] and key.shape[-1] % depth == 0, text)
    require(query.shape[-1] % depth == 0 and depth % 2 == 0,
            f"the 'query' must have heads of {depth} elements, an even number, but got shape {query.shape}.")  # fmt: skip
    tokens = query.size // query.shape[-1]
    cos, sin = (upcast_half(tensor.reshape(-1, depth)) for tensor in (cos, sin))
    rows = jnp.arange(tokens) % cos.shape[0]
    if cos_format < 2:
        length = query.shape[-2] if query.ndim > 2 else tokens
        rows = position_ids.reshape(-1) if position_ids.size == tokens else jnp.arange(tokens) % length
    cos, sin = cos[rows], sin[rows]
    return tuple(_turned(x, cos, sin, cos_format in (1, 3)) for x in (query, key))
