"""Initializers of tensors and Parameters.

>>> from mindspore.common.initializer import initializer, Normal
>>> weight = initializer(Normal(0.02), [2, 3])
>>> weight.has_init, weight.shape
(True, (2, 3))
"""

import numpy as np

from mindspore._engine.initializer import (
    Constant,
    HeNormal,
    HeUniform,
    Initializer,
    Normal,
    One,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    XavierUniform,
    Zero,
)
from mindspore._engine.initializer import register as _register
from mindspore._engine.lazy import initializer
from mindspore._engine.structured_initializer import Dirac, Identity, Orthogonal, Sparse
from mindspore._utils.fan import calculate_fan_in_and_fan_out as _calculate_fan_in_and_fan_out
from mindspore._utils.fan import calculate_gain as _calculate_gain
from mindspore._utils.fan import fan_of_mode as _calculate_correct_fan

# The names with an underscore are MindSpore's too: initializers that programs define themselves import them.
__all__ = [
    "Constant",
    "Dirac",
    "HeNormal",
    "HeUniform",
    "Identity",
    "Initializer",
    "Normal",
    "One",
    "Orthogonal",
    "Sparse",
    "TruncatedNormal",
    "Uniform",
    "VarianceScaling",
    "XavierNormal",
    "XavierUniform",
    "Zero",
    "_assignment",
    "_calculate_correct_fan",
    "_calculate_fan_in_and_fan_out",
    "_calculate_gain",
    "_register",
    "initializer",
]


def _assignment(arr: np.ndarray, num: object) -> np.ndarray:
    """Write a number or an array into ``arr``; returns ``arr``.

    >>> _assignment(np.zeros(2), 3.0).tolist()
    [3.0, 3.0]
    """
    arr[...] = num
    return arr
