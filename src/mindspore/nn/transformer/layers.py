"""The small layers that transformers are made of."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_positive_int, shown
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.initializer import initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.inputs import Width
from mindspore.nn.layer.activation import get_activation
from mindspore.nn.layer.basic import Dropout
from mindspore.nn.transformer._checks import _args_type_validator_check as _args_type_validator_check
from mindspore.nn.transformer._checks import _check_input_dtype as _check_input_dtype
from mindspore.nn.transformer._checks import _valid_type_checks as _valid_type_checks
from mindspore.nn.transformer._checks import _valid_value_checks as _valid_value_checks
from mindspore.nn.transformer._checks import check_activation, check_float_types, check_sizes
from mindspore.nn.transformer._sparse_attention import FixedSparseAttention
from mindspore.nn.transformer.op_parallel_config import MoEParallelConfig, OpParallelConfig

__all__ = ["FixedSparseAttention"]


class _Dropout(Dropout):
    """Dropout by the probability to keep an element.

    Examples:
        >>> from mindspore.nn.transformer.layers import _Dropout
        >>> _Dropout(0.9)
        _Dropout(keep_prob=0.9)
    """

    def __init__(self, keep_prob: float = 0.5, dtype: Any = mstype.float32):
        super().__init__(keep_prob, dtype=dtype)


class _LayerNorm(Cell):
    """Standardize the last axis; then scale and shift.

    Args:
        normalized_shape: the length of the last axis, as a tuple of length 1.
        eps: added to the variance.
        param_init_type: the dtype of the Parameters.
        is_self_defined: kept for old programs; there is one way to compute it.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.transformer.layers import _LayerNorm
        >>> print(_LayerNorm((2,), eps=3.0)(Tensor([[-1.0, 1.0]])))
        [[-0.5  0.5]]
    """

    def __init__(
        self,
        normalized_shape: tuple[int, ...],
        eps: float = 1e-5,
        param_init_type: Any = mstype.float32,
        is_self_defined: bool = False,
    ):
        super().__init__()
        check_float_types("_LayerNorm", param_init_type=param_init_type)
        self.is_self_defined = check_bool("_LayerNorm", "is_self_defined", is_self_defined)
        self.eps = eps
        self.layer_norm = ops.LayerNorm(-1, -1, eps)
        self.gamma = Parameter(initializer("ones", normalized_shape, param_init_type), name="gamma")
        self.beta = Parameter(initializer("zeros", normalized_shape, param_init_type), name="beta")

    def construct(self, x: Tensor) -> Tensor:
        """The standardized input."""
        return self.layer_norm(x, self.gamma, self.beta)[0]

    def shard(self, strategy: Any, *args: Any, **kwargs: Any) -> Any:
        """Suggest how the input is split over devices."""
        self.layer_norm.shard((strategy[0], (1,), (1,)))
        return self


class _Linear(Cell):
    """A fully connected layer that computes in another float type than its Parameters and inputs have.

    Args:
        in_channels, out_channels: length of the last axis before and after.
        weight_init, bias_init: Tensor, initializer, its name, or a number.
        has_bias: whether a bias is added.
        activation: a name ('gelu'), or a class of Cells.
        transpose_b: whether the weight has shape (out_channels, in_channels), rather than the other way round.
        expert_num: the number of experts; each gets its part of the rows.
        outer_batch: how often the experts come in the rows, one group of rows behind the other.
        expert_group_size: kept for old programs; the number of rows of an expert is found from the input.
        param_init_type: the dtype of the Parameters.
        compute_dtype: the dtype of the computation; the result has that of the input again.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.transformer.layers import _Linear
        >>> net = _Linear(2, 3, weight_init="ones")
        >>> print(net(Tensor([[1.0, 2.0]])))
        [[3. 3. 3.]]
    """

    _cell_widths = (Width("in_channels"),)

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
        activation: Any = None,
        transpose_b: bool = True,
        expert_num: int = 1,
        outer_batch: int = 1,
        expert_group_size: int | None = None,
        param_init_type: Any = mstype.float32,
        compute_dtype: Any = mstype.float16,
    ):
        super().__init__()
        check_sizes("Linear", in_channels=in_channels, out_channels=out_channels, expert_num=expert_num,
                    outer_batch=outer_batch)  # fmt: skip
        check_float_types("Linear", param_init_type=param_init_type, compute_dtype=compute_dtype)
        if expert_group_size is not None:
            check_positive_int("Linear", "expert_group_size", expert_group_size)
        if activation is not None:
            check_activation("Linear", "activation", activation)
        self.in_channels, self.out_channels = in_channels, out_channels
        self.has_bias = check_bool("Linear", "has_bias", has_bias)
        self.transpose_b = check_bool("Linear", "transpose_b", transpose_b)
        self.expert_num, self.expert_flag = expert_num, expert_num > 1
        self.outer_batch, self.expert_group_size = outer_batch, expert_group_size
        shape = (out_channels, in_channels) if transpose_b else (in_channels, out_channels)
        bias_shape: tuple[int, ...] = (out_channels,)
        _check_init("weight_init", weight_init, shape)
        _check_init("bias_init", bias_init, bias_shape)
        if self.expert_flag:
            shape, bias_shape = (expert_num, *shape), (1, expert_num, 1, out_channels)
        self.weight = Parameter(initializer(weight_init, shape, param_init_type), name="weight")
        self.bias = None
        if has_bias:
            self.bias = Parameter(initializer(bias_init, bias_shape, param_init_type), name="bias")
        # construct calls these two Primitives; programs shard them
        self.matmul = (ops.BatchMatMul if self.expert_flag else ops.MatMul)(transpose_b=transpose_b)
        self.bias_add = ops.Add()
        self.act_name = activation
        self.activation = activation() if isinstance(activation, type) else get_activation(activation)
        self.activation_flag = self.activation is not None
        self.dtype = compute_dtype

    def construct(self, x: Tensor) -> Tensor:
        """The layer on the last axis of x."""
        rows = x.reshape(self._row_shape()).astype(self.dtype)
        output = self.matmul(rows, self.weight.astype(self.dtype))
        if self.bias is not None:
            output = self.bias_add(output, self.bias.astype(self.dtype))
        if self.activation is not None:
            output = self.activation(output)
        return output.astype(x.dtype).reshape((*x.shape[:-1], self.out_channels))

    def _row_shape(self) -> tuple[int, ...]:
        if self.expert_flag:
            return self.outer_batch, self.expert_num, -1, self.in_channels
        return -1, self.in_channels

    def shard(  # pyright: ignore[reportIncompatibleMethodOverride] (as MindSpore has it)
        self, strategy_matmul: Any, strategy_bias: Any = None, strategy_activation: Any = None
    ) -> Any:
        """Suggest how the product, the sum and the activation are split over devices."""
        self.matmul.shard(strategy_matmul)
        self.bias_add.shard(strategy_bias)
        if self.activation is not None and strategy_activation is not None:
            self._shard_activation(strategy_activation[0])
        return self

    def _shard_activation(self, parts: tuple[int, ...]) -> None:
        """Shard the activation: through ``activation_shard`` if a class of the program's own has it."""
        tell = getattr(self.activation, "activation_shard", None)
        if tell is None:
            self.activation.shard((parts,))
        elif self.expert_flag:
            tell(MoEParallelConfig(parts[0], parts[-1], parts[1]))
        else:
            tell(OpParallelConfig(parts[0], parts[-1]))


def _check_init(name: str, init: Any, shape: tuple[int, ...]) -> None:
    if isinstance(init, Tensor) and tuple(init.shape) != shape:
        raise refused(
            ValueError,
            f"For 'Linear', the '{name}' must have shape {shape}, but got {shown(init)} of shape {init.shape}.",
        )
