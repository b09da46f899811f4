"""The area under a curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused

__all__ = ["auc"]


def auc(x: np.ndarray, y: np.ndarray, reorder: bool = False) -> float:
    """The area under the curve through points, by the trapezoid rule.

    Args:
        x: increasing or decreasing, unless ``reorder``.
        y: as many numbers.
        reorder: whether the points are sorted first.

    Examples:
        >>> import numpy as np
        >>> from mindspore import nn
        >>> nn.auc(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0]))
        0.75
    """
    x, y = (_column(name, value) for name, value in (("x", x), ("y", y)))
    if len(x) != len(y) or len(x) < 2:
        raise refused(
            ValueError,
            f"For 'auc', the 'x' and 'y' must have the same length of at least 2, but got {len(x)} and {len(y)}.",
        )
    if reorder:
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
    steps = np.diff(x)
    if not ((steps >= 0).all() or (steps <= 0).all()):
        raise refused(
            ValueError,
            f"For 'auc', the 'x' must be increasing or decreasing, but got {x}. Pass reorder=True to sort it.",
        )
    area = float((steps * (y[1:] + y[:-1])).sum() / 2)
    return -area if (steps < 0).any() else area


def _column(name: str, value: Any) -> np.ndarray:
    if not isinstance(value, np.ndarray):
        raise refused(
            TypeError,
            f"For 'auc', the '{name}' must be a NumPy array, but got {shown(value)}. Use asnumpy() of a Tensor.",
        )
    if value.ndim != 1 and not (value.ndim == 2 and value.shape[1] == 1):
        raise refused(ValueError, f"For 'auc', the '{name}' must have shape (N,) or (N, 1), but got {value.shape}.")
    return value.reshape(-1).astype(np.float64)
