"""Shapes: reshape, transpose, join, split, cut, pad, repeat."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.table import OnnxNode, ints, number, operator, positive


@operator("Shape", raw=True)
def shape(node: OnnxNode, x: Any) -> np.ndarray:
    rank = len(x.shape)
    start, end = node.get("start", 0), node.get("end", rank)
    start, end = (min(max(one + rank if one < 0 else one, 0), rank) for one in (start, end))
    return np.array(x.shape[start:end], np.int64)


@operator("Size", raw=True)
def size(node: OnnxNode, x: Any) -> np.ndarray:
    return np.array(math.prod(x.shape), np.int64)


@operator("Reshape", known=(1,))
def reshape(node: OnnxNode, x: Tensor, wanted: Any = None) -> Tensor:
    sizes = ints(wanted) if wanted is not None else list(node.get("shape"))
    if not node.flag("allowzero"):
        sizes = [x.shape[axis] if one == 0 else one for axis, one in enumerate(sizes)]
    if -1 in sizes and 0 in x.shape:  # nothing to infer the size from but the others
        rest = math.prod(one for one in sizes if one != -1)
        sizes = [(math.prod(x.shape) // rest if rest else 0) if one == -1 else one for one in sizes]
    return x.reshape(tuple(sizes))


def flattened_2d(x: Tensor, axis: int) -> Tensor:
    """A matrix: the axes before this one, and the others."""
    return x.reshape((math.prod(x.shape[:axis]), math.prod(x.shape[axis:])))


@operator("Flatten")
def flatten(node: OnnxNode, x: Tensor) -> Tensor:
    axis = node.get("axis", 1)
    return flattened_2d(x, axis + x.ndim if axis < 0 else axis)


@operator("Transpose")
def transpose(node: OnnxNode, x: Tensor) -> Tensor:
    order = node.get("perm") or list(range(x.ndim))[::-1]
    return ops.transpose(x, tuple(order)) if x.ndim else x


@operator("Squeeze", known=(1,))
def squeeze(node: OnnxNode, x: Tensor, axes: Any = None) -> Tensor:
    given = ints(axes) if axes is not None else node.get("axes")
    gone = (
        {axis for axis, one in enumerate(x.shape) if one == 1}
        if given is None
        else {positive(a, x.ndim) for a in given}
    )
    if any(x.shape[axis] != 1 for axis in gone):
        raise ValueError(f"the axes {sorted(gone)} of the shape {x.shape} are not all of size 1.")
    return x.reshape(tuple(one for axis, one in enumerate(x.shape) if axis not in gone))


@operator("Unsqueeze", known=(1,))
def unsqueeze(node: OnnxNode, x: Tensor, axes: Any = None) -> Tensor:
    given = ints(axes) if axes is not None else node.get("axes")
    rank = x.ndim + len(given)
    new = {positive(axis, rank) for axis in given}
    rest = iter(x.shape)
    return x.reshape(tuple(1 if axis in new else next(rest) for axis in range(rank)))


@operator("Concat")
def concat(node: OnnxNode, first: Tensor, *rest: Tensor) -> Tensor:
    return ops.concat([first, *rest], positive(node.get("axis", 1), first.ndim)) if rest else first


@operator("Split", known=(1,))
def split(node: OnnxNode, x: Tensor, sizes: Any = None) -> tuple[Tensor, ...]:
    axis = positive(node.get("axis", 0), x.ndim)
    if sizes is not None or node.get("split"):
        parts = ints(sizes) if sizes is not None else node.get("split")
    else:
        count = node.get("num_outputs", node.outputs)
        each = -(-x.shape[axis] // count)
        parts = [each] * (count - 1) + [x.shape[axis] - each * (count - 1)]
    return tuple(split_at(x, parts, axis))


def split_at(x: Tensor, sizes: list[int], axis: int) -> list[Tensor]:
    if sum(sizes) != x.shape[axis] or min(sizes, default=0) < 0:
        raise ValueError(f"the sizes {sizes} do not sum to the length of axis {axis} of the shape {x.shape}.")
    starts = np.cumsum([0, *sizes])[:-1]
    return [cut(x, axis, int(start), int(start) + count) for start, count in zip(starts, sizes)]


def cut(x: Tensor, axis: int, start: int, stop: int, step: int = 1) -> Tensor:
    """A slice of one axis."""
    return x[(slice(None),) * axis + (slice(start, stop, step),)]


@operator("Slice", known=(1, 2, 3, 4))
def slice_(
    node: OnnxNode, x: Tensor, starts: Any = None, ends: Any = None, axes: Any = None, steps: Any = None
) -> Tensor:
    begin = ints(starts) if starts is not None else node.get("starts")
    stop = ints(ends) if ends is not None else node.get("ends")
    given = ints(axes) if axes is not None else node.get("axes") or list(range(len(begin)))
    stride = ints(steps) if steps is not None else [1] * len(begin)
    for axis, first, last, step in zip((positive(a, x.ndim) for a in given), begin, stop, stride, strict=True):
        low, high, step = slice(first, last, step).indices(x.shape[axis])
        if step > 0:
            x = x if (low, step) == (0, 1) and high >= x.shape[axis] else cut(x, axis, low, max(high, low), step)
        else:
            indices = np.arange(low, high, step)
            x = ops.gather(x, Tensor(indices), axis) if len(indices) else cut(x, axis, 0, 0)
    return x


@operator("Expand", known=(1,))
def expand(node: OnnxNode, x: Tensor, wanted: Any) -> Tensor:
    return ops.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(ints(wanted))))


@operator("Tile", known=(1,))
def tile(node: OnnxNode, x: Tensor, repeats: Any) -> Tensor:
    times = ints(repeats)
    if 0 in times:
        return ops.zeros(tuple(a * b for a, b in zip(x.shape, times)), x.dtype)
    return ops.tile(x, tuple(times)) if times else x


@operator("Pad", known=(1, 3))
def pad(node: OnnxNode, x: Tensor, amounts: Any = None, filler: Tensor | None = None, axes: Any = None) -> Tensor:
    given = ints(amounts) if amounts is not None else node.get("pads")
    chosen = [positive(a, x.ndim) for a in ints(axes)] if axes is not None else list(range(x.ndim))
    pairs = {axis: (given[i], given[i + len(chosen)]) for i, axis in enumerate(chosen)}
    if filler is None:
        filler = Tensor(node.get("value", 0.0), x.dtype)
    return padded(x, [pairs.get(axis, (0, 0)) for axis in range(x.ndim)], node.get("mode", "constant"), filler)


def padded(x: Tensor, pairs: list[tuple[int, int]], mode: str, filler: Tensor | None = None) -> Tensor:
    """Pad each axis in front and behind; negative amounts cut off. Other modes than 'constant' repeat what is there."""
    for axis, (before, after) in enumerate(pairs):
        if before < 0 or after < 0:
            x = cut(x, axis, max(-before, 0), x.shape[axis] + min(after, 0))
        before, after = max(before, 0), max(after, 0)
        if not before and not after:
            continue
        if mode == "constant":
            filler = Tensor(0, x.dtype) if filler is None else filler
            parts = [(before, filler), (after, filler)]
            front, back = (
                [ops.broadcast_to(value.reshape((1,) * x.ndim), (*x.shape[:axis], count, *x.shape[axis + 1 :]))]
                if count
                else []
                for count, value in parts
            )
            x = ops.concat([*front, x, *back], axis)
        else:
            x = ops.gather(x, Tensor(_repeated(x.shape[axis], before, after, mode)), axis)
    return x


def _repeated(length: int, before: int, after: int, mode: str) -> np.ndarray:
    """The indices of the elements that pad an axis with its own values."""
    kinds = {"reflect": "reflect", "edge": "edge", "wrap": "wrap"}
    if mode not in kinds:
        raise ValueError(f"the mode must be 'constant', 'reflect', 'edge' or 'wrap', but got {mode!r}.")
    return np.pad(np.arange(length), (before, after), mode=kinds[mode])  # type: ignore[call-overload]


@operator("CenterCropPad", known=(1,))
def center_crop_pad(node: OnnxNode, x: Tensor, wanted: Any) -> Tensor:
    axes = [positive(a, x.ndim) for a in node.get("axes") or range(x.ndim)]
    for axis, target in zip(axes, ints(wanted), strict=True):
        more = target - x.shape[axis]
        if more < 0:
            start = -more // 2
            x = cut(x, axis, start, start + target)
        elif more:
            pairs = [(0, 0)] * x.ndim
            pairs[axis] = (more // 2, more - more // 2)
            x = padded(x, pairs, "constant", Tensor(0, x.dtype))
    return x


@operator("DepthToSpace")
def depth_to_space(node: OnnxNode, x: Tensor) -> Tensor:
    block, (batch, channels, height, width) = node.get("blocksize"), x.shape
    depth = channels // block**2
    if node.get("mode", "DCR") == "DCR":
        parts = x.reshape((batch, block, block, depth, height, width)).transpose((0, 3, 4, 1, 5, 2))
    else:
        parts = x.reshape((batch, depth, block, block, height, width)).transpose((0, 1, 4, 2, 5, 3))
    return parts.reshape((batch, depth, height * block, width * block))


@operator("SpaceToDepth")
def space_to_depth(node: OnnxNode, x: Tensor) -> Tensor:
    block, (batch, channels, height, width) = node.get("blocksize"), x.shape
    order = (0, 3, 5, 1, 2, 4) if node.get("mode", "DCR") == "DCR" else (0, 1, 3, 5, 2, 4)
    parts = x.reshape((batch, channels, height // block, block, width // block, block)).transpose(order)
    return parts.reshape((batch, channels * block**2, height // block, width // block))


@operator("Trilu", known=(1,))
def trilu(node: OnnxNode, x: Tensor, diagonal: Any = None) -> Tensor:
    offset = 0 if diagonal is None else int(number(diagonal))
    rows, columns = np.arange(x.shape[-2])[:, None], np.arange(x.shape[-1])[None, :]
    kept = columns - rows >= offset if node.flag("upper", 1) else columns - rows <= offset
    return ops.where(Tensor(kept), x, ops.zeros_like(x))
