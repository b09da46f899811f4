"""The root of the mean squared distance between two surfaces."""

from __future__ import annotations

import math

import numpy as np

from mindspore._utils.checks import check_bool
from mindspore.nn.metrics._surface import SurfaceDistance

__all__ = ["RootMeanSquareDistance"]


class RootMeanSquareDistance(SurfaceDistance):
    """The squared distances from the surface of a predicted set to that of the true set, of the last batch.

    Args:
        symmetric: True gives the root of the mean square of both ways; False gives, as in MindSpore, the mean square of the
            way from prediction to truth without the root.
        distance_metric: 'euclidean', 'chessboard' or 'taxicab'.

    Examples:
        >>> import numpy as np
        >>> from mindspore import nn
        >>> nn.RootMeanSquareDistance(symmetric=True)(np.array([[1, 0, 0]]), np.array([[0, 0, 1]]), 1)
        2.0
    """

    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean"):
        super().__init__(distance_metric)
        self.symmetric = check_bool("RootMeanSquareDistance", "symmetric", symmetric)

    def eval(self) -> float:
        forward = np.square(self._distances()).mean()
        if not self.symmetric:
            return float(forward)
        return math.sqrt((forward + np.square(self._distances(backward=True)).mean()) / 2)

    def _wrong_label(self, text: str) -> Exception:
        return TypeError(text)
