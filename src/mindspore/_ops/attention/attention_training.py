"""Attention for training: dropout, position biases, packed sequences, ring attention."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.creation import ones
from mindspore._ops.attention.attention_core import (
    FAR,
    LAYOUTS,
    attend,
    beyond,
    either,
    from_heads,
    refuse_quantized,
    segments,
    to_heads,
    token_positions,
)
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_elements,
    require_float,
    require_rank,
    require_same_dtype,
    require_shape,
)
from mindspore._ops.nn.dropout import dropout
from mindspore._utils.checks import shown


def _slopes(positions: Any, slopes: Any, mode: int) -> Any:
    """Positions by ALiBi: minus the distance, or its root, times a slope for each head."""
    distance = jnp.abs(positions).astype(jnp.float32)
    distance = jnp.sqrt(distance) if mode == 3 else distance
    slopes = slopes.reshape(-1, slopes.shape[-1])
    return -distance * slopes[:, :, None, None]


@op(public=False,
    test=lambda t: [t.case(t.normal(2, 3, 4), t.normal(2, 3, 2), t.normal(2, 3, 2), t.normal(1, 2, 3, 3), None, None, 2,
                           "BSH", 0.5, FAR, FAR, 0, 1, None, None, 0, 0),
                    t.case(t.normal(5, 2, 4), t.normal(6, 1, 4), t.normal(6, 1, 4), None, None, None, 2, "TND", 0.5, FAR,
                           0, 3, 1, (2, 5), (2, 6), 0, 0),
                    t.case(t.normal(1, 2, 3, 4), t.normal(1, 2, 4, 4), t.normal(1, 2, 4, 4), t.positive(2), t.bools(3, 4),
                           None, 2, "BNSD", 1.0, FAR, FAR, 1, 2, None, None, 1, 0, grad=(0, 1, 2))])  # fmt: skip
def attention_with_parts(query: Array, key: Array, value: Array, shift: Array | None, mask: Array | None,
                         keep: Array | None, heads: int, layout: str, scale: float, before: int, after: int, mode: int,
                         shift_type: int, query_ends: Any, key_ends: Any, query_start: int, key_start: int):  # fmt: skip
    """Attention, the largest scores and the sums of powers, both 8 times as on Ascend."""
    require_float("query", query)
    require_same_dtype(query=query, key=key)
    require_same_dtype(query=query, value=value)
    apart = None
    if layout == "TND":
        q, k, v = (x.transpose(1, 0, 2)[None] for x in (query, key, value))
        parts, rows = token_positions(query_ends)
        of_keys, columns = token_positions(key_ends)
        apart = jnp.asarray(parts[:, None] != of_keys)
        ahead = (np.diff((0, *key_ends)) - np.diff((0, *query_ends)))[parts][:, None]
        rows = rows[:, None]
    else:
        depth = query.shape[-1] // (1 if query.ndim == 4 else heads)
        q = to_heads(query, layout, heads)
        k, v = (to_heads(x, layout, x.shape[-1] // depth if x.ndim == 3 else 0) for x in (key, value))
        rows, columns = np.arange(q.shape[2])[:, None], np.arange(k.shape[2])
        ahead = k.shape[2] - q.shape[2]
    require(q.shape[1] == heads, f"the 'head_num' must be that of the query, {q.shape[1]}, but got {heads}.")
    given = None if mask is None or mode > 1 else mask.astype(jnp.bool_)
    hidden = either(apart, given, beyond(rows, columns, mode, before, after, ahead, mask is not None))
    if shift is not None and shift_type in (2, 3):
        shift = _slopes(jnp.asarray(rows - columns + query_start - key_start), shift, shift_type)
    result, largest, total = attend(q, k, v, scale, hidden, shift, shift_type == 1, keep)
    if layout == "TND":
        result, largest, total = (x[0].transpose(1, 0, 2) for x in (result, largest, total))
    else:
        result = from_heads(result, layout)
    return result, jnp.repeat(largest, 8, -1), jnp.repeat(total, 8, -1)


def _start(owner: str, name: str, value: Any) -> int:
    if value is None:
        return 0
    if not isinstance(value, (tuple, list)) or len(value) != 1 or not isinstance(value[0], int):
        raise TypeError(f"For '{owner}', the '{name}' must be a tuple of one int, but got {shown(value)}.")
    return value[0]


def _score_shape(query: Tensor, key: Tensor, heads: int, layout: str) -> tuple[int, ...]:
    if layout == "TND":
        return 1, heads, query.shape[0], key.shape[0]
    axis = {"BSH": 1, "BSND": 1, "SBH": 0, "BNSD": 2}[layout]
    return query.shape[1 if layout == "SBH" else 0], heads, query.shape[axis], key.shape[axis]


def speed_fusion_attention(
    query: Tensor, key: Tensor, value: Tensor, head_num: int, input_layout: str, *, pse: Tensor | None = None,
    padding_mask: Any = None, atten_mask: Tensor | None = None, scale: float = 1.0, keep_prob: float = 1.0,
    pre_tokens: int = FAR, next_tokens: int = FAR, inner_precise: int = 0, prefix: Any = None,
    actual_seq_qlen: Any = None, actual_seq_kvlen: Any = None, sparse_mode: int = 0, gen_mask_parallel: bool = True,
    sync: bool = False, pse_type: int = 1, q_start_idx: Any = None, kv_start_idx: Any = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Attention for training: the result, the largest scores, the sums of powers, and four that Ascend needs.

    Args:
        head_num: the heads of the query; key and value may have fewer, each for several of them.
        input_layout: "BSH", "BNSD", "SBH", "BSND", or "TND" for packed sequences that end at
            ``actual_seq_qlen`` and ``actual_seq_kvlen``.
        pse: added to the scores, after scaling (``pse_type`` 0) or before (1); slopes of ALiBi for its types 2 and 3.
        atten_mask: 1 (or True) where a key is hidden from a query.
        keep_prob: the probability with which a weight is kept; the others become 0.
        sparse_mode: 0 the mask and the band of ``pre_tokens`` and ``next_tokens``, 1 the mask, 2 causal from the first
            position, 3 causal to the last, 4 the band counted from the last.

    Examples:
        >>> from mindspore import ops
        >>> x = ops.ones((1, 2, 4))
        >>> print(ops.speed_fusion_attention(x, x, x, 2, "BSH")[0][0, 0])
        [1. 1. 1. 1.]
    """
    owner = "speed_fusion_attention"
    if input_layout not in (*LAYOUTS, "TND"):
        allowed = [*LAYOUTS, "TND"]
        raise ValueError(f"For '{owner}', the 'input_layout' must be one of {allowed}, but got {input_layout!r}.")
    if pse_type not in (0, 1, 2, 3):
        raise ValueError(f"For '{owner}', the 'pse_type' must be 0, 1, 2 or 3, but got {pse_type!r}.")
    if not isinstance(keep_prob, (int, float)) or not 0 < keep_prob <= 1:
        raise ValueError(f"For '{owner}', the 'keep_prob' must be in (0, 1], but got {keep_prob!r}.")
    refuse_quantized(owner, padding_mask=padding_mask, prefix=prefix)
    ends: tuple[Any, Any] = (None, None)
    if input_layout == "TND":
        ends = (segments(owner, "actual_seq_qlen", actual_seq_qlen, query.shape[0]),
                segments(owner, "actual_seq_kvlen", actual_seq_kvlen, key.shape[0]))  # fmt: skip
    keep = None
    if keep_prob < 1:
        keep = dropout(ones(_score_shape(query, key, head_num, input_layout), query.dtype), 1 - keep_prob)
    starts = _start(owner, "q_start_idx", q_start_idx), _start(owner, "kv_start_idx", kv_start_idx)
    results = attention_with_parts(query, key, value, pse, atten_mask, keep, head_num, input_layout, scale, pre_tokens,
                                   next_tokens, sparse_mode, pse_type, *ends, *starts)  # fmt: skip
    nothing = [Tensor(np.zeros(1, np.int64)) for _ in range(3)]
    return *results, Tensor(np.zeros(1, np.float32)).astype(query.dtype), *nothing


register_function(speed_fusion_attention)


def _numpy_ring(a: np.ndarray, am: np.ndarray, ar: np.ndarray, b: np.ndarray, bm: np.ndarray, br: np.ndarray) -> Any:
    largest = np.maximum(am, bm)
    left, right = ar * np.exp(am - largest), br * np.exp(bm - largest)
    share = (left / (left + right))[..., 0].transpose(2, 0, 1).repeat(a.shape[2] // am.shape[1], 2)
    return a * share + b * (1 - share), largest, left + right


@op(test=lambda t: [t.case(t.normal(3, 2, 4), t.normal(2, 2, 3, 8), t.positive(2, 2, 3, 8), t.normal(3, 2, 4),
                           t.normal(2, 2, 3, 8), t.positive(2, 2, 3, 8), grad=(0, 2, 3, 5), expect=_numpy_ring),
                    t.case(t.normal(3, 2, 4), t.normal(3, 2, 8), t.positive(3, 2, 8), t.normal(3, 2, 4),
                           t.normal(3, 2, 8), t.positive(3, 2, 8), np.array([0, 3]), "TND", grad=(0, 2, 3, 5))])  # fmt: skip
def ring_attention_update(prev_attn_out: Array, prev_softmax_max: Array, prev_softmax_sum: Array, cur_attn_out: Array,
                          cur_softmax_max: Array, cur_softmax_sum: Array, actual_seq_qlen: Array | None = None,
                          layout: str = "SBH"):  # fmt: skip
    """The attention to two sets of keys from the attentions to each: the result, largest scores and sums of powers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x, zeros, ones = Tensor([[[1.0]]]), ops.zeros((1, 1, 1, 8)), ops.ones((1, 1, 1, 8))
        >>> print(ops.ring_attention_update(x, zeros, ones, x * 5, zeros, ones * 3)[0])
        [[[4.]]]
    """
    require_choice("layout", layout, ("SBH", "TND"))
    require(layout == "SBH" or actual_seq_qlen is not None, "the 'actual_seq_qlen' must be given for layout 'TND'.")
    require_shape("cur_attn_out", cur_attn_out, prev_attn_out.shape)
    for name, tensor in (("prev_softmax_sum", prev_softmax_sum), ("cur_softmax_max", cur_softmax_max),
                      ("cur_softmax_sum", cur_softmax_sum)):  # fmt: skip
        require_shape(name, tensor, prev_softmax_max.shape)
    require_rank("prev_attn_out", prev_attn_out, 3)
    require_rank("prev_softmax_max", prev_softmax_max, 4 if layout == "SBH" else 3)
    require_elements("prev_softmax_max", prev_softmax_max, (1, -1))
    largest = jnp.maximum(prev_softmax_max, cur_softmax_max)
    before = prev_softmax_sum * jnp.exp(prev_softmax_max - largest)
    now = cur_softmax_sum * jnp.exp(cur_softmax_max - largest)
    total = before + now
    share = (before / total)[..., 0]
    if layout == "SBH":
        share = jnp.repeat(share.transpose(2, 0, 1), prev_attn_out.shape[2] // share.shape[1], 2)
    else:
        share = share[..., None]
    result = prev_attn_out * share + cur_attn_out * (1 - share)
    return result.astype(prev_attn_out.dtype), largest, total
