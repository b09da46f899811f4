"""Checks of kernel sizes, steps and the like: a number for all spatial axes, or a number per axis."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused, type_or_value


def sizes(
    owner: str, name: str, value: Any, count: int, low: int = 1, wrong_length: type[Exception] = TypeError
) -> tuple[int, ...]:
    """``value`` as one int per spatial axis.

    Examples:
        >>> from mindspore.nn.layer._implementation.sizes import sizes
        >>> sizes("Conv2d", "stride", 2, 2), sizes("Conv2d", "stride", (1, 2), 2)
        ((2, 2), (1, 2))
    """
    if not isinstance(value, (tuple, list)):
        value = (value,) * count
    elif len(value) != count:
        raise type_or_value(wrong_length)(
            f"For '{owner}', the '{name}' must be an int or a tuple of {count} ints, but got {len(value)}: {shown(value)}."
        )
    for number in value:
        if isinstance(number, bool) or not isinstance(number, Integral):
            raise refused(
                type_or_value(TypeError),
                f"For '{owner}', the '{name}' must be an int or a tuple of {count} ints, but got {shown(number)}.",
            )
        if number < low:
            raise refused(
                ValueError,
                f"For '{owner}', the '{name}' must be an int or a tuple of {count} ints, each greater than or equal to {low}, "
                f"but got {shown(number)}.",
            )
    return tuple(int(number) for number in value)


def both_sides(padding: tuple[int, ...]) -> tuple[int, ...]:
    """Padding of one number per axis as (before, after, before, after, ...).

    Examples:
        >>> from mindspore.nn.layer._implementation.sizes import both_sides
        >>> both_sides((1, 2))
        (1, 1, 2, 2)
    """
    return tuple(pad for width in padding for pad in (width, width))
