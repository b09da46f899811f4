"""How many predictions of a class are right."""

from __future__ import annotations

from typing import Any

from mindspore.nn.metrics._counts import ClassCounts

__all__ = ["Precision"]


class Precision(ClassCounts):
    """For each class, correct predictions of it over all predictions of it.

    Args:
        eval_type: 'classification', or 'multilabel' (then for each sample).

    Examples:
        >>> from mindspore import Tensor, nn
        >>> nn.Precision()(Tensor([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), Tensor([1, 0, 1])).tolist()
        [0.5, 1.0]
    """

    def eval(self, average: bool = False) -> Any:
        """The precision of every class, or their mean."""
        self._require_samples(self._class_num)
        return self._averaged(self._true_positives / (self._positives + self.eps), average)
