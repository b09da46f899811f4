"""``mindspore.dataset.transforms``: transforms for data of any kind.

>>> import numpy as np
>>> from mindspore.dataset import transforms
>>> transforms.Compose([transforms.TypeCast("int32"), transforms.OneHot(3)])(np.array(2.0))
array([0, 0, 1], dtype=int32)
"""

import importlib as _importlib

from mindspore._utils.documented import claim as _claim
from mindspore.dataset.transforms import c_transforms, py_transforms, py_transforms_util, transforms, validators
from mindspore.dataset.transforms.transforms import (
    Compose,
    Concatenate,
    Duplicate,
    Fill,
    Mask,
    OneHot,
    PadEnd,
    Plugin,
    PyTensorOperation,
    RandomApply,
    RandomChoice,
    RandomOrder,
    Relational,
    Slice,
    TensorOperation,
    TypeCast,
    Unique,
    not_random,
)

__all__ = [
    "Compose",
    "Concatenate",
    "Duplicate",
    "Fill",
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
    "c_transforms",
    "not_random",
    "py_transforms",
    "py_transforms_util",
    "transforms",
    "validators",
]

_claim(__name__)


def __getattr__(name: str) -> object:
    if name == "vision":  # it needs this package
        return _importlib.import_module("mindspore.dataset.transforms.vision")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
