"""Does the network look where the map says?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore import log
from mindspore.common import Tensor
from mindspore.explainer.benchmark.metric import LabelSensitiveMetric
from mindspore.explainer.explanation.attribution import check_type
from mindspore.nn import Cell

_METRICS = ("NaiveFaithfulness", "DeletionAUC", "InsertionAUC")
_PART = 0.5  # of the pixels are changed


class Faithfulness(LabelSensitiveMetric):
    """How a label's probability follows the map when pixels are hidden, the most salient ones first; larger is better.

    "NaiveFaithfulness" is the correlation of the map's values with the fall of the probability when these pixels are
    black, "DeletionAUC" is how far the probability falls while more and more are, "InsertionAUC" how far it rises while more and
    more are shown on a black image.

    Args:
        num_labels: how many labels there are.
        activation_fn: makes probabilities of the network's logits.
        metric: one of the three.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, nn
        >>> from mindspore.explainer.benchmark import Faithfulness
        >>> from mindspore.explainer.explanation import Gradient
        >>> net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 8 * 8, 10))
        >>> measure = Faithfulness(10, nn.Softmax(), "InsertionAUC")
        >>> print(measure.evaluate(Gradient(net), Tensor(np.ones((1, 3, 8, 8), np.float32)), 5).shape)
        (1,)
    """

    def __init__(self, num_labels: int, activation_fn: Cell, metric: str = "NaiveFaithfulness"):
        super().__init__(num_labels)
        check_type(self, "activation_fn", activation_fn, Cell)
        if metric not in _METRICS:
            raise ValueError(f"For 'Faithfulness', the 'metric' must be one of {list(_METRICS)}, but got {metric!r}.")
        self._activation_fn, self._metric = activation_fn, metric

    def evaluate(self, explainer: Any, inputs: Tensor, targets: Any, saliency: Any = None) -> np.ndarray:
        """The measure of an explanation of one image, an array of one number from 0 to 1.

        Args:
            explainer: the explanation.
            inputs: an image of shape (1, C, H, W).
            targets: its label.
            saliency: the map, if it is known already.
        """
        label, saliency = self._checked(explainer, inputs, targets, saliency)
        image, values = inputs.asnumpy()[0], saliency.asnumpy()[0].mean(axis=0)

        def probabilities(images: np.ndarray) -> np.ndarray:
            return self._activation_fn(explainer.network(Tensor(images.astype(np.float32)))).asnumpy()[:, label]

        masks = _most_salient_first(values, accumulated=self._metric != "NaiveFaithfulness")
        if self._metric == "NaiveFaithfulness":
            measured = _correlation(values, masks, probabilities(image * ~masks[:, None]))
        elif self._metric == "DeletionAUC":
            measured = _area(probabilities(image[None])[0] - probabilities(image * ~masks[:, None]))
        else:
            measured = _area(probabilities(image * masks[:, None]) - probabilities(np.zeros_like(image)[None])[0])
        return np.array([(1 + measured) / 2])


def _most_salient_first(values: np.ndarray, accumulated: bool) -> np.ndarray:
    """Masks of groups of pixels, about as many as the image is wide; accumulated ones hold the groups before, too."""
    count = math.isqrt(values.size)
    size = math.floor(values.size * _PART / count)
    order = np.argsort(-values, axis=None, kind="stable")
    masks = np.zeros((count, values.size), bool)
    for index, mask in enumerate(masks):
        mask[order[0 if accumulated else index * size : (index + 1) * size]] = True
    return masks.reshape(count, *values.shape)


def _correlation(values: np.ndarray, masks: np.ndarray, probabilities: np.ndarray) -> float:
    importance = (values * masks).sum(axis=(1, 2)) / masks.sum(axis=(1, 2)).clip(1)
    if np.ptp(importance) == 0 or np.ptp(probabilities) == 0:
        log.warning(
            "For 'Faithfulness', the saliency map or the probabilities are the same everywhere: the correlation is 0."
        )
        return 0.0
    return float(-np.corrcoef(importance, probabilities)[0, 1])


def _area(curve: np.ndarray) -> float:
    """Under a curve over an interval of length 1."""
    return float(((curve[1:] + curve[:-1]) / 2).mean()) if len(curve) > 1 else float(curve[0])
