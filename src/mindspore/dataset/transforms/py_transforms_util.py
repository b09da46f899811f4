"""The functions behind ``py_transforms``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.dataset.transforms._compound import Compose, RandomApply, RandomChoice, RandomOrder
from mindspore.dataset.transforms._custom import Implementation

__all__ = [
    "Implementation",
    "all_numpy",
    "compose",
    "is_numpy",
    "one_hot_encoding",
    "random_apply",
    "random_choice",
    "random_order",
]


def is_numpy(img: Any) -> bool:
    """Whether this is a NumPy array."""
    return isinstance(img, np.ndarray)


def all_numpy(args: Any) -> bool:
    """Whether this, or everything in this tuple, is a NumPy array."""
    return all(map(is_numpy, args)) if isinstance(args, tuple) else is_numpy(args)


def compose(transforms: list[Callable[..., Any]], *args: Any) -> tuple[Any, ...]:
    """The columns after all transforms, as a tuple.

    >>> compose([lambda x: x + 1, lambda x: (x, x)], 1)
    (2, 2)
    """
    made = Compose(transforms)
    made.implementation = Implementation.PY
    return made(*args)


def one_hot_encoding(label: np.ndarray, num_classes: int, epsilon: float) -> np.ndarray:
    """Class numbers as float vectors: ``1 - epsilon`` goes to the class, ``epsilon`` is shared by all.

    >>> one_hot_encoding(np.array([0, 2]), 3, 0.0)
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    if not isinstance(label, np.ndarray):
        raise ValueError(f"the input is invalid, it should be numpy.ndarray, but got {type(label).__name__}.")
    if label.dtype.kind not in "iu":
        raise ValueError(f"the input numpy type should be int, but the input is: {label.dtype}")
    if label.size and (label.max() >= num_classes or label.min() < 0):
        raise ValueError(
            f"the num_classes is smaller than the category number: labels must be in [0, {num_classes}), but they reach "
            f"from {label.min()} to {label.max()}."
        )
    hit = label[..., None] == np.arange(num_classes)
    return hit * (1.0 - epsilon) + epsilon / num_classes


def random_apply(img: Any, transforms: list[Callable[..., Any]], prob: float) -> Any:
    """The image after all transforms, or, with probability ``1 - prob``, as it was."""
    return RandomApply(transforms, prob)(img)


def random_choice(img: Any, transforms: list[Callable[..., Any]]) -> Any:
    """The image after one of the transforms."""
    return RandomChoice(transforms)(img)


def random_order(img: Any, transforms: list[Callable[..., Any]]) -> Any:
    """The image after all transforms in random order."""
    return RandomOrder(transforms)(img)
