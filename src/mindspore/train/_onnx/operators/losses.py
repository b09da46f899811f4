"""Losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.table import OnnxNode, operator


@operator("NegativeLogLikelihoodLoss")
def negative_log_likelihood(node: OnnxNode, scores: Tensor, labels: Tensor, weight: Tensor | None = None) -> Tensor:
    return _loss(node, scores, labels, weight)


@operator("SoftmaxCrossEntropyLoss")
def softmax_cross_entropy(node: OnnxNode, scores: Tensor, labels: Tensor, weight: Tensor | None = None) -> Any:
    logs = ops.log_softmax(scores, 1)
    found = _loss(node, logs, labels, weight)
    return found if node.outputs == 1 else (found, logs)


def _loss(node: OnnxNode, logs: Tensor, labels: Tensor, weight: Tensor | None) -> Tensor:
    """Minus the score of each label, weighted; labels that are ignored count nothing."""
    ignored, classes = node.get("ignore_index"), logs.shape[1]
    labels = labels.astype(dtypes.int64)
    shape = [classes if axis == 1 else 1 for axis in range(logs.ndim)]
    same = ops.expand_dims(labels, 1) == Tensor(np.arange(classes).reshape(shape))
    factors = same.astype(logs.dtype)
    if weight is not None:
        factors = factors * weight.reshape(shape)
    if ignored is not None:
        factors = factors * (ops.expand_dims(labels, 1) != ignored).astype(logs.dtype)
    found = -ops.sum(ops.where(factors != 0, logs, ops.zeros_like(logs)) * factors, 1)
    reduction = node.get("reduction", "mean")
    if reduction == "none":
        return found
    return ops.sum(found) if reduction == "sum" else ops.sum(found) / ops.sum(factors)
