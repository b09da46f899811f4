"""Initializers of tensors and Parameters.

>>> from mindspore.common.initializer import initializer, Normal
>>> weight = initializer(Normal(0.02), [2, 3])
>>> weight.has_init, weight.shape
(True, (2, 3))
"""

import numpy as np

from mindspore._engine.tensor.deferred_init import initializer
from mindspore._engine.tensor.initializer import BY_NAME as _INITIALIZER_ALIAS
from mindspore._engine.tensor.initializer import (
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
from mindspore._engine.tensor.initializer import draw_seed as _draw_seed
from mindspore._engine.tensor.initializer import register as _register
from mindspore._engine.tensor.structured_initializer import Dirac, Identity, Orthogonal, Sparse
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import philox
from mindspore._utils.documented import claim as _claim
from mindspore._utils.fan import calculate_fan_in_and_fan_out as _calculate_fan_in_and_fan_out
from mindspore._utils.fan import calculate_gain as _calculate_gain
from mindspore._utils.fan import fan_of_mode as _calculate_correct_fan
from mindspore._utils.fan import fans_of_array as _calculate_in_and_out
from mindspore._utils.philox import fill_normal as random_normal

# The names with an underscore are MindSpore's too: initializers that programs define themselves import them.
__all__ = [
    "_INITIALIZER_ALIAS",
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
    "Tensor",
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
    "_calculate_in_and_out",
    "_init_random_normal",
    "_init_random_uniform",
    "_register",
    "initializer",
    "random_normal",
]


def _assignment(arr: np.ndarray, num: object) -> np.ndarray:
    """Write a number or an array into ``arr``; returns ``arr``.

    >>> _assignment(np.zeros(2), 3.0).tolist()
    [3.0, 3.0]
    """
    arr[...] = num
    return arr


def _init_random_normal(mean: float, sigma: float, shape: tuple[int, ...]) -> np.ndarray:
    """A new array of normal values; ``mindspore.set_seed`` decides them.

    >>> _init_random_normal(0.0, 0.02, (2, 3)).shape
    (2, 3)
    """
    if sigma < 0:
        raise ValueError(f"For '_init_random_normal', the 'sigma' must not be negative, but got {sigma}.")
    values = np.empty(shape, np.float32)
    random_normal(_draw_seed(), values, mean, sigma)
    return values


def _init_random_uniform(a: float, b: float, shape: tuple[int, ...]) -> np.ndarray:
    """A new array of values between ``a`` and ``b``; ``mindspore.set_seed`` decides them.

    >>> values = _init_random_uniform(1.0, 2.0, (4,))
    >>> bool(np.all((values >= 1) & (values < 2)))
    True
    """
    values = np.empty(shape, np.float32)
    values[...] = philox.uniform(_draw_seed(), values.size, a, b).reshape(values.shape)
    return values


_claim(__name__)
