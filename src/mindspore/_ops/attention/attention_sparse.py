"""Attention to chosen keys: Native Sparse Attention and DeepSeek Sparse Attention, as formulas on dense scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.attention.attention_core import attend, either, segments, token_positions
from mindspore._ops.declaring.requirements import require, require_rank, require_same_dtype, require_shape
from mindspore._utils.checks import check_positive_int


def _windows(ends: Sequence[int], size: int, stride: int) -> np.ndarray:
    """The tokens of every window, (windows, size); no window crosses the end of its sequence."""
    starts = (0, *ends[:-1])
    first = [np.arange(start, end - size + 1, stride) for start, end in zip(starts, ends, strict=True)]
    return np.concatenate(first)[:, None] + np.arange(size)


@op(public=False,
    test=lambda t: [t.case(t.normal(7, 2, 3), t.normal(2, 2), 2, 1, (3, 7), grad=(0, 1),
                           expect=lambda x, w, *_: np.stack([x[i] * w[0][:, None] + x[i + 1] * w[1][:, None]
                                                             for i in (0, 1, 3, 4, 5)]))])  # fmt: skip
def compressed_windows(input: Array, weight: Array, size: int, stride: int, ends: Any):
    """The weighted sum of the tokens of every window."""
    require_rank("input", input, 3)
    require_same_dtype(input=input, weight=weight)
    require_shape("weight", weight, (size, input.shape[1]))
    return jnp.einsum("wbnd,bn->wnd", input[_windows(ends, size, stride)], weight)


def nsa_compress(input: Tensor, weight: Tensor, compress_block_size: int, compress_stride: int, *,
                 actual_seq_len: Any) -> Tensor:  # fmt: skip
    """Windows of tokens, (tokens, heads, depth), each as the weighted sum of its tokens.

    Args:
        weight: of the tokens of a window, (compress_block_size, heads).
        compress_stride: from the start of a window to that of the next.
        actual_seq_len: where the parts of the tokens end; the last is the number of tokens.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.nsa_compress(ops.ones((6, 1, 1)), ops.ones((4, 1)), 4, 2, actual_seq_len=(6,)).reshape(-1))
        [4. 4.]
    """
    owner = "nsa_compress"
    size = check_positive_int(owner, "compress_block_size", compress_block_size)
    stride = check_positive_int(owner, "compress_stride", compress_stride)
    if stride > size:
        raise ValueError(
            f"For '{owner}', the 'compress_stride' must be at most {size}, the block size, but got {stride}."
        )
    return compressed_windows(
        input, weight, size, stride, segments(owner, "actual_seq_len", actual_seq_len, input.shape[0])
    )


def _in_rows(x: Any) -> Any:
    """(1, heads, tokens, depth) from (tokens, heads, depth)."""
    return x.transpose(1, 0, 2)[None]


def _out_rows(x: Any) -> Any:
    return x[0].transpose(1, 0, 2)


def _apart(query_ends: Sequence[int], key_ends: Sequence[int]) -> Any:
    """True where a key belongs to another sequence than the query."""
    return jnp.asarray(token_positions(query_ends)[0][:, None] != token_positions(key_ends)[0])


def _importance(weights: Any, select: int, compress: int, stride: int, blocks: int) -> Any:
    """For every block to select from, the weights of the compressed windows that overlap it."""
    reach, overlap = select // stride, compress // stride
    found = jnp.zeros((*weights.shape[:-1], blocks), weights.dtype)
    for back in range(reach):
        for more in range(overlap):
            source = reach * (np.arange(blocks) + 1) - 1 - back - more
            fits = (source >= 0) & (source < weights.shape[-1])
            found = found + jnp.where(fits, weights[..., np.where(fits, source, 0)], 0)
    return found


def _chosen(scores: Any, count: int, hidden: Any) -> tuple[Any, Any]:
    """The ``count`` best of the last axis and their scores; -1 where there are no more."""
    lowest = jnp.finfo(scores.dtype).min
    scores = scores if hidden is None else jnp.where(hidden, lowest, scores)
    short = count - scores.shape[-1]
    if short > 0:
        scores = jnp.pad(scores, [(0, 0)] * (scores.ndim - 1) + [(0, short)], constant_values=lowest)
    values, indices = lax.top_k(scores, count)
    return jnp.where(values == lowest, -1, indices).astype(jnp.int32), values


@op(public=False,
    test=lambda t: [t.case(t.normal(4, 2, 3), t.normal(5, 1, 3), t.normal(5, 1, 2), None, None, 0.5, 2, (2, 1, 2, 3),
                           (2, 4), (2, 5), (4, 10), grad=False)])  # fmt: skip
def compressed_attention(query: Array, key: Array, value: Array, topk_mask: Array | None, atten_mask: Array | None,
                         scale: float, heads: int, sizes: Any, query_ends: Any, key_ends: Any, select_ends: Any):  # fmt: skip
    """Attention to compressed windows, the best blocks for every token, largest scores and sums of powers."""
    compress, stride, select, count = sizes
    require(query.shape[1] == heads, f"the 'head_num' must be that of the query, {query.shape[1]}, but got {heads}.")
    q, k, v = map(_in_rows, (query, key, value))
    (parts, rows), (_, columns) = token_positions(query_ends), token_positions(key_ends)
    masked = None if atten_mask is None else atten_mask.astype(jnp.bool_)[rows[:, None], columns]
    hidden = either(_apart(query_ends, key_ends), masked)
    result, largest, total = attend(q, k, v, scale, hidden)
    scores = jnp.einsum("bnqd,bnkd->bnqk", q, jnp.repeat(k, heads // k.shape[1], 1)) * scale
    weights = jnp.where(hidden, 0, jnp.exp(scores - largest) / jnp.where(total == 0, 1, total))[0]
    lengths = np.diff((0, *select_ends))
    blocks = int(-(-lengths.max() // select))
    # Windows are numbered from the start of their sequence, as blocks are.
    width = int(np.diff((0, *key_ends)).max())
    starts = np.asarray((0, *key_ends[:-1]))[parts]
    own = np.minimum(starts[:, None] + np.arange(width), len(columns) - 1)
    inside = np.arange(width) < np.diff((0, *key_ends))[parts][:, None]
    local = jnp.where(inside, jnp.take_along_axis(weights, jnp.asarray(own)[None], -1), 0)
    importance = _importance(local, select, compress, stride, blocks)
    importance = importance.reshape(key.shape[1], -1, *importance.shape[1:]).sum(1)
    beyond = np.arange(blocks) >= -(-lengths[parts] // select)[:, None]
    unwanted = None if topk_mask is None else topk_mask.astype(jnp.bool_)[rows[:, None], np.arange(blocks)]
    best = _chosen(importance, count, either(jnp.asarray(beyond), unwanted))[0].transpose(1, 0, 2)
    return _out_rows(result), best, *(jnp.repeat(_out_rows(x), 8, -1).astype(jnp.float32) for x in (largest, total))


def nsa_compress_attention(
    query: Tensor, key: Tensor, value: Tensor, scale_value: float, head_num: int, compress_block_size: int,
    compress_stride: int, select_block_size: int, select_block_count: int, *, topk_mask: Tensor | None = None,
    atten_mask: Tensor | None = None, actual_seq_qlen: Any, actual_cmp_seq_kvlen: Any, actual_sel_seq_kvlen: Any,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    """Attention to compressed keys (see :func:`nsa_compress`), and which blocks of the keys matter most.

    All are (tokens, heads, depth), in parts that end where the last three arguments say. Returns the attention, the
    numbers of the best blocks for every token (-1 where there are fewer), the largest scores and the sums of powers.

    Examples:
        >>> from mindspore import ops
        >>> x = ops.ones((4, 1, 2))
        >>> result = ops.nsa_compress_attention(x, x[:2], x[:2], 0.5, 1, 2, 2, 2, 1, actual_seq_qlen=[4],
        ...                                     actual_cmp_seq_kvlen=[2], actual_sel_seq_kvlen=[4])
        >>> print(result[0].shape, result[1].shape)
        (4, 1, 2) (4, 1, 1)
    """
    owner = "nsa_compress_attention"
    sizes = (compress_block_size, compress_stride, select_block_size, select_block_count)
    names = ("compress_block_size", "compress_stride", "select_block_size", "select_block_count")
    for name, size in zip(names, sizes, strict=True):
        check_positive_int(owner, name, size)
    if select_block_size % compress_stride or compress_block_size % compress_stride:
        raise ValueError(
            f"For '{owner}', the 'select_block_size' and 'compress_block_size' must be multiples of 'compress_stride', but "
            f"got {select_block_size}, {compress_block_size} and {compress_stride}."
        )
    return compressed_attention(
        query, key, value, topk_mask, atten_mask, scale_value, head_num, sizes,
        segments(owner, "actual_seq_qlen", actual_seq_qlen, query.shape[0]),
        segments(owner, "actual_cmp_seq_kvlen", actual_cmp_seq_kvlen, key.shape[0]),
        segments(owner, "actual_sel_seq_kvlen", actual_sel_seq_kvlen, (actual_sel_seq_kvlen or [0])[-1]),
    )  # fmt: skip


@op(public=False,
    test=lambda t: [t.case(t.normal(4, 2, 3), t.normal(6, 1, 3), t.normal(6, 1, 2), t.ints(4, 1, 1, high=2), None, 0.5, 2,
                           2, (4,), (6,), grad=(0, 1, 2))])  # fmt: skip
def selected_attention(query: Array, key: Array, value: Array, indices: Array, mask: Array | None, scale: float,
                       heads: int, size: int, query_ends: Any, key_ends: Any):  # fmt: skip
    """Attention to the keys of chosen blocks, largest scores and sums of powers."""
    require(query.shape[1] == heads, f"the 'head_num' must be that of the query, {query.shape[1]}, but got {heads}.")
    require_shape("topk_indices", indices, (query.shape[0], key.shape[1], indices.shape[-1]))
    block_of_key = jnp.asarray(token_positions(key_ends)[1] // size)
    seen = (indices[..., None] == block_of_key).any(2).transpose(1, 0, 2)
    hidden = either(~jnp.repeat(seen, heads // key.shape[1], 0), _apart(query_ends, key_ends),
                    None if mask is None else mask.astype(jnp.bool_))  # fmt: skip
    q, k, v = map(_in_rows, (query, key, value))
    result, largest, total = attend(q, k, v, scale, hidden)
    return _out_rows(result), *(jnp.repeat(_out_rows(x), 8, -1).astype(jnp.float32) for x in (largest, total))


def nsa_select_attention(
    query: Tensor, key: Tensor, value: Tensor, topk_indices: Tensor, scale_value: float, head_num: int,
    select_block_size: int, select_block_count: int, *, atten_mask: Tensor | None = None, actual_seq_qlen: Any,
    actual_seq_kvlen: Any,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Attention of every token to the keys of the blocks chosen for it; the largest scores and the sums of powers.

    Args:
        query, key, value: (tokens, heads, depth), in parts that end where the last two arguments say.
        topk_indices: numbers of blocks of ``select_block_size`` keys, (tokens, heads of key, select_block_count).

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import ops
        >>> x = ops.ones((4, 1, 2))
        >>> chosen = ops.zeros((4, 1, 1), ms.int32)
        >>> print(ops.nsa_select_attention(x, x, x, chosen, 0.5, 1, 2, 1, actual_seq_qlen=[4], actual_seq_kvlen=[4])[0][0])
        [[1. 1.]]
    """
    owner = "nsa_select_attention"
    size = check_positive_int(owner, "select_block_size", select_block_size)
    if topk_indices.shape[-1] != select_block_count:
        raise ValueError(
            f"For '{owner}', the 'topk_indices' must name {select_block_count} blocks, but got shape {topk_indices.shape}."
        )
    return selected_attention(
        query, key, value, topk_indices, atten_mask, scale_value, head_num, size,
        segments(owner, "actual_seq_qlen", actual_seq_qlen, query.shape[0]),
        segments(owner, "actual_seq_kvlen", actual_seq_kvlen, key.shape[0]),
    )  # fmt: skip


for _function in (nsa_compress, nsa_compress_attention, nsa_select_attention):
    register_function(_function)
