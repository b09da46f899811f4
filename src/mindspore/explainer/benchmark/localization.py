"""Does the map point at the object?"""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.common import Tensor
from mindspore.explainer.benchmark.metric import LabelSensitiveMetric
from mindspore.explainer.explanation.attribution import check_type

_METRICS = ("PointingGame", "IoSR")


class Localization(LabelSensitiveMetric):
    """Whether the map's largest value is at most 15 pixels from the object ("PointingGame"), or how much of what is
    salient, more than half the largest value, is in it ("IoSR").

    Args:
        num_labels: how many labels there are.
        metric: "PointingGame" or "IoSR".

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, nn
        >>> from mindspore.explainer.benchmark import Localization
        >>> from mindspore.explainer.explanation import Gradient
        >>> net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 8 * 8, 10))
        >>> image, mask = Tensor(np.ones((1, 3, 8, 8), np.float32)), np.ones((1, 1, 8, 8))
        >>> print(Localization(10, "IoSR").evaluate(Gradient(net), image, 5, mask=mask))
        [1.]
    """

    def __init__(self, num_labels: int, metric: str = "PointingGame"):
        super().__init__(num_labels)
        if metric not in _METRICS:
            raise ValueError(f"For 'Localization', the 'metric' must be one of {list(_METRICS)}, but got {metric!r}.")
        self._metric = metric
        self._metric_arg = 15 if metric == "PointingGame" else 0.5

    def evaluate(
        self, explainer: Any, inputs: Tensor, targets: Any, saliency: Any = None, mask: Any = None
    ) -> np.ndarray:
        """The measure of an explanation of one image, an array of one number.

        Args:
            explainer: the explanation.
            inputs: an image of shape (1, C, H, W).
            targets: its label.
            saliency: the map, if it is known already.
            mask: where the object is: an array or a Tensor of shape (1, 1, H, W), not 0 in it.
        """
        _, saliency = self._checked(explainer, inputs, targets, saliency)
        check_type(self, "mask", mask, (Tensor, np.ndarray))
        if mask.shape != (1, 1, *inputs.shape[2:]):
            raise ValueError(
                f"For 'Localization', the 'mask' must be of shape {(1, 1, *inputs.shape[2:])}, but got {tuple(mask.shape)}."
            )
        inside = (mask.asnumpy() if isinstance(mask, Tensor) else mask)[0, 0].astype(bool)
        values = saliency.asnumpy()[0, 0]
        if self._metric == "IoSR":
            salient = values > values.max() * self._metric_arg
            return np.array([(inside & salient).sum() / max(salient.sum(), 1e-10)])
        y, x = np.unravel_index(values.argmax(), values.shape)
        rows, columns = np.indices(values.shape)
        near = (rows - y) ** 2 + (columns - x) ** 2 < self._metric_arg**2
        return np.array([float((inside & near).any())])
