"""Mean errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.refusals import refused
from mindspore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["MAE", "MSE"]


class _Error(Metric):
    """A sum of errors over the number of rows."""

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        self._error_sum = 0.0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in predictions and targets with as many elements."""
        self._count_inputs(inputs, "predicted value, true value")
        y_pred, y = (self._convert_data(value) for value in inputs)
        if y.size != y_pred.size:
            raise refused(
                ValueError,
                f"For '{type(self).__name__}.update', the predicted and the true value must have the same number of elements, but "
                f"got shapes {y_pred.shape} and {y.shape}.",
            )
        self._error_sum += float(self._errors(y.reshape(y_pred.shape) - y_pred).sum())
        self._samples_num += y.shape[0]

    def _errors(self, difference: np.ndarray) -> np.ndarray:
        raise NotImplementedError(f"{type(self).__name__} must define what an error is")

    def eval(self) -> float:
        self._require_samples(self._samples_num)
        return self._error_sum / self._samples_num


class MAE(_Error):
    """The sum of absolute errors over the number of rows.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> nn.MAE()(Tensor([0.5, 1.0]), Tensor([0.0, 0.5]))
        0.5
    """

    def _errors(self, difference: np.ndarray) -> np.ndarray:
        return np.abs(difference)


class MSE(_Error):
    """The sum of squared errors over the number of rows.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> nn.MSE()(Tensor([0.5, 1.0]), Tensor([0.0, 0.5]))
        0.25
    """

    def _errors(self, difference: np.ndarray) -> np.ndarray:
        return np.square(difference)
