"""The largest distance between two surfaces."""

from __future__ import annotations

import numpy as np

from mindspore._utils.checks import check_bool, check_type
from mindspore._utils.refusals import refused
from mindspore.nn.metrics._surface import SurfaceDistance

__all__ = ["HausdorffDistance"]


class HausdorffDistance(SurfaceDistance):
    """How far the surface of a predicted set lies from that of the true set, at worst; of the last batch.

    Args:
        distance_metric: 'euclidean', 'chessboard' or 'taxicab'.
        percentile: instead of the largest distance this percentile of them, a float.
        directed: whether only the way from prediction to truth counts.
        crop: kept for old programs; the result does not depend on it.

    Examples:
        >>> import numpy as np
        >>> from mindspore import nn
        >>> nn.HausdorffDistance()(np.array([[1, 0, 0]]), np.array([[0, 0, 1]]), 1)
        2.0
    """

    def __init__(self, distance_metric: str = "euclidean", percentile: float | None = None, directed: bool = False,
                 crop: bool = True):  # fmt: skip
        super().__init__(distance_metric)
        self.percentile = check_type("HausdorffDistance", "percentile", percentile, (float, type(None)))
        self.directed = check_bool("HausdorffDistance", "directed", directed)
        self.crop = check_bool("HausdorffDistance", "crop", crop)

    def eval(self) -> float:
        forward = self._extreme(self._distances())
        return forward if self.directed else max(forward, self._extreme(self._distances(backward=True)))

    def _extreme(self, distances: np.ndarray) -> float:
        if self.percentile is None:
            return float(distances.max())
        if not 0 <= self.percentile <= 100:
            raise refused(
                ValueError, f"For 'HausdorffDistance', the 'percentile' must be in [0, 100], but got {self.percentile}."
            )
        return float(np.percentile(distances, self.percentile))
