"""Transforms for data of any kind, under the names of MindSpore 1.x: ``import mindspore.dataset.transforms.c_transforms as C``.

>>> import numpy as np
>>> import mindspore.dataset.transforms.c_transforms as C
>>> C.TypeCast("int32")(np.array([1.5]))
array([1], dtype=int32)
"""

from mindspore._utils.documented import claim as _claim
from mindspore.dataset.transforms._compound import Compose, RandomApply, RandomChoice
from mindspore.dataset.transforms._custom import Plugin, TensorOperation
from mindspore.dataset.transforms._elements import Fill, Mask, OneHot, Relational, TypeCast, Unique
from mindspore.dataset.transforms._shapes import Concatenate, Duplicate, PadEnd, Slice

__all__ = [
    "Compose",
    "Concatenate",
    "Duplicate",
    "Fill",
    "Mask",
    "OneHot",
    "PadEnd",
    "Plugin",
    "RandomApply",
    "RandomChoice",
    "Relational",
    "Slice",
    "TensorOperation",
    "TypeCast",
    "Unique",
]

_claim(__name__)
