"""The mean distance between two surfaces."""

from __future__ import annotations

from mindspore._utils.checks import check_bool
from mindspore.nn.metrics._surface import SurfaceDistance

__all__ = ["MeanSurfaceDistance"]


class MeanSurfaceDistance(SurfaceDistance):
    """The mean distance from the surface of a predicted set to that of the true set, of the last batch.

    Args:
        symmetric: whether the way back counts too.
        distance_metric: 'euclidean', 'chessboard' or 'taxicab'.

    Examples:
        >>> import numpy as np
        >>> from mindspore import nn
        >>> nn.MeanSurfaceDistance()(np.array([[1, 0, 0]]), np.array([[0, 1, 1]]), 1)
        1.0
    """

    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean"):
        super().__init__(distance_metric)
        self.symmetric = check_bool("MeanSurfaceDistance", "symmetric", symmetric)

    def eval(self) -> float:
        forward = self._distances().mean()
        return float((forward + self._distances(backward=True).mean()) / 2 if self.symmetric else forward)
