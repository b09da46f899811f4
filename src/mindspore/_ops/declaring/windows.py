"""Where the windows of convolutions and pooling lie: padding and output lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jax import core, lax
from jax.export import is_symbolic_dim

from mindspore._engine.base.open_sizes import is_exported
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
    if reach(kernel, dilation) == 1:  # known also where the length is open
        return 0, 0
    total = largest((-(-length // stride) - 1) * stride + reach(kernel, dilation) - length, 0)
    return total // 2, total - total // 2


def largest(one: int, other: int) -> int:
    """The larger size, also where a graph to export leaves sizes open."""
    return core.max_dim(one, other) if is_symbolic_dim(one) or is_symbolic_dim(other) else max(one, other)


def smallest(one: int, other: int) -> int:
    """The smaller size, also where a graph to export leaves sizes open."""
    return core.min_dim(one, other) if is_symbolic_dim(one) or is_symbolic_dim(other) else min(one, other)


def may_be(size: int, least: int) -> bool:
    """Whether a size is at least this; one that a graph to export leaves open may be."""
    return is_exported(size) or size >= least


def padded_where_open(x: Any, pairs: Pairs, filler: Any, channels_last: bool = False) -> tuple[Any, Pairs]:
    """The input and the padding left to do: amounts that depend on open sizes are applied first."""
    if not any(is_symbolic_dim(amount) for pair in pairs for amount in pair):
        return x, pairs
    spatial_pads = [(*pair, 0) for pair in pairs]
    pads = [(0, 0, 0), *spatial_pads, (0, 0, 0)] if channels_last else [(0, 0, 0), (0, 0, 0), *spatial_pads]
    return lax.pad(x, np.asarray(filler, x.dtype), pads), ((0, 0),) * len(pairs)


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
    return smallest(-(-room // stride) + 1, -(-(length + pad[0]) // stride))
