"""Checks of the arguments of image transforms: each returns the value in its canonical form."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np

from mindspore._utils.refusals import several
from mindspore.dataset.core.checks import (
    check_float_range,
    check_int,
    interval_words,
    searchable,
    shown,
    type_words,
)

Kind = TypeVar("Kind", bound=Enum)

LARGEST = 16777216  # the largest integer below which float32 knows every integer; MindSpore's upper limit
LARGEST_INT = 2147483647


def member(owner: str, name: str, value: Any, kind: type[Kind]) -> Kind:
    """A member of an enumeration; its bare value is refused, as MindSpore does."""
    if not isinstance(value, kind):
        first = next(iter(kind))
        refusal = several(TypeError, RuntimeError, KeyError)(
            f"For '{owner}', the '{name}' must be of {kind.__name__}, as {kind.__name__}.{first.name}, but got {shown(value)}."
        )
        raise searchable(refusal, type_words(name, value, (kind,)))
    return value


def number(owner: str, name: str, value: Any, low: float = -LARGEST, high: float = LARGEST) -> float:
    """An int or a float between two limits."""
    return check_float_range(owner, name, value, low, high)


def positive(owner: str, name: str, value: Any) -> float:
    """An int or a float above 0."""
    return check_float_range(owner, name, value, 0.0, LARGEST, include_low=False)


def probability(owner: str, value: Any, name: str = "prob") -> float:
    """A number from 0 to 1."""
    return number(owner, name, value, 0.0, 1.0)


def sequence(owner: str, name: str, value: Any, lengths: tuple[int, ...], error: type[Exception] = TypeError) -> tuple:
    """A list or a tuple of one of these lengths."""
    if not isinstance(value, (list, tuple)):
        refusal = TypeError(f"For '{owner}', the '{name}' must be a list or a tuple, but got {shown(value)}.")
        raise searchable(refusal, type_words(name, value, (list, tuple)))
    if len(value) not in lengths:
        allowed = " or ".join(str(length) for length in lengths)
        refusal = error(
            f"For '{owner}', the '{name}' must be a list or a tuple of length {allowed}, but got {shown(value)}."
        )
        raise searchable(refusal, f"{name} should be a list/tuple of length {allowed}.")
    return tuple(value)


def is_int(value: Any) -> bool:
    """Whether a value is an int; bool is none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether a value is an int or a float; bool is neither."""
    return isinstance(value, Real) and not isinstance(value, bool)


def size(owner: str, value: Any, name: str = "size") -> tuple[int, int]:
    """(height, width); an int stands for a square."""
    checked = one_size(owner, value, name)
    return (checked, checked) if isinstance(checked, int) else checked


def one_size(owner: str, value: Any, name: str = "size") -> int | tuple[int, int]:
    """An int, or (height, width)."""
    if is_int(value):
        return _side(owner, name, value, LARGEST)
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        refusal = TypeError(
            f"For '{owner}', the '{name}' must be an int or a list or tuple (height, width), but got {shown(value)}."
        )
        if isinstance(value, (list, tuple)):
            raise searchable(refusal, "Size should be a single integer or a list/tuple (h, w) of length 2.")
        raise searchable(refusal, type_words(name, value, (int, list, tuple)))
    height, width = (_side(owner, f"{name}[{i}]", length, LARGEST_INT) for i, length in enumerate(value))
    return height, width


def _side(owner: str, name: str, value: Any, high: int) -> int:
    """A length of an image; MindSpore does not name it when it refuses it."""
    try:
        return check_int(owner, name, value, 1, high)
    except ValueError as refusal:
        if not is_int(value):
            raise
        raise searchable(refusal, interval_words("", f"[1, {LARGEST}]")) from None


def ordered(
    owner: str, name: str, value: Any, low: float = -LARGEST, high: float = LARGEST, error: type[Exception] = TypeError
) -> tuple[float, float]:
    """(min, max) within two limits."""
    smaller, larger = (
        number(owner, f"{name}[{i}]", bound, low, high)
        for i, bound in enumerate(sequence(owner, name, value, (2,), error))
    )
    if smaller > larger:
        refusal = ValueError(f"For '{owner}', the '{name}' must be in the order (min, max), but got {shown(value)}.")
        raise searchable(refusal, f"{name} should be in (min,max) format. Got (max,min).")
    return smaller, larger


def ratio_pair(owner: str, name: str, value: Any) -> tuple[float, float]:
    """(min, max), both above 0."""
    for i, bound in enumerate(sequence(owner, name, value, (2,))):
        positive(owner, f"{name}[{i}]", bound)
    return ordered(owner, name, value)


def scale_pair(owner: str, name: str, value: Any) -> tuple[float, float]:
    """(min, max) from 0 on, the larger above 0."""
    pair = ordered(owner, name, value, 0.0)
    positive(owner, f"{name}[1]", pair[1])
    return pair


def degrees(owner: str, value: Any) -> tuple[float, float]:
    """(min, max) in degrees; a number d stands for (-d, d)."""
    if is_number(value):
        limit = number(owner, "degrees", value, 0.0)
        return -limit, limit
    return ordered(owner, "degrees", value)


def fill(owner: str, value: Any, name: str = "fill_value") -> tuple[int, int, int]:
    """Three values from 0 to 255; an int stands for three of it."""
    if is_int(value):
        gray = check_int(owner, name, value, 0, 255)
        return gray, gray, gray
    if not isinstance(value, (tuple, list)) or len(value) != 3:
        refusal = TypeError(
            f"For '{owner}', the '{name}' must be an int or a tuple of three ints, but got {shown(value)}."
        )
        raise searchable(refusal, f"{name} should be a single integer or a 3-tuple.")
    red, green, blue = (check_int(owner, f"{name}[{i}]", channel, 0, 255) for i, channel in enumerate(value))
    return red, green, blue


def padding(owner: str, value: Any) -> tuple[int, int, int, int]:
    """(left, top, right, bottom); an int stands for all, two for (left and right, top and bottom)."""
    if is_number(value):
        side = check_int(owner, "padding", value, 0, LARGEST_INT)
        return side, side, side, side
    sides = sequence(owner, "padding", value, (2, 4), ValueError)
    left, top, *rest = (check_int(owner, f"padding[{i}]", length, 0, LARGEST_INT) for i, length in enumerate(sides))
    right, bottom = rest or (left, top)
    return left, top, right, bottom


def mean_and_std(owner: str, mean: Any, std: Any, high: float = 255.0) -> tuple[np.ndarray, np.ndarray]:
    """Means from 0 to ``high`` and deviations above 0 up to ``high``, equally many, in float32."""
    for name, value in (("mean", mean), ("std", std)):
        if not isinstance(value, (list, tuple)):
            refusal = TypeError(f"For '{owner}', the '{name}' must be a list or a tuple, but got {shown(value)}.")
            raise searchable(refusal, type_words(name, value, (list, tuple)))
    if len(mean) != len(std):
        raise searchable(
            ValueError(
                f"For '{owner}', the 'mean' and the 'std' must have the same length, but got {len(mean)} and {len(std)}."
            ),
            "Length of mean and std must be equal.",
        )
    means = [number(owner, f"mean[{i}]", channel, 0.0, high) for i, channel in enumerate(mean)]
    deviations = [
        check_float_range(owner, f"std[{i}]", channel, 0.0, high, include_low=False) for i, channel in enumerate(std)
    ]
    return np.array(means, np.float32), np.array(deviations, np.float32)


def box(owner: str, top: Any, left: Any, height: Any, width: Any) -> tuple[int, int, int, int]:
    """The region of a box in an image: (top, left, height, width)."""
    return (
        check_int(owner, "top", top, 0, LARGEST_INT),
        check_int(owner, "left", left, 0, LARGEST_INT),
        check_int(owner, "height", height, 1, LARGEST_INT),
        check_int(owner, "width", width, 1, LARGEST_INT),
    )


def ignored_values(owner: str, value: Any) -> list[int]:
    """The pixel values that a histogram leaves out."""
    if value is None:
        return []
    values: Sequence[Any] = [value] if is_int(value) else value
    if not isinstance(values, (list, tuple)):
        raise TypeError(
            f"For '{owner}', the 'ignore' must be an int or a list or tuple of ints, but got {shown(value)}."
        )
    return [check_int(owner, "ignore", pixel, 0, 255) for pixel in values]
