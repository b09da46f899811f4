"""The optimizer that reports to MindIO's fault tolerance."""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell
from mindspore.nn.optim.optimizer import Optimizer

__all__ = ["OptTFTWrapper"]


class OptTFTWrapper(Cell):
    """An optimizer that tells MindIO, a service of Ascend clusters, before it updates: it says so when it is made.

    Args:
        opt: an Optimizer.
        kwargs: kept for programs that give them.

    Examples:
        >>> from mindspore import nn
        >>> issubclass(nn.OptTFTWrapper, nn.Cell)
        True
    """

    def __init__(self, opt: Optimizer, **kwargs: Any):
        super().__init__()
        if not isinstance(opt, Optimizer):
            raise refused(
                TypeError, f"For 'OptTFTWrapper', the argument 'opt' must be Optimizer type, but got {shown(opt)}."
            )
        raise refused(
            ValueError,
            "For 'OptTFTWrapper', the device must be an Ascend device with MindIO TFT switched on, but there is none here. "
            "Use the optimizer itself, write checkpoints with ModelCheckpoint, and go on from the last.",
        )
