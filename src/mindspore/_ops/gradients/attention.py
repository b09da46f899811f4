"""Gradients of attention and of what large language models need besides."""

from __future__ import annotations

import inspect
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from mindspore._engine.operator.arguments import Array, Shape
from mindspore._ops.attention.attention_core import FAR
from mindspore._ops.attention.attention_forms import rotary_position_embedding
from mindspore._ops.attention.attention_indexed import attention_to_keys
from mindspore._ops.attention.attention_sparse import compressed_windows, selected_attention
from mindspore._ops.attention.attention_training import attention_with_parts
from mindspore._ops.attention.deformable_attention import multi_scale_deformable_attn_function
from mindspore._ops.declaring.gradient_primitives import forward_of, gradient, pull
from mindspore._ops.declaring.requirements import require
from mindspore._ops.nn.experts import moe_token_unpermute


# -- dense attention -------------------------------------------------------------------------------------------------
def _dense(query: Any, key: Any, value: Any, dy: Any, shift: Any, mask: Any, keep: Any, shift_type: int,
           *settings: Any) -> tuple:  # fmt: skip
    """The gradients by query, key, value and the shift of the scores."""
    heads, layout, scale, before, after, mode, query_ends, key_ends, *starts = settings

    def forward(query: Any, key: Any, value: Any, *shifts: Any) -> Any:
        return forward_of(attention_with_parts, {})(
            query, key, value, shifts[0] if shifts else None, mask, keep, heads, layout, scale, before, after, mode,
            shift_type, query_ends, key_ends, *(starts or (0, 0)),
        )[0]  # fmt: skip

    if shift is None:
        return *pull(forward, dy, query, key, value), jnp.zeros(1, query.dtype)
    return pull(forward, dy, query, key, value, shift)


def _kept(drop_mask: Any, keep_prob: float, query: Any, key: Any, heads: int, layout: str) -> Any:
    """The factors of the weights, from one bit per weight."""
    if drop_mask is None or keep_prob == 1:
        return None
    sequence = {"BSH": 1, "BSND": 1, "SBH": 0, "BNSD": 2, "TND": 0}[layout]
    batch = 1 if layout == "TND" else query.shape[1 if layout == "SBH" else 0]
    shape = (batch, heads, query.shape[sequence], key.shape[sequence])
    bits = jnp.unpackbits(drop_mask.reshape(-1).view(jnp.uint8), bitorder="little")[
        : batch * heads * shape[2] * shape[3]
    ]
    return bits.reshape(shape).astype(query.dtype) / keep_prob


@gradient("FlashAttentionScoreGrad", ("head_num", "keep_prob", "scale_value", "pre_tokens", "next_tokens",
                                      "inner_precise", "input_layout", "sparse_mode"),
          primitive_defaults={"head_num": inspect.Parameter.empty})  # fmt: skip
def flash_attention_score_grad(query: Array, key: Array, value: Array, dy: Array, pse_shift: Array | None = None,
                               drop_mask: Array | None = None, padding_mask: Array | None = None,
                               atten_mask: Array | None = None, softmax_max: Array | None = None,
                               softmax_sum: Array | None = None, softmax_in: Array | None = None,
                               attention_in: Array | None = None, prefix: Any = None, actual_seq_qlen: Any = None,
                               actual_seq_kvlen: Any = None, head_num: int = 1, keep_prob: float = 1.0,
                               scale_value: float = 1.0, pre_tokens: int = 65536, next_tokens: int = 65536,
                               inner_precise: int = 1, input_layout: str = "BSH", sparse_mode: int = 0):  # fmt: skip
    """The gradients of ``FlashAttentionScore`` by query, key, value and ``pse_shift``; its results are computed again."""
    keep = _kept(drop_mask, keep_prob, query, key, head_num, input_layout)
    before, after = (FAR if tokens >= 65536 else tokens for tokens in (pre_tokens, next_tokens))
    return _dense(query, key, value, dy, pse_shift, atten_mask, keep, 0, head_num, input_layout, scale_value, before, after,
                  sparse_mode, actual_seq_qlen, actual_seq_kvlen)  # fmt: skip


@gradient("SpeedFusionAttentionGrad")
def speed_fusion_attention_grad(query: Array, key: Array, value: Array, dy: Array, head_num: int, input_layout: str,
                                pse: Array | None = None, padding_mask: Array | None = None,
                                atten_mask: Array | None = None, softmax_max: Array | None = None,
                                softmax_sum: Array | None = None, softmax_in: Array | None = None,
                                attention_in: Array | None = None, scale_value: float = 1.0, keep_prob: float = 1.0,
                                pre_tokens: int = FAR, next_tokens: int = FAR, inner_precise: int = 0, seed: Any = None,
                                offset: Any = None, numels: Any = None, prefix: Any = None, actual_seq_qlen: Any = None,
                                actual_seq_kvlen: Any = None, sparse_mode: int = 0, gen_mask_parallel: bool = True,
                                sync: bool = False, pse_type: int = 1, q_start_idx: Any = None,
                                kv_start_idx: Any = None):  # fmt: skip
    """The gradients of ``SpeedFusionAttention`` by query, key, value and ``pse``; its results are computed again."""
    text = "the 'keep_prob' must be 1.0: random numbers of Ascend cannot be drawn again. Differentiate the function instead."
    require(keep_prob == 1, text)
    starts = (0 if start is None else start[0] for start in (q_start_idx, kv_start_idx))
    return _dense(query, key, value, dy, pse, atten_mask, None, pse_type, head_num, input_layout, scale_value, pre_tokens,
                  next_tokens, sparse_mode, actual_seq_qlen, actual_seq_kvlen, *starts)  # fmt: skip


# -- sparse attention ------------------------------------------------------------------------------------------------
@gradient("NsaCompressGrad")
def nsa_compress_grad(grad: Array, input: Array, weight: Array, compress_block_size: int, compress_stride: int,
                      actual_seq_len: Shape):  # fmt: skip
    """The gradients of ``NsaCompress`` by tokens and weights."""
    return pull(compressed_windows, grad, input, weight, size=compress_block_size, stride=compress_stride,
                ends=actual_seq_len)  # fmt: skip


@gradient("NsaSelectAttentionGrad")
def nsa_select_attention_grad(grad: Array, query: Array, key: Array, value: Array, attention_out: Array,
                              softmax_max: Array, softmax_sum: Array, topk_indices: Array, scale_value: float,
                              head_num: int, select_block_size: int, select_block_count: int,
                              atten_mask: Array | None = None, actual_seq_qlen: Any = None,
                              actual_seq_kvlen: Any = None):  # fmt: skip
    """The gradients of ``NsaSelectAttention`` by query, key and value; its results are computed again."""
    ends = (actual_seq_qlen or (query.shape[0],), actual_seq_kvlen or (key.shape[0],))
    return pull(selected_attention, grad, query, key, value, indices=topk_indices, mask=atten_mask, scale=scale_value,
                heads=head_num, size=select_block_size, query_ends=ends[0], key_ends=ends[1])  # fmt: skip


@gradient("SparseFlashAttentionGrad")
def sparse_flash_attention_grad(query: Array, key: Array, value: Array, sparse_indices: Array, d_out: Array, out: Array,
                                softmax_max: Array, softmax_sum: Array, scale_value: float, sparse_block_size: int,
                                query_rope: Array | None = None, key_rope: Array | None = None,
                                actual_seq_qlen: Array | None = None, actual_seq_kvlen: Array | None = None,
                                layout: str = "BSND", sparse_mode: int = 3, pre_tokens: int = 2**63 - 1,
                                next_tokens: int = 2**63 - 1, attention_mode: int = 0):  # fmt: skip
    """The gradients of ``SparseFlashAttention`` by query, key, value, and the parts of both that carry positions."""
    turned = query_rope is not None and key_rope is not None

    def forward(query: Any, key: Any, value: Any, *ropes: Any) -> Any:
        return forward_of(attention_to_keys, {})(
            query, key, value, sparse_indices, None, actual_seq_qlen, actual_seq_kvlen, *(ropes or (None, None)),
            scale_value, sparse_block_size, layout, layout, sparse_mode,
        )[0]  # fmt: skip

    if turned:
        return pull(forward, d_out, query, key, value, query_rope, key_rope)
    return *pull(forward, d_out, query, key, value), jnp.zeros(1, query.dtype), jnp.zeros(1, key.dtype)


@gradient("LightningIndexerGrad")
def lightning_indexer_grad(query: Array, key: Array, dy: Array, sparse_indices: Array, weights: Array,
                           actual_seq_lengths_query: Array | None = None, actual_seq_lengths_key: Array | None = None,
                           layout: str = "BSND", sparse_mode: int = 3, pre_tokens: int = 2**63 - 1,
                           next_tokens: int = 2**63 - 1):  # fmt: skip
    """The gradients of the scores of ``LightningIndexer`` at the chosen keys, by query, key and weights."""
    require(layout == "BSND", f"the 'layout' must be 'BSND', but got {layout!r}.")
    chosen = jnp.maximum(sparse_indices, 0)
    seed = jnp.where(sparse_indices < 0, 0, dy.reshape(sparse_indices.shape))  # -1 stands for no key

    def scores(query: Any, key: Any, weights: Any) -> Any:
        found = jax.nn.relu(jnp.einsum("bqnd,bkd->bqnk", query, key[:, :, 0]))
        found = jnp.einsum("bqnk,bqn->bqk", found, weights)
        return jnp.take_along_axis(found[:, :, None], chosen, axis=-1)

    return pull(scores, seed, query, key, weights)


# -- positions, samples, experts -------------------------------------------------------------------------------------
@gradient("RotaryPositionEmbeddingGrad")
def rotary_position_embedding_grad(dy: Array, cos: Array, sin: Array, dx: Array | None = None, mode: int = 0):
    """The gradients of ``RotaryPositionEmbedding`` by its input, cosines and sines; ``dx`` is its input."""
    return pull(rotary_position_embedding, dy, jnp.zeros_like(dy) if dx is None else dx, cos, sin, mode=mode)


@gradient("MultiScaleDeformableAttnGrad")
def multi_scale_deformable_attn_grad(value: Array, shape: Array, offset: Array, locations_trans: Array, weight: Array,
                                     grad_output: Array):  # fmt: skip
    """The gradients of ``MultiScaleDeformableAttn`` by values, positions and weights."""
    swapped = locations_trans.shape[-1] != 2  # the coordinates stand before the points
    locations = jnp.swapaxes(locations_trans, -1, -2) if swapped else locations_trans

    def forward(value: Any, locations: Any, weight: Any) -> Any:
        return forward_of(multi_scale_deformable_attn_function, {})(value, shape, offset, locations, weight)

    by_value, by_location, by_weight = pull(forward, grad_output, value, locations, weight)
    return by_value, jnp.swapaxes(by_location, -1, -2) if swapped else by_location, by_weight


@gradient("MoeTokenPermuteGrad", function=True)
def moe_token_permute_grad(permuted_tokens_grad: Array, sorted_indices: Array, num_topk: int = 1,
                           padded_mode: bool = False):  # fmt: skip
    """The gradient of ``MoeTokenPermute``: every token has the sum of those of its copies.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> from mindspore.ops.auto_generate import moe_token_permute_grad
        >>> print(moe_token_permute_grad(Tensor([[1.0], [2.0]]), Tensor([1, 0], ms.int32), 2))
        [[3.]]
    """
    rows = permuted_tokens_grad.at[sorted_indices].get(mode="fill", fill_value=0)
    return rows.reshape(-1, num_topk, *rows.shape[1:]).sum(1)


@gradient("MoeTokenUnpermuteGrad", function=True)
def moe_token_unpermute_grad(permuted_tokens: Array, unpermuted_tokens_grad: Array, sorted_indices: Array,
                             probs: Array | None = None, padded_mode: bool = False, restore_shape: Any = None):  # fmt: skip
    """The gradients of ``MoeTokenUnpermute`` by tokens and probabilities.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> from mindspore.ops.auto_generate import moe_token_unpermute_grad
        >>> tokens, seed = Tensor([[1.0], [2.0]]), Tensor([[1.0], [5.0]])
        >>> print(moe_token_unpermute_grad(tokens, seed, Tensor([1, 0], ms.int32))[0])
        [[5.]
         [1.]]
    """

    def forward(tokens: Any, *shares: Any) -> Any:
        return forward_of(moe_token_unpermute, {})(
            tokens, sorted_indices, *(shares or (None,)), padded_mode, restore_shape
        )

    if probs is None:
        return pull(forward, unpermuted_tokens_grad, permuted_tokens), jnp.zeros(1, permuted_tokens.dtype)
    return pull(forward, unpermuted_tokens_grad, permuted_tokens, probs)


@gradient("WKVGrad", loops=True)
def wkv_grad(time_first: Array, time_decay: Array, key: Array, value: Array, gy: Array):
    """The gradients of ``WKV``, the attention of RWKV, by decay, bonus, keys and values; the first two per sample.

    MindSpore's names of the first two are exchanged: the first is the decay, the second the bonus of the newest token.
    """
    batch, _, channels = key.shape

    def forward(decay: Any, bonus: Any, key: Any, value: Any) -> Any:
        def step(state: tuple, token: tuple) -> tuple:
            total, weight, largest = state
            k, v = token
            top = jnp.maximum(largest, bonus + k)
            old, new = jnp.exp(largest - top), jnp.exp(bonus + k - top)
            result = (old * total + new * v) / (old * weight + new)
            top = jnp.maximum(largest + decay, k)
            old, new = jnp.exp(largest + decay - top), jnp.exp(k - top)
            return (old * total + new * v, old * weight + new, top), result

        zero = jnp.zeros((batch, channels), key.dtype)
        tokens = (jnp.swapaxes(key, 0, 1), jnp.swapaxes(value, 0, 1))
        return jnp.swapaxes(lax.scan(step, (zero, zero, zero - 1e38), tokens)[1], 0, 1)

    wide = (jnp.broadcast_to(one, (batch, channels)) for one in (time_first, time_decay))
    return pull(forward, gy, *wide, key, value)
