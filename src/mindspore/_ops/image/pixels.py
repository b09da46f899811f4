"""Channels and pixels exchanged: sub-pixel convolution and shuffled channels."""

from __future__ import annotations

import math

import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.requirements import require, require_rank_from


@op(
    old={"input": ("x",)},
    test=lambda t: [
        t.case(t.normal(2, 4, 1, 1), 2, expect=lambda x, r: x.reshape(2, 1, 2, 2)),
        t.case(t.normal(8, 2, 3), 2),
    ],
)
def pixel_shuffle(input: Array, upscale_factor: int):
    """Groups of ``upscale_factor ** 2`` channels as blocks of pixels: (*, C * r * r, H, W) becomes (*, C, H * r, W * r).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.pixel_shuffle(Tensor([[[1.0]], [[2.0]], [[3.0]], [[4.0]]]), 2))
        [[[1. 2.]
          [3. 4.]]]
    """
    require_rank_from("input", input, 3)
    require(upscale_factor > 0, f"the 'upscale_factor' must be positive, but got {upscale_factor}.")
    *lead, c, h, w = input.shape
    r = upscale_factor
    text = f"the 'upscale_factor' squared must divide the number of channels, but got {r} for shape {input.shape}."
    require(c % r**2 == 0, text)
    blocks = input.reshape(math.prod(lead), c // r**2, r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
    return blocks.reshape(*lead, c // r**2, h * r, w * r)


@op(
    old={"input": ("x",)},
    test=lambda t: [
        t.case(t.normal(2, 1, 2, 2), 2, expect=lambda x, r: x.reshape(2, 4, 1, 1)),
        t.case(t.normal(2, 4, 6), 2),
    ],
)
def pixel_unshuffle(input: Array, downscale_factor: int):
    """Blocks of pixels as channels; undoes :func:`pixel_shuffle`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.pixel_unshuffle(Tensor([[[1.0, 2.0], [3.0, 4.0]]]), 2).shape)
        (4, 1, 1)
    """
    require_rank_from("input", input, 3)
    require(downscale_factor > 0, f"the 'downscale_factor' must be positive, but got {downscale_factor}.")
    *lead, c, h, w = input.shape
    r = downscale_factor
    text = f"the 'downscale_factor' must divide height and width, but got {r} for shape {input.shape}."
    require(h % r == 0 and w % r == 0, text)
    blocks = input.reshape(math.prod(lead), c, h // r, r, w // r, r).transpose(0, 1, 3, 5, 2, 4)
    return blocks.reshape(*lead, c * r**2, h // r, w // r)


@op(
    primitive="ChannelShuffle",
    init=("groups",),
    old={"groups": ("group",)},
    test=lambda t: [
        t.case(t.normal(2, 6, 3), 2, expect=lambda x, g: x[:, np.array([0, 3, 1, 4, 2, 5])]),
        t.case(t.normal(2, 4, 2, 2), 4),
    ],
)
def channel_shuffle(x: Array, groups: int):
    """Channels (axis 1) dealt out anew: the first of every group, then the second of every group, and so on.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.channel_shuffle(Tensor([[[1.0], [2.0], [3.0], [4.0]]]), 2).squeeze())
        [1. 3. 2. 4.]
    """
    require_rank_from("x", x, 2)
    text = f"the 'groups' must be positive and divide the number of channels, but got {groups} for shape {x.shape}."
    require(groups > 0 and x.shape[1] % groups == 0, text)
    split = x.reshape(x.shape[0], groups, x.shape[1] // groups, *x.shape[2:])
    return split.swapaxes(1, 2).reshape(x.shape)
