"""The two linear layers of a transformer layer. The module to import it from is ``transformer``."""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import check_positive_int
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer.basic import Dropout
from mindspore.nn.transformer._checks import (
    FLOATS,
    _check_input_dtype,
    check_activation,
    check_config,
    check_multiples,
    check_rates,
    check_sizes,
)
from mindspore.nn.transformer.layers import _Linear
from mindspore.nn.transformer.op_parallel_config import (
    MoEParallelConfig,
    OpParallelConfig,
    _check_config,
    default_dpmp_config,
)


class FeedForward(Cell):
    """A linear layer with an activation, a linear layer back to the size of the input, and dropout.

    It computes in Float16, and so is its result.

    Args:
        hidden_size: the length of the input's last axis.
        ffn_hidden_size: its length in between.
        dropout_rate: the probability to drop an element of the result.
        hidden_act: the activation: a name, or a class of Cells.
        expert_num: the number of experts; each gets its part of the rows.
        expert_group_size: kept for old programs.
        param_init_type: the dtype of the Parameters.
        parallel_config: how it is to be spread over devices.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.transformer import FeedForward
        >>> print(FeedForward(hidden_size=15, ffn_hidden_size=30, dropout_rate=0.1)(ops.ones((2, 20, 15))).shape)
        (2, 20, 15)
    """

    def __init__(
        self,
        hidden_size: int,
        ffn_hidden_size: int,
        dropout_rate: float,
        hidden_act: Any = "gelu",
        expert_num: int = 1,
        expert_group_size: int | None = None,
        param_init_type: Any = mstype.float32,
        parallel_config: OpParallelConfig | MoEParallelConfig = default_dpmp_config,
    ):
        super().__init__()
        owner = self.cls_name
        check_sizes(owner, hidden_size=hidden_size, ffn_hidden_size=ffn_hidden_size, expert_num=expert_num)
        check_rates(owner, dropout_rate=dropout_rate)
        check_activation(owner, "hidden_act", hidden_act)
        check_config(owner, parallel_config, OpParallelConfig, MoEParallelConfig)
        _check_config(parallel_config)
        weights = parallel_config.model_parallel
        experts = check_positive_int(owner, "expert_parallel", getattr(parallel_config, "expert_parallel", 1))
        experts = experts if expert_num > 1 else 1
        data = max(parallel_config.data_parallel // experts, 1)
        check_multiples(owner, "'model_parallel'", weights, ffn_hidden_size=ffn_hidden_size, hidden_size=hidden_size)
        self.hidden_size = hidden_size
        options: dict[str, Any] = {
            "transpose_b": False, "expert_num": expert_num, "expert_group_size": expert_group_size, "outer_batch": data,
            "param_init_type": param_init_type,
        }  # fmt: skip
        self.mapping = _Linear(hidden_size, ffn_hidden_size, activation=hidden_act, **options)
        self.projection = _Linear(ffn_hidden_size, hidden_size, **options)
        if expert_num > 1:
            wide = (data, experts, 1, weights)
            self.mapping.shard(
                ((data, experts, 1, 1), (experts, 1, weights)), (wide, (1, experts, 1, weights)), (wide,)
            )
            narrow = (data, experts, 1, 1)
            self.projection.shard((wide, (experts, weights, 1)), (narrow, (1, experts, 1, 1)))
        else:
            wide = (data, weights)
            self.mapping.shard(((data, 1), (1, weights)), (wide, (weights,)), (wide,))
            self.projection.shard((wide, (weights, 1)), ((data, 1), (1,)))
        self.dropout = Dropout(1.0 - dropout_rate)

    def construct(self, x: Tensor) -> Tensor:
        """The network on the last axis of x."""
        _check_input_dtype(x.dtype, "x", FLOATS, self.cls_name)
        if x.shape[-1] != self.hidden_size:
            raise refused(
                ValueError,
                f"For '{self.cls_name}', the last axis of 'x' must have length {self.hidden_size}, but got shape {x.shape}.",
            )
        return self.dropout(self.projection(self.mapping(x.astype(mstype.float16))))
