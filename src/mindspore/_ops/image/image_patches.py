"""Patches of images as channels."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array, Shape
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.requirements import require, require_choice, require_rank
from mindspore._ops.declaring.windows import padding_pairs, windows_of


def _row_and_column(name: str, value: Any) -> tuple[int, int]:
    text = f"the '{name}' must be (1, row, column, 1) with positive ints, but got {value!r}."
    right = isinstance(value, tuple) and all(isinstance(v, int) and not isinstance(v, bool) for v in value)
    require(right, text, TypeError)
    require(len(value) == 4 and value[0] == value[3] == 1 and min(value) > 0, text)
    return value[1:3]


def _check(ksizes: Any, strides: Any, rates: Any, padding: str) -> None:
    for name, value in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
        _row_and_column(name, value)
    require_choice("padding", padding.lower(), ("same", "valid"))


def _reference(x: np.ndarray, ksizes: tuple, *_: Any) -> np.ndarray:
    windows = windows_of(x, ksizes[1:3])
    return windows.transpose(0, 4, 5, 1, 2, 3).reshape(x.shape[0], -1, *windows.shape[2:4])


@at_construction(_check)
@op(
    primitive="ExtractImagePatches",
    init=("ksizes", "strides", "rates", "padding"),
    public=False,
    test=lambda t: [
        t.case(t.normal(1, 2, 4, 5), (1, 3, 2, 1), (1, 1, 1, 1), (1, 1, 1, 1), expect=_reference),
        t.case(t.normal(2, 2, 4, 5), (1, 2, 2, 1), (1, 2, 1, 1), (1, 1, 2, 1), "same"),
    ],
)
def extract_image_patches(input_x: Array, ksizes: Shape, strides: Shape, rates: Shape, padding: str = "valid"):
    """Every patch of (N, C, H, W) as one pixel; its channels are ordered by row, column and channel of the patch.

    Examples:
        >>> from mindspore import ops
        >>> patches = ops.ExtractImagePatches([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "valid")
        >>> print(patches(ops.ones((1, 1, 3, 3))).shape)
        (1, 4, 2, 2)
    """
    _check(ksizes, strides, rates, padding)
    require_rank("input_x", input_x, 4)
    require(input_x.shape[1], f"the 'input_x' must have at least one channel, but got shape {input_x.shape}.")
    kernel, step, gap = ksizes[1:3], strides[1:3], rates[1:3]
    pairs = padding_pairs(padding.lower(), ((0, 0), (0, 0)), input_x.shape[2:], kernel, step, gap)
    dtype = input_x.dtype if jnp.issubdtype(input_x.dtype, jnp.inexact) else jnp.float32
    patches = lax.conv_general_dilated_patches(input_x.astype(dtype), kernel, step, pairs, rhs_dilation=gap)
    n, _, rows, columns = patches.shape
    by_channel = patches.reshape(n, input_x.shape[1], math.prod(kernel), rows, columns)
    return by_channel.swapaxes(1, 2).reshape(patches.shape).astype(input_x.dtype)
