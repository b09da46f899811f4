"""The mean loss."""

from __future__ import annotations

from typing import Any

from mindspore._utils.refusals import refused
from mindspore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["Loss"]


class Loss(Metric):
    """The mean over batches of the loss, which may be a number or a vector per batch.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> metric = nn.Loss()
        >>> metric.update(Tensor([1.0, 3.0]))
        >>> metric.update(Tensor(4.0))
        >>> metric.eval()
        3.0
    """

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        self._sum_loss = 0.0
        self._total_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in the loss of a batch."""
        self._count_inputs(inputs, "loss")
        loss = self._convert_data(inputs[0])
        if loss.ndim > 1:
            raise refused(
                ValueError, f"For 'Loss.update', the loss must be a number or a vector, but got shape {loss.shape}."
            )
        self._sum_loss += float(loss.mean())
        self._total_num += 1

    def eval(self) -> float:
        self._require_samples(self._total_num)
        return self._sum_loss / self._total_num
