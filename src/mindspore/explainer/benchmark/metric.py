"""What measures of explanations have in common: one image at a time, means over all."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.common import Tensor
from mindspore.explainer.explanation.attribution import Attribution, check_images, check_type


class AttributionMetric:
    """Measures explanations of single images with ``evaluate``; ``aggregate`` collects the results."""

    def __init__(self, num_labels: int = 1):
        check_type(self, "num_labels", num_labels, int)
        if num_labels < 1:
            raise ValueError(f"For '{type(self).__name__}', the 'num_labels' must be at least 1, but got {num_labels}.")
        self._num_labels = num_labels
        self.reset()

    def evaluate(self, explainer: Any, inputs: Tensor, *args: Any, **options: Any) -> np.ndarray:
        """The measure of an explanation of one image, an array of one number."""
        raise NotImplementedError

    def reset(self) -> None:
        """Forget all results."""
        self._results: dict[int, list[float]] = {label: [] for label in range(self._num_labels)}

    def get_results(self) -> dict[int, list[float]]:
        """The results that were aggregated, by label."""
        return self._results

    @property
    def class_performances(self) -> list[float]:
        """The mean of every label's results, 0 for a label without any."""
        return [float(np.mean(results)) if results else 0.0 for results in self._results.values()]

    @property
    def performance(self) -> float:
        """The mean of all results, 0 if there are none."""
        results = [result for label in self._results.values() for result in label]
        return float(np.mean(results)) if results else 0.0

    def _check(self, explainer: Any, inputs: Any) -> None:
        check_type(self, "explainer", explainer, Attribution)
        check_images(self, inputs)
        if len(inputs) != 1:
            raise ValueError(f"For '{type(self).__name__}', the 'inputs' must be one image, but got {len(inputs)}.")


class LabelSensitiveMetric(AttributionMetric):
    """A measure whose result belongs to a label."""

    def aggregate(self, result: Any, targets: Any) -> None:
        """Add a result, or several, to those of a label, or of one label each."""
        results = np.atleast_1d(np.asarray(result.asnumpy() if isinstance(result, Tensor) else result, np.float64))
        labels = np.atleast_1d(targets.asnumpy() if isinstance(targets, Tensor) else targets)
        if len(labels) not in (1, len(results)) or (len(labels) > 1 and isinstance(result, float)):
            raise ValueError(
                f"For '{type(self).__name__}', the 'targets' must be one label or as many as results ({len(results)}), but got "
                f"{len(labels)}."
            )
        for label, one in zip(np.broadcast_to(labels, len(results)), results, strict=True):
            self._results[int(label)].append(float(one))

    def _checked(self, explainer: Any, inputs: Any, targets: Any, saliency: Any) -> tuple[int, Any]:
        """The label, and the saliency map: the given one, or that of the explainer."""
        self._check(explainer, inputs)
        check_type(self, "targets", targets, (int, Tensor))
        check_type(self, "saliency", saliency, (Tensor, type(None)))
        label = np.atleast_1d(targets.asnumpy() if isinstance(targets, Tensor) else targets)
        if label.shape != (1,) or not 0 <= label[0] < self._num_labels:
            raise ValueError(
                f"For '{type(self).__name__}', the 'targets' must be one label in the range [0, {self._num_labels}), but got "
                f"{targets}."
            )
        found = explainer.network(inputs).shape[1]
        if found > self._num_labels:
            raise ValueError(
                f"For '{type(self).__name__}', the 'num_labels' must be at least that of the network's outputs ({found}), but "
                f"got {self._num_labels}."
            )
        return int(label[0]), explainer(inputs, int(label[0])) if saliency is None else saliency


class LabelAgnosticMetric(AttributionMetric):
    """A measure of an image, whatever its label."""

    def __init__(self) -> None:
        super().__init__(1)

    def aggregate(self, result: Any) -> None:
        """Add a result, or several."""
        values = result.asnumpy() if isinstance(result, Tensor) else result
        self._results[0].extend(float(one) for one in np.atleast_1d(values))
