"""Metrics, by the path of MindSpore 2.x; they are those of :mod:`mindspore.nn.metrics`.

>>> from mindspore import Tensor
>>> from mindspore.train.metrics import Accuracy
>>> Accuracy()(Tensor([[0.2, 0.8], [0.9, 0.1]]), Tensor([1, 1]))
0.5
"""

import sys as _sys
from importlib import import_module as _import_module

# modules are reached by both paths and are the same: `mindspore.train.metrics.metric.Metric` is `nn.Metric`
for _name in (
    "accuracy", "auc", "bleu_score", "confusion_matrix", "cosine_similarity", "dice", "error", "fbeta",
    "hausdorff_distance", "loss", "mean_surface_distance", "metric", "occlusion_sensitivity", "perplexity", "precision",
    "recall", "roc", "root_mean_square_surface_distance", "topk",
):  # fmt: skip
    globals()[_name] = _sys.modules[f"{__name__}.{_name}"] = _import_module(f"mindspore.nn.metrics.{_name}")

from mindspore._utils.documented import claim as _claim  # noqa: E402
from mindspore.nn.metrics.accuracy import Accuracy  # noqa: E402 - `auc` must end as the function
from mindspore.nn.metrics.auc import auc  # noqa: E402
from mindspore.nn.metrics.bleu_score import BleuScore  # noqa: E402
from mindspore.nn.metrics.confusion_matrix import ConfusionMatrix, ConfusionMatrixMetric  # noqa: E402
from mindspore.nn.metrics.cosine_similarity import CosineSimilarity  # noqa: E402
from mindspore.nn.metrics.dice import Dice  # noqa: E402
from mindspore.nn.metrics.error import MAE, MSE  # noqa: E402
from mindspore.nn.metrics.fbeta import F1, Fbeta  # noqa: E402
from mindspore.nn.metrics.hausdorff_distance import HausdorffDistance  # noqa: E402
from mindspore.nn.metrics.lookup import get_metric_fn, get_metrics, names  # noqa: E402
from mindspore.nn.metrics.loss import Loss  # noqa: E402
from mindspore.nn.metrics.mean_surface_distance import MeanSurfaceDistance  # noqa: E402
from mindspore.nn.metrics.metric import EvaluationBase, Metric, rearrange_inputs  # noqa: E402
from mindspore.nn.metrics.occlusion_sensitivity import OcclusionSensitivity  # noqa: E402
from mindspore.nn.metrics.perplexity import Perplexity  # noqa: E402
from mindspore.nn.metrics.precision import Precision  # noqa: E402
from mindspore.nn.metrics.recall import Recall  # noqa: E402
from mindspore.nn.metrics.roc import ROC  # noqa: E402
from mindspore.nn.metrics.root_mean_square_surface_distance import RootMeanSquareDistance  # noqa: E402
from mindspore.nn.metrics.topk import (  # noqa: E402
    Top1CategoricalAccuracy,
    Top5CategoricalAccuracy,
    TopKCategoricalAccuracy,
)

__all__ = [
    "F1",
    "MAE",
    "MSE",
    "ROC",
    "Accuracy",
    "BleuScore",
    "ConfusionMatrix",
    "ConfusionMatrixMetric",
    "CosineSimilarity",
    "Dice",
    "EvaluationBase",
    "Fbeta",
    "HausdorffDistance",
    "Loss",
    "MeanSurfaceDistance",
    "Metric",
    "OcclusionSensitivity",
    "Perplexity",
    "Precision",
    "Recall",
    "RootMeanSquareDistance",
    "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy",
    "TopKCategoricalAccuracy",
    "auc",
    "get_metric_fn",
    "get_metrics",
    "names",
    "rearrange_inputs",
]

_claim(__name__)
