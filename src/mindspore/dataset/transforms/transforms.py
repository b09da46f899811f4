"""Transforms for data of any kind, under the names of MindSpore 2.x."""

from mindspore.dataset.transforms._compound import Compose, CompoundOperation, RandomApply, RandomChoice, RandomOrder
from mindspore.dataset.transforms._custom import (
    Implementation,
    Plugin,
    PyTensorOperation,
    TensorOperation,
    not_random,
)
from mindspore.dataset.transforms._elements import Fill, Mask, OneHot, Relational, TypeCast, Unique
from mindspore.dataset.transforms._shapes import Concatenate, Duplicate, PadEnd, Slice

__all__ = [
    "Compose",
    "CompoundOperation",
    "Concatenate",
    "Duplicate",
    "Fill",
    "Implementation",
    "Mask",
    "OneHot",
    "PadEnd",
    "Plugin",
    "PyTensorOperation",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "Relational",
    "Slice",
    "TensorOperation",
    "TypeCast",
    "Unique",
    "not_random",
]
