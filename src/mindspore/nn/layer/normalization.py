"""Normalization layers."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_float_range, check_int, check_positive_int, shown
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.initializer import Initializer, initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.inputs import CHANNELS, Width
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer._implementation.batch_norm import (
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    ChannelStatistics,
    GlobalBatchNorm,
    Init,
    SyncBatchNorm,
    check_rank,
)
from mindspore.nn.layer._implementation.batch_norm import (
    _BatchNorm as _BatchNorm,
)  # programs use it in isinstance checks

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "GlobalBatchNorm",
    "GroupNorm",
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "LayerNorm",
    "LayerNormExt",
    "SyncBatchNorm",
]

_INFINITY = float("inf")


def _checked_shape(owner: str, shape: Any, int_allowed: bool = False) -> tuple[int, ...]:
    if int_allowed and isinstance(shape, int) and not isinstance(shape, bool):
        shape = (shape,)
    if not isinstance(shape, (tuple, list)):
        raise refused(
            TypeError, f"For '{owner}', the 'normalized_shape' must be a tuple or list of ints, but got {shown(shape)}."
        )
    if not shape:
        raise refused(
            ValueError, f"For '{owner}', the 'normalized_shape' must have at least one element, but got {shape}."
        )
    return tuple(check_positive_int(owner, "normalized_shape", length) for length in shape)


class LayerNorm(Cell):
    """Standardize every sample over its last axes; then scale and shift.

    Args:
        normalized_shape: the lengths of the axes from ``begin_params_axis`` on: the shape of scale and shift.
        begin_norm_axis: the first axis the mean and variance are taken over.
        begin_params_axis: the first axis of scale (gamma) and shift (beta).
        gamma_init, beta_init: initializers, numbers or Tensors.
        epsilon: added to the variance.
        dtype: the dtype of the Parameters.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.LayerNorm((2,), epsilon=7.0)(Tensor([[-3.0, 3.0]])))
        [[-0.75  0.75]]
    """

    _cell_widths = (Width("normalized_shape", size=lambda cell: tuple(cell.normalized_shape)),)

    def __init__(self, normalized_shape: Sequence[int], begin_norm_axis: int = -1, begin_params_axis: int = -1,
                 gamma_init: Init = "ones", beta_init: Init = "zeros", epsilon: float = 1e-7,
                 dtype: Any = mstype.float32):  # fmt: skip
        super().__init__()
        shape = _checked_shape("LayerNorm", normalized_shape)
        self.normalized_shape = normalized_shape
        self.begin_norm_axis = check_int("LayerNorm", "begin_norm_axis", begin_norm_axis)
        self.begin_params_axis = check_int("LayerNorm", "begin_params_axis", begin_params_axis)
        self.epsilon = check_float_range("LayerNorm", "epsilon", epsilon, 0.0, _INFINITY)
        self.gamma = Parameter(initializer(gamma_init, shape, dtype), name="gamma")
        self.beta = Parameter(initializer(beta_init, shape, dtype), name="beta")
        self.layer_norm = ops.LayerNorm(self.begin_norm_axis, self.begin_params_axis, self.epsilon)

    def construct(self, input_x: Tensor) -> Tensor:
        return self.layer_norm(input_x, self.gamma, self.beta)[0]

    def extend_repr(self) -> str:
        # MindSpore's text, with its missing sign: programs' logs compare equal
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma{self.gamma}, beta={self.beta}"
        )


class LayerNormExt(Cell):
    """Standardize every sample over its last axes; then scale and shift where asked for.

    Args:
        normalized_shape: the lengths of the last axes, or the length of the last axis.
        eps: added to the variance.
        elementwise_affine: whether there is a scale (weight), and a shift unless ``bias`` is False.
        bias: whether there is a shift.
        dtype: the dtype of the Parameters; None means float32.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.LayerNormExt(2, eps=7.0)(Tensor([[-3.0, 3.0]])))
        [[-0.75  0.75]]
    """

    _cell_widths = (Width("normalized_shape", size=lambda cell: tuple(cell.normalized_shape)),)

    def __init__(self, normalized_shape: int | Sequence[int], eps: float = 1e-5, elementwise_affine: bool = True,
                 bias: bool = True, dtype: Any = None):  # fmt: skip
        super().__init__()
        shape = self.normalized_shape = _checked_shape("LayerNormExt", normalized_shape, int_allowed=True)
        self.eps = check_float_range("LayerNormExt", "eps", eps, 0.0, _INFINITY)
        self.elementwise_affine = check_bool("LayerNormExt", "elementwise_affine", elementwise_affine)
        shifted = check_bool("LayerNormExt", "bias", bias) and elementwise_affine
        dtype = mstype.float32 if dtype is None else dtype
        self.weight = Parameter(initializer("ones", shape, dtype), name="weight") if elementwise_affine else None
        self.bias = Parameter(initializer("zeros", shape, dtype), name="bias") if shifted else None

    def construct(self, input: Tensor) -> Tensor:
        return ops.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self) -> str:
        return f"normalized_shape={self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Cell):
    """Standardize groups of neighbouring channels of every sample; then scale and shift every channel.

    Args:
        num_groups: the number of groups.
        num_channels: the number of channels, a multiple of it.
        eps: added to the variance.
        affine: whether scale (gamma) and shift (beta) are trained.
        gamma_init, beta_init: initializers, numbers or Tensors.
        dtype: the dtype of the Parameters.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.GroupNorm(2, 4, eps=7.0)(Tensor([[-3.0, 3.0, 1.0, 1.0]])))
        [[-0.75  0.75  0.    0.  ]]
    """

    _cell_widths = (Width("num_channels", CHANNELS),)

    def __init__(self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True,
                 gamma_init: Init = "ones", beta_init: Init = "zeros", dtype: Any = mstype.float32):  # fmt: skip
        super().__init__()
        self.num_groups = check_positive_int("GroupNorm", "num_groups", num_groups)
        self.num_channels = check_positive_int("GroupNorm", "num_channels", num_channels)
        if num_channels % num_groups:
            raise refused(
                ValueError,
                f"For 'GroupNorm', the 'num_channels' must be a multiple of 'num_groups', but got {num_channels} channels "
                f"in {num_groups} groups.",
            )
        self.eps = check_float_range("GroupNorm", "eps", eps, 0.0, _INFINITY)
        self.affine = check_bool("GroupNorm", "affine", affine)
        self.gamma = Parameter(initializer(gamma_init, num_channels, dtype), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, num_channels, dtype), name="beta", requires_grad=affine)

    def construct(self, x: Tensor) -> Tensor:
        return self._cal_output(x)

    # by the names under which libraries call the parts of it
    def _cal_output(self, x: Tensor) -> Tensor:
        return ops.group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)

    @staticmethod
    def _channel_check(channel: int, num_channel: int, prim_name: str | None = None) -> None:
        if channel != num_channel:
            raise refused(
                ValueError,
                f"For '{prim_name or 'GroupNorm'}', the channels of the input, its second axis, must be as many as the "
                f"'num_channels', but got channel: {channel}, num_channels: {num_channel}.",
            )

    @staticmethod
    def _check_dtype(dtype: Any, valid_dtypes: list[Any], prim_name: str | None = None) -> None:
        if dtype not in valid_dtypes:
            names = [str(each) for each in valid_dtypes]
            raise refused(
                TypeError,
                f"For '{prim_name or 'GroupNorm'}', the type of 'input' must be one of {names}, but got '{dtype}'.",
            )

    def extend_repr(self) -> str:
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


@primitives(shape=ops.Shape)
class _InstanceNorm(ChannelStatistics):
    """What all kinds of instance normalization share."""

    ranks: tuple[int, ...] = (3, 4, 5)

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = True,
                 gamma_init: Init = "ones", beta_init: Init = "zeros", dtype: Any = mstype.float32):  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, gamma_init, beta_init, "zeros", "ones", dtype)
        self.momentum = momentum
        self.instance_bn = ops.InstanceNorm(self.eps, momentum)

    def _shown_momentum(self) -> float:
        return self.momentum

    def check_types_valid(self, args_dict: dict[str, Any], name: str) -> None:
        """Refuse values of a dict that no Parameter can begin with."""
        for key, value in args_dict.items():
            if not isinstance(value, (Tensor, numbers.Number, str, Initializer)):
                text = f"For '{name}', the '{key}' must be a Tensor, a number, a str or an Initializer, but got {shown(value)}."
                raise refused(TypeError, text)

    def construct(self, x: Tensor) -> Tensor:
        check_rank(type(self).__name__, x, self.ranks)
        return self.instance_bn(x, self.gamma, self.beta, self.moving_mean, self.moving_variance)[0]


class InstanceNorm1d(_InstanceNorm):
    """Standardize every channel of every sample of (N, C, L); then scale and shift.

    A moving mean and variance are kept, ``moving = (1 - momentum) * moving + momentum * batch``, but not used.

    Args:
        num_features: the number of channels C.
        eps: added to the variance.
        momentum: the weight of the new values in the moving mean and variance.
        affine: whether scale (gamma) and shift (beta) are trained.
        gamma_init, beta_init: initializers, numbers or Tensors.
        dtype: the dtype of the Parameters.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.InstanceNorm1d(1, eps=7.0)(Tensor([[[-3.0, 3.0]]])))
        [[[-0.75  0.75]]]
    """

    ranks = (3,)


class InstanceNorm2d(_InstanceNorm):
    """Standardize every channel of every sample of (N, C, H, W); then scale and shift.

    The arguments are those of InstanceNorm1d.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.InstanceNorm2d(1, eps=7.0)(Tensor([[[[-3.0, 3.0]]]])))
        [[[[-0.75  0.75]]]]
    """

    ranks = (4,)


class InstanceNorm3d(_InstanceNorm):
    """Standardize every channel of every sample of (N, C, D, H, W); then scale and shift.

    The arguments are those of InstanceNorm1d.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.InstanceNorm3d(1, eps=7.0)(Tensor([[[[[-3.0, 3.0]]]]])))
        [[[[[-0.75  0.75]]]]]
    """

    ranks = (5,)
