"""Metrics by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._utils.checks import suggestion
from mindspore._utils.refusals import refused
from mindspore.nn.metrics.accuracy import Accuracy
from mindspore.nn.metrics.auc import auc
from mindspore.nn.metrics.bleu_score import BleuScore
from mindspore.nn.metrics.confusion_matrix import ConfusionMatrix, ConfusionMatrixMetric
from mindspore.nn.metrics.cosine_similarity import CosineSimilarity
from mindspore.nn.metrics.dice import Dice
from mindspore.nn.metrics.error import MAE, MSE
from mindspore.nn.metrics.fbeta import F1
from mindspore.nn.metrics.hausdorff_distance import HausdorffDistance
from mindspore.nn.metrics.loss import Loss
from mindspore.nn.metrics.mean_surface_distance import MeanSurfaceDistance
from mindspore.nn.metrics.metric import Metric
from mindspore.nn.metrics.occlusion_sensitivity import OcclusionSensitivity
from mindspore.nn.metrics.perplexity import Perplexity
from mindspore.nn.metrics.precision import Precision
from mindspore.nn.metrics.recall import Recall
from mindspore.nn.metrics.roc import ROC
from mindspore.nn.metrics.root_mean_square_surface_distance import RootMeanSquareDistance
from mindspore.nn.metrics.topk import Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy

__all__ = ["get_metric_fn", "get_metric_names", "get_metrics", "names"]

_METRICS: dict[str, Callable[..., Any]] = {
    "accuracy": Accuracy,
    "acc": Accuracy,
    "precision": Precision,
    "recall": Recall,
    "F1": F1,
    "dice": Dice,
    "roc": ROC,
    "auc": auc,
    "bleu_score": BleuScore,
    "cosine_similarity": CosineSimilarity,
    "occlusion_sensitivity": OcclusionSensitivity,
    "topk": TopKCategoricalAccuracy,
    "hausdorff_distance": HausdorffDistance,
    "top_1_accuracy": Top1CategoricalAccuracy,
    "top_5_accuracy": Top5CategoricalAccuracy,
    "mae": MAE,
    "mse": MSE,
    "loss": Loss,
    "mean_surface_distance": MeanSurfaceDistance,
    "root_mean_square_distance": RootMeanSquareDistance,
    "perplexity": Perplexity,
    "confusion_matrix": ConfusionMatrix,
    "confusion_matrix_metric": ConfusionMatrixMetric,
}


def names() -> list[str]:
    """The names that ``get_metric_fn`` and ``Model(metrics={...})`` understand.

    Examples:
        >>> from mindspore import nn
        >>> "accuracy" in nn.names()
        True
    """
    return sorted(_METRICS)


def get_metric_names() -> list[str]:
    """Another name of ``names``.

    Examples:
        >>> from mindspore import nn
        >>> nn.get_metric_names() == nn.names()
        True
    """
    return names()


def get_metric_fn(name: str, *args: Any, **kwargs: Any) -> Any:
    """A new metric by its name, made with these arguments.

    Examples:
        >>> from mindspore import nn
        >>> type(nn.get_metric_fn("precision", eval_type="multilabel")).__name__
        'Precision'
    """
    if not isinstance(name, str) or name not in _METRICS:
        raise KeyError(
            f"For 'get_metric_fn', the metric {name!r} is unknown.{suggestion(name, _METRICS)} See nn.names()."
        )
    return _METRICS[name](*args, **kwargs)


def get_metrics(metrics: dict[str, Metric] | set[str] | None) -> dict[str, Metric] | None:
    """The metrics as a dict by name: of a set of names, or a dict with metrics.

    Examples:
        >>> from mindspore import nn
        >>> list(nn.get_metrics({"loss"})), list(nn.get_metrics({"mine": nn.Accuracy()}))
        (['loss'], ['mine'])
    """
    if metrics is None:
        return None
    if isinstance(metrics, dict):
        for name, metric in metrics.items():
            if not isinstance(name, str) or not isinstance(metric, Metric):
                raise refused(
                    TypeError,
                    "For 'get_metrics', a dict of metrics must have strings as keys and Metric objects as values, but got "
                    f"{name!r}: {metric!r}. Was a class passed instead of an object?",
                )
        return metrics
    if isinstance(metrics, set):
        return {name: get_metric_fn(name) for name in metrics}
    names = (
        {metrics} if isinstance(metrics, str) else set(metrics) if isinstance(metrics, (list, tuple)) else {"accuracy"}
    )
    hint = f" Write metrics={names}." if all(isinstance(name, str) for name in names) else ""
    raise refused(
        TypeError, f"For 'get_metrics', the 'metrics' must be None, a dict or a set, but got {metrics!r}.{hint}"
    )
