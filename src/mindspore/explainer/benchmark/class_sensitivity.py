"""Do the maps of different labels differ?"""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.common import Tensor
from mindspore.explainer.benchmark.metric import LabelAgnosticMetric


class ClassSensitivity(LabelAgnosticMetric):
    """How little the map of the likeliest label resembles that of the least likely one: 1 for opposite ones, 0 for equal ones.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, nn
        >>> from mindspore.explainer.benchmark import ClassSensitivity
        >>> from mindspore.explainer.explanation import Gradient
        >>> net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 8 * 8, 10))
        >>> print(ClassSensitivity().evaluate(Gradient(net), Tensor(np.ones((1, 3, 8, 8), np.float32))).shape)
        (1,)
    """

    def evaluate(self, explainer: Any, inputs: Tensor) -> np.ndarray:
        """The measure of an explanation of one image, an array of one number."""
        self._check(explainer, inputs)
        logits = explainer.network(inputs).asnumpy()[0]
        first, last = (explainer(inputs, int(label)).asnumpy().ravel() for label in (logits.argmax(), logits.argmin()))
        alike = np.corrcoef(first, last)[0, 1] if first.std() > 0 and last.std() > 0 else 0.0
        return np.array([(1 - alike) / 2])
