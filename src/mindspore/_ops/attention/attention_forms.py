"""Attention and what surrounds it in language models: fused operators of Ascend as plain formulas, which XLA fuses."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.attention.attention_core import FAR, LAYOUTS, attend, beyond, from_heads, to_heads
from mindspore._ops.declaring.promotion import promote
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_float,
    require_rank,
    require_same_dtype,
)
from mindspore._ops.nn.normalization import rms_norm


@op(primitive="RmsNorm", init=("epsilon",), public=False,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3))])  # fmt: skip
def rms_norm_primitive(x: Array, gamma: Array, epsilon: float = 1e-6):
    """The last axes scaled to root mean square 1, times ``gamma``; and what every element was multiplied with.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> output, reciprocal = ops.RmsNorm()(Tensor([[3.0, 4.0]]), Tensor([1.0, 1.0]))
        >>> print(output.round(3), reciprocal.shape)
        [[0.849 1.131]] (1, 1)
    """
    return rms_norm.__wrapped__(x, gamma, epsilon)  # type: ignore[attr-defined]


@op(test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), t.normal(3))])
def add_rms_norm(x1: Array, x2: Array, gamma: Array, epsilon: float = 1e-6):
    """The :func:`rms_norm` of a sum; returns it, its factor and the sum.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> result, factor, total = ops.add_rms_norm(Tensor([[1.0, 1.0]]), Tensor([[1.0, 1.0]]), Tensor([1.0, 1.0]))
        >>> print(total)
        [[2. 2.]]
    """
    total = jnp.add(*promote(x1, x2))
    return *rms_norm.__wrapped__(total, gamma, epsilon), total  # type: ignore[attr-defined]


def _numpy_rotated(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    first, second = np.split(x, 2, -1)
    return x * cos + np.concatenate([-second, first], -1) * sin


@op(test=lambda t: [t.case(t.normal(2, 3, 1, 4), t.normal(1, 3, 1, 4), t.normal(1, 3, 1, 4), expect=_numpy_rotated),
                    t.case(t.normal(2, 3, 1, 4), t.normal(1, 3, 1, 4), t.normal(1, 3, 1, 4), 1)])  # fmt: skip
def rotary_position_embedding(x: Array, cos: Array, sin: Array, mode: int = 0):
    """Pairs of elements of the last axis turned by angles given by their cosines and sines.

    Args:
        mode: 0 pairs the two halves of the axis, 1 pairs neighbours.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x, quarter = Tensor([[[[1.0, 2.0]]]]), Tensor([[[[1.0, 1.0]]]])
        >>> print(ops.rotary_position_embedding(x, quarter * 0, quarter))
        [[[[-2.  1.]]]]
    """
    require_choice("mode", mode, (0, 1))
    require_rank("x", x, 4)
    require_float("x", x)
    require(x.shape[-1] % 2 == 0, f"the 'x' must have an even last axis, but got shape {x.shape}.")
    for name, factors in (("cos", cos), ("sin", sin)):
        fits = factors.ndim == 4 and all(n in (1, m) for n, m in zip(factors.shape, x.shape, strict=True))
        require(fits, f"the '{name}' must broadcast to the shape of 'x' {x.shape}, but got {factors.shape}.")
    if mode == 0:
        first, second = jnp.split(x, 2, -1)
        turned = jnp.concatenate([-second, first], -1)
    else:
        turned = jnp.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    return x * cos.astype(x.dtype) + turned * sin.astype(x.dtype)


def _numpy_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, *_: Any) -> np.ndarray:
    weights = np.exp(q @ k.swapaxes(-1, -2))
    return weights / weights.sum(-1, keepdims=True) @ v


@op(test=lambda t: [t.case(t.normal(1, 2, 3, 4), t.normal(1, 2, 5, 4), t.normal(1, 2, 5, 4), 2, input_layout="BNSD",
                           expect=lambda q, k, v, n, input_layout: _numpy_attention(q, k, v)),
                    t.case(t.normal(1, 3, 4), t.normal(1, 3, 2), t.normal(1, 3, 2), 2, sparse_mode=3)])  # fmt: skip
def flash_attention_score(
    query: Array, key: Array, value: Array, head_num: int, real_shift: Array | None = None,
    drop_mask: Array | None = None, padding_mask: Array | None = None, attn_mask: Array | None = None,
    prefix: Any = None, actual_seq_qlen: Any = None, actual_seq_kvlen: Any = None, keep_prob: float = 1.0,
    scalar_value: float = 1.0, pre_tokens: int = 2147483647, next_tokens: int = 2147483647, inner_precise: int = 0,
    input_layout: str = "BSH", sparse_mode: int = 0,
):  # fmt: skip
    """Attention: ``softmax(scalar_value * query @ key.T + real_shift) @ value``, head by head.

    Args:
        head_num: the number of heads of the query; key and value may have fewer, each for several of them.
        attn_mask: 1 (or True) where a key is hidden from a query; broadcasts to (batch, heads, queries, keys).
        input_layout: "BSH", "BNSD", "SBH" or "BSND": the order of batch, positions, heads and depth.
        sparse_mode: 0 the mask as it is, 1 the same, 2 causal from the first position, 3 causal to the last.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x = ops.ones((1, 2, 4))
        >>> print(ops.flash_attention_score(x, x, x, 2)[0, 0])
        [1. 1. 1. 1.]
    """
    require_choice("input_layout", input_layout, LAYOUTS)
    require_choice("sparse_mode", sparse_mode, (0, 1, 2, 3))
    unsupported = drop_mask is not None or keep_prob != 1 or prefix is not None or actual_seq_qlen is not None
    require(not unsupported, "the 'drop_mask', 'keep_prob', 'prefix' and 'actual_seq_qlen' must be at their defaults.")
    require_float("query", query)
    require_same_dtype(query=query, key=key)
    require_same_dtype(query=query, value=value)
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        require_rank(name, tensor, 3 if input_layout in ("BSH", "SBH") else 4)
    depth = query.shape[-1] if query.ndim == 4 else query.shape[-1] // head_num
    q, k, v = (to_heads(x, input_layout, max(x.shape[-1] // max(depth, 1), 1)) for x in (query, key, value))
    require(q.shape[1] == head_num, f"the 'head_num' must be that of the query, {q.shape[1]}, but got {head_num}.")
    text = f"the 'key' must have heads that divide the query's {head_num}, but got {k.shape[1]}."
    require(k.shape[1] and head_num % k.shape[1] == 0, text)
    text = f"the 'key' must have the query's batch and head size, but got shapes {query.shape} and {key.shape}."
    require(k.shape[0] == q.shape[0] and k.shape[-1] == q.shape[-1], text)
    text = f"the 'value' must have the batch, heads and length of the 'key', but got {value.shape} and {key.shape}."
    require(v.shape[:-1] == k.shape[:-1], text)
    queries, keys = q.shape[2], k.shape[2]
    hidden = beyond(np.arange(queries)[:, None], np.arange(keys), sparse_mode, FAR, FAR, keys - queries, masked=False)
    if hidden is None and attn_mask is not None:
        hidden = attn_mask.astype(jnp.bool_)
    return from_heads(attend(q, k, v, scalar_value, hidden, real_shift)[0], input_layout)
