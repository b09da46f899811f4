"""Attention and other fused layers as primitives."""

from __future__ import annotations

from typing import Any

import mindspore.common.dtype as mstype
from mindspore import mint, ops
from mindspore._ops.attention.attention_paged import attention_to_blocks
from mindspore._ops.attention.attention_training import attention_with_parts
from mindspore._ops.generated import attention
from mindspore._ops.methods.in_place import keep
from mindspore.ops import Tensor

FAR = 2147483647
FARTHEST = 9223372036854775807


def _ints(values: Any) -> tuple[int, ...] | None:
    if values is None:
        return None
    return tuple(int(one) for one in (values.tolist() if isinstance(values, Tensor) else values))


def _scores_shape(query: Any, key: Any, heads: int, layout: str) -> tuple[int, ...]:
    if layout == "TND":
        return 1, heads, query.shape[0], key.shape[0]
    axis = {"BSH": 1, "BSND": 1, "SBH": 0, "BNSD": 2}[layout]
    return query.shape[1 if layout == "SBH" else 0], heads, query.shape[axis], key.shape[axis]


def _flash(query: Any, key: Any, value: Any, real_shift: Any = None, drop_mask: Any = None, padding_mask: Any = None,
           attn_mask: Any = None, prefix: Any = None, actual_seq_qlen: Any = None, actual_seq_kvlen: Any = None, *,
           head_num: int, keep_prob: float = 1.0, scale_value: float = 1.0, pre_tokens: int = FAR, next_tokens: int = FAR,
           inner_precise: int = 0, input_layout: str = "BSH", sparse_mode: int = 0) -> tuple[Tensor, ...]:  # fmt: skip
    """The largest scores, the sums of powers, what only Ascend needs, and the attention."""
    for name, given in (("padding_mask", padding_mask), ("prefix", prefix)):
        if given is not None:
            raise ValueError(f"For 'FlashAttentionScore', the '{name}' must be None. Say it with the 'attn_mask'.")
    ends = (_ints(actual_seq_qlen), _ints(actual_seq_kvlen)) if input_layout == "TND" else (None, None)
    kept = None
    if drop_mask is not None and keep_prob < 1:
        shape = _scores_shape(query, key, head_num, input_layout)
        kept = attention.kept_by_bits(drop_mask, shape, float(keep_prob))
    result, largest, total = attention_with_parts(
        query, key, value, real_shift, attn_mask, kept, head_num, input_layout, float(scale_value), pre_tokens,
        next_tokens, sparse_mode, 0, *ends, 0, 0,
    )  # fmt: skip
    return largest, total, mint.zeros((1,), dtype=query.dtype), result


def _latent(query: Any, q_rope: Any, kv_cache: Any, k_rope: Any, block_tables: Any, attn_mask: Any = None,
            deq_scale_qk: Any = None, deq_scale_pv: Any = None, q_seq_lens: Any = None, context_lens: Any = None,
            head_num: int = 32, scale_value: float = 0.0, kv_head_num: int = 1, mask_mode: str = "MASK_NONE",
            is_ring: int = 0) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Attention to compressed keys that are values, too, with the part of the positions apart."""
    if deq_scale_qk is not None or deq_scale_pv is not None:
        raise ValueError("For 'Mla', the 'deq_scale_qk' and 'deq_scale_pv' must be None: convert int8 inputs first.")
    both = mint.concat((query, q_rope), -1), mint.concat((kv_cache, k_rope), -1)
    result = attention_to_blocks(both[0], both[1], None, block_tables, context_lens, attn_mask, None, q_seq_lens, head_num,
                                 kv_head_num, float(scale_value), kv_cache.shape[-1], False)  # fmt: skip
    return result, mint.zeros((*query.shape[:-1], 1), dtype=query.dtype)


def _fused_inference(
    query: Any,
    key: Any,
    value: Any,
    pse_shift: Any = None,
    attn_mask: Any = None,
    actual_seq_lengths: Any = None,
    actual_seq_lengths_kv: Any = None,
    dequant_scale1: Any = None,
    quant_scale1: Any = None,
    dequant_scale2: Any = None,
    quant_scale2: Any = None,
    quant_offset2: Any = None,
    antiquant_scale: Any = None,
    antiquant_offset: Any = None,
    block_table: Any = None,
    query_padding_size: Any = None,
    kv_padding_size: Any = None,
    key_antiquant_scale: Any = None,
    key_antiquant_offset: Any = None,
    value_antiquant_scale: Any = None,
    value_antiquant_offset: Any = None,
    key_shared_prefix: Any = None,
    value_shared_prefix: Any = None,
    actual_shared_prefix_len: Any = None,
    *,
    num_heads: int = 1,
    scale_value: float = 1.0,
    pre_tokens: int = FAR,
    next_tokens: int = FAR,
    input_layout: str = "BSH",
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 1,
    block_size: int = 0,
    antiquant_mode: int = 0,
    softmax_lse_flag: bool = False,
    key_antiquant_mode: int = 0,
    value_antiquant_mode: int = 0,
) -> Any:
    return ops.fused_infer_attention_score(
        query, key, value, pse_shift=pse_shift, atten_mask=attn_mask, actual_seq_lengths=actual_seq_lengths,
        actual_seq_lengths_kv=actual_seq_lengths_kv, dequant_scale1=dequant_scale1, quant_scale1=quant_scale1,
        dequant_scale2=dequant_scale2, quant_scale2=quant_scale2, quant_offset2=quant_offset2,
        antiquant_scale=antiquant_scale, antiquant_offset=antiquant_offset, key_antiquant_scale=key_antiquant_scale,
        key_antiquant_offset=key_antiquant_offset, value_antiquant_scale=value_antiquant_scale,
        value_antiquant_offset=value_antiquant_offset, block_table=block_table, query_padding_size=query_padding_size,
        kv_padding_size=kv_padding_size, key_shared_prefix=key_shared_prefix, value_shared_prefix=value_shared_prefix,
        actual_shared_prefix_len=actual_shared_prefix_len, num_heads=num_heads, scale=scale_value, pre_tokens=pre_tokens,
        next_tokens=next_tokens, input_layout=input_layout, num_key_value_heads=num_key_value_heads,
        sparse_mode=sparse_mode, inner_precise=inner_precise, block_size=block_size, antiquant_mode=antiquant_mode,
        key_antiquant_mode=key_antiquant_mode, value_antiquant_mode=value_antiquant_mode,
        softmax_lse_flag=softmax_lse_flag,
    )  # fmt: skip


FORMS = {
    "DynamicNTK": lambda position_ids, inv_freq, seq_lens, dtype=mstype.float16: (
        attention.turns_of_positions(position_ids, inv_freq, seq_lens, dtype)
    ),
    "FlashAttentionScore": _flash,
    "FusedInferAttentionScore": _fused_inference,
    "IncreFlashAttention": lambda query, key, value, attn_mask=None, actual_seq_lengths=None, pse_shift=None, dequant_scale1=None, quant_scale1=None, dequant_scale2=None, quant_scale2=None, quant_offset2=None, antiquant_scale=None, antiquant_offset=None, block_table=None, kv_padding_size=None, *, num_heads=1, input_layout="BSH", scale_value=1.0, num_key_value_heads=0, block_size=0, inner_precise=1: (
        ops.incre_flash_attention(query, key, value, attn_mask, actual_seq_lengths, pse_shift, dequant_scale1, quant_scale1,
                                  dequant_scale2, quant_scale2, quant_offset2, antiquant_scale, antiquant_offset,
                                  block_table, num_heads, input_layout, scale_value, num_key_value_heads, block_size,
                                  inner_precise, kv_padding_size)
    ),
    "KVCacheScatterUpdate": lambda var, indices, updates, axis, reduce="none": (
        keep("KVCacheScatterUpdate", var, attention.cache_with_updates(var, indices, updates, axis, reduce))
    ),
    "LightningIndexer": lambda query, key, weights, actual_seq_lengths_query=None, actual_seq_lengths_key=None, block_table=None, layout_query="BSND", layout_key="BSND", sparse_count=2048, sparse_mode=3, pre_tokens=FARTHEST, next_tokens=FARTHEST, return_value=False: (
        ops.lightning_indexer(query, key, weights, actual_seq_lengths_query=actual_seq_lengths_query,
                              actual_seq_lengths_key=actual_seq_lengths_key, block_table=block_table,
                              layout_query=layout_query, layout_key=layout_key, sparse_count=sparse_count,
                              sparse_mode=sparse_mode, pre_tokens=pre_tokens, next_tokens=next_tokens,
                              return_value=return_value)
    ),
    "Mla": _latent,
    "MultiScaleDeformableAttn": lambda value, shape, offset, locations, weight: (
        ops.multi_scale_deformable_attn_function(value, shape, offset, locations, weight)
    ),
    "NsaCompress": lambda input, weight, compress_block_size, compress_stride, actual_seq_len=None: (
        ops.nsa_compress(input, weight, compress_block_size, compress_stride, actual_seq_len=actual_seq_len)
    ),
    "NsaCompressAttention": lambda query, key, value, scale_value, head_num, compress_block_size, compress_stride, select_block_size, select_block_count, topk_mask=None, atten_mask=None, actual_seq_qlen=None, actual_cmp_seq_kvlen=None, actual_sel_seq_kvlen=None: (
        ops.nsa_compress_attention(query, key, value, scale_value, head_num, compress_block_size, compress_stride,
                                   select_block_size, select_block_count, topk_mask=topk_mask, atten_mask=atten_mask,
                                   actual_seq_qlen=actual_seq_qlen, actual_cmp_seq_kvlen=actual_cmp_seq_kvlen,
                                   actual_sel_seq_kvlen=actual_sel_seq_kvlen)
    ),
    "NsaSelectAttention": lambda query, key, value, topk_indices, scale_value, head_num, select_block_size, select_block_count, atten_mask=None, actual_seq_qlen=None, actual_seq_kvlen=None: (
        ops.nsa_select_attention(query, key, value, topk_indices, scale_value, head_num, select_block_size,
                                 select_block_count, atten_mask=atten_mask, actual_seq_qlen=actual_seq_qlen,
                                 actual_seq_kvlen=actual_seq_kvlen)
    ),
    "PromptFlashAttention": lambda query, key, value, attn_mask=None, actual_seq_lengths=None, actual_seq_lengths_kv=None, pse_shift=None, deq_scale1=None, quant_scale1=None, deq_scale2=None, quant_scale2=None, quant_offset2=None, *, num_heads=1, scale_value=1.0, pre_tokens=FAR, next_tokens=0, input_layout="BSH", num_key_value_heads=0, sparse_mode=0, inner_precise=1: (
        ops.prompt_flash_attention(query, key, value, attn_mask, actual_seq_lengths, actual_seq_lengths_kv, pse_shift,
                                   deq_scale1, quant_scale1, deq_scale2, quant_scale2, quant_offset2, num_heads,
                                   scale_value, pre_tokens, next_tokens, input_layout, num_key_value_heads, sparse_mode,
                                   inner_precise)
    ),
    "RingAttentionUpdate": lambda prev_attn_out, prev_softmax_max, prev_softmax_sum, cur_attn_out, cur_softmax_max, cur_softmax_sum, actual_seq_qlen=None, layout="SBH": (
        ops.ring_attention_update(prev_attn_out, prev_softmax_max, prev_softmax_sum, cur_attn_out, cur_softmax_max,
                                  cur_softmax_sum, actual_seq_qlen, layout)
    ),
    "RotaryPositionEmbedding": lambda x, cos, sin, mode=0: ops.rotary_position_embedding(x, cos, sin, mode),
    "RotatedIou": lambda boxes, query_boxes, trans=False, mode=0, is_cross=True, v_threshold=0.0, e_threshold=0.0: (
        ops.rotated_iou(boxes, query_boxes, trans, mode, is_cross, v_threshold, e_threshold)
    ),
    "SparseFlashAttention": lambda query, key, value, sparse_indices, scale_value, block_table=None, actual_seq_lengths_query=None, actual_seq_lengths_kv=None, query_rope=None, key_rope=None, sparse_block_size=1, layout_query="BSND", layout_kv="BSND", sparse_mode=3, pre_tokens=FARTHEST, next_tokens=FARTHEST, attention_mode=0, return_softmax_lse=False: (
        ops.sparse_flash_attention(query, key, value, sparse_indices, scale_value, block_table=block_table,
                                   actual_seq_lengths_query=actual_seq_lengths_query,
                                   actual_seq_lengths_kv=actual_seq_lengths_kv, query_rope=query_rope, key_rope=key_rope,
                                   sparse_block_size=sparse_block_size, layout_query=layout_query, layout_kv=layout_kv,
                                   sparse_mode=sparse_mode, pre_tokens=pre_tokens, next_tokens=next_tokens,
                                   attention_mode=attention_mode, return_softmax_lse=return_softmax_lse)
    ),
    "SpeedFusionAttention": lambda query, key, value, head_num, input_layout, seed, offset, pse=None, padding_mask=None, atten_mask=None, scale=1.0, keep_prob=1.0, pre_tokens=FAR, next_tokens=FAR, inner_precise=0, prefix=None, actual_seq_qlen=None, actual_seq_kvlen=None, sparse_mode=0, gen_mask_parallel=True, sync=False, pse_type=1, q_start_idx=None, kv_start_idx=None: (
        ops.speed_fusion_attention(query, key, value, head_num, input_layout, pse=pse, padding_mask=padding_mask,
                                   atten_mask=atten_mask, scale=scale, keep_prob=keep_prob, pre_tokens=pre_tokens,
                                   next_tokens=next_tokens, inner_precise=inner_precise, prefix=prefix,
                                   actual_seq_qlen=actual_seq_qlen, actual_seq_kvlen=actual_seq_kvlen,
                                   sparse_mode=sparse_mode, gen_mask_parallel=gen_mask_parallel, sync=sync,
                                   pse_type=pse_type, q_start_idx=q_start_idx, kv_start_idx=kv_start_idx)
    ),
    "TransposeBatchMatmulTranspose": lambda input, weight, perm_in, perm_out, transpose_a=False, transpose_b=False: (
        mint.permute(ops.BatchMatMul(transpose_a, transpose_b)(mint.permute(input, perm_in), weight), perm_out)
    ),
}  # fmt: skip
