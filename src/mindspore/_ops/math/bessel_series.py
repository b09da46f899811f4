"""Polynomials of the Bessel functions, found from their integrals when a function is first called.

The integrals are taken at the nodes of Chebyshev's polynomials by the trapezoidal rule, which converges faster than any power
for them; far away by Hankel's asymptotic series. Then an element costs some multiplications, no sum over angles.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

_FAR = 25.0  # from here on the asymptotic series is exact to the last digit
_POINTS = 64
_ANGLES = np.pi * np.arange(_POINTS) / _POINTS  # the integrands have period pi
_SINES = np.sin(_ANGLES)
_TERMS = 14
EULER = 0.5772156649015329
NEAR = 8.0  # up to here J and Y are polynomials in x**2, beyond a wave
NEAR_DECAYING = 2.0  # the same for K
_NODES = 48
_STEP = 0.14
_TIMES = _STEP * np.arange(1, 170)


def first(x: np.ndarray, order: int) -> np.ndarray:
    """J up to ``_FAR``."""
    turns = x[:, None] * _SINES
    return np.mean(np.cos(turns) if order == 0 else np.sin(turns) * _SINES, -1)


def _regular_second(x: np.ndarray, order: int) -> np.ndarray:
    """Y without its logarithm, ``2 / pi * log(x / 2) * J``, and its pole."""
    orders = np.arange(1, 31)  # J_62 of what is near is 0, and 64 points tell all of these apart
    weights = (
        ((-1.0) ** orders / orders) @ np.cos(2 * orders[:, None] * _ANGLES) / _POINTS
    )  # Neumann's series of J_2, J_4, ...
    turns = x[:, None] * _SINES
    if order == 0:
        return 2 / np.pi * EULER * first(x, 0) - 4 / np.pi * np.cos(turns) @ weights
    less = np.mean(2 * np.sin(turns / 2) ** 2, -1)  # 1 - J_0
    return 2 / np.pi * (EULER * first(x, 1) + less / x) - 4 / np.pi * (np.sin(turns) * _SINES) @ weights


def _hankel(x: np.ndarray, order: int) -> list[np.ndarray]:
    """The terms of Hankel's series."""
    terms = [np.ones_like(x)]
    for k in range(_TERMS - 1):
        terms.append(terms[-1] * (4 * order**2 - (2 * k + 1) ** 2) / ((k + 1) * 8 * x))
    return terms


def _wave(x: np.ndarray, order: int) -> np.ndarray:
    """J and Y beyond ``NEAR`` as one complex wave, without its decay and without the turning of its first term."""
    signed = [(-1) ** (k // 2) * term for k, term in enumerate(_hankel(x, order))]
    far = sum(signed[::2]) + 1j * sum(signed[1::2])
    near = np.minimum(x, _FAR)
    pole = 2 / np.pi / near if order else 0.0
    second = _regular_second(near, order) + 2 / np.pi * np.log(near / 2) * first(near, order) - pole
    found = (
        np.sqrt(np.pi * near / 2)
        * (first(near, order) + 1j * second)
        * np.exp(-1j * (near - (2 * order + 1) * np.pi / 4))
    )
    return np.where(x > _FAR, far, found)


def _decaying(x: np.ndarray, order: int) -> np.ndarray:
    """``exp(x) * K``: the integral of exp(-x (cosh t - 1)) cosh(order t) over positive t."""
    terms = np.exp(-np.minimum(x, _FAR)[:, None] * (np.cosh(_TIMES) - 1)) * np.cosh(order * _TIMES)
    far = np.sqrt(np.pi / (2 * x)) * sum(_hankel(x, order))
    return np.where(x > _FAR, far, _STEP * (0.5 + terms.sum(-1)))


def growing(x: np.ndarray, order: int) -> np.ndarray:
    """I of small numbers."""
    return np.mean(np.exp(x[:, None] * np.cos(2 * _ANGLES)) * np.cos(order * 2 * _ANGLES), -1)


def _regular_decaying(x: np.ndarray, order: int) -> np.ndarray:
    """K without its logarithm and its pole."""
    value = _decaying(x, order) * np.exp(-x)
    return value + (-1) ** order * np.log(x / 2) * growing(x, order) - order / x


_FUNCTIONS: dict[str, Callable[[np.ndarray, int], np.ndarray]] = {
    # of numbers near 0; s is 2 (x / end)**2 - 1
    "J": lambda x, order: first(x, order) / x**order,
    "Y": lambda x, order: _regular_second(x, order) / x**order,
    "I": lambda x, order: growing(x, order) / x**order,
    "K": lambda x, order: _regular_decaying(x, order) / x**order,
    # beyond; s is 2 (end / x)**2 - 1
    "size": lambda x, order: np.abs(_wave(x, order)),
    "turn": lambda x, order: np.angle(_wave(x, order)) * x,
    # beyond; s is 2 end / x - 1
    "decaying": lambda x, order: _decaying(x, order) * np.sqrt(x),
    # of angles from -pi to pi; s is 2 (x / pi)**2 - 1
    "cos": lambda x, order: np.cos(x),
}
_ENDS = {"I": NEAR_DECAYING, "K": NEAR_DECAYING, "decaying": NEAR_DECAYING, "cos": np.pi}


@functools.cache
def coefficients(name: str, order: int, exact: bool) -> tuple[float, ...]:
    """Coefficients of Chebyshev polynomials in s, from -1 to 1: as many as float64, or else float32, can resolve."""
    angles = np.pi * (np.arange(_NODES) + 0.5) / _NODES
    nodes = np.cos(angles)
    end = _ENDS.get(name, NEAR)
    part = (nodes + 1) / 2
    x = end / part if name == "decaying" else end / np.sqrt(part) if name in ("size", "turn") else end * np.sqrt(part)
    found = 2 / _NODES * np.cos(np.arange(_NODES)[:, None] * angles) @ _FUNCTIONS[name](x, order)
    found[0] /= 2
    least = np.abs(found).max() * (4e-15 if exact else 2e-10)
    return tuple(found[: np.flatnonzero(np.abs(found) > least)[-1] + 1].tolist())
