"""Mixtures of experts: tokens sorted by expert and back, and the choice of groups of experts."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.promotion import promote, upcast_half
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_float,
    require_index_dtype,
    require_rank,
    require_rank_from,
    require_shape,
)
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, refused


def _numpy_permuted(tokens: np.ndarray, indices: np.ndarray, count: int | None = None) -> Any:
    order = np.argsort(indices.reshape(-1), kind="stable")
    return tokens[order // (indices.size // len(tokens))][:count], np.argsort(order).astype(np.int32)


@op(test=lambda t: [t.case(t.normal(3, 2), np.array([[2, 0], [1, 0], [0, 2]], np.int32), expect=_numpy_permuted),
                    t.case(t.normal(3, 2), np.array([2, 0, 1]), 2, expect=_numpy_permuted)])  # fmt: skip
def moe_token_permute(tokens: Array, indices: Array, num_out_tokens: int | None = None, padded_mode: bool = False):
    """Tokens sorted by their experts, and where each token went.

    Args:
        tokens: (tokens, features).
        indices: the experts of each token, (tokens, k) or (tokens,).
        num_out_tokens: how many sorted tokens are kept; None for all.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> tokens, indices = ops.moe_token_permute(Tensor([[1.0], [2.0], [3.0]]), Tensor([2, 0, 1], ms.int32))
        >>> print(tokens.reshape(-1), indices)
        [2. 3. 1.] [2 0 1]
    """
    require_rank("tokens", tokens, 2)
    require_rank("indices", indices, 1, 2)
    require_index_dtype("indices", indices)
    require(not padded_mode, "the 'padded_mode' must be False.")
    text = f"the 'indices' must have a row for each of the {tokens.shape[0]} tokens, but got shape {indices.shape}."
    require(indices.shape[0] == tokens.shape[0], text, RuntimeError)
    text = f"the 'num_out_tokens' must not be negative, but got {num_out_tokens}."
    require(num_out_tokens is None or num_out_tokens >= 0, text)
    each = indices.size // max(indices.shape[0], 1)
    order = jnp.argsort(indices.reshape(-1), stable=True)
    return tokens[order // max(each, 1)][: num_out_tokens or None], jnp.argsort(order).astype(jnp.int32)


def _numpy_unpermuted(tokens: np.ndarray, indices: np.ndarray, probs: np.ndarray | None = None) -> np.ndarray:
    found = tokens[indices]
    if probs is None:
        return found
    return (found.reshape(*probs.shape, -1) * probs[..., None]).sum(1)


@op(test=lambda t: [t.case(t.normal(4, 2), np.array([2, 0, 3, 1], np.int32), expect=_numpy_unpermuted),
                    t.case(t.normal(4, 2), np.array([2, 0, 3, 1], np.int32), t.positive(2, 2),
                           expect=_numpy_unpermuted)])  # fmt: skip
def moe_token_unpermute(permuted_tokens: Array, sorted_indices: Array, probs: Array | None = None,
                        padded_mode: bool = False, restore_shape: Any = None):  # fmt: skip
    """Tokens brought back to where :func:`moe_token_permute` took them from, and weighted sums over their experts.

    Args:
        sorted_indices: where each token went; a token that was dropped is zero.
        probs: the weights of the experts, (tokens, k).

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> tokens, indices = Tensor([[2.0], [3.0], [1.0]]), Tensor([2, 0, 1], ms.int32)
        >>> print(ops.moe_token_unpermute(tokens, indices).reshape(-1))
        [1. 2. 3.]
    """
    require_rank("permuted_tokens", permuted_tokens, 2)
    require_rank("sorted_indices", sorted_indices, 1)
    require(not padded_mode, "the 'padded_mode' must be False.")
    some = permuted_tokens.shape[0] or not sorted_indices.size
    require(some, f"the 'permuted_tokens' must have rows to read, but got shape {permuted_tokens.shape}.")
    found = permuted_tokens.at[sorted_indices].get(mode="fill", fill_value=0)
    if probs is None:
        return found
    text = f"the 'probs' must have {sorted_indices.size} elements, one for each index, but got shape {probs.shape}."
    require(probs.ndim == 2 and probs.size == sorted_indices.size, text)
    weighted = found.reshape(*probs.shape, -1) * probs[..., None].astype(found.dtype)
    return weighted.sum(1).astype(permuted_tokens.dtype)


@op(public=False,
    test=lambda t: [t.case(t.normal(3, 2), np.array([[0, 1], [2, 1], [0, 0]], np.int32), 0, 0, 3, 0, 2,
                           expect=lambda x, e, *_: (x[[0, 2, 2, 0, 1, 1]], np.array([0, 3, 5, 4, 1, 2], np.int32),
                                                    np.array([3, 2, 1], np.int32), np.array([3, 2, 1], np.int32))),
                    t.case(t.normal(3, 2), np.array([[0, 1], [2, 1], [0, 0]], np.int32), 0, 2, 3, 1, 0)])  # fmt: skip
def routed_tokens(
    x: Array, expert_idx: Array, active_num: int, capacity: int, experts: int, drop: int, count_flag: int
):
    """The tokens of every expert, where each went, and how many there are (or their sums), with and without limits."""
    require_rank("x", x, 2)
    require_rank("expert_idx", expert_idx, 2)
    require_shape("expert_idx", expert_idx, (x.shape[0], expert_idx.shape[1]))
    require_choice("drop_pad_mode", drop, (0, 1))
    require_choice("expert_tokens_count_or_cumsum_flag", count_flag, (0, 1, 2))
    require(not drop or (capacity > 0 and experts > 0),
            f"the 'expert_capacity' and 'expert_num' must be positive, but got {capacity} and {experts}.")  # fmt: skip
    flat, each = expert_idx.reshape(-1), expert_idx.shape[1]
    order = jnp.argsort(flat, stable=True)
    rank = jnp.argsort(order)
    counts = jnp.zeros(max(experts, 1), jnp.int32).at[flat].add(1, mode="drop")
    shown_counts = jnp.cumsum(counts) if count_flag == 1 else counts
    if not drop:
        kept = order[:active_num] if active_num > 0 else order
        return x[kept // each], rank.astype(jnp.int32), shown_counts.astype(jnp.int32), counts
    position = rank - (jnp.cumsum(counts) - counts)[flat]
    slot_of_token = jnp.where(position < capacity, flat * capacity + position, -1).astype(jnp.int32)
    slots = jnp.zeros((experts * capacity, x.shape[1]), x.dtype)
    sources = jnp.where(slot_of_token < 0, experts * capacity, slot_of_token)
    slots = slots.at[sources].set(x[jnp.arange(flat.size) // each], mode="drop")
    return slots.reshape(experts, capacity, -1), slot_of_token, shown_counts.astype(jnp.int32), counts


def moe_init_routing_v2(x: Tensor, expert_idx: Tensor, active_num: int, expert_capacity: int, expert_num: int,
                        drop_pad_mode: int, expert_tokens_count_or_cumsum_flag: int,
                        expert_tokens_before_capacity_flag: bool) -> tuple[Tensor, ...]:  # fmt: skip
    """Tokens sorted by their experts, and where each token went.

    Args:
        x: (tokens, features).
        expert_idx: the experts of each token, (tokens, k).
        active_num: how many sorted tokens are kept in mode 0; 0 for all.
        expert_capacity: how many tokens an expert takes in mode 1; the others are dropped, their index is -1.
        drop_pad_mode: 0 all tokens in sequence, 1 (experts, capacity, features) filled up with zeros.
        expert_tokens_count_or_cumsum_flag: in mode 0, whether a third result holds the numbers of tokens of the experts
            added up (1) or as they are (2).
        expert_tokens_before_capacity_flag: in mode 1, whether a third result holds these numbers.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> x, experts = Tensor([[1.0], [2.0]]), Tensor([[1, 0], [0, 1]], ms.int32)
        >>> tokens, indices = ops.moe_init_routing_v2(x, experts, 0, 0, 2, 0, 0, False)
        >>> print(tokens.reshape(-1), indices)
        [1. 2. 1. 2.] [2 0 1 3]
    """
    tokens, indices, counts, all_counts = routed_tokens(x, expert_idx, active_num, expert_capacity, expert_num,
                                                       drop_pad_mode, expert_tokens_count_or_cumsum_flag)  # fmt: skip
    if drop_pad_mode == 1 and expert_tokens_before_capacity_flag:
        return tokens, indices, all_counts
    if drop_pad_mode == 0 and expert_tokens_count_or_cumsum_flag:
        return tokens, indices, counts
    return tokens, indices


register_function(moe_init_routing_v2)


@op(public=False,
    test=lambda t: [t.case(np.array([[1, 5, 3, 2], [4, 1, 1, 1]], np.float32), 2, 1, 1, grad=False,
                           expect=lambda x, *_: np.array([[1, 5, 0, 0], [4, 1, 0, 0]], np.float32))])  # fmt: skip
def tokens_of_best_groups(token: Array, group_num: int, k: int, k_inner: int):
    """Scores of experts with zeros outside of the ``k`` groups whose ``k_inner`` best add up to most."""
    require_rank("token", token, 2)
    text = f"the 'group_num' must divide the {token.shape[1]} experts, but got {group_num}."
    require(group_num > 0 and token.shape[1] % group_num == 0, text)
    require(0 < k <= group_num, f"the 'k' must be in [1, {group_num}], but got {k}.")
    groups = upcast_half(token.reshape(token.shape[0], group_num, -1))
    text = f"the 'k_inner' must be in [1, {groups.shape[2]}], but got {k_inner}."
    require(0 < k_inner <= groups.shape[2], text)
    best = lax.top_k(lax.top_k(groups, k_inner)[0].sum(-1), k)[1]
    kept = (jnp.arange(group_num) == best[..., None]).any(1)
    return jnp.where(kept[..., None], token.reshape(groups.shape), 0).reshape(token.shape)


@register_primitive
class GroupTopk(Primitive):
    """Sets scores of experts, (tokens, experts), to zero outside of the best groups, in place.

    The experts form ``group_num`` groups; the ``k`` groups whose ``k_inner`` largest scores add up to most are kept.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> x = Tensor([[1.0, 5.0, 3.0, 2.0]])
        >>> _ = ops.GroupTopk()(x, Tensor([0, 1], ms.int32), 2, 1)
        >>> print(x)
        [[1. 5. 0. 0.]]
    """

    def __call__(self, token: Tensor, idx_arr: Tensor, group_num: int, k: int, k_inner: int = 1) -> Tensor:
        if not isinstance(token, Tensor):
            raise refused(WrongObject, f"For 'GroupTopk', the 'token' must be a Tensor, but got {shown(token)}.")
        token._become(tokens_of_best_groups(token, group_num, k, k_inner))
        return token


def _numpy_layer_norm(a: np.ndarray, b: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> Any:
    x = a + b
    mean, factor = x.mean(-1, keepdims=True), 1 / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    return (x - mean) * factor * gamma + beta, mean, factor, x


@op(test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), t.normal(3), t.normal(3), expect=_numpy_layer_norm,
                           tolerance=1e-4)])  # fmt: skip
def add_layer_norm(x1: Array, x2: Array, gamma: Array, beta: Array, epsilon: float = 1e-5,
                   additional_output: bool = False):  # fmt: skip
    """The sum of two tensors with mean 0 and variance 1 along the last axis, times ``gamma`` plus ``beta``.

    Returns it, the means, the reciprocal deviations, and the sum itself.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x, ones = Tensor([[1.0, 2.0, 3.0]]), ops.ones(3)
        >>> print(ops.add_layer_norm(x, x, ones, ones * 0)[1])
        [[4.]]
    """
    require_float("x1", x1)
    require_rank_from("x1", x1, 1)
    require_shape("gamma", gamma, x1.shape[-1:])
    require_shape("beta", beta, x1.shape[-1:])
    total = jnp.add(*promote(x1, x2))
    x = upcast_half(total)
    mean = x.mean(-1, keepdims=True)
    factor = 1 / jnp.sqrt(x.var(-1, keepdims=True) + epsilon)
    result = (x - mean) * factor * upcast_half(gamma) + upcast_half(beta)
    return result.astype(total.dtype), mean, factor, total
