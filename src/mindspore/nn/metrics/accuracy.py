"""How many samples are classified correctly."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.nn.metrics.metric import EvaluationBase, by_label, rearrange_inputs

__all__ = ["Accuracy"]


class Accuracy(EvaluationBase):
    """Correct samples over all samples.

    Args:
        eval_type: 'classification' (the largest of the class scores counts) or 'multilabel' (a sample counts where all its
            labels are right).

    Examples:
        >>> from mindspore import Tensor, nn
        >>> nn.Accuracy()(Tensor([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6], [0.1, 0.2]]), Tensor([1, 0, 1, 1]))
        0.75
    """

    def __init__(self, eval_type: str = "classification"):
        super().__init__(eval_type)
        self.clear()

    def clear(self) -> None:
        self._correct_num = 0
        self._total_num = 0
        self._class_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in class scores (N, C, ...) and classes (N, ...) or (N, C, ...)."""
        y_pred, y = self._take(inputs)
        self._class_num = self._check_class_count(self._class_num, y_pred)
        if self._type == "classification":
            correct = y_pred.argmax(axis=1) == y
        else:
            correct = np.all(by_label(y_pred) == by_label(y), axis=0)
        self._correct_num += int(correct.sum())
        self._total_num += correct.size

    def eval(self) -> float:
        self._require_samples(self._total_num)
        return self._correct_num / self._total_num
