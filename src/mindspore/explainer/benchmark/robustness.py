"""Does the map stay when the image hardly changes?"""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import log
from mindspore.common import Tensor
from mindspore.explainer.benchmark.metric import LabelSensitiveMetric
from mindspore.explainer.explanation.attribution import check_type
from mindspore.nn import Cell


class Robustness(LabelSensitiveMetric):
    """exp(-d), where d is the largest relative change of the map in ten images with a little noise.

    Args:
        num_labels: how many labels there are.
        activation_fn: makes probabilities of the network's logits.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, nn
        >>> from mindspore.explainer.benchmark import Robustness
        >>> from mindspore.explainer.explanation import Gradient
        >>> net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 8 * 8, 10))
        >>> measure = Robustness(10, nn.Softmax())
        >>> print(measure.evaluate(Gradient(net), Tensor(np.ones((1, 3, 8, 8), np.float32)), Tensor([0])).shape)
        (1,)
    """

    def __init__(self, num_labels: int, activation_fn: Cell):
        super().__init__(num_labels)
        check_type(self, "activation_fn", activation_fn, Cell)
        self._activation_fn = activation_fn
        self._num_perturbations = 10
        self._threshold = 0.1  # how far the probabilities may move

    def evaluate(self, explainer: Any, inputs: Tensor, targets: Any, saliency: Any = None) -> np.ndarray:
        """The measure of an explanation of one image, an array of one number; NaN if the map is 0 everywhere.

        Args:
            explainer: the explanation.
            inputs: an image of shape (1, C, H, W).
            targets: its label.
            saliency: the map, if it is known already.
        """
        label, saliency = self._checked(explainer, inputs, targets, saliency)
        values, image = saliency.asnumpy(), inputs.asnumpy()
        size = float(np.linalg.norm(values))
        if size == 0:
            log.warning("For 'Robustness', the saliency map is 0 everywhere: the result is NaN.")
            return np.array([np.nan])
        changes = []
        for _ in range(self._num_perturbations):
            noisy = self._noisy(explainer.network, image)
            changes.append(np.linalg.norm(explainer(Tensor(noisy), label).asnumpy() - values))
        return np.exp(-np.array([max(changes)]) / size)

    def _noisy(self, network: Cell, image: np.ndarray) -> np.ndarray:
        """The image with noise that hardly changes the probabilities: the third attempt at the latest."""
        before = self._activation_fn(network(Tensor(image))).asnumpy()
        noisy = image
        for _ in range(3):
            noisy = (image + np.random.uniform(-0.02, 0.02, image.shape)).astype(image.dtype)
            if np.linalg.norm(self._activation_fn(network(Tensor(noisy))).asnumpy() - before) <= self._threshold:
                break
        return noisy
