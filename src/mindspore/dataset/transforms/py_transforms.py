"""Transforms for data of any kind, as MindSpore 1.x wrote them in Python.

>>> import numpy as np
>>> from mindspore.dataset.transforms import py_transforms
>>> py_transforms.Compose([lambda x: x + 1, py_transforms.OneHotOp(3)])(np.array(1))
array([0., 0., 1.])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.documented import claim as _claim
from mindspore.dataset.core.checks import check_float_range, check_positive_int
from mindspore.dataset.core.operation import Operation
from mindspore.dataset.transforms._compound import Compose, RandomApply, RandomChoice, RandomOrder
from mindspore.dataset.transforms._custom import PyTensorOperation
from mindspore.dataset.transforms.py_transforms_util import one_hot_encoding

__all__ = ["Compose", "OneHotOp", "PyTensorOperation", "RandomApply", "RandomChoice", "RandomOrder"]


class OneHotOp(Operation):
    """Class numbers become float vectors, smoothed if asked.

    >>> import numpy as np
    >>> OneHotOp(4, smoothing_rate=0.2)(np.array(1)).round(2).tolist()
    [0.05, 0.85, 0.05, 0.05]
    """

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0):
        self.num_classes = check_positive_int("OneHotOp", "num_classes", num_classes)
        self.smoothing_rate = check_float_range("OneHotOp", "smoothing_rate", smoothing_rate, 0.0, 1.0)

    def run(self, label: Any) -> np.ndarray:
        return one_hot_encoding(np.asarray(label), self.num_classes, self.smoothing_rate)


_claim(__name__)
