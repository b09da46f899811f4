"""Training steps that use what :mod:`mindspore.boost` has."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.boost.adasum import AdaSum
from mindspore.boost.grad_accumulation import GradientAccumulation
from mindspore.boost.grad_freeze import FreezeOpt, freeze_cell
from mindspore.boost.group_loss_scale_manager import GroupLossScaleManager
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.communication import get_group_size
from mindspore.nn.cell import Cell
from mindspore.nn.layer.container import CellList
from mindspore.nn.wrap.loss_scale import TrainOneStepWithLossScaleCell
from mindspore.nn.wrap.train_step import TrainOneStepCell

__all__ = ["BoostTrainOneStepCell", "BoostTrainOneStepWithLossScaleCell"]


class BoostTrainOneStepCell(TrainOneStepCell):
    """A training step like :class:`mindspore.nn.TrainOneStepCell` that also takes a :class:`FreezeOpt`, whose groups take turns.

    Args:
        network: gives the loss.
        optimizer: updates the Parameters.
        sens: weight of the loss in the gradients; None for 1.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> from mindspore.boost import BoostTrainOneStepCell
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> step = BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
        >>> print(step(Tensor([[1.0]]), Tensor([[0.0]])), net.weight.asnumpy())
        1.0 [[0.8]]
    """

    def __init__(self, network: Cell, optimizer: Cell, sens: float | None = None):
        super().__init__(network, optimizer, sens)
        self.freeze = isinstance(optimizer, FreezeOpt)
        self.use_grad_accumulation = False
        self.gradient_accumulation: GradientAccumulation | None = None
        self.adasum: AdaSum | None = None
        if isinstance(optimizer, FreezeOpt):
            self.freeze_nets = CellList(
                list(freeze_cell(self.reducer_flag, network, optimizer, self.sens, self.grad, False))
            )
            self.step = Parameter(Tensor(0, mstype.int32), name="freeze_step", requires_grad=False)

    def construct(self, *inputs: Any) -> Any:
        if self.freeze:
            return self.gradient_freeze_process(*inputs)
        return super().construct(*inputs)

    def gradient_freeze_process(self, *inputs: Any) -> Any:
        """A step of the group whose turn it is; the loss."""
        strategy = self.optimizer.train_strategy
        turn = ops.gather(strategy, self.step % strategy.shape[0], 0)
        ops.assign_add(self.step, 1)
        loss = ops.zeros((), mstype.float32)
        for number, network in enumerate(self.freeze_nets):
            if turn == number:
                loss = network(*inputs)
        return loss

    def gradient_accumulation_process(self, loss: Tensor, grads: tuple[Any, ...], sens: Any, *inputs: Any) -> Any:
        """Add gradients up; the optimizer steps when there are enough of them. Set :attr:`gradient_accumulation` first."""
        if self.gradient_accumulation is None:
            raise RuntimeError(
                "For 'BoostTrainOneStepCell', the 'gradient_accumulation' must be set to a boost.GradientAccumulation first."
            )
        return self.gradient_accumulation(loss, grads)

    def adasum_process(self, loss: Tensor, grads: tuple[Any, ...]) -> Any:
        """A step of the optimizer with what :class:`AdaSum` makes of all processes' changes."""
        before = tuple(weight.value() + 0 for weight in self.weights)
        self.optimizer(grads)
        if self.check_adasum_enable():
            adasum = self.adasum or AdaSum(0, get_group_size(), 1, self.weights)
            adasum(tuple(old - new for old, new in zip(before, self.weights, strict=True)), self.weights, before)
        return loss

    def check_adasum_enable(self) -> bool:
        """Whether there are several processes whose changes can be combined."""
        return bool(self.reducer_flag) and get_group_size() > 1

    def check_dim_reduce_enable(self) -> bool:
        """Whether steps are taken by :class:`DimReduce`: only where a program calls it itself."""
        return False


class BoostTrainOneStepWithLossScaleCell(TrainOneStepWithLossScaleCell):
    """A training step like :class:`mindspore.nn.TrainOneStepWithLossScaleCell`; it also takes a :class:`GroupLossScaleManager`.

    Args:
        network: gives the loss.
        optimizer: updates the Parameters.
        scale_sense: the scale, or a Cell that moves it.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> from mindspore.boost import BoostTrainOneStepWithLossScaleCell
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> step = BoostTrainOneStepWithLossScaleCell(
        ...     nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), Tensor(1024.0))
        >>> loss, overflow, scale = step(Tensor([[1.0]]), Tensor([[0.0]]))
        >>> print(loss, overflow, scale, net.weight.asnumpy())
        1.0 False 1024.0 [[0.8]]
    """

    def __init__(self, network: Cell, optimizer: Cell, scale_sense: Any):
        super().__init__(network, optimizer, scale_sense)
        self.group_scales = scale_sense if isinstance(scale_sense, GroupLossScaleManager) else None
        if self.group_scales is not None:
            self.loss_scaling_manager = None  # the scales of the groups are moved one by one

    def process_loss_scale(self, overflow: Tensor) -> Tensor:
        if self.group_scales is not None:
            self.group_scales.update_after(overflow)
        return super().process_loss_scale(overflow)
