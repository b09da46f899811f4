"""Counts per class, of which precision, recall and the F-measure are made."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.checks import check_bool
from mindspore._utils.refusals import refused
from mindspore.nn.metrics.metric import EvaluationBase, by_label, rearrange_inputs

EPSILON = float(np.finfo(np.float64).tiny)  # 0 / 0 counts as 0


class ClassCounts(EvaluationBase):
    """Counts hits, predictions and true samples of each class; for 'multilabel' of each sample."""

    def __init__(self, eval_type: str = "classification"):
        super().__init__(eval_type)
        self.eps = EPSILON
        self.clear()

    def clear(self) -> None:
        self._class_num = 0
        start: Any = 0 if self._type == "classification" else np.empty(0)
        self._true_positives = start
        self._positives = start  # predicted
        self._actual_positives = start

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in class scores (N, C, ...) and classes (N, ...) or (N, C, ...)."""
        y_pred, y = self._take(inputs)
        classes = self._check_class_count(self._class_num, y_pred)
        if self._type == "classification":
            if y.size and (y.max() >= classes or y.min() < 0):
                raise refused(
                    ValueError,
                    f"For '{type(self).__name__}.update', the true classes must be in [0, {classes}), as the predicted value has "
                    f"{classes} classes, but got {y.min()} to {y.max()}.",
                )
            every = np.arange(classes)[:, None]
            predicted, true = y_pred.argmax(axis=1).reshape(1, -1) == every, y.reshape(1, -1) == every
            self._add(predicted, true, axis=1)
        else:
            self._add(by_label(y_pred).astype(bool), by_label(y).astype(bool), axis=0)
        self._class_num = classes

    def _add(self, predicted: np.ndarray, true: np.ndarray, axis: int) -> None:
        counts = [mask.sum(axis=axis).astype(np.float64) for mask in (predicted & true, predicted, true)]
        before = (self._true_positives, self._positives, self._actual_positives)
        join = np.add if axis == 1 else np.append  # samples are kept apart
        after = [join(old, new) for old, new in zip(before, counts)]
        self._true_positives, self._positives, self._actual_positives = after

    def _averaged(self, values: np.ndarray, average: bool) -> Any:
        check_bool(type(self).__name__, "average", average)
        return float(values.mean()) if average else values
