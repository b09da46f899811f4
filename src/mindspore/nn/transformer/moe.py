"""Mixtures of experts: feed-forward networks of which every position uses a few."""

from __future__ import annotations

import math
from typing import Any

from mindspore import context, ops
from mindspore._utils.checks import check_float_range, check_positive_int, check_type, shown
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer.basic import Dense
from mindspore.nn.transformer._feed_forward import FeedForward
from mindspore.nn.transformer.op_parallel_config import (
    _SHARDED_MODES,
    MoEParallelConfig,
    OpParallelConfig,
    default_moeparallel_config,
)

__all__ = ["MoEConfig"]


class MoEConfig:
    """How positions and experts find each other.

    Args:
        expert_num: the number of experts; 1 for none.
        capacity_factor: how many more positions an expert can take than its share, at least 1.0.
        aux_loss_factor: how much it counts in the loss that experts get equally many positions, less than 1.0.
        num_experts_chosen: how many experts a position uses.
        expert_group_size: kept for old programs.

    Examples:
        >>> from mindspore.nn.transformer import MoEConfig
        >>> MoEConfig(expert_num=4, num_experts_chosen=2).capacity_factor
        1.1
    """

    def __init__(
        self,
        expert_num: int = 1,
        capacity_factor: float = 1.1,
        aux_loss_factor: float = 0.05,
        num_experts_chosen: int = 1,
        expert_group_size: int | None = None,
    ):
        self.expert_num = check_positive_int("MoEConfig", "expert_num", expert_num)
        check_type("MoEConfig", "capacity_factor", capacity_factor, float)
        check_type("MoEConfig", "aux_loss_factor", aux_loss_factor, float)
        self.capacity_factor = check_float_range("MoEConfig", "capacity_factor", capacity_factor, 1.0, math.inf)
        self.aux_loss_factor = check_float_range(
            "MoEConfig", "aux_loss_factor", aux_loss_factor, 0.0, 1.0, False, False
        )
        self.num_experts_chosen = check_positive_int("MoEConfig", "num_experts_chosen", num_experts_chosen)
        if num_experts_chosen > expert_num:
            raise refused(
                ValueError,
                f"For 'MoEConfig', the 'num_experts_chosen' must not be greater than 'expert_num' {expert_num}, but got "
                f"{num_experts_chosen}.",
            )
        if expert_group_size is not None:
            check_positive_int("MoEConfig", "expert_group_size", expert_group_size)
        self.expert_group_size = expert_group_size


default_moe_config = MoEConfig()


def _check_moe_config(moe_config: Any = None, parallel_config: Any = None) -> None:
    """Whether experts can be spread over devices as configured."""
    if not isinstance(moe_config, MoEConfig):
        raise TypeError(f"The 'moe_config' must be a MoEConfig, but got {shown(moe_config)}.")
    experts = getattr(parallel_config, "expert_parallel", 1)
    if moe_config.expert_num == 1:
        return
    sizes = {"'expert_num'": moe_config.expert_num}
    if context.get_auto_parallel_context("parallel_mode") in _SHARDED_MODES:
        sizes["the number of devices"] = context.get_auto_parallel_context("device_num")
        sizes["'data_parallel'"] = parallel_config.data_parallel
    for name, size in sizes.items():
        if size % experts:
            raise ValueError(
                f"With a mixture of experts, {name} must be a multiple of 'expert_parallel', but got {size} and {experts}."
            )


def _expert_config(config: OpParallelConfig | MoEParallelConfig) -> MoEParallelConfig:
    """The configuration of experts, also where none was given for them."""
    if isinstance(config, MoEParallelConfig):
        return config
    return MoEParallelConfig(config.data_parallel, config.model_parallel)


def calculate_expert_capacity(k: int, tokens_per_group: int, capacity_factor: float, expert_dim: int) -> int:
    """How many positions of a group an expert takes.

    Examples:
        >>> from mindspore.nn.transformer.moe import calculate_expert_capacity
        >>> calculate_expert_capacity(1, 10, 1.1, 4)
        3
    """
    return math.ceil(k * tokens_per_group * capacity_factor / expert_dim)


class MoE(Cell):
    """A feed-forward network of several experts. A router decides which positions each of them gets.

    Args:
        hidden_size, ffn_hidden_size, dropout_rate, hidden_act, param_init_type: as for :class:`FeedForward`.
        moe_config: how positions and experts find each other.
        parallel_config: how it is to be spread over devices; each part of the data is routed on its own.

    Inputs:
        input_tensor: Tensor whose last axis has length ``hidden_size``.

    Outputs:
        A Tensor like the input, and how far from equal the parts of the experts are. Positions that no expert had room
        for are 0.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.transformer import MoEConfig
        >>> from mindspore.nn.transformer.moe import MoE
        >>> net = MoE(8, 16, 0.0, moe_config=MoEConfig(expert_num=4))
        >>> output, loss = net(ops.ones((2, 3, 8)))
        >>> print(output.shape, loss.shape)
        (2, 3, 8) ()
    """

    def __init__(
        self,
        hidden_size: int,
        ffn_hidden_size: int,
        dropout_rate: float,
        hidden_act: Any = "gelu",
        param_init_type: Any = mstype.float32,
        moe_config: MoEConfig = default_moe_config,
        parallel_config: MoEParallelConfig = default_moeparallel_config,
    ):
        super().__init__()
        _check_moe_config(moe_config, parallel_config)
        self.hidden_size = hidden_size
        self.expert_dim = moe_config.expert_num
        self.aux_loss_factor = moe_config.aux_loss_factor
        self.dp_group = parallel_config.data_parallel
        self.ffn = FeedForward(hidden_size, ffn_hidden_size, dropout_rate, hidden_act, self.expert_dim,
                               moe_config.expert_group_size, param_init_type, parallel_config)  # fmt: skip
        self.router = Router(hidden_size, moe_config, parallel_config=parallel_config)

    def construct(self, input_tensor: Tensor) -> tuple[Tensor, Tensor]:
        """The combined results of the experts, and the loss of the router."""
        tokens = input_tensor.reshape(self.dp_group, -1, self.hidden_size)
        dispatch, combine, loss = self.router(tokens)  # (group, token, expert, slot)
        capacity = dispatch.shape[-1]
        given = ops.einsum("gth,gtec->gech", tokens, dispatch.astype(tokens.dtype))
        repeated = self.ffn.mapping.outer_batch  # the groups in front of the experts, the others behind them
        shape = (repeated, -1, self.expert_dim, capacity, self.hidden_size)
        given = given.reshape(shape).transpose(0, 2, 1, 3, 4)
        taken = self.ffn(given.reshape(-1, self.hidden_size)).reshape(given.shape).transpose(0, 2, 1, 3, 4)
        taken = taken.reshape(self.dp_group, self.expert_dim, capacity, self.hidden_size)
        output = ops.einsum("gech,gtec->gth", taken, combine.astype(taken.dtype))
        return output.reshape(input_tensor.shape), self.aux_loss_factor * loss


class Router(Cell):
    """A linear layer that says how well each expert fits a position, and a policy that assigns them.

    Args:
        d_model: the length of a position's vector.
        moe_config: how positions and experts find each other.
        routing_policy: a Cell that replaces :class:`TopkRouter`.
        training: kept for old programs.
        parallel_config: how it is to be spread over devices.
    """

    def __init__(
        self,
        d_model: int,
        moe_config: MoEConfig,
        routing_policy: Cell | None = None,
        training: bool = True,
        parallel_config: MoEParallelConfig | None = None,
    ):
        super().__init__()
        self.dense = Dense(d_model, moe_config.expert_num, has_bias=False)
        self.router = routing_policy or TopkRouter(d_model, moe_config, training, parallel_config)

    def construct(self, input_tensor: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What :class:`TopkRouter` returns."""
        return self.router(self.dense(input_tensor.astype(mstype.float32)))


class TopkRouter(Cell):
    """Assigns to each position the experts that fit best, as long as they have room.

    Args:
        d_model: kept for old programs.
        moe_config: how positions and experts find each other.
        training: kept for old programs.
        parallel_config: how it is to be spread over devices; each part of the data is a group.

    Inputs:
        router_logits: Tensor whose last axis has a number for each expert.

    Outputs:
        Which position has which slot of which expert (group, token, expert, slot), how much it counts in the position's
        result, and how far from equal the parts of the experts are.
    """

    def __init__(
        self,
        d_model: int,
        moe_config: MoEConfig,
        training: bool = True,
        parallel_config: MoEParallelConfig | None = None,
    ):
        super().__init__()
        self.expert_dim = moe_config.expert_num
        self.capacity_factor = moe_config.capacity_factor
        self.num_experts_chosen = moe_config.num_experts_chosen
        self.dp_group = 1 if parallel_config is None else parallel_config.data_parallel

    def construct(self, router_logits: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Dispatch, combination and loss."""
        fits = ops.softmax(router_logits.reshape(self.dp_group, -1, self.expert_dim), -1)
        count = fits.shape[1]
        capacity = calculate_expert_capacity(self.num_experts_chosen, count, self.capacity_factor, self.expert_dim)
        loss = Tensor(0.0, mstype.float32)
        had = ops.zeros_like(fits)  # experts that a position has already
        combine = ops.zeros((self.dp_group, count, self.expert_dim, capacity), mstype.float32)
        for _ in range(self.num_experts_chosen):
            fits = fits * (1 - had)
            gate, expert = ops.max(fits, -1)
            wanted = ops.one_hot(expert, self.expert_dim, Tensor(1.0), Tensor(0.0))
            loss = loss + self._imbalance(wanted, fits / (fits.sum(-1, keepdims=True) + 1e-9))
            # the slot of a position in its expert: behind earlier positions and those of earlier rounds
            slot = (ops.cumsum(wanted, 1) - wanted + had.sum(1, keepdims=True)) * wanted
            got = wanted * (slot < capacity).astype(wanted.dtype)
            had = had + got
            slots = ops.one_hot(slot.astype(mstype.int32), capacity, Tensor(1.0), Tensor(0.0))
            combine = combine + (gate.expand_dims(-1) * got).expand_dims(-1) * slots
        combine = combine / (combine.sum((-2, -1), keepdims=True) + 1e-9)
        return combine != 0, combine, loss

    def _imbalance(self, wanted: Tensor, fits: Tensor) -> Tensor:
        """The load-balancing loss: 1 if every expert gets the same share of the positions, larger otherwise."""
        return (wanted.mean(1) * fits.mean(1)).mean() * self.expert_dim**2
