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
    _check(node, mask, past_k, lengths, k)
    flat = q.ndim == 3
    if flat:
        q, k, v = (
            _heads(q, node.get("q_num_heads")),
            _heads(k, node.get("kv_num_heads")),
            _heads(v, node.get("kv_num_heads")),
        )
    if past_k is not None and past_v is not None:
        k, v = ops.concat([past_k, k], 2), ops.concat([past_v, v], 2)
    now_k, now_v = k, v
    times = q.shape[1] // k.shape[1]
    if times > 1:
        k, v = ops.repeat_interleave(k, times, 1), ops.repeat_interleave(v, times, 1)
    root = float(np.sqrt(node.get("scale") or 1 / np.sqrt(q.shape[-1])))
    scores = ops.matmul(q * root, k.transpose((0, 1, 3, 2)) * root)
    steps, keys = scores.shape[-2:]
    raw = scores
    bias = _bias(node, scores, mask, lengths, keys - steps if past_k is not None else 0)
    with_mask = scores if bias is None else scores + bias
    cap = node.get("softcap", 0.0)
    capped = with_mask if not cap else ops.tanh(with_mask / cap) * cap
    if cap:
        capped = capped if bias is None else ops.tanh(scores / cap) * cap + bias
    kind = node.get("softmax_precision")
    wide = capped.astype(_float(kind, node)) if kind else capped
    shares = ops.softmax(wide, -1).astype(q.dtype)
    shares = ops.where(ops.isnan(shares), ops.zeros_like(shares), shares)  # rows where everything is masked
    found = ops.matmul(shares, v)
    if flat:
        found = found.transpose((0, 2, 1, 3)).reshape((found.shape[0], found.shape[2], -1))
    shown = {0: raw, 1: with_mask, 2: capped, 3: shares}[node.get("qk_matmul_output_mode", 0)]
    return (found, now_k, now_v, shown)[: max(node.outputs, 1)] if node.outputs > 1 else found


_ATTRIBUTES = {
    "is_causal",
    "kv_num_heads",
    "q_num_heads",
    "qk_matmul_output_mode",
    "scale",
    "softcap",
    "softmax_precision",
}


def _check(node: OnnxNode, mask: Tensor | None, past: Tensor | None, lengths: Tensor | None, k: Tensor) -> None:
    """Refuse forms whose meaning differs between versions of the operator set."""
    others = {*node.attributes} - _ATTRIBUTES
    if others:
        raise node.refuse(f"has the attributes {sorted(others)}")
    short = mask is not None and mask.shape[-1] < (k.shape[-2] if k.ndim == 4 else k.shape[1])
    if node.flag("is_causal") and (past is not None or lengths is not None or short):
        raise node.refuse("is causal with past keys, or with keys that do not exist")
    if node.get("softcap") and (mask is not None or node.get("qk_matmul_output_mode")):
        raise node.refuse("has both a softcap and a mask, or shows its scores")


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
    if lengths is not None:
        beyond = Tensor(np.arange(keys)) >= lengths.astype(dtypes.int64).reshape((-1, 1, 1, 1))
        part = ops.where(beyond, lowest, zero)
        bias = part if bias is None else bias + part
    if node.flag("is_causal"):
        later = Tensor(np.arange(keys)[None, :] > np.arange(steps)[:, None] + past)
        part = ops.where(later, lowest, zero)
        bias = part if bias is None else bias + part
    return bias


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
