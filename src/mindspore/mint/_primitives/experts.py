"""Mixtures of experts as primitives."""

from __future__ import annotations

from typing import Any

from mindspore import mint, ops
from mindspore._engine.operator.function_primitive import form_of
from mindspore._ops.generated import experts, quantized
from mindspore._ops.nn.experts import routed_tokens
from mindspore.ops import Tensor
from mindspore.ops import operations as P


def _check_processes(owner: str, world: int, group: Any, tp_world_size: int, shared: int) -> None:
    if tp_world_size > 1 or shared:
        raise ValueError(
            f"For '{owner}', the 'tp_world_size' must be 0 or 1 and there must be no shared experts, but got "
            f"{tp_world_size} and {shared}. Split tensors and compute shared experts around it."
        )
    if world > 1 and not group:
        raise ValueError(
            f"For '{owner}', the 'group_ep' must name the group of the {world} processes, but got {group!r}."
        )


def _gathered(x: Any, world: int, group: Any) -> Tensor:
    return P.AllGather(group)(x) if world > 1 else x


def _dispatched(x: Any, expert_ids: Any, ep_world_size: int, ep_rank_id: int, moe_expert_num: int,
                expert_scales: Any = None, scales: Any = None, x_active_mask: Any = None, group_ep: Any = None,
                group_tp: Any = None, tp_world_size: int = 0, tp_rank_id: int = 0, expert_shard_type: int = 0,
                shared_expert_num: int = 0, shared_expert_rank_num: int = 0, quant_mode: int = 0, global_bs: int = 0,
                expert_token_nums_type: int = 0) -> tuple[Tensor, ...]:  # fmt: skip
    """The tokens of the experts of this process, from all processes."""
    _check_processes("MoeDistributeDispatch", ep_world_size, group_ep, tp_world_size, shared_expert_rank_num)
    each = moe_expert_num // ep_world_size
    rows = x.shape[0] * ep_world_size * min(each, expert_ids.shape[1])
    tokens, ids = (_gathered(one, ep_world_size, group_ep) for one in (x, expert_ids))
    expanded, counts = experts.dispatched(tokens, ids, ep_rank_id * each, each, rows)
    slots = experts.slots_within_experts(expert_ids)
    dynamic = mint.zeros((rows,))
    if quant_mode == 2:
        expanded, dynamic = quantized.quantized_rows(expanded)
    ends = mint.cumsum(counts, 0)
    numbers = counts if expert_token_nums_type else ends
    received = ops.cast(counts, slots.dtype)
    weights = mint.zeros((rows,)) if expert_scales is None else experts.dispatched(
        mint.reshape(_gathered(expert_scales, ep_world_size, group_ep), (-1, 1)),
        mint.reshape(ids, (-1, 1)), ep_rank_id * each, each, rows)[0][:, 0]  # fmt: skip
    return expanded, dynamic, slots, numbers, received, mint.zeros((1,), dtype=slots.dtype), weights


def _combined(expand_x: Any, expert_ids: Any, expand_idx: Any, ep_send_counts: Any, expert_scales: Any,
              ep_world_size: int, ep_rank_id: int, moe_expert_num: int, tp_send_counts: Any = None,
              x_active_mask: Any = None, activate_scale: Any = None, weight_scale: Any = None, group_list: Any = None,
              expand_scales: Any = None, group_ep: Any = None, group_tp: Any = None, tp_world_size: int = 0,
              tp_rank_id: int = 0, expert_shard_type: int = 0, shared_expert_num: int = 0,
              shared_export_rank_num: int = 0, global_bs: int = 0, out_dtype: int = 0, common_quant_mode: int = 0,
              group_list_type: int = 0) -> Tensor:  # fmt: skip
    """The weighted sums of what the experts of all processes made of the tokens of this one."""
    _check_processes("MoeDistributeCombine", ep_world_size, group_ep, tp_world_size, shared_export_rank_num)
    rows, ids = (_gathered(one, ep_world_size, group_ep) for one in (expand_x, expert_ids))
    first = ep_rank_id * expert_ids.shape[0]
    return experts.combined(rows, ids, expert_scales, first, moe_expert_num // ep_world_size, ep_world_size)


def _routed(x: Any, expert_idx: Any, active_num: int, expert_capacity: int, expert_num: int, drop_pad_mode: int,
            expert_tokens_count_or_cumsum_flag: int, expert_tokens_before_capacity_flag: bool) -> tuple[Tensor, ...]:  # fmt: skip
    return routed_tokens(x, expert_idx, active_num, expert_capacity, expert_num, drop_pad_mode,
                         expert_tokens_count_or_cumsum_flag)  # fmt: skip


def _routed_and_quantized(x: Any, expert_idx: Any, active_num: int, expert_capacity: int, expert_num: int,
                          drop_pad_mode: int, expert_tokens_count_or_cumsum_flag: int,
                          expert_tokens_before_capacity_flag: bool, quant_mode: int, scale: Any = None,
                          offset: Any = None) -> tuple[Tensor, ...]:  # fmt: skip
    """The routed tokens as int8: by a scale for all, or by one for each row; and those scales."""
    tokens, *others = routed_tokens(x, expert_idx, active_num, expert_capacity, expert_num, drop_pad_mode,
                                    expert_tokens_count_or_cumsum_flag)  # fmt: skip
    if quant_mode == 0:
        return quantized.quantized(tokens, scale, offset), *others, mint.zeros((1,))
    whole, scales = quantized.quantized_rows(tokens, scale)
    return whole, *others, scales


FORMS = {
    "MoeInitRoutingQuantV2": _routed_and_quantized,
    "FusedAddTopKDiv": form_of(experts.grouped_gate),
    "InnerMoeTokenUnpermute": form_of(ops.moe_token_unpermute),
    "MoeComputeExpertTokens": form_of(experts.tokens_until_expert),
    "MoeDistributeCombine": _combined,
    "MoeDistributeDispatch": _dispatched,
    "MoeFinalizeRouting": form_of(experts.merged_experts),
    "MoeGatingTopKSoftmax": form_of(experts.gate_of_best),
    "MoeInitRouting": form_of(experts.sorted_by_expert),
    "MoeInitRoutingV2": _routed,
    "MoeTokenPermute": form_of(ops.moe_token_permute),
    "MoeTokenUnpermute": form_of(ops.moe_token_unpermute),
    "TopKRouter": form_of(experts.routes_within_capacity),
}  # fmt: skip
