"""Loss scales of groups of layers."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_float_range, check_int, check_positive_int, check_type
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell

__all__ = ["GroupLossScaleManager"]

_LEAST, _MOST = 1.0, 2.0**24
_WINDOW = 1000  # so many steps without overflow make the scales larger


class GroupLossScaleManager(Cell):
    """Gradients of different layers travel under different scales.

    Between two layers the gradient that comes back from the later layer is brought from its group's scale to that of the
    earlier layer. Forward values are unchanged.

    Args:
        init_loss_scale: the first scale of all groups.
        loss_scale_groups: the groups of Parameters.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> from mindspore.boost import GroupLossScaleManager
        >>> manager = GroupLossScaleManager(4, [[], []])
        >>> manager.set_loss_scale_status(2, 4.0)
        >>> print(manager.update_loss_scale_status(0, 2.0))
        8.0
        >>> print(ms.grad(lambda x: manager(x, 0, 1))(Tensor(1.0)))
        2.0
    """

    def __init__(self, init_loss_scale: float, loss_scale_groups: list[Any]):
        super().__init__()
        check_float_range("GroupLossScaleManager", "init_loss_scale", init_loss_scale, 0.0, float("inf"), False)
        self.init_loss_scale = init_loss_scale
        self.loss_scale_groups = check_type(
            "GroupLossScaleManager", "loss_scale_groups", loss_scale_groups, (list, tuple)
        )
        self.set_loss_scale_status(max(len(loss_scale_groups), 1), float(init_loss_scale))

    def set_loss_scale_status(self, loss_scale_number: int, init_loss_scale: float) -> None:
        """Begin anew with so many scales."""
        count = check_positive_int("GroupLossScaleManager", "loss_scale_number", loss_scale_number)
        self.loss_scale_number = count
        self.dynamic_loss_scale = Parameter(
            Tensor([float(init_loss_scale)] * count, mstype.float32), name="dynamic_loss_scale", requires_grad=False
        )
        self.quiet_steps = Parameter(Tensor(0, mstype.int32), name="quiet_steps", requires_grad=False)

    def _scale(self, layer: int) -> Tensor:
        return self.dynamic_loss_scale.value()[
            check_int("GroupLossScaleManager", "layer", layer, 0, self.loss_scale_number - 1)
        ]

    def update_loss_scale_status(self, layer: int, update_ratio: float) -> Tensor:
        """Multiply the scale of a group; the new scale."""
        changed = ops.clamp(self._scale(layer) * update_ratio, _LEAST, _MOST)
        chosen = ops.arange(self.loss_scale_number) == layer
        ops.assign(self.dynamic_loss_scale, ops.where(chosen, changed, self.dynamic_loss_scale.value()))
        return changed

    def update_after(self, overflow: Any) -> None:
        """Halve all scales after an overflow; double them when there was none for long."""
        quiet = ops.where(overflow, 0, self.quiet_steps.value() + 1)
        grown = quiet >= _WINDOW
        ratio = ops.where(overflow, 0.5, ops.where(grown, 2.0, 1.0))
        ops.assign(self.dynamic_loss_scale, ops.clamp(self.dynamic_loss_scale.value() * ratio, _LEAST, _MOST))
        ops.assign(self.quiet_steps, ops.where(grown, 0, quiet).astype(mstype.int32))

    def construct(self, x: Tensor, layer1: int, layer2: int) -> Tensor:
        ratio = ops.stop_gradient(self._scale(layer1) / self._scale(layer2)).astype(x.dtype)
        return ops.InsertGradientOf(lambda gradient: gradient * ratio)(x)

    def get_loss_scale(self) -> float:
        """The first scale."""
        return self.init_loss_scale

    def get_update_cell(self) -> GroupLossScaleManager:
        """This Cell."""
        return self
