"""Where the windows of convolutions and pooling lie: padding and output lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._ops.declaring.requirements import positive_ints, require, require_choice

Pairs = tuple[tuple[int, int], ...]  # padding before and after, per spatial axis


def spatial(name: str, value: Any, count: int, least: int = 1) -> tuple[int, ...]:
    """``count`` ints for the spatial axes; the form with batch and channel in front, (1, 1, h, w), is accepted too."""
    if isinstance(value, tuple) and len(value) == count + 2 and value[:2] == (1, 1):
        value = value[2:]
    return positive_ints(name, value, count, least)


def windows_of(array: np.ndarray, sizes: Sequence[int]) -> np.ndarray:
    """NumPy's view of the windows over the spatial axes, for references of tests."""
    axes: Any = tuple(range(2, array.ndim))  # NumPy's stubs of some versions know one axis alone
    return np.lib.stride_tricks.sliding_window_view(array, sizes, axes)


def reach(kernel: int, dilation: int) -> int:
    """The length a dilated kernel covers."""
    return (kernel - 1) * dilation + 1


def same_padding(length: int, kernel: int, stride: int, dilation: int = 1) -> tuple[int, int]:
    """Padding for an output of ``ceil(length / stride)``; an odd rest goes to the end."""
    total = max((-(-length // stride) - 1) * stride + reach(kernel, dilation) - length, 0)
    return total // 2, total - total // 2


def symmetric(padding: tuple[int, ...]) -> Pairs:
    return tuple((p, p) for p in padding)


def explicit(name: str, value: Any, count: int) -> Pairs:
    """Padding given by an int for all sides, or before and after for each spatial axis in turn."""
    if isinstance(value, tuple) and len(value) != 1:
        sides = positive_ints(name, value, 2 * count, 0)
        return tuple(zip(sides[::2], sides[1::2], strict=True))
    return symmetric(positive_ints(name, value, count, 0))


def padding_pairs(pad_mode: str, pairs: Pairs, lengths: tuple[int, ...], kernel: tuple[int, ...],
                  stride: tuple[int, ...], dilation: tuple[int, ...]) -> Pairs:  # fmt: skip
    """The padding of a convolution; ``pairs`` counts in mode 'pad' and must be zero otherwise."""
    require_choice("pad_mode", pad_mode, ("valid", "same", "pad"))
    if pad_mode == "pad":
        return pairs
    text = (
        f"the 'pad' must be zero when 'pad_mode' is not 'pad', but got 'pad': {pairs} and 'pad_mode': {pad_mode!r}. Write "
        "pad_mode='pad' beside the padding."
    )
    require(not any(before or after for before, after in pairs), text)
    if pad_mode == "valid":
        return pairs
    return tuple(same_padding(*axis) for axis in zip(lengths, kernel, stride, dilation, strict=True))


def output_length(length: int, kernel: int, stride: int, pad: tuple[int, int], dilation: int, ceil_mode: bool) -> int:
    """How many windows fit; with ``ceil_mode`` also a window that begins inside the input or the padding before it."""
    room = length + sum(pad) - reach(kernel, dilation)
    if not ceil_mode:
        return room // stride + 1
    count = -(-room // stride) + 1
    return count - 1 if (count - 1) * stride >= length + pad[0] else count
