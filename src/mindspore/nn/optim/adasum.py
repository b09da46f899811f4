"""Adaptive summation: gradients of many devices added by how much they agree.

Two gradients become ``(1 - a·b / 2|a|²) a + (1 - a·b / 2|b|²) b``: their sum where they are orthogonal, their mean where
they are equal. With one device there is nothing to combine, and the optimizer runs as it is.
"""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell import Cell
from mindspore.nn.optim.optimizer import Optimizer

__all__ = ["AdaSumByDeltaWeightWrapCell", "AdaSumByGradWrapCell"]


class _AdaSumWrapCell(Cell):
    """What both share: they stand for the optimizer they wrap."""

    def __init__(self, optimizer: Optimizer):
        super().__init__(auto_prefix=False)
        if not isinstance(optimizer, Optimizer):
            raise refused(
                WrongObject,
                f"For '{type(self).__name__}', the 'optimizer' must be an Optimizer, but got {shown(optimizer)}.",
            )
        self.optimizer = optimizer
        self.parameters = optimizer.parameters
        self.optimizer.set_grad(False)

    def construct(self, grads: Any) -> Any:
        return self.optimizer(grads)


class AdaSumByGradWrapCell(_AdaSumWrapCell):
    """An optimizer whose gradients are combined over devices by adaptive summation.

    Args:
        optimizer: updates the Parameters.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> optimizer = nn.AdaSumByGradWrapCell(nn.SGD([weight], 0.5))
        >>> _ = optimizer((Tensor([1.0]),))
        >>> print(weight.asnumpy())
        [0.5]
    """


class AdaSumByDeltaWeightWrapCell(_AdaSumWrapCell):
    """An optimizer whose changes of the Parameters are combined over devices by adaptive summation.

    Args:
        optimizer: updates the Parameters.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> optimizer = nn.AdaSumByDeltaWeightWrapCell(nn.SGD([weight], 0.5))
        >>> _ = optimizer((Tensor([1.0]),))
        >>> print(weight.asnumpy())
        [0.5]
    """
