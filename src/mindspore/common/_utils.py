"""Questions about shapes that libraries ask before they use them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["get_func", "is_dim_unknown", "is_shape_unknown"]


def is_shape_unknown(shape: Sequence[int]) -> bool:
    """Whether a size, or the number of axes, is open.

    Examples:
        >>> from mindspore.common._utils import is_shape_unknown
        >>> is_shape_unknown((2, -1)), is_shape_unknown((2, 3))
        (True, False)
    """
    return any(size < 0 for size in shape)


def is_dim_unknown(shape: Sequence[int]) -> bool:
    """Whether the number of axes is open: the shape is ``(-2,)``."""
    return any(size == -2 for size in shape)


def get_func(func: Any) -> Any:
    """The function itself: bound methods and wrapped functions give what they were made of."""
    return getattr(func, "__wrapped__", func)
