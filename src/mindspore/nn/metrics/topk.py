"""How often the true class is among the best guesses."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.checks import check_positive_int
from mindspore._utils.refusals import refused
from mindspore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy"]


class TopKCategoricalAccuracy(Metric):
    """Samples whose class is among the ``k`` largest scores, over all samples.

    Args:
        k: how many guesses, an int above 0. With fewer classes every sample counts.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> scores = Tensor([[0.2, 0.5, 0.3], [0.1, 0.35, 0.5], [0.9, 0.6, 0.2]])
        >>> round(nn.TopKCategoricalAccuracy(2)(scores, Tensor([2, 0, 1])), 4)
        0.6667
    """

    def __init__(self, k: int):
        super().__init__()
        self.k = check_positive_int("TopKCategoricalAccuracy", "k", k)
        self.clear()

    def clear(self) -> None:
        self._correct_num = 0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in scores (N, C) and classes (N,) or one-hot (N, C)."""
        self._count_inputs(inputs, "predicted value, true value")
        y_pred, y = (self._convert_data(value) for value in inputs)
        if y_pred.ndim == y.ndim and self._check_onehot_data(y):
            y = y.argmax(axis=1)
        if y_pred.ndim != 2 or y.shape != y_pred.shape[:1]:
            raise refused(
                ValueError,
                "For 'TopKCategoricalAccuracy.update', the predicted value must have shape (N, C) and the true value (N,), but "
                f"got {y_pred.shape} and {y.shape}.",
            )
        guesses = np.argsort(-y_pred, axis=1, kind="stable")[:, : self.k]
        self._correct_num += int((guesses == y[:, None]).any(axis=1).sum())
        self._samples_num += len(y)

    def eval(self) -> float:
        self._require_samples(self._samples_num)
        return self._correct_num / self._samples_num


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """Samples whose class has the largest score, over all samples.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> nn.Top1CategoricalAccuracy()(Tensor([[0.2, 0.5], [0.3, 0.1]]), Tensor([1, 1]))
        0.5
    """

    def __init__(self) -> None:
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """Samples whose class is among the five largest scores, over all samples.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> nn.Top5CategoricalAccuracy()(Tensor([[6.0, 5.0, 4.0, 3.0, 2.0, 1.0]]), Tensor([5]))
        0.0
    """

    def __init__(self) -> None:
        super().__init__(5)
