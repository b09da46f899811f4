"""Checks that programs put as decorators on constructors of their own transforms."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from mindspore.dataset.core.checks import check_float_range
from mindspore.dataset.transforms._compound import check_transforms

__all__ = ["check_random_transform_ops"]


def check_random_transform_ops(method: Callable) -> Callable:
    """Check the arguments ``transforms`` (a non-empty list of callables) and ``prob`` (from 0 to 1) before a constructor.

    >>> class Sometimes:
    ...     @check_random_transform_ops
    ...     def __init__(self, transforms, prob=0.5):
    ...         self.transforms = transforms
    >>> Sometimes([])
    Traceback (most recent call last):
    ...
    ValueError: For 'Sometimes', the 'transforms' list can not be empty.
    """
    signature = inspect.signature(method)

    @functools.wraps(method)
    def checked(self: Any, *args: Any, **options: Any) -> Any:
        given = signature.bind(self, *args, **options).arguments
        if "transforms" in given:
            check_transforms(type(self).__name__, given["transforms"])
        if "prob" in given:
            check_float_range(type(self).__name__, "prob", given["prob"], 0.0, 1.0)
        return method(self, *args, **options)

    return checked
