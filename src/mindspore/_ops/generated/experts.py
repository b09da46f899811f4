"""Mixtures of experts: gates, routes of tokens to experts and back."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._ops.declaring.requirements import require, require_choice, require_rank
from mindspore._ops.generated.declare import body, generated_op


def _numpy_gate(x: np.ndarray, finished: Any, k: int) -> Any:
    powers = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    order = np.argsort(-powers, -1, kind="stable")[:, :k]
    rows = np.arange(k) * len(x) + np.arange(len(x))[:, None]
    return np.take_along_axis(powers, order, -1), order.astype(np.int32), rows.astype(np.int32)


@generated_op(test=lambda t: [t.case(t.normal(4, 5), None, 2, tolerance=1e-5, expect=_numpy_gate)])
def gate_of_best(x: Array, finished: Array | None = None, k: int = 1):
    """The ``k`` largest of the softmax, their experts, and the row every choice came from; finished rows have no expert."""
    experts = x.shape[-1]
    require(0 < k <= experts, f"the 'k' must be in [1, {experts}], the number of experts, but got {k}.")
    values, chosen = jax.lax.top_k(jax.nn.softmax(x, -1), k)
    count = int(np.prod(x.shape[:-1]))
    rows = (jnp.arange(count)[:, None] + jnp.arange(k) * count).reshape(values.shape)
    if finished is not None:
        chosen = jnp.where(finished.astype(bool)[..., None], experts, chosen)
    return values, chosen.astype(jnp.int32), rows.astype(jnp.int32)


def _numpy_sorted(x: np.ndarray, row_idx: np.ndarray, expert_idx: np.ndarray, active: int) -> Any:
    flat_rows, flat = row_idx.reshape(-1), expert_idx.reshape(-1)
    order = np.argsort(flat, kind="stable")
    inverse = np.zeros(flat.size, np.int32)
    inverse[flat_rows[order]] = np.arange(flat.size)
    kept = min(active, len(x)) * expert_idx.shape[1]
    return x[flat_rows[order][:kept] % len(x)], inverse, flat[order]


@generated_op(test=lambda t: [t.case(t.normal(3, 2), np.array([[0, 3], [1, 4], [2, 5]], np.int32),
                                     np.array([[0, 1], [2, 1], [0, 0]], np.int32), 3, expect=_numpy_sorted),
                              t.case(t.normal(3, 2), np.array([[0, 3], [1, 4], [2, 5]], np.int32),
                                     np.array([[0, 1], [2, 1], [0, 0]], np.int32), 2, expect=_numpy_sorted)])  # fmt: skip
def sorted_by_expert(x: Array, row_idx: Array, expert_idx: Array, active_num: int):
    """The tokens in the order of their experts, where each row of ``row_idx`` went, and the sorted experts."""
    require_rank("x", x, 2)
    require_rank("expert_idx", expert_idx, 2)
    require(row_idx.shape == expert_idx.shape,
            f"the 'row_idx' must have the shape of 'expert_idx', {expert_idx.shape}, but got {row_idx.shape}.")  # fmt: skip
    rows, flat = row_idx.reshape(-1), expert_idx.reshape(-1)
    order = jnp.argsort(flat, stable=True)
    sources = rows[order]
    inverse = jnp.zeros(flat.size, jnp.int32).at[sources].set(jnp.arange(flat.size, dtype=jnp.int32))
    kept = min(active_num, x.shape[0]) * expert_idx.shape[1]
    return x[sources[:kept] % x.shape[0]], inverse, flat[order]


def _numpy_merged(
    e: np.ndarray, x1: np.ndarray, x2: Any, b: np.ndarray, s: np.ndarray, rows: np.ndarray, ids: Any
) -> Any:
    result = x1.copy()
    for i in range(len(x1)):
        for k in range(s.shape[1]):
            result[i] += s[i, k] * (e[rows[i + k * len(x1)]] + b[ids[i, k]])
    return result


@generated_op(test=lambda t: [t.case(t.normal(6, 2), t.normal(3, 2), None, t.normal(4, 2), t.normal(3, 2),
                                     np.array([3, 0, 5, 1, 2, 4], np.int32), np.array([[0, 3], [1, 1], [2, 0]], np.int32),
                                     expect=_numpy_merged)])  # fmt: skip
def merged_experts(expanded_x: Array, x1: Array, x2: Array | None = None, bias: Array | None = None,
                   scales: Array | None = None, expanded_row_idx: Array | None = None,
                   expanded_expert_idx: Array | None = None):  # fmt: skip
    """The results of every token's experts plus their biases, weighted and added up, plus ``x1`` and ``x2``."""
    tokens, width = x1.shape
    text = f"the 'expanded_row_idx' must be a Tensor of {expanded_x.shape[0]} rows, but got None."
    require(expanded_row_idx is not None, text)
    found = expanded_x[expanded_row_idx].reshape(-1, tokens, width).swapaxes(0, 1)
    if bias is not None and expanded_expert_idx is not None:
        found = found + bias[expanded_expert_idx]
    found = found if scales is None else found * scales[..., None]
    result = x1 + found.sum(1)
    return (result if x2 is None else result + x2).astype(expanded_x.dtype)


@generated_op(test=lambda t: [t.case(np.array([0, 0, 1, 1, 1, 3], np.int32), 5, grad=False,
                                     expect=lambda s, n: np.array([2, 5, 5, 6, 6], np.int32))])  # fmt: skip
def tokens_until_expert(sorted_experts: Array, num_expert: int):
    """For every expert the end of its tokens among the sorted ones."""
    require_rank("sorted_experts", sorted_experts, 1)
    require(num_expert > 0, f"the 'num_expert' must be positive, but got {num_expert}.")
    experts = jnp.arange(num_expert, dtype=sorted_experts.dtype)
    return jnp.searchsorted(sorted_experts, experts, side="right").astype(sorted_experts.dtype)


def _numpy_grouped(x: np.ndarray, add: np.ndarray, groups: int, best: int, n: int, k: int) -> Any:
    gates = 1 / (1 + np.exp(-x))
    scores = (gates + add).reshape(len(x), groups, -1)
    of_groups = np.sort(scores, -1)[:, :, -n:].sum(-1)
    kept = np.zeros_like(of_groups, bool)
    np.put_along_axis(kept, np.argsort(-of_groups, -1, kind="stable")[:, :best], True, -1)
    masked = np.where(kept[..., None], scores, -np.inf).reshape(x.shape)
    chosen = np.argsort(-masked, -1, kind="stable")[:, :k]
    weights = np.take_along_axis(gates, chosen, -1)
    return weights / weights.sum(-1, keepdims=True) * 2.5, chosen.astype(np.int32)


@generated_op(test=lambda t: [t.case(t.normal(4, 8), t.normal(8), 4, 2, 1, 3, grad=False, tolerance=1e-5,
                                     expect=_numpy_grouped)])  # fmt: skip
def grouped_gate(x: Array, add_num: Array, group_num: int, group_topk: int, n: int, k: int, activate_type: int = 0,
                 is_norm: bool = True, scale: float = 2.5, mapping_num: Array | None = None,
                 mapping_table: Array | None = None, enable_expert_mapping: bool = False):  # fmt: skip
    """The weights and numbers of the ``k`` best experts within the best groups; a group counts by its ``n`` best."""
    require_choice("activate_type", activate_type, (0,))
    experts = x.shape[-1]
    require(experts % group_num == 0, f"the 'group_num' must divide the {experts} experts, but got {group_num}.")
    gates = jax.nn.sigmoid(x.astype(jnp.float32))
    scores = (gates + add_num.astype(jnp.float32)).reshape(x.shape[0], group_num, -1)
    best = jax.lax.top_k(jax.lax.top_k(scores, n)[0].sum(-1), group_topk)[1]
    kept = jax.nn.one_hot(best, group_num, dtype=bool).any(1)
    masked = jnp.where(kept[..., None], scores, -jnp.inf).reshape(x.shape)
    chosen = jax.lax.top_k(masked, k)[1]
    weights = jnp.take_along_axis(gates, chosen, -1)
    weights = weights / weights.sum(-1, keepdims=True) * scale if is_norm else weights
    if enable_expert_mapping:
        require(mapping_num is not None and mapping_table is not None,
                "the 'mapping_num' and 'mapping_table' must be Tensors with 'enable_expert_mapping'.")  # fmt: skip
        replicas = jnp.asarray(mapping_num)[chosen]
        chosen = jnp.asarray(mapping_table)[chosen, jnp.arange(x.shape[0])[:, None] % replicas]  # replicas in turn
    return weights, chosen.astype(jnp.int32)


def _router_case() -> tuple[np.ndarray, Any]:
    pairs = ["01", "13", "32", "22", "20", "01", "12", "21", "12", "20"]
    x = np.array([[[int(digit) for digit in pair] for pair in pairs]], np.int32)
    dispatch = np.array([[[1, 5, 6], [1, 2, 6], [3, 4, 4], [2, 3, 0]]], np.int32)
    combine = [[1, 5], [6, 13], [14, 9], [10, 11], [8, 2], [3, 7], [4, 8], [8, 4], [4, 8], [8, 0]]
    return x, (dispatch, np.array([combine], np.int32))


@generated_op(test=lambda t: [t.case(_router_case()[0], 3, 4, grad=False, expect=lambda *_: _router_case()[1])])
def routes_within_capacity(input: Array, capacity: int, expert_num: int, drop_type: int = 0):
    """The tokens of every expert, counted from 1, and where every choice went; 0 where an expert was full.

    ``drop_type`` 0 fills the experts token by token, 1 choice by choice.
    """
    require_rank("input", input, 3)
    require_choice("drop_type", drop_type, (0, 1))
    batch, tokens, each = input.shape
    ordered = (input.swapaxes(1, 2) if drop_type else input).reshape(batch, -1)
    hits = jax.nn.one_hot(ordered, expert_num, dtype=jnp.int32)
    position = (jnp.cumsum(hits, 1) * hits).sum(-1)
    position = jnp.where(position > capacity, 0, position)
    numbers = jnp.arange(each * tokens)
    token = numbers % tokens + 1 if drop_type else numbers // each + 1
    slot = jnp.where(position > 0, ordered * capacity + position - 1, expert_num * capacity)
    slots = jnp.zeros((batch, expert_num * capacity), input.dtype)
    slots = slots.at[jnp.arange(batch)[:, None], slot].set(token.astype(input.dtype), mode="drop")
    combine = ordered * (capacity + 1) + position
    combine = combine.reshape(batch, each, tokens).swapaxes(1, 2) if drop_type else combine.reshape(input.shape)
    return slots.reshape(batch, expert_num, capacity), combine.astype(input.dtype)


@generated_op(test=lambda t: [t.case(np.array([[0, 1], [1, 1]], np.int32), grad=False,
                                     expect=lambda _: np.array([0, 0, 1, 2], np.int32))])  # fmt: skip
def slots_within_experts(expert_ids: Array):
    """For every choice how many earlier choices have the same expert."""
    flat = expert_ids.reshape(-1)
    order = jnp.argsort(flat, stable=True)
    rank = jnp.argsort(order)
    return (rank - jnp.searchsorted(flat[order], flat)).astype(jnp.int32)


@generated_op(test=lambda t: [t.case(t.normal(2, 3), np.array([[0, 1], [1, 1]], np.int32), 0, 2, 5, grad=False,
                                     expect=lambda x, *_: (np.concatenate([x[[0, 0, 1, 1]], 0 * x[:1]]),
                                                           np.array([1, 3], np.int64))),
                              t.case(t.normal(2, 3), np.array([[0, 1], [1, 2]], np.int32), 1, 1, 3, grad=False,
                                     expect=lambda x, *_: (np.concatenate([x, 0 * x[:1]]), np.array([2], np.int64)))
                              ])  # fmt: skip
def dispatched(x: Array, expert_ids: Array, first: int, count: int, rows: int):
    """The tokens of ``count`` experts from ``first``, in their order, filled up with zeros; and how many each has."""
    local = expert_ids.reshape(-1) - first
    inside = jnp.where((local >= 0) & (local < count), local, count)
    order = jnp.argsort(inside, stable=True)
    sources = jnp.pad(order, (0, max(rows - order.size, 0)))[:rows]
    counts = jnp.bincount(inside, length=count + 1)[:count].astype(jnp.int64)
    kept = jnp.arange(rows) < counts.sum()
    return jnp.where(kept[:, None], x[sources // expert_ids.shape[1]], 0).astype(x.dtype), counts


def _numpy_combined(rows: np.ndarray, ids: np.ndarray, scales: np.ndarray, *_: Any) -> np.ndarray:
    order = np.argsort(ids.reshape(-1), kind="stable")
    found = np.zeros((ids.size, rows.shape[1]), rows.dtype)
    found[order] = rows[: ids.size]
    return (found.reshape(*ids.shape, -1) * scales[..., None]).sum(1)


@generated_op(test=lambda t: [t.case(t.normal(4, 3), np.array([[0, 1], [1, 0]], np.int32), t.normal(2, 2), 0, 2, 1,
                                     grad=(0, 2), expect=_numpy_combined)])  # fmt: skip
def combined(rows: Array, expert_ids: Array, scales: Array, first: int, experts_each: int, world: int):
    """The weighted sums of what the experts made of the tokens from ``first``.

    ``rows`` are the buffers of all processes one after the other, ``expert_ids`` the experts of all tokens.
    """
    processes = (expert_ids // experts_each).reshape(-1)
    per_process = rows.shape[0] // world
    flat = expert_ids.reshape(-1)
    before = jnp.searchsorted(jnp.sort(flat), processes * experts_each)
    start = jnp.searchsorted(jnp.sort(flat), flat)
    slot = processes * per_process + (start - before) + body(slots_within_experts)(expert_ids)
    mine = slot.reshape(expert_ids.shape)[first : first + scales.shape[0]]
    return (rows[mine] * scales[..., None].astype(rows.dtype)).sum(1).astype(rows.dtype)
