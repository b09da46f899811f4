"""Fans and gains: the numbers behind the scale of initial weights.

>>> calculate_fan_in_and_fan_out((8, 3, 5, 5))
(75, 200)
>>> calculate_gain("tanh")
1.6666666666666667
"""

from __future__ import annotations

import math
from typing import Any

_GAINS = {"sigmoid": 1, "linear": 1, "tanh": 5.0 / 3.0, "relu": math.sqrt(2.0)}
_GAINS |= {f"conv{transposed}{rank}d": 1 for transposed in ("", "_transpose") for rank in (1, 2, 3)}
_DEFAULT_SLOPE = 0.01


def calculate_fan_in_and_fan_out(shape: tuple[int, ...]) -> tuple[int, int]:
    """Fan-in and fan-out of a weight: inputs per output, and outputs per input."""
    if len(shape) < 2:
        raise ValueError(
            "'fan_in' and 'fan_out' can not be computed for tensor with fewer than 2 dimensions, but got dimensions "
            f"{len(shape)}. Use an initializer that needs no fan, such as Normal or Uniform."
        )
    window = math.prod(shape[2:])
    return shape[1] * window, shape[0] * window


def fans_of_array(array: Any) -> tuple[int, int]:
    """Inputs and outputs of a weight that is given as an array.

    >>> import numpy as np
    >>> fans_of_array(np.ones((3, 4, 2)))
    (8, 6)
    """
    return calculate_fan_in_and_fan_out(tuple(array.shape))


def fan_of_mode(shape: tuple[int, ...], mode: str) -> int:
    """The fan that ``mode`` names, in any case of letters."""
    modes = ["fan_in", "fan_out"]
    if not isinstance(mode, str) or mode.lower() not in modes:
        raise ValueError(f"'mode' {mode} not supported, please use one of {modes}")
    return calculate_fan_in_and_fan_out(shape)[modes.index(mode.lower())]


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """The factor that keeps the variance through a nonlinearity; ``param`` is the negative slope of 'leaky_relu'."""
    if nonlinearity in _GAINS:
        return _GAINS[nonlinearity]
    if nonlinearity != "leaky_relu":
        raise ValueError(
            f"For 'HeUniform' and 'HeNormal', the 'nonlinearity' must be one of {[*_GAINS, 'leaky_relu']}, but got "
            f"{nonlinearity!r}."
        )
    slope = _DEFAULT_SLOPE if param is None else param
    if isinstance(slope, bool) or not isinstance(slope, (int, float)):
        raise ValueError(
            "For 'HeUniform' and 'HeNormal', the 'negative_slope' must be an int or a float when the 'nonlinearity' is "
            f"'leaky_relu', but got {param!r} of type {type(param).__name__}."
        )
    return math.sqrt(2.0 / (1 + slope**2))
