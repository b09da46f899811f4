"""Blocks of an image to channels or batch and back, and sliding windows as columns."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array, Shape
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.requirements import positive_ints, require, require_form, require_rank
from mindspore._ops.declaring.windows import largest, may_be, windows_of

_MOST_SLICES = 64  # of windows that overlap: beyond, one axis after the other


@op(
    primitive="SpaceToDepth",
    init=("block_size",),
    public=False,
    test=lambda t: [
        t.case(
            t.normal(1, 1, 4, 4),
            2,
            expect=lambda x, b: np.stack([x[0, 0, i::2, j::2] for i in (0, 1) for j in (0, 1)])[None],
        )
    ],
)
def space_to_depth(x: Array, block_size: int):
    """Each block of height and width as channels.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.SpaceToDepth(2)(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])).reshape(-1))
        [1. 2. 3. 4.]
    """
    require_rank("x", x, 4)
    n, c, h, w = x.shape
    require(block_size >= 2, f"the 'block_size' must be at least 2, but got {block_size}.")
    text = f"the 'block_size' must divide height and width, but got {block_size} for an input of shape {x.shape}."
    require(h % block_size == 0 and w % block_size == 0, text)
    blocks = x.reshape(n, c, h // block_size, block_size, w // block_size, block_size)
    return blocks.transpose(0, 3, 5, 1, 2, 4).reshape(n, c * block_size**2, h // block_size, w // block_size)


@op(
    primitive="DepthToSpace",
    init=("block_size",),
    public=False,
    test=lambda t: [
        t.case(np.arange(4.0, dtype=np.float32).reshape(1, 4, 1, 1), 2, expect=lambda x, b: x.reshape(1, 1, 2, 2))
    ],
)
def depth_to_space(x: Array, block_size: int):
    """Channels as blocks of height and width; undoes SpaceToDepth.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.DepthToSpace(2)(Tensor([[[[1]], [[2]], [[3]], [[4]]]])))
        [[[[1 2]
           [3 4]]]]
    """
    require_rank("x", x, 4)
    n, c, h, w = x.shape
    require(block_size >= 2, f"the 'block_size' must be at least 2, but got {block_size}.")
    text = f"the 'block_size' squared must divide the number of channels, but got {block_size} for shape {x.shape}."
    require(c % block_size**2 == 0, text)
    blocks = x.reshape(n, block_size, block_size, c // block_size**2, h, w)
    return blocks.transpose(0, 3, 4, 1, 5, 2).reshape(n, c // block_size**2, h * block_size, w * block_size)


def _per_axis(block: tuple[int, ...], borders: Any) -> tuple[int, ...]:
    """The lengths of a block; one number stands for the axes of all borders."""
    return block * len(borders) if len(block) == 1 and isinstance(borders, tuple) else block


def _spatial(x: Any, block: Sequence[int], borders: Any, name: str) -> tuple[int, tuple[tuple[int, int], ...]]:
    """How many leading axes are not spatial, and the borders as pairs."""
    right = isinstance(borders, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in borders)
    text = (
        f"the '{name}' must be a pair of non-negative ints for each of the {len(block)} block axes, but got {borders}."
    )
    require(right and len(borders) == len(block) and all(n >= 0 for pair in borders for n in pair), text)
    text = f"the 'block_shape' must be positive and shorter than the input's shape {x.shape}, but got {tuple(block)}."
    require(min(block, default=0) >= 1 and x.ndim > len(block), text)
    return x.ndim - len(block), borders


@op(
    primitive="SpaceToBatchND",
    init=("block_size", "paddings"),
    old={"block_size": ("block_shape",)},
    test=lambda t: [
        t.case(t.normal(1, 1, 2, 2), [2, 2], [[0, 0], [0, 0]], expect=lambda x, *_: x.reshape(4, 1, 1, 1)),
        t.case(
            t.normal(1, 1, 2, 2),
            [1, 2],
            [[0, 0], [2, 0]],
            expect=lambda x, *_: (
                np.pad(x, ((0, 0), (0, 0), (0, 0), (2, 0)))
                .reshape(1, 1, 2, 2, 2)
                .transpose(4, 0, 1, 2, 3)
                .reshape(2, 1, 2, 2)
            ),
        ),
    ],
)
def space_to_batch_nd(input_x: Array, block_size: Shape, paddings: Any):
    """The trailing axes, padded with zeros, cut into blocks; the offset within a block becomes part of the batch axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.space_to_batch_nd(ops.zeros((1, 1, 4, 4)), [2, 2], [[0, 0], [0, 0]]).shape)
        (4, 1, 2, 2)
    """
    block_size = _per_axis(block_size, paddings)
    lead, borders = _spatial(input_x, block_size, paddings, "paddings")
    x = jnp.pad(input_x, ((0, 0),) * lead + borders)
    text = f"the 'block_size' must divide the padded lengths {x.shape[lead:]}, but got {tuple(block_size)}."
    require(all(n % b == 0 for n, b in zip(x.shape[lead:], block_size, strict=True)), text)
    split = [m for n, b in zip(x.shape[lead:], block_size, strict=True) for m in (n // b, b)]
    inner = [lead + 2 * i + 1 for i in range(len(block_size))]
    outer = [lead + 2 * i for i in range(len(block_size))]
    moved = x.reshape(*x.shape[:lead], *split).transpose(*inner, *range(lead), *outer)
    return moved.reshape(math.prod(block_size) * x.shape[0], *x.shape[1:lead], *split[::2])


@op(
    primitive="BatchToSpaceND",
    init=("block_shape", "crops"),
    test=lambda t: [
        t.case(t.normal(4, 1, 1, 1), [2, 2], [[0, 0], [0, 0]], expect=lambda x, *_: x.reshape(1, 1, 2, 2)),
        t.case(t.normal(4, 1, 1, 1), [2, 2], [[0, 0], [1, 0]], expect=lambda x, *_: x.reshape(1, 1, 2, 2)[..., 1:]),
    ],
)
def batch_to_space_nd(input_x: Array, block_shape: Shape, crops: Any):
    """Part of the batch axis as blocks of the trailing axes, then cropped; undoes :func:`space_to_batch_nd`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.batch_to_space_nd(ops.zeros((4, 1, 2, 2)), [2, 2], [[0, 0], [0, 0]]).shape)
        (1, 1, 4, 4)
    """
    block_shape = _per_axis(block_shape, crops)
    lead, borders = _spatial(input_x, block_shape, crops, "crops")
    count = math.prod(block_shape)
    text = (
        f"the 'block_shape' must divide the batch of {input_x.shape[0]} by its product, but got {tuple(block_shape)}."
    )
    require(input_x.shape[0] % count == 0, text)
    blocks, middle, spatial = len(block_shape), input_x.shape[1:lead], input_x.shape[lead:]
    x = input_x.reshape(*block_shape, input_x.shape[0] // count, *middle, *spatial)
    pairs = [axis for i in range(blocks) for axis in (blocks + lead + i, i)]
    x = x.transpose(*range(blocks, blocks + lead), *pairs)
    x = x.reshape(input_x.shape[0] // count, *middle, *[n * b for n, b in zip(spatial, block_shape, strict=True)])
    text = f"the 'crops' must leave something of {x.shape[lead:]}, the shape of the blocks put together, but got {borders}."
    require(all(low + high < n for (low, high), n in zip(borders, x.shape[lead:], strict=True)), text)
    kept = tuple(slice(low, n - high) for (low, high), n in zip(borders, x.shape[lead:], strict=True))
    return x[(slice(None),) * lead + kept]


def _windows(size: Sequence[int], kernel: Any, dilation: Any, padding: Any, stride: Any) -> tuple:
    """The settings of sliding windows as pairs, and how many windows fit on each axis."""
    kernel, dilation, stride = (
        positive_ints(n, v, 2) for n, v in (("kernel_size", kernel), ("dilation", dilation), ("stride", stride))
    )
    padding = positive_ints("padding", padding, 2, 0)
    counts = [
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, d, p, s in zip(size, kernel, dilation, padding, stride, strict=True)
    ]
    text = (
        f"the 'kernel_size' must not be larger than the padded input, but got {kernel} for an input of {tuple(size)}."
    )
    require_form(all(may_be(n, 1) for n in counts), text)
    return kernel, dilation, padding, stride, counts


@op(method="unfold", test=lambda t: [t.case(t.normal(1, 2, 4, 4), 3, expect=lambda x, k: _numpy_windows(x))])
@accepts("ifc", "input")
def unfold(input: Array, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1):
    """The elements under a sliding window as columns: (N, C, H, W) becomes (N, C * window size, number of windows).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.unfold(ops.zeros((1, 2, 4, 4)), 3).shape)
        (1, 18, 4)
    """
    require_rank("input", input, 4)
    require(input.shape[1], f"the 'input' must have at least one channel, but got shape {input.shape}.")
    kernel, dilation, padding, stride, counts = _windows(input.shape[2:], kernel_size, dilation, padding, stride)
    return _columns(input, kernel, dilation, padding, stride, counts)


def _columns(x: Any, kernel: Any, dilation: Any, padding: Any, stride: Any, counts: Sequence[int]) -> Any:
    """(N, C, H, W) -> (N, C * window size, number of windows), made of slices, which XLA copies in long pieces."""
    if any(padding):
        x = jnp.pad(x, ((0, 0), (0, 0), *((p, p) for p in padding)))
    settings = list(zip(kernel, dilation, stride, counts, strict=True))
    apart = all(d == 1 and s >= k for k, d, s, _ in settings)
    if not apart and math.prod(kernel) <= _MOST_SLICES:
        starts = [[(i * d, i * d + (n - 1) * s + 1, s) for i in range(k)] for k, d, s, n in settings]
        parts = [x[:, :, slice(*rows), slice(*across)] for rows in starts[0] for across in starts[1]]
        windows = jnp.concatenate([part[:, :, None] for part in parts], 2)
    else:
        for axis, setting in zip((2, 4), settings, strict=True):
            x = _windows_along(x, axis, *setting)
        windows = x.swapaxes(3, 4)  # of (N, C, kernel, count, kernel, count)
    return windows.reshape(*windows.shape[:1], windows.shape[1] * math.prod(kernel), math.prod(counts))


def _windows_along(x: Any, axis: int, size: int, gap: int, step: int, count: int) -> Any:
    """The axis as (window size, number of windows)."""
    if gap > 1 or step < size:
        parts = [lax.slice_in_dim(x, i * gap, i * gap + (count - 1) * step + 1, step, axis) for i in range(size)]
        return jnp.concatenate([jnp.expand_dims(part, axis) for part in parts], axis)
    missing = largest(0, count * step - x.shape[axis])  # behind the last window
    x = jnp.pad(x, [(0, missing if i == axis else 0) for i in range(x.ndim)])
    x = lax.slice_in_dim(x, 0, count * step, 1, axis)
    x = x.reshape(*x.shape[:axis], count, step, *x.shape[axis + 1 :]).swapaxes(axis, axis + 1)
    return lax.slice_in_dim(x, 0, size, 1, axis)


@op(method="fold", test=lambda t: [t.case(t.normal(1, 18, 4), (4, 4), 3)])
def fold(input: Array, output_size: Shape, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1):
    """Columns put back under a sliding window, summed where windows overlap; the transpose of :func:`unfold`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.fold(ops.ones((1, 4, 4)), (3, 3), 2))
        [[[[1. 2. 1.]
           [2. 4. 2.]
           [1. 2. 1.]]]]
    """
    require_rank("input", input, 3)
    height, width = positive_ints("output_size", tuple(output_size), 2)
    kernel, dilation, padding, stride, counts = _windows((height, width), kernel_size, dilation, padding, stride)
    n, columns, count = input.shape
    text = f"the 'input' must have shape (N, C * {math.prod(kernel)}, {math.prod(counts)}), but got {input.shape}."
    require(columns % math.prod(kernel) == 0 and count == math.prod(counts), text)
    image = jax.ShapeDtypeStruct((n, columns // math.prod(kernel), height, width), input.dtype)
    windows = functools.partial(
        _columns, kernel=kernel, dilation=dilation, padding=padding, stride=stride, counts=counts
    )
    return jax.linear_transpose(windows, image)(input)[0]


def _numpy_windows(x: np.ndarray) -> np.ndarray:
    n, c, _, _ = x.shape
    views = windows_of(x, (3, 3))
    return views.transpose(0, 1, 4, 5, 2, 3).reshape(n, c * 9, -1)
