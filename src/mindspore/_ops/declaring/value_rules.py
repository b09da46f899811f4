"""What the values of Tensors may not be: the rules that operators hand to ``require_values``, for NumPy and ``jax.numpy`` alike.

Each is given the arrays and returns whether they are refused, and the number that the message names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np


def outside_unit(xp: Any, x: Any) -> tuple[Any, Any]:
    """Numbers below 0 or above 1; NaN passes."""
    low, high = xp.min(x), xp.max(x)
    if xp is not np or np.isnan(low):  # NaN hides the others; NumPy's plain extremes are the fast ones
        low, high = xp.nanmin(x), xp.nanmax(x)
    return (low < 0) | (high > 1), xp.where(high > 1, high, low)


def negative(xp: Any, x: Any) -> tuple[Any, Any]:
    """Numbers below 0."""
    least = x.min()
    return least < 0, least


@lru_cache(maxsize=64)
def above(limit: float) -> Callable[..., tuple[Any, Any]]:
    """The rule that refuses what is not above a limit; always the same one for a limit, since kernels are kept by it."""

    def not_above(xp: Any, x: Any) -> tuple[Any, Any]:
        least = x.min()
        return least <= limit, least

    return not_above


def holds_zero(xp: Any, x: Any) -> tuple[Any, Any]:
    """A divisor of 0."""
    return (x == 0).any(), xp.zeros((), xp.int32)


def not_below(xp: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """A lower end that is not below the upper one."""
    least = (high - low).min()
    return least <= 0, least


def falling(xp: Any, ids: Any) -> tuple[Any, Any]:
    """Numbers that are not in rising order."""
    steps = ids[1:] - ids[:-1]
    wrong = steps < 0
    return wrong.any(), ids[1:][xp.argmax(wrong)] if ids.shape[0] > 1 else ids[0]


def not_rising(xp: Any, edges: Any) -> tuple[Any, Any]:
    """Numbers that are not above the one before them."""
    wrong = edges[1:] <= edges[:-1]
    return wrong.any(), edges[1:][xp.argmax(wrong)] if edges.shape[0] > 1 else edges[0]


def with_gaps(xp: Any, ids: Any) -> tuple[Any, Any]:
    """Numbers in rising order that leave some out."""
    wrong = (ids[1:] - ids[:-1]) > 1
    return wrong.any(), ids[1:][xp.argmax(wrong)] if ids.shape[0] > 1 else ids[0]


def not_from_zero(xp: Any, ids: Any) -> tuple[Any, Any]:
    """Numbers whose first is not 0."""
    return ids[0] != 0, ids[0]


def endless(xp: Any, x: Any) -> tuple[Any, Any]:
    """Numbers that are infinite or NaN."""
    wrong = ~xp.isfinite(x)
    return wrong.any(), x.reshape(-1)[xp.argmax(wrong)]


def not_positive_definite(xp: Any, factor: Any, matrix: Any) -> tuple[Any, Any]:
    """A Cholesky factor that could not be computed, or of a matrix that is not symmetric."""
    precision = (
        1e-12 if (matrix.dtype.itemsize >= 8 and matrix.dtype.kind != "c") or matrix.dtype.itemsize == 16 else 1e-5
    )
    other = xp.conj(xp.swapaxes(matrix, -1, -2))
    apart = (xp.abs(matrix - other) ** 2).sum((-1, -2)) > precision**2 * (xp.abs(matrix) ** 2).sum((-1, -2))
    pivots = xp.diagonal(factor, axis1=-2, axis2=-1)
    return apart.any() | xp.isnan(pivots).any(), xp.zeros((), xp.int32)


def not_invertible(xp: Any, solution: Any, *given: Any) -> tuple[Any, Any]:
    """A solution that is infinite although all of the equations is finite."""
    lost = ~xp.isfinite(solution).all()
    for array in given:
        lost = lost & xp.isfinite(array).all()
    return lost, xp.zeros((), xp.int32)
