"""Transforms of images.

>>> import numpy as np
>>> import mindspore.dataset.vision as vision
>>> vision.CenterCrop(2)(np.zeros((4, 4, 3), np.uint8)).shape
(2, 2, 3)
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from mindspore._utils.checks import unknown_attribute as _unknown_attribute
from mindspore._utils.documented import claim as _claim
from mindspore.dataset.vision import c_transforms, py_transforms, py_transforms_util, transforms, utils, video
from mindspore.dataset.vision.transforms import *  # noqa: F403
from mindspore.dataset.vision.utils import *  # noqa: F403
from mindspore.dataset.vision.video import *  # noqa: F403

__all__ = ["c_transforms", "py_transforms", "py_transforms_util", "transforms", "utils"]
__all__ += transforms.__all__
__all__ += utils.__all__
__all__ += video.__all__

_LIST = "Give map a list: dataset.map([vision.Resize(32), vision.ToTensor()], 'image'); or write mindspore.dataset.transforms.Compose."
_HINTS = {
    "Compose": _LIST,
    "ComposeOp": "Write mindspore.dataset.transforms.Compose.",
    "ColorJitter": "It is called RandomColorAdjust here.",
    "ToPILImage": "It is called ToPIL here.",
    "Lambda": "Give map the function itself: dataset.map(function, 'image').",
    "RandomErase": "It is called RandomErasing here.",
    "RandomApply": "Write mindspore.dataset.transforms.RandomApply.",
    "RandomChoice": "Write mindspore.dataset.transforms.RandomChoice.",
    "GaussianNoise": "Give map a function of the array: dataset.map(function, 'image').",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "Tensor":  # programs take it from here; loaded when asked for, since workers do without XLA
            return _import_module("mindspore.common.tensor").Tensor
        raise _unknown_attribute(__name__, name, __all__, _HINTS)


_claim(__name__)
