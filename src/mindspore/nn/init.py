"""``mindspore.nn.init``: another path to :mod:`mindspore.common.initializer`, for programs that write it.

>>> from mindspore import nn
>>> nn.init.initializer(nn.init.One(), [2]).init_data().asnumpy().tolist()
[1.0, 1.0]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindspore._utils.checks import unknown_attribute as _unknown_attribute
from mindspore.common.initializer import (
    Constant,
    Dirac,
    HeNormal,
    HeUniform,
    Identity,
    Initializer,
    Normal,
    One,
    Orthogonal,
    Sparse,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    XavierUniform,
    Zero,
    initializer,
)

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
    "initializer",
]

# PyTorch's functions fill a tensor in place; here an initializer makes the new value of a Parameter.
_IN_PLACE = {
    "constant_": "Constant(value)",
    "dirac_": "Dirac()",
    "eye_": "Identity()",
    "kaiming_normal_": "HeNormal()",
    "kaiming_uniform_": "HeUniform()",
    "normal_": "Normal(sigma, mean)",
    "ones_": "One()",
    "orthogonal_": "Orthogonal()",
    "sparse_": "Sparse(sparsity)",
    "trunc_normal_": "TruncatedNormal(sigma)",
    "uniform_": "Uniform(scale)",
    "xavier_normal_": "XavierNormal()",
    "xavier_uniform_": "XavierUniform()",
    "zeros_": "Zero()",
}
_HINTS = {
    name: f"Write w.set_data(initializer({instead}, w.shape, w.dtype)) with mindspore.common.initializer."
    for name, instead in _IN_PLACE.items()
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        raise _unknown_attribute("mindspore.nn.init", name, __all__, _HINTS)
