"""Which classes are taken for which, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore._utils.checks import check_bool, check_int, check_one_of, check_str, check_type, suggestion
from mindspore._utils.refusals import refused
from mindspore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["ConfusionMatrix", "ConfusionMatrixMetric"]


class ConfusionMatrix(Metric):
    """A table with a row for every true and a column for every predicted class.

    Args:
        num_classes: how many classes.
        normalize: 'no_norm' for counts, or parts of each 'target' (row), each 'prediction' (column), or of 'all'.
        threshold: scores from it on count as class 1, where predictions are floats of the shape of the true classes.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ConfusionMatrix(2)(Tensor([1, 0, 1, 0]), Tensor([1, 0, 0, 1])))
        [[1. 1.]
         [1. 1.]]
    """

    def __init__(self, num_classes: int, normalize: str = "no_norm", threshold: float = 0.5):
        super().__init__()
        owner = "ConfusionMatrix"
        self.num_classes = check_int(owner, "num_classes", num_classes, low=1)
        self.normalize = check_one_of(owner, "normalize", normalize, ("target", "prediction", "all", "no_norm"))
        self.threshold = check_type(owner, "threshold", threshold, float)
        self.clear()

    def clear(self) -> None:
        self.confusion_matrix = np.zeros((self.num_classes, self.num_classes))
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in class scores (N, C, ...), or classes or scores of class 1 (N, ...), and classes (N, ...)."""
        self._count_inputs(inputs, "predicted value, true value")
        y_pred, y = (self._convert_data(value) for value in inputs)
        if y_pred.ndim == y.ndim + 1:
            y_pred = y_pred.argmax(axis=1)
        elif y_pred.dtype.kind == "f":
            y_pred = (y_pred >= self.threshold).astype(np.int64)
        self._require_same_shape(y_pred, y)
        y_pred, y = y_pred.astype(np.int64), y.astype(np.int64)
        for name, classes in (("predicted", y_pred), ("true", y)):
            if classes.min() < 0 or classes.max() >= self.num_classes:
                raise refused(
                    ValueError,
                    f"For 'ConfusionMatrix.update', the {name} classes must be in [0, {self.num_classes}), but got "
                    f"{classes.min()} to {classes.max()}.",
                )
        np.add.at(self.confusion_matrix, (y.ravel(), y_pred.ravel()), 1)
        self._is_update = True

    def eval(self) -> np.ndarray:
        if not self._is_update:
            raise RuntimeError("The 'ConfusionMatrix' can not be calculated: call 'update' before 'eval'.")
        if self.normalize == "no_norm":
            return self.confusion_matrix.copy()
        axis = {"target": 1, "prediction": 0, "all": None}[self.normalize]
        total = self.confusion_matrix.sum(axis=axis, keepdims=True)
        return np.divide(self.confusion_matrix, total, out=np.zeros_like(self.confusion_matrix), where=total != 0)


class _Counts:
    """Numbers of true and false positives and negatives, and the rates that are made of them."""

    def __init__(self, tp: Any, fp: Any, tn: Any, fn: Any):
        self.tp, self.fp, self.tn, self.fn = tp, fp, tn, fn
        self.sensitivity = _part(tp, tp + fn)
        self.specificity = _part(tn, tn + fp)
        self.precision = _part(tp, tp + fp)
        self.negative_value = _part(tn, tn + fn)

    def threshold(self) -> Any:
        both = self.sensitivity + self.specificity - 1
        return _part(np.sqrt(self.sensitivity * (1 - self.specificity)) + self.specificity - 1, both)

    def matthews(self) -> Any:
        tp, fp, tn, fn = self.tp, self.fp, self.tn, self.fn
        return _part(tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))


def _part(part: Any, whole: Any) -> Any:
    """A quotient; NaN, which does not count, where the whole is 0."""
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    return np.divide(part, whole, out=np.full(np.broadcast(part, whole).shape, np.nan), where=whole != 0)


_RATES: dict[tuple[str, ...], Callable[[_Counts], Any]] = {
    ("sensitivity", "recall", "hit_rate", "true_positive_rate", "tpr"): lambda c: c.sensitivity,
    ("specificity", "selectivity", "true_negative_rate", "tnr"): lambda c: c.specificity,
    ("precision", "positive_predictive_value", "ppv"): lambda c: c.precision,
    ("negative_predictive_value", "npv"): lambda c: c.negative_value,
    ("miss_rate", "false_negative_rate", "fnr"): lambda c: 1 - c.sensitivity,
    ("fall_out", "false_positive_rate", "fpr"): lambda c: 1 - c.specificity,
    ("false_discovery_rate", "fdr"): lambda c: 1 - c.precision,
    ("false_omission_rate", "for"): lambda c: 1 - c.negative_value,
    ("prevalence_threshold", "pt"): _Counts.threshold,
    ("threat_score", "critical_success_index", "ts", "csi"): lambda c: _part(c.tp, c.tp + c.fn + c.fp),
    ("accuracy", "acc"): lambda c: _part(c.tp + c.tn, c.tp + c.fp + c.tn + c.fn),
    ("balanced_accuracy", "ba"): lambda c: (c.sensitivity + c.specificity) / 2,
    ("f1_score", "f1"): lambda c: _part(2 * c.tp, 2 * c.tp + c.fn + c.fp),
    ("matthews_correlation_coefficient", "mcc"): _Counts.matthews,
    ("fowlkes_mallows_index", "fm"): lambda c: np.sqrt(c.precision * c.sensitivity),
    ("informedness", "bookmaker_informedness", "bm"): lambda c: c.sensitivity + c.specificity - 1,
    ("markedness", "deltap", "mk"): lambda c: c.precision + c.negative_value - 1,
}
_BY_NAME = {name: rate for names, rate in _RATES.items() for name in names}
_REDUCTIONS = ("none", "mean", "sum", "mean_batch", "sum_batch", "mean_channel", "sum_channel")


class ConfusionMatrixMetric(Metric):
    """A rate made of true and false positives and negatives of predictions that are 0 or 1 for each class (channel).

    Args:
        skip_channel: False leaves the first channel out, as MindSpore does.
        metric_name: 'sensitivity', 'specificity', 'precision', 'accuracy', 'f1_score', ... or a short form such as 'tpr'.
        calculation_method: whether the rate is taken per sample and channel and then reduced, rather than of all counts.
        decrease: how it is reduced then: 'none', 'mean', 'sum', or over one axis with '_batch' or '_channel' behind.

    Examples:
        >>> import numpy as np
        >>> from mindspore import nn
        >>> predicted = np.array([[[0], [1]], [[0], [0]]])
        >>> nn.ConfusionMatrixMetric(metric_name="tpr")(predicted, np.array([[[0], [1]], [[1], [0]]]))
        array([0.5])
    """

    def __init__(self, skip_channel: bool = True, metric_name: str = "sensitivity", calculation_method: bool = False,
                 decrease: str = "mean"):  # fmt: skip
        super().__init__()
        owner = "ConfusionMatrixMetric"
        self.skip_channel = check_bool(owner, "skip_channel", skip_channel)
        self.metric_name = check_str(owner, "metric_name", metric_name)
        self.calculation_method = check_bool(owner, "calculation_method", calculation_method)
        self.decrease = check_one_of(owner, "decrease", decrease, _REDUCTIONS)
        self.clear()

    def clear(self) -> None:
        self._counts: list[np.ndarray] = []  # of every batch: (4, N, C)

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in two arrays (N, C, ...) of zeros and ones."""
        self._count_inputs(inputs, "predicted value, true value")
        y_pred, y = (self._convert_data(value) for value in inputs)
        self._require_same_shape(y_pred, y)
        if y_pred.ndim < 2:
            raise refused(
                ValueError,
                f"For 'ConfusionMatrixMetric.update', the inputs must have shape (N, C, ...), but got {y.shape}.",
            )
        if not self.skip_channel and y.shape[1] > 1:
            y_pred, y = y_pred[:, 1:], y[:, 1:]
        y_pred, y = (array.reshape(*array.shape[:2], -1) for array in (y_pred, y))
        hits = ((y_pred == 1) & (y == 1)).sum(axis=2)
        rejections = ((y_pred == 0) & (y == 0)).sum(axis=2)
        positives, negatives = (y == 1).sum(axis=2), (y == 0).sum(axis=2)
        self._counts.append(np.stack([hits, negatives - rejections, rejections, positives - hits]).astype(np.float64))

    def eval(self) -> Any:
        name = self.metric_name.lower().replace(" ", "_")
        rate = _BY_NAME.get(name)
        if rate is None:
            raise NotImplementedError(
                f"For 'ConfusionMatrixMetric', the 'metric_name' {self.metric_name!r} is unknown.{suggestion(name, _BY_NAME)}"
            )
        self._require_samples(len(self._counts))
        if not self.calculation_method:
            total = np.sum([batch.sum(axis=(1, 2)) for batch in self._counts], axis=0)
            return np.asarray(rate(_Counts(*total))).reshape(1)
        batches = [_reduced(rate(_Counts(*batch)), self.decrease) for batch in self._counts]
        weight = sum(count for _, count in batches)
        weighted = sum(value * count for value, count in batches)
        mean = np.divide(
            weighted, weight, out=np.zeros_like(np.asarray(weighted, np.float64)), where=np.asarray(weight) > 0
        )
        return float(mean) if mean.ndim == 0 else mean


def _reduced(values: np.ndarray, decrease: str) -> tuple[Any, Any]:
    """The rates of a batch (N, C) reduced, and how many numbers each result stands for. NaN does not count."""
    known = ~np.isnan(values)
    values = np.where(known, values, 0.0)
    if decrease == "none":
        return values, known.astype(np.float64)
    if decrease == "mean":  # first over the channels, then over the samples that have any
        means, counts = _reduced(np.where(known, values, np.nan), "mean_channel")
        return _mean(means, counts > 0, None)
    if decrease == "sum":
        return values.sum(), known.sum()
    axis = 0 if decrease.endswith("batch") else 1
    if decrease.startswith("sum"):
        return values.sum(axis=axis), known.sum(axis=axis)
    return _mean(values, known, axis)


def _mean(values: np.ndarray, known: np.ndarray, axis: int | None) -> tuple[Any, Any]:
    counts = np.asarray(known.sum(axis=axis))
    total = np.asarray((values * known).sum(axis=axis), np.float64)
    return np.divide(total, counts, out=np.zeros_like(total), where=counts > 0), counts
