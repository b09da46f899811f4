"""Gather and scatter, selections, and what of the data decides about shapes (eagerly alone)."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.operators.shaping import cut
from mindspore.train._onnx.table import OnnxNode, number, operator, positive


def _wrapped(indices: Tensor, length: int) -> Tensor:
    """Indices counted from the front."""
    indices = indices.astype(dtypes.int64)
    return ops.where(indices < 0, indices + length, indices)


@operator("Gather")
def gather(node: OnnxNode, x: Tensor, indices: Tensor) -> Tensor:
    axis = positive(node.get("axis", 0), x.ndim)
    return ops.gather(x, _wrapped(indices, x.shape[axis]), axis)


@operator("GatherElements")
def gather_elements(node: OnnxNode, x: Tensor, indices: Tensor) -> Tensor:
    axis = positive(node.get("axis", 0), x.ndim)
    return ops.gather_elements(x, axis, _wrapped(indices, x.shape[axis]))


@operator("GatherND")
def gather_nd(node: OnnxNode, x: Tensor, indices: Tensor) -> Tensor:
    batch = node.get("batch_dims", 0)
    depth = indices.shape[-1]
    indices = indices.astype(dtypes.int64)
    parts = [_wrapped(indices[..., i], x.shape[batch + i]) for i in range(depth)]
    for axis in range(batch):  # axes in common: their own numbers are the first indices
        shape = [1] * (indices.ndim - 1)
        shape[axis] = x.shape[axis]
        own = Tensor(np.arange(x.shape[axis]).reshape(shape))
        parts.insert(axis, ops.broadcast_to(own, indices.shape[:-1]))
    return ops.gather_nd(x, ops.stack(parts, -1))


_SCATTERS = {"none": ops.tensor_scatter_update, "add": ops.tensor_scatter_add, "mul": ops.tensor_scatter_mul,
             "min": ops.tensor_scatter_min, "max": ops.tensor_scatter_max}  # fmt: skip


@operator("ScatterND")
def scatter_nd(node: OnnxNode, x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    parts = [_wrapped(indices[..., i], x.shape[i]) for i in range(indices.shape[-1])]
    return _scattered(node.get("reduction", "none"), x, ops.stack(parts, -1), updates)


def _scattered(reduction: str, x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    if 0 in updates.shape:
        return x
    if x.dtype == dtypes.bool_:
        return _SCATTERS[reduction](x.astype(dtypes.int32), indices, updates.astype(dtypes.int32)).astype(dtypes.bool_)
    return _SCATTERS[reduction](x, indices, updates)


@operator("ScatterElements", "Scatter")
def scatter_elements(node: OnnxNode, x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    axis = positive(node.get("axis", 0), x.ndim)
    where = _wrapped(indices, x.shape[axis])
    grid = np.indices(indices.shape)
    parts = [where if i == axis else Tensor(grid[i]) for i in range(x.ndim)]
    return _scattered(node.get("reduction", "none"), x, ops.stack(parts, -1), updates)


@operator("TensorScatter")
def tensor_scatter(node: OnnxNode, past: Tensor, update: Tensor, starts: Tensor | None = None) -> Tensor:
    """Write new rows of a cache, from an index of its own for each batch."""
    axis = positive(node.get("axis", -2), past.ndim)
    grid = np.indices(update.shape)
    begin = ops.zeros((past.shape[0],), dtypes.int64) if starts is None else starts.astype(dtypes.int64)
    rows = begin.reshape((-1,) + (1,) * (past.ndim - 1)) + Tensor(grid[axis])
    if node.get("mode", "linear") == "circular":
        rows = ops.floor_mod(rows, past.shape[axis])
    parts = [rows if i == axis else Tensor(grid[i]) for i in range(past.ndim)]
    return _scattered("none", past, ops.stack(parts, -1), update)


@operator("OneHot", known=(1,))
def one_hot(node: OnnxNode, indices: Tensor, depth: Any, values: Tensor) -> Tensor:
    count = int(number(depth))
    axis = positive(node.get("axis", -1), indices.ndim + 1)
    wanted = indices.astype(dtypes.int64)
    shape = [1] * (indices.ndim + 1)
    shape[axis] = count
    same = ops.expand_dims(_wrapped(wanted, count), axis) == Tensor(np.arange(count).reshape(shape))
    return ops.where(same, values[1], values[0])


@operator("Compress", known=(1,))
def compress(node: OnnxNode, x: Tensor, condition: Any) -> Tensor:
    selected = np.flatnonzero(np.asarray(condition))
    axis = node.get("axis")
    if axis is None:
        return ops.gather(x.reshape((-1,)), Tensor(selected), 0)
    return ops.gather(x, Tensor(selected), positive(axis, x.ndim))


@operator("NonZero", known=(0,))
def non_zero(node: OnnxNode, x: Any) -> Tensor:
    return Tensor(np.array(np.nonzero(np.atleast_1d(x)), np.int64).reshape((max(x.ndim, 1), -1)))


@operator("Unique", known=(0,))
def unique(node: OnnxNode, x: Any) -> tuple[Tensor, ...]:
    axis = node.get("axis")
    values, first, inverse, counts = np.unique(x, True, True, True, axis=axis)
    if not node.flag("sorted", 1):  # in the order of first occurrence
        order = np.argsort(first)
        values = np.take(values, order, 0 if axis is None else axis)
        inverse = np.argsort(order)[inverse.reshape(-1)]
        first, counts = first[order], counts[order]
    return Tensor(values), *(Tensor(one.reshape(-1).astype(np.int64)) for one in (first, inverse, counts))


@operator("ReverseSequence", known=(1,))
def reverse_sequence(node: OnnxNode, x: Tensor, lengths: Any) -> Tensor:
    batch, time = node.get("batch_axis", 1), node.get("time_axis", 0)
    count = x.shape[time]
    steps, ends = np.arange(count)[:, None], np.asarray(lengths)[None, :]
    sources = np.where(steps < ends, ends - 1 - steps, steps)  # (time, batch)
    sources = sources if time < batch else sources.T
    shape = [x.shape[axis] if axis in (batch, time) else 1 for axis in range(x.ndim)]
    return ops.gather_elements(x, time, ops.broadcast_to(Tensor(sources.reshape(shape).astype(np.int64)), x.shape))


@operator("Range", known=(0, 1, 2))
def range_(node: OnnxNode, start: Any, limit: Any, delta: Any) -> Tensor:
    start, limit, delta = (np.asarray(one).reshape(-1)[0] for one in (start, limit, delta))
    count = max(int(np.ceil((limit - start) / delta)), 0)
    return Tensor((start + np.arange(count) * delta).astype(start.dtype))


@operator("Col2Im", known=(1, 2))
def col2im(node: OnnxNode, x: Tensor, image: Any, block: Any) -> Tensor:
    """Add up overlapping blocks: each position of a block is one scatter of all blocks."""
    sizes, kernel = [int(n) for n in image], [int(n) for n in block]
    rank = len(sizes)
    pads, steps = node.get("pads") or [0] * 2 * rank, node.get("strides") or [1] * rank
    gaps = node.get("dilations") or [1] * rank
    grown = [sizes[i] + pads[i] + pads[i + rank] for i in range(rank)]
    counts = [(grown[i] - gaps[i] * (kernel[i] - 1) - 1) // steps[i] + 1 for i in range(rank)]
    offsets = np.indices(kernel).reshape(rank, -1) * np.array(gaps)[:, None]
    starts = np.indices(counts).reshape(rank, -1) * np.array(steps)[:, None]
    flat = np.ravel_multi_index(tuple(offsets[:, :, None] + starts[:, None, :]), grown)
    batch, channels = x.shape[0], x.shape[1] // int(np.prod(kernel))
    rows = x.reshape((batch * channels, -1)).transpose((1, 0))
    total = ops.tensor_scatter_add(
        ops.zeros((int(np.prod(grown)), rows.shape[1]), x.dtype), Tensor(flat.reshape(-1, 1)), rows
    )
    result = total.transpose((1, 0)).reshape((batch, channels, *grown))
    for axis in range(rank):
        result = cut(result, axis + 2, pads[axis], pads[axis] + sizes[axis])
    return result
