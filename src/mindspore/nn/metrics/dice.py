"""How far two sets overlap."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.nn._rates import check_rate
from mindspore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["Dice"]


class Dice(Metric):
    """``2 * sum(pred * true) / (sum(pred ** 2) + sum(true ** 2))`` of each batch, over the number of rows.

    Args:
        smooth: keeps the denominator above 0, a float above 0.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> round(nn.Dice()(Tensor([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), Tensor([[0, 1], [1, 0], [0, 1]])), 4)
        0.2047
    """

    def __init__(self, smooth: float = 1e-5):
        super().__init__()
        self.smooth = check_rate("Dice", "smooth", smooth)
        self.clear()

    def clear(self) -> None:
        self._dice_coeff_sum = 0.0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in two arrays of the same shape."""
        self._count_inputs(inputs, "predicted value, true value")
        y_pred, y = (self._convert_data(value) for value in inputs)
        self._require_same_shape(y_pred, y)
        y_pred, y = y_pred.astype(np.float64), y.astype(np.float64)
        total = (y_pred**2).sum() + (y**2).sum() + self.smooth
        self._dice_coeff_sum += float(2 * (y_pred * y).sum() / total)
        self._samples_num += len(y)

    def eval(self) -> float:
        self._require_samples(self._samples_num)
        return self._dice_coeff_sum / self._samples_num
