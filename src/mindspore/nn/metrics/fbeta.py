"""Precision and recall in one number."""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import check_type
from mindspore._utils.refusals import refused
from mindspore.nn.metrics._counts import ClassCounts

__all__ = ["F1", "Fbeta"]


class Fbeta(ClassCounts):
    """The weighted harmonic mean of precision and recall of each class.

    Args:
        beta: how much more recall counts than precision, above 0.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> nn.Fbeta(1)(Tensor([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), Tensor([1, 0, 1])).round(4).tolist()
        [0.6667, 0.6667]
    """

    def __init__(self, beta: float):
        check_type("Fbeta", "beta", beta, (int, float))
        if not beta > 0:
            raise refused(ValueError, f"For 'Fbeta', the 'beta' must be greater than 0, but got {beta}.")
        self.beta = beta
        super().__init__()

    def eval(self, average: bool = False) -> Any:
        """The measure of every class, or their mean."""
        self._require_samples(self._class_num)
        square = self.beta**2
        total = square * self._actual_positives + self._positives
        return self._averaged((1 + square) * self._true_positives / (total + self.eps), average)


class F1(Fbeta):
    """The harmonic mean of precision and recall of each class.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> nn.F1()(Tensor([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), Tensor([1, 0, 1])).round(4).tolist()
        [0.6667, 0.6667]
    """

    def __init__(self) -> None:
        super().__init__(1.0)
