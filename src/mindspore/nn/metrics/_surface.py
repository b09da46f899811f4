"""Distances between the surfaces of two sets of cells in a grid, for the metrics of segmentation."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.checks import check_one_of
from mindspore._utils.refusals import refused
from mindspore.nn.metrics.metric import Metric, rearrange_inputs

_DISTANCES = ("euclidean", "chessboard", "taxicab")
_BLOCK = 1_000_000  # how many pairs of points are compared at a time


def _surface(mask: np.ndarray) -> np.ndarray:
    """The cells of a set with a neighbour outside of it, as rows of indices."""
    padded = np.pad(mask, 1)
    inner = mask.copy()
    for axis in range(mask.ndim):
        for shift in (-1, 1):
            neighbours = np.roll(padded, shift, axis=axis)
            inner &= neighbours[(slice(1, -1),) * mask.ndim]
    return np.argwhere(mask & ~inner)


def _nearest(points: np.ndarray, others: np.ndarray, metric: str) -> np.ndarray:
    """The distance of every point to the nearest of the others."""
    found = []
    rows = max(1, _BLOCK // max(1, len(others)))
    for start in range(0, len(points), rows):
        offsets = np.abs(points[start : start + rows, None] - others[None]).astype(np.float64)
        if metric == "euclidean":
            found.append(np.sqrt((offsets**2).sum(axis=2)).min(axis=1))
        else:
            found.append((offsets.max(axis=2) if metric == "chessboard" else offsets.sum(axis=2)).min(axis=1))
    return np.concatenate(found)


class SurfaceDistance(Metric):
    """Takes in prediction, truth and the label whose cells form the sets; holds the surfaces of the last batch."""

    def __init__(self, distance_metric: str):
        super().__init__()
        self.distance_metric = check_one_of(type(self).__name__, "distance_metric", distance_metric, _DISTANCES)
        self.clear()

    def clear(self) -> None:
        self._surfaces: tuple[np.ndarray, np.ndarray] | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in predicted labels, true labels, and the label that is meant."""
        self._count_inputs(inputs, "predicted value, true value, label index")
        y_pred, y = (self._convert_data(value) for value in inputs[:2])
        label = inputs[2]
        owner = f"{type(self).__name__}.update"
        if not isinstance(label, (int, float, np.integer, np.floating)):
            raise self._wrong_label(f"For '{owner}', the label index must be an int or a float, but got {label!r}.")
        self._require_same_shape(y_pred, y)
        masks = y_pred == label, y == label
        if not (masks[0].any() or masks[1].any()):
            raise refused(
                ValueError,
                f"For '{owner}', the label index must occur in the predicted or true value, but {label} does not.",
            )
        self._surfaces = _surface(masks[0]), _surface(masks[1])

    def _wrong_label(self, text: str) -> Exception:
        return ValueError(text)

    def _distances(self, backward: bool = False) -> np.ndarray:
        """From each point of the predicted surface to the true surface, or backward; infinite where either is empty."""
        if self._surfaces is None:
            raise RuntimeError(f"The '{type(self).__name__}' can not be calculated: call 'update' before 'eval'.")
        points, others = self._surfaces[::-1] if backward else self._surfaces
        if not (len(points) and len(others)):
            return np.full(1, np.inf)
        return _nearest(points, others, self.distance_metric)
