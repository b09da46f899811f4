"""Attention and rotary positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.table import OnnxNode, operator
from mindspore.train._onnx.tensors import dtype_of


def _heads(x: Tensor, count: int) -> Tensor:
    return x.reshape((*x.shape[:2], count, -1)).transpose((0, 2, 1, 3))


@operator("Attention")
def attention(node: OnnxNode, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, past_k: Tensor | None = None,
              past_v: Tensor | None = None, lengths: Tensor | None = None) -> Any:  # fmt: skip
    """softmax(q k^T scale + mask) v, with several heads of queries for each of keys."""
    _check(node)
    flat = q.ndim == 3
    if flat:
        q, k, v = (
            _heads(q, node.get("q_num_heads")),
            _heads(k, node.get("kv_num_heads")),
            _heads(v, node.get("kv_num_heads")),
        )
    now = k.shape[2]
    if past_k is not None and past_v is not None:
        k, v = ops.concat([past_k, k], 2), ops.concat([past_v, v], 2)
    now_k, now_v = k, v
    times = q.shape[1] // k.shape[1]
    if times > 1:
        k, v = ops.repeat_interleave(k, times, 1), ops.repeat_interleave(v, times, 1)
    root = float(np.sqrt(node.get("scale") or 1 / np.sqrt(q.shape[-1])))
    scores = ops.matmul(q * root, k.transpose((0, 1, 3, 2)) * root)
    keys = scores.shape[-1]
    cap = node.get("softcap", 0.0)
    capped = ops.tanh(scores / cap) * cap if cap else scores
    bias = _bias(node, scores, mask, lengths, keys - now if past_k is not None else 0)
    masked = capped if bias is None else capped + bias
    kind = node.get("softmax_precision")
    wide = masked.astype(_float(kind, node)) if kind else masked
    shares = ops.softmax(wide, -1).astype(q.dtype)
    shares = ops.where(ops.isnan(shares), ops.zeros_like(shares), shares)  # rows where everything is masked
    found = ops.matmul(shares, v)
    if flat:
        found = found.transpose((0, 2, 1, 3)).reshape((found.shape[0], found.shape[2], -1))
    shown = {0: scores, 1: capped, 2: masked, 3: shares}[node.get("qk_matmul_output_mode", 0)]
    return (found, now_k, now_v, shown)[: max(node.outputs, 1)] if node.outputs > 1 else found


_ATTRIBUTES = {
    "is_causal",
    "kv_num_heads",
    "left_window_size",
    "q_num_heads",
    "qk_matmul_output_mode",
    "right_window_size",
    "scale",
    "softcap",
    "softmax_precision",
}


def _check(node: OnnxNode) -> None:
    others = {*node.attributes} - _ATTRIBUTES
    if others:
        raise node.refuse(f"has the attributes {sorted(others)}")


def _float(kind: int, node: OnnxNode) -> Any:
    return {
        np.dtype(np.float32): dtypes.float32,
        np.dtype(np.float64): dtypes.float64,
        np.dtype(np.float16): dtypes.float16,
    }.get(dtype_of(kind, node.name), dtypes.bfloat16)


def _bias(node: OnnxNode, scores: Tensor, mask: Tensor | None, lengths: Tensor | None, past: int) -> Tensor | None:
    """What is added to the scores: the mask, and minus infinity for keys that come later or do not exist."""
    steps, keys = scores.shape[-2:]
    lowest = Tensor(-np.inf, scores.dtype)
    zero = ops.zeros_like(scores)
    bias = None
    if mask is not None:
        if mask.shape[-1] < keys:  # the rest does not exist
            fill = Tensor(False) if mask.dtype == dtypes.bool_ else Tensor(-np.inf, mask.dtype)
            rest = ops.broadcast_to(fill, (*mask.shape[:-1], keys - mask.shape[-1]))
            mask = ops.concat([mask, rest], -1)
        bias = ops.where(mask, zero, lowest) if mask.dtype == dtypes.bool_ else mask.astype(scores.dtype)
    allowed = _allowed(node, steps, keys, lengths, past)
    if allowed is not None:
        part = ops.where(allowed, zero, lowest)
        bias = part if bias is None else bias + part
    return bias


def _allowed(node: OnnxNode, steps: int, keys: int, lengths: Tensor | None, past: int) -> Tensor | None:
    """Which keys a query sees: those that exist, none that come later, none outside its window."""
    position, key = Tensor(np.arange(steps)[:, None]), Tensor(np.arange(keys)[None, :])
    counts = None if lengths is None else lengths.astype(dtypes.int64).reshape((-1, 1, 1, 1))
    position = position + (past if counts is None or past else counts - steps)  # among all keys
    rules = [] if counts is None else [key < counts]
    if node.flag("is_causal"):
        rules.append(key <= position)
    left, right = node.get("left_window_size", -1), node.get("right_window_size", -1)
    rules += [position - key <= left] if left >= 0 else []
    rules += [key - position <= right] if right >= 0 else []
    allowed = None
    for rule in rules:
        allowed = rule if allowed is None else ops.logical_and(allowed, rule)
    return allowed


@operator("RotaryEmbedding")
def rotary_embedding(
    node: OnnxNode, x: Tensor, cosines: Tensor, sines: Tensor, positions: Tensor | None = None
) -> Tensor:
    """Pairs of elements are turned by the angle of their position."""
    flat = x.ndim == 3
    heads = node.get("num_heads", 0)
    parts = x.reshape((*x.shape[:2], heads, -1)) if flat else x.transpose((0, 2, 1, 3))
    size = node.get("rotary_embedding_dim", 0) or parts.shape[-1]
    turned, rest = parts[..., :size], parts[..., size:]
    if positions is not None:
        cosines, sines = (ops.gather(table, positions.astype(dtypes.int64), 0) for table in (cosines, sines))
    cosines, sines = (ops.expand_dims(table[..., : size // 2], 2) for table in (cosines, sines))
    if node.flag("interleaved"):
        a, b = turned[..., 0::2], turned[..., 1::2]
        turned = ops.stack([a * cosines - b * sines, b * cosines + a * sines], -1).reshape(turned.shape)
    else:
        a, b = turned[..., : size // 2], turned[..., size // 2 :]
        turned = ops.concat([a * cosines - b * sines, b * cosines + a * sines], -1)
    found = ops.concat([turned, rest], -1) if rest.shape[-1] else turned
    return found.reshape(x.shape) if flat else found.transpose((0, 2, 1, 3))
