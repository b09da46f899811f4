"""The receiver operating characteristic."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.checks import check_int
from mindspore._utils.refusals import refused
from mindspore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["ROC"]


class ROC(Metric):
    """Rates of false and true positives by threshold, of the last batch.

    Args:
        class_num: how many classes the scores have; None or 1 for two classes with one score.
        pos_label: the label that counts as positive for one score; 1 unless another is given.

    ``eval`` returns false positive rates, true positive rates and thresholds: arrays, or lists of arrays per class.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> fpr, tpr, thresholds = nn.ROC(pos_label=1)(Tensor([0.9, 0.4, 0.2]), Tensor([1, 0, 1]))
        >>> fpr.tolist(), tpr.tolist()
        ([0.0, 0.0, 1.0, 1.0], [0.0, 0.5, 0.5, 1.0])
    """

    def __init__(self, class_num: int | None = None, pos_label: int | None = None):
        super().__init__()
        self.class_num = None if class_num is None else check_int("ROC", "class_num", class_num, low=1)
        self.pos_label = None if pos_label is None else check_int("ROC", "pos_label", pos_label)
        self.clear()

    def clear(self) -> None:
        self._data: tuple[np.ndarray, np.ndarray] | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in scores (N, C, ...) and classes (N, ...), or scores and labels of one shape."""
        self._count_inputs(inputs, "predicted value, true value")
        scores, labels = (self._convert_data(value) for value in inputs)
        if scores.ndim == labels.ndim:
            self._data = self._one_score(scores, labels)
        elif scores.ndim == labels.ndim + 1:
            self._data = self._score_per_class(scores, labels)
        else:
            raise refused(
                ValueError,
                f"For 'ROC.update', the predicted value must have the shape of the true value, or one axis of classes more, but "
                f"got {scores.shape} and {labels.shape}.",
            )

    def _one_score(self, scores: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if self.class_num not in (None, 1):
            raise refused(
                ValueError, f"For 'ROC', the 'class_num' must be 1 or None for one score, but got {self.class_num}."
            )
        self._require_same_shape(scores, labels)
        return scores.reshape(1, -1), labels.reshape(1, -1) == (1 if self.pos_label is None else self.pos_label)

    def _score_per_class(self, scores: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if self.pos_label is not None:
            raise refused(
                ValueError, f"For 'ROC', the 'pos_label' must be None for scores of classes, but got {self.pos_label}."
            )
        if self.class_num != scores.shape[1]:
            raise refused(
                ValueError,
                f"For 'ROC', the 'class_num' must be the number of classes of the predicted value, {scores.shape[1]}, but got "
                f"{self.class_num}.",
            )
        columns = np.moveaxis(scores, 1, 0).reshape(scores.shape[1], -1)
        return columns, labels.reshape(1, -1) == np.arange(scores.shape[1])[:, None]

    def eval(self) -> tuple[Any, ...]:
        if self._data is None:
            raise RuntimeError("The 'ROC' can not be calculated: call 'update' before 'eval'.")
        curves = [_curve(scores, positive) for scores, positive in zip(*self._data)]
        return curves[0] if len(curves) == 1 else tuple(list(part) for part in zip(*curves))


def _curve(scores: np.ndarray, positive: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A point per distinct score, and a first point where nothing counts as positive."""
    for kind, count in (("positive", positive.sum()), ("negative", (~positive).sum())):
        if not count:
            raise refused(
                ValueError, f"For 'ROC.eval', there is no {kind} sample in the true value: its rate has no meaning."
            )
    order = np.argsort(scores, kind="stable")[::-1]
    scores, positive = scores[order], positive[order]
    last = np.append(np.nonzero(np.diff(scores))[0], len(scores) - 1)  # the last index of each score
    hits = np.cumsum(positive)[last].astype(np.float64)
    alarms = 1 + last - hits
    thresholds = np.concatenate([scores[:1] + np.ones(1, scores.dtype), scores[last]])
    return np.append(0.0, alarms / alarms[-1]), np.append(0.0, hits / hits[-1]), thresholds
