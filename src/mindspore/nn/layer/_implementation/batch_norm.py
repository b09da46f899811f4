"""Normalization over a batch. The module to import it from is ``normalization``."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.cluster import process_group
from mindspore._engine.runtime.parallel_context import plans_graphs
from mindspore._ops.declaring.requirements import NO_BATCH
from mindspore._ops.distributed.collective import reduce_all
from mindspore._utils.checks import (
    check_bool,
    check_float_range,
    check_int,
    check_one_of,
    check_positive_int,
    check_type,
    shown,
)
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.initializer import initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.inputs import CHANNELS, Width
from mindspore.nn.cell.primitives import primitives

Init = str | float | Tensor | Any  # what ``initializer`` takes


def check_rank(owner: str, x: Tensor, ranks: tuple[int, ...]) -> None:
    """Refuse an input with another number of dimensions; looks at the shape alone."""
    if x.ndim not in ranks:
        allowed = " or ".join(map(str, ranks))
        hint = NO_BATCH if x.ndim == min(ranks) - 1 else ""
        raise refused(
            ValueError, f"For '{owner}', the 'x' must have {allowed} dimensions, but got shape {x.shape}.{hint}"
        )


class ChannelStatistics(Cell):
    """What batch and instance normalization hold: moving mean and variance, scale and shift, one of each per channel."""

    _cell_widths = (Width("num_features", CHANNELS),)

    def __init__(self, num_features: int, eps: float, momentum: float, affine: bool, gamma_init: Init, beta_init: Init,
                 moving_mean_init: Init, moving_var_init: Init, dtype: Any):  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        self.num_features = check_positive_int(owner, "num_features", num_features)
        self.eps = check_float_range(owner, "eps", eps, 0.0, float("inf"), include_low=False)
        check_float_range(owner, "momentum", momentum, 0, 1)
        check_bool(owner, "affine", affine)

        def vector(init: Init, name: str, requires_grad: bool) -> Parameter:
            return Parameter(initializer(init, num_features, dtype), name=name, requires_grad=requires_grad)

        self.moving_mean = vector(moving_mean_init, "mean", False)
        self.moving_variance = vector(moving_var_init, "variance", False)
        self.gamma = vector(gamma_init, "gamma", affine)
        self.beta = vector(beta_init, "beta", affine)

    def _shown_momentum(self) -> float:
        raise NotImplementedError("subclasses must implement _shown_momentum")

    def extend_repr(self) -> str:
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self._shown_momentum()}, gamma={self.gamma}, "
            f"beta={self.beta}, moving_mean={self.moving_mean}, moving_variance={self.moving_variance}"
        )


@primitives(
    shape=ops.Shape,
    reduce_mean=lambda _: ops.ReduceMean(keep_dims=True),
    square=ops.Square,
    sqrt=ops.Sqrt,
    cast=ops.Cast,
    dtype=ops.DType,
    reshape=ops.Reshape,
    sub_mean=ops.Sub,
    sub_var=ops.Sub,
    mul_mean=ops.Mul,
    mul_var=ops.Mul,
    assign_sub_mean=ops.AssignSub,
    assign_sub_var=ops.AssignSub,
)
class _BatchNorm(ChannelStatistics):
    """What all kinds of batch normalization share."""

    ranks: tuple[int, ...] = (2, 3, 4, 5)

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.9, affine: bool = True,
                 gamma_init: Init = "ones", beta_init: Init = "zeros", moving_mean_init: Init = "zeros",
                 moving_var_init: Init = "ones", use_batch_statistics: bool | None = None, data_format: str = "NCHW",
                 dtype: Any = mstype.float32):  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
                         dtype)  # fmt: skip
        self.gamma_init, self.beta_init = gamma_init, beta_init
        self.moving_mean_init, self.moving_var_init = moving_mean_init, moving_var_init
        owner = type(self).__name__
        if use_batch_statistics is not None and not isinstance(use_batch_statistics, bool):
            raise refused(
                ValueError,
                f"For '{owner}', the 'use_batch_statistics' must be a bool or None, but got {shown(use_batch_statistics)}.",
            )
        self.use_batch_statistics = use_batch_statistics
        self.format = check_one_of(owner, "data_format", data_format, ("NCHW", "NHWC"))
        # The argument weighs the old value, the operator's attribute the new value.
        self.momentum = 1.0 - momentum
        self.bn_train = ops.BatchNorm(True, self.eps, self.momentum, self.format)
        self.bn_infer = ops.BatchNorm(False, self.eps, data_format=self.format)

    def _shown_momentum(self) -> float:
        return 1.0 - self.momentum

    def construct(self, x: Tensor) -> Tensor:
        check_rank(type(self).__name__, x, self.ranks)
        use_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        normalize = self.bn_train if use_batch else self.bn_infer
        return normalize(x, self.gamma, self.beta, self.moving_mean, self.moving_variance)[0]


class BatchNorm1d(_BatchNorm):
    """Standardize every channel of (N, C) or (N, C, L) over the batch; then scale and shift.

    In training the batch's own mean and variance are used and the moving averages follow:
    ``moving = momentum * moving + (1 - momentum) * batch``. Otherwise the moving averages are used.

    Args:
        num_features: the number of channels C.
        eps: added to the variance.
        momentum: the weight of the old moving mean and variance, from 0 to 1.
        affine: whether scale (gamma) and shift (beta) are trained.
        gamma_init, beta_init, moving_mean_init, moving_var_init: initializers, numbers or Tensors.
        use_batch_statistics: True takes the batch's statistics always, False never, None in training only.
        data_format: 'NCHW', or 'NHWC' where the channels are the last axis.
        dtype: the dtype of the Parameters.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.BatchNorm1d(1, eps=7.0).set_train()
        >>> print(net(Tensor([[-3.0], [3.0]])))
        [[-0.75]
         [ 0.75]]
        >>> print(net.moving_variance.value())
        [2.7]
    """

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Standardize every channel of (N, C, H, W) over the batch; then scale and shift.

    In training the batch's own mean and variance are used and the moving averages follow:
    ``moving = momentum * moving + (1 - momentum) * batch``. Otherwise the moving averages are used.

    Args:
        num_features: the number of channels C.
        eps: added to the variance.
        momentum: the weight of the old moving mean and variance, from 0 to 1.
        affine: whether scale (gamma) and shift (beta) are trained.
        gamma_init, beta_init, moving_mean_init, moving_var_init: initializers, numbers or Tensors.
        use_batch_statistics: True takes the batch's statistics always, False never, None in training only.
        data_format: 'NCHW' or 'NHWC'.
        dtype: the dtype of the Parameters.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.BatchNorm2d(1, eps=7.0).set_train()
        >>> print(net(Tensor([[[[-3.0, 3.0]]]])))
        [[[[-0.75  0.75]]]]
        >>> print(net.moving_variance.value())
        [2.7]
    """

    ranks = (4,)


class BatchNorm3d(Cell):
    """Standardize every channel of (N, C, D, H, W) over the batch; then scale and shift.

    The Parameters are those of the BatchNorm2d it holds, ``bn2d``, and so are the arguments.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.BatchNorm3d(3)
        >>> print(net(ops.ones((2, 3, 4, 4, 4))).shape, net.bn2d.gamma.name)
        (2, 3, 4, 4, 4) bn2d.gamma
    """

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.9, affine: bool = True,
                 gamma_init: Init = "ones", beta_init: Init = "zeros", moving_mean_init: Init = "zeros",
                 moving_var_init: Init = "ones", use_batch_statistics: bool | None = None,
                 dtype: Any = mstype.float32):  # fmt: skip
        super().__init__()
        self.bn2d = BatchNorm2d(num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init,
                                moving_var_init, use_batch_statistics, "NCHW", dtype)  # fmt: skip

    def construct(self, x: Tensor) -> Tensor:
        check_rank(type(self).__name__, x, (5,))
        batch, channels, depth, height, width = x.shape
        return self.bn2d(x.reshape((batch, channels, depth * height, width))).reshape(x.shape)


class SyncBatchNorm(_BatchNorm):
    """Batch normalization of (N, C) or (N, C, H, W) with the statistics of several processes.

    Alone it is batch normalization. Every process must have a batch of the same size.

    Args:
        num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
            use_batch_statistics, dtype: as those of BatchNorm2d.
        process_groups: lists of the ranks that share statistics, e.g. ``[[0, 1], [2, 3]]``; None means all devices.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.SyncBatchNorm(1, eps=7.0).set_train()(Tensor([[-3.0], [3.0]])))
        [[-0.75]
         [ 0.75]]
    """

    ranks = (2, 4)

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.9, affine: bool = True,
                 gamma_init: Init = "ones", beta_init: Init = "zeros", moving_mean_init: Init = "zeros",
                 moving_var_init: Init = "ones", use_batch_statistics: bool | None = None, process_groups: Any = None,
                 dtype: Any = mstype.float32):  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
                         use_batch_statistics, dtype=dtype)  # fmt: skip
        self.process_groups = _checked_groups(process_groups)
        self.group = _own_group(self.process_groups)

    def construct(self, x: Tensor) -> Tensor:
        use_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        count = len(process_group.ranks_of("SyncBatchNorm", self.group))
        if count == 1 or not use_batch or plans_graphs():  # a graph of all devices sees the whole batch
            return super().construct(x)
        check_rank(type(self).__name__, x, self.ranks)
        return self._with_statistics_of_all(x, count)

    def _with_statistics_of_all(self, x: Tensor, count: int) -> Tensor:
        axes, shape = (0, 2, 3)[: x.ndim - 1], (1, -1, 1, 1)[: x.ndim]
        values = x.astype(mstype.float32)
        sums = reduce_all([values.mean(axes), ops.square(values).mean(axes)], self.group)
        mean, of_squares = (total / count for total in sums)
        variance = of_squares - ops.square(mean)
        elements = x.size // x.shape[1] * count
        unbiased = variance * (elements / max(elements - 1, 1))
        for moving, batch in ((self.moving_mean, mean), (self.moving_variance, unbiased)):
            kept = moving * (1.0 - self.momentum) + ops.stop_gradient(batch) * self.momentum
            ops.assign(moving, kept.astype(moving.dtype))
        scale = ops.rsqrt(variance + self.eps) * self.gamma
        return (values * scale.reshape(shape) + (self.beta - mean * scale).reshape(shape)).astype(x.dtype)


def _own_group(groups: list[list[int]] | None) -> str:
    """The name of the group this process belongs to; all processes when none are given."""
    own = next((ranks for ranks in groups or [] if process_group.rank() in ranks), None)
    if own is None or len(own) >= process_group.size():
        return process_group.WORLD_GROUPS[0]
    name = f"sync_batch_norm_{'_'.join(map(str, own))}"
    process_group.add_group(name, own)
    return name


def _checked_groups(groups: Any) -> list[list[int]] | None:
    if groups is None:
        return None
    if not isinstance(groups, list):
        raise refused(
            ValueError,
            f"For 'SyncBatchNorm', the 'process_groups' must be a list of lists of ranks, but got {shown(groups)}.",
        )
    ranks = [check_int("SyncBatchNorm", "rank id in process_groups", rank, low=0)
             for group in groups for rank in check_type("SyncBatchNorm", "process_groups", group, list)]  # fmt: skip
    if len(set(ranks)) != len(ranks):
        raise refused(
            ValueError, f"For 'SyncBatchNorm', every rank must be in 'process_groups' once, but got {groups}."
        )
    return groups


class GlobalBatchNorm(SyncBatchNorm):
    """SyncBatchNorm under its name in MindSpore 1.x.

    Args:
        num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
            use_batch_statistics: as those of BatchNorm2d.
        device_num_each_group: how many devices, counted in the order of their ranks, share statistics; at least 2.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.GlobalBatchNorm(1, eps=7.0).set_train()(Tensor([[-3.0], [3.0]])))
        [[-0.75]
         [ 0.75]]
    """

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.9, affine: bool = True,
                 gamma_init: Init = "ones", beta_init: Init = "zeros", moving_mean_init: Init = "zeros",
                 moving_var_init: Init = "ones", use_batch_statistics: bool | None = None,
                 device_num_each_group: int = 2):  # fmt: skip
        check_int("GlobalBatchNorm", "device_num_each_group", device_num_each_group, low=2)
        super().__init__(num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
                         use_batch_statistics)  # fmt: skip
        self.device_num_each_group = device_num_each_group
        every = range(0, process_group.size(), device_num_each_group)
        self.group = _own_group([list(range(first, first + device_num_each_group)) for first in every])
