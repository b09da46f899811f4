"""Attention and other fused layers as primitives."""

from __future__ import annotations

import inspect
from typing import Any

import mindspore.common.dtype as mstype
from mindspore import mint, ops
from mindspore._engine.operator.function_primitive import form_of
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


def _seeded(form: Any) -> Any:
    """The form with a seed and an offset behind the layout; the random state decides what is dropped."""
    parameters = list(inspect.signature(form).parameters.values())
    own = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("seed", "offset")]
    position = [parameter.name for parameter in parameters].index("input_layout") + 1
    signature = inspect.Signature([*parameters[:position], *own, *parameters[position:]])

    def seeded(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs).arguments
        return form(**{name: value for name, value in given.items() if name not in ("seed", "offset")})

    seeded.__signature__ = signature  # type: ignore[attr-defined]
    return seeded


FORMS = {
    "DynamicNTK": lambda position_ids, inv_freq, seq_lens, dtype=mstype.float16: (
        attention.turns_of_positions(position_ids, inv_freq, seq_lens, dtype)
    ),
    "FlashAttentionScore": _flash,
    "FusedInferAttentionScore": _fused_inference,
    "IncreFlashAttention": form_of(
        ops.incre_flash_attention, "num_heads input_layout scale_value num_key_value_heads block_size inner_precise"
    ),
    "KVCacheScatterUpdate": lambda var, indices, updates, axis, reduce="none": (
        keep("KVCacheScatterUpdate", var, attention.cache_with_updates(var, indices, updates, axis, reduce))
    ),
    "LightningIndexer": form_of(ops.lightning_indexer),
    "Mla": _latent,
    "MultiScaleDeformableAttn": form_of(ops.multi_scale_deformable_attn_function),
    "NsaCompress": lambda input, weight, compress_block_size, compress_stride, actual_seq_len=None: (
        ops.nsa_compress(input, weight, compress_block_size, compress_stride, actual_seq_len=actual_seq_len)
    ),
    "NsaCompressAttention": form_of(ops.nsa_compress_attention),
    "NsaSelectAttention": form_of(ops.nsa_select_attention),
    "PromptFlashAttention": form_of(
        ops.prompt_flash_attention,
        "num_heads scale_value pre_tokens next_tokens input_layout num_key_value_heads sparse_mode inner_precise",
    ),
    "RingAttentionUpdate": form_of(ops.ring_attention_update),
    "RotaryPositionEmbedding": form_of(ops.rotary_position_embedding),
    "RotatedIou": form_of(ops.rotated_iou),
    "SparseFlashAttention": form_of(ops.sparse_flash_attention),
    "SpeedFusionAttention": _seeded(form_of(ops.speed_fusion_attention)),
    "TransposeBatchMatmulTranspose": lambda input, weight, perm_in, perm_out, transpose_a=False, transpose_b=False: (
        mint.permute(ops.BatchMatMul(transpose_a, transpose_b)(mint.permute(input, perm_in), weight), perm_out)
    ),
}  # fmt: skip
