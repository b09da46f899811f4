"""How surprised a language model is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore._utils.checks import check_int
from mindspore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["Perplexity"]


class Perplexity(Metric):
    """The exponential of the mean of ``-log(probability of the label)``.

    Args:
        ignore_label: a label that does not count.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> round(nn.Perplexity()(Tensor([[0.5, 0.5], [0.25, 0.75]]), Tensor([0, 0])), 4)
        2.8284
    """

    def __init__(self, ignore_label: int | None = None):
        super().__init__()
        self.ignore_label = None if ignore_label is None else check_int("Perplexity", "ignore_label", ignore_label)
        self.clear()

    def clear(self) -> None:
        self._sum_metric = 0.0
        self._num_inst = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in probabilities (..., C) and labels (...)."""
        self._count_inputs(inputs, "predicted value, label")
        probabilities, labels = (self._convert_data(value) for value in inputs)
        if labels.size * probabilities.shape[-1] != probabilities.size:
            raise RuntimeError(
                "For 'Perplexity.update', the predicted value must have the shape of the label and a last axis of classes, but "
                f"got {probabilities.shape} and {labels.shape}."
            )
        labels = labels.reshape(-1).astype(np.int64)
        found = probabilities.reshape(labels.size, -1)[np.arange(labels.size), labels].astype(np.float64)
        if self.ignore_label is not None:
            found = found[labels != self.ignore_label]
        self._sum_metric -= float(np.log(np.maximum(found, 1e-10)).sum())
        self._num_inst += found.size

    def eval(self) -> float:
        self._require_samples(self._num_inst)
        return math.exp(self._sum_metric / self._num_inst)
