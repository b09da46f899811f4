"""Where image transforms stood before MindSpore 1.0; today it is ``mindspore.dataset.vision``.

>>> import mindspore.dataset.transforms.vision.c_transforms as C
>>> from mindspore.dataset import vision
>>> C is vision.c_transforms
True
"""

import sys
from importlib import import_module

from mindspore.dataset import vision as _vision
from mindspore.dataset.vision import *  # noqa: F403
from mindspore.dataset.vision import c_transforms, py_transforms, utils

__all__ = list(_vision.__all__)  # pyright: ignore[reportUnsupportedDunderAll]

# The very same modules under their old names, so that what is imported here and there compares equal.
for _module in (c_transforms, py_transforms, utils):
    sys.modules[f"{__name__}.{_module.__name__.rpartition('.')[2]}"] = _module


def __getattr__(name: str) -> object:
    """Every other name is that of today's package."""
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(import_module("mindspore.dataset.vision"), name)
