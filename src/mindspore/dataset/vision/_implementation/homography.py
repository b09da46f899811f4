"""The perspective map that takes four points to four others."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

Vector = list[Any]  # three numbers without rounding error: int or Fraction
Points = Sequence[Sequence[float]]


def back_to_source(start: Points, end: Points) -> list[float]:
    """The eight coefficients that Pillow wants: from coordinates in the result to coordinates in the source.

    Solved without rounding until the last division. A least-squares solver rounds as the processor's vector units
    happen to, and a pixel that lies on the border of the source then comes out black on some machines.
    """
    source, result = _frame(start), _frame(end)
    if source is None or result is None:
        return _least_squares(start, end)
    duals = _duals(result)
    matrix = [[sum(m[row] * r[column] for m, r in zip(source, duals)) for column in range(3)] for row in range(3)]
    scale = matrix[2][2]
    if scale == 0:
        return _least_squares(start, end)
    return [float(value / scale) for row in matrix for value in row][:8]


def _frame(points: Points) -> list[Vector] | None:
    """Multiples of the first three points (x, y, 1) whose sum is one of the fourth; None if three are on one line."""
    first, second, third, last = ([_exact(x), _exact(y), 1] for x, y in points)
    duals = _duals([first, second, third])
    shares = [_dot(dual, last) for dual in duals]
    if 0 in shares or _dot(duals[0], first) == 0:
        return None
    return [[share * coordinate for coordinate in point] for share, point in zip(shares, (first, second, third))]


def _exact(number: float) -> int | Fraction:
    return int(number) if float(number).is_integer() else Fraction(float(number))


def _duals(vectors: list[Vector]) -> list[Vector]:
    """The rows of the inverse of the matrix with these columns, times its determinant."""
    first, second, third = vectors
    return [_cross(second, third), _cross(third, first), _cross(first, second)]


def _cross(left: Vector, right: Vector) -> Vector:
    (a, b, c), (d, e, f) = left, right
    return [b * f - c * e, c * d - a * f, a * e - b * d]


def _dot(left: Vector, right: Vector) -> Any:
    return sum(factor * other for factor, other in zip(left, right))


def _least_squares(start: Points, end: Points) -> list[float]:
    """What comes nearest where no such map exists: three of the points lie on one line."""
    rows = []
    for (x, y), (old_x, old_y) in zip(end, start, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -old_x * x, -old_x * y])
        rows.append([0, 0, 0, x, y, 1, -old_y * x, -old_y * y])
    known = np.array(start, float).reshape(8)
    return np.linalg.lstsq(np.array(rows, float), known, rcond=None)[0].tolist()
