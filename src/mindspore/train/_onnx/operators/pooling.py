"""Pooling of one to three axes, and back."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore import mint, ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.operators.convolution import pads_of
from mindspore.train._onnx.operators.shaping import padded
from mindspore.train._onnx.table import OnnxNode, ints, operator

_FAST = 4  # a window of more elements than this goes to an operator of its own


class PoolWindows:
    """The windows of a pooling: sizes, steps, and padding with what ``ceil_mode`` adds behind."""

    def __init__(self, node: OnnxNode, x: Tensor):
        rank = x.ndim - 2
        self.kernel = list(node.get("kernel_shape"))
        self.steps, self.gaps = node.get("strides") or [1] * rank, node.get("dilations") or [1] * rank
        self.sizes = list(x.shape[2:])
        self.pads = pads_of(node, self.sizes, self.kernel, self.steps, self.gaps)
        reach = [(k - 1) * d + 1 for k, d in zip(self.kernel, self.gaps)]
        self.counts, self.all_pads = [], []
        for size, length, step, (before, after) in zip(self.sizes, reach, self.steps, self.pads):
            room = size + before + after - length
            count = (-(-room // step) if node.flag("ceil_mode") else room // step) + 1
            if node.flag("ceil_mode") and (count - 1) * step >= size + before:
                count -= 1  # no window begins beyond the data
            self.counts.append(count)
            self.all_pads.append((before, max((count - 1) * step + length - size - before, 0)))

    def positions(self) -> list[np.ndarray]:
        """For each axis: (windows, elements of one), as indices in the padded data."""
        return [
            np.arange(count)[:, None] * step + np.arange(length)[None, :] * gap
            for count, step, length, gap in zip(self.counts, self.steps, self.kernel, self.gaps)
        ]

    def parts(self, x: Tensor) -> list[Tensor]:
        """The data of padded windows, one Tensor for each element of a window."""
        found = []
        for offset in itertools.product(*map(range, self.kernel)):
            index: list[Any] = [slice(None), slice(None)]
            for at, gap, step, count in zip(offset, self.gaps, self.steps, self.counts):
                index.append(slice(at * gap, at * gap + (count - 1) * step + 1, step))
            found.append(x[tuple(index)])
        return found


def _lowest(x: Tensor) -> Tensor:
    dtype = x.dtype.np_dtype
    return Tensor(np.array(np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf, dtype))


@operator("MaxPool")
def max_pool(node: OnnxNode, x: Tensor) -> Any:
    windows = PoolWindows(node, x)
    if node.outputs < 2:
        return _largest(windows, padded(x, [(0, 0), (0, 0), *windows.all_pads], "constant", _lowest(x)))
    return _with_indices(node, windows, x)


def _largest(windows: PoolWindows, x: Tensor) -> Tensor:
    rank, floats = x.ndim - 2, x.dtype in (dtypes.float32, dtypes.float64, dtypes.float16)
    if rank > 3 or not floats or math.prod(windows.kernel) <= _FAST:
        parts = windows.parts(x)
        result = parts[0]
        for part in parts[1:]:
            result = ops.maximum(result, part)
        return result
    need = [slice(0, (c - 1) * s + (k - 1) * d + 1)
            for c, s, k, d in zip(windows.counts, windows.steps, windows.kernel, windows.gaps)]  # fmt: skip
    x = x[(slice(None), slice(None), *need)]
    kernel, steps, gaps = windows.kernel, windows.steps, windows.gaps
    if rank == 3:
        return ops.max_pool3d(x, tuple(kernel), tuple(steps), 0, tuple(gaps))
    if rank == 1:
        return ops.squeeze(ops.max_pool2d(ops.expand_dims(x, 2), (1, *kernel), (1, *steps), 0, (1, *gaps)), 2)
    return ops.max_pool2d(x, tuple(kernel), tuple(steps), 0, tuple(gaps))


def _with_indices(node: OnnxNode, windows: PoolWindows, x: Tensor) -> tuple[Tensor, Tensor]:
    """The largest values and their flat indices in the whole input, row-major or column-major."""
    parts = windows.parts(padded(x, [(0, 0), (0, 0), *windows.all_pads], "constant", _lowest(x)))
    stacked = ops.stack(parts, 0)
    which = ops.argmax(stacked, 0)
    values = ops.amax(stacked, 0)
    inside = [p - before for p, (before, _) in zip(windows.positions(), windows.all_pads)]
    order = "F" if node.flag("storage_order") else "C"
    indices = [_flat(windows, [inside[i][:, at] for i, at in enumerate(offset)], order)
              for offset in itertools.product(*map(range, windows.kernel))]  # fmt: skip
    table = Tensor(np.stack(indices).astype(np.int64))  # (elements of a window, *windows)
    spread = ops.broadcast_to(ops.expand_dims(ops.expand_dims(table, 1), 1), stacked.shape)
    found = ops.squeeze(ops.gather_elements(spread, 0, ops.expand_dims(which.astype(dtypes.int64), 0)), 0)
    images = np.arange(x.shape[0] * x.shape[1]).reshape((*x.shape[:2], *[1] * len(windows.sizes)))
    return values, found + Tensor((images * math.prod(windows.sizes)).astype(np.int64))


def _flat(windows: PoolWindows, axes: Sequence[np.ndarray], order: str) -> np.ndarray:
    """Flat indices; padding is never the largest."""
    grids = np.meshgrid(*axes, indexing="ij")
    clipped = [np.clip(grid, 0, size - 1) for grid, size in zip(grids, windows.sizes)]
    return np.ravel_multi_index(tuple(clipped), windows.sizes, order=order)  # type: ignore[call-overload]


def _summed(windows: PoolWindows, x: Tensor) -> Tensor:
    rank = x.ndim - 2
    if rank <= 3 and x.dtype == dtypes.float32 and set(windows.gaps) == {1} and math.prod(windows.kernel) > _FAST:
        need = [slice(0, (c - 1) * s + k) for c, s, k in zip(windows.counts, windows.steps, windows.kernel)]
        x, kernel, steps = x[(slice(None), slice(None), *need)], windows.kernel, windows.steps
        scale = math.prod(kernel)
        if rank == 3:
            return ops.avg_pool3d(x, tuple(kernel), tuple(steps)) * scale
        if rank == 1:
            return (
                ops.squeeze(mint.nn.functional.avg_pool2d(ops.expand_dims(x, 2), (1, *kernel), (1, *steps)), 2) * scale
            )
        return mint.nn.functional.avg_pool2d(x, tuple(kernel), tuple(steps)) * scale
    parts = windows.parts(x)
    result = parts[0]
    for part in parts[1:]:
        result = result + part
    return result


@operator("AveragePool")
def average_pool(node: OnnxNode, x: Tensor) -> Tensor:
    """Sums over how many elements count: known from the shapes."""
    windows = PoolWindows(node, x)
    total = _summed(windows, padded(x, [(0, 0), (0, 0), *windows.all_pads], "constant", Tensor(0, x.dtype)))
    counts: Any = np.ones((), np.float64)
    for axis, indices in enumerate(windows.positions()):
        before, after = windows.pads[axis]
        low, high = (
            (0, before + windows.sizes[axis] + after)
            if node.flag("count_include_pad")
            else (before, before + windows.sizes[axis])
        )
        counts = np.multiply.outer(counts, ((indices >= low) & (indices < high)).sum(1))
    return total / Tensor(counts.astype(x.dtype.np_dtype))


@operator("LpPool")
def lp_pool(node: OnnxNode, x: Tensor) -> Tensor:
    windows, p = PoolWindows(node, x), node.get("p", 2)
    powers = padded(ops.abs(x) ** p, [(0, 0), (0, 0), *windows.all_pads], "constant", Tensor(0, x.dtype))
    return (_summed(windows, powers) ** (1.0 / p)).astype(x.dtype)


@operator("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
def global_pool(node: OnnxNode, x: Tensor) -> Tensor:
    axes = tuple(range(2, x.ndim))
    if node.kind == "GlobalAveragePool":
        return ops.mean(x, axes, True)
    if node.kind == "GlobalMaxPool":
        return ops.amax(x, axes, True)
    p = node.get("p", 2)
    return ops.sum(ops.abs(x) ** p, axes, True) ** (1.0 / p)


@operator("MaxUnpool", known=(2,))
def max_unpool(node: OnnxNode, x: Tensor, indices: Tensor, wanted: Any = None) -> Tensor:
    rank = x.ndim - 2
    kernel, steps = node.get("kernel_shape"), node.get("strides") or [1] * rank
    pads = node.get("pads") or [0] * 2 * rank
    own = [(n - 1) * s + k - pads[i] - pads[i + rank] for i, (n, s, k) in enumerate(zip(x.shape[2:], steps, kernel))]
    sizes = ints(wanted)[-rank:] if wanted is not None else own
    # Indices count in the image that the pooling saw; a larger result has the same image at its front.
    images = math.prod(x.shape[:2])
    flat = ops.floor_mod(indices.astype(dtypes.int64), math.prod(own)).reshape((images, -1))
    whole = ops.zeros((images, math.prod(own)), x.dtype)
    grid = ops.stack([Tensor(np.indices(flat.shape)[0]), flat], -1)
    result = ops.tensor_scatter_update(whole, grid, x.reshape((images, -1))).reshape((*x.shape[:2], *own))
    return padded(result, [(0, 0), (0, 0), *[(0, n - o) for n, o in zip(sizes, own)]], "constant", Tensor(0, x.dtype))


@operator("MaxRoiPool", known=(1,))
def max_roi_pool(node: OnnxNode, x: Tensor, regions: Any) -> Tensor:
    height, width = node.get("pooled_shape")
    scale = node.get("spatial_scale", 1.0)
    results = []
    for image, *corners in np.asarray(regions):
        left, top, right, bottom = (math.floor(c * scale + 0.5) for c in corners)
        rows, columns = (
            _bins(a, b, n, size)
            for a, b, n, size in ((top, bottom, height, x.shape[2]), (left, right, width, x.shape[3]))
        )
        cells = [[_largest_of(x[int(image), :, slice(*row), slice(*column)]) for column in columns] for row in rows]
        results.append(ops.stack([ops.stack(line, -1) for line in cells], 1))
    return ops.stack(results, 0)


def _bins(start: int, stop: int, count: int, size: int) -> list[tuple[int, int]]:
    length = max(stop - start + 1, 1) / count
    edges = [(math.floor(i * length) + start, math.ceil((i + 1) * length) + start) for i in range(count)]
    return [(min(max(a, 0), size), min(max(b, 0), size)) for a, b in edges]


def _largest_of(part: Tensor) -> Tensor:
    return ops.amax(part, (1, 2)) if 0 not in part.shape else ops.zeros((part.shape[0],), part.dtype)
