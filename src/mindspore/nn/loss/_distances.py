"""Losses by the distance of predictions from targets of the same shape."""

from __future__ import annotations

from mindspore import ops
from mindspore._utils.checks import check_float_range
from mindspore.common.tensor import Tensor
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.loss._base import LossBase


class L1Loss(LossBase):
    """The absolute difference.

    Args:
        reduction: 'mean', 'sum' or 'none'.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.L1Loss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])))
        1.0
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.l1_loss(logits, labels, self.reduction)


class L1LossExt(L1Loss):
    """The absolute difference: ``L1Loss`` under the name of newer interfaces.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.L1LossExt("sum")(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])))
        2.0
    """


@primitives(abs=ops.Abs)
class MAELoss(LossBase):
    """The mean absolute error; the same as ``L1Loss``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MAELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])))
        1.0
    """

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        return ops.l1_loss(logits, label, self.reduction)


class MSELoss(LossBase):
    """The squared difference.

    Args:
        reduction: 'mean', 'sum' or 'none'.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MSELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])))
        2.0
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.mse_loss(logits, labels, self.reduction)


@primitives(dtype=ops.DType)
class RMSELoss(LossBase):
    """The square root of the mean squared difference.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.RMSELoss()(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        2.0
    """

    def __init__(self) -> None:
        super().__init__()
        self.MSELoss = MSELoss()

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        return ops.sqrt(self.MSELoss(logits, label))


@primitives(smooth_l1_loss=lambda net: ops.SmoothL1Loss(net.beta, net.reduction))
class SmoothL1Loss(LossBase):
    """Half the squared difference over ``beta`` where it is below ``beta``, the absolute difference beyond.

    Args:
        beta: where the two parts meet.
        reduction: 'none' unless another is asked for.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.SmoothL1Loss()(Tensor([1.0, 2.0]), Tensor([2.0, 5.0])))
        [0.5 2.5]
    """

    def __init__(self, beta: float = 1.0, reduction: str = "none"):
        super().__init__(reduction)
        self.beta = check_float_range("SmoothL1Loss", "beta", beta, 0.0, float("inf"))

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return self.smooth_l1_loss(logits, labels)


class HuberLoss(LossBase):
    """Half the squared difference up to ``delta``, growing linearly beyond.

    Args:
        reduction: 'mean', 'sum' or 'none'.
        delta: where the two parts meet, above 0.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.HuberLoss("none")(Tensor([1.0, 2.0]), Tensor([1.0, 5.0])))
        [0.  2.5]
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0):
        super().__init__(reduction)
        self.delta = check_float_range("HuberLoss", "delta", delta, 0.0, float("inf"), include_low=False)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.huber_loss(logits, labels, self.reduction, self.delta)
