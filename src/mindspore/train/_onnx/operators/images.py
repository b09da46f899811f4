"""Resizing and sampling of images."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.table import OnnxNode, ints, operator, positive


@operator("Upsample", known=(1,))
def upsample(node: OnnxNode, x: Tensor, scales: Any = None) -> Tensor:
    given = [float(one) for one in (scales if scales is not None else node.get("scales"))]
    sizes = [int(np.floor(n * s)) for n, s in zip(x.shape, given)]
    old = OnnxNode("Resize", node.name, 10, 1, {"mode": node.get("mode", "nearest"), "coordinate_transformation_mode": "asymmetric",
                                            "nearest_mode": "floor"})  # fmt: skip
    return _resized(old, x, list(range(x.ndim)), sizes, given, None)


@operator("Resize", known=(1, 2, 3))
def resize(node: OnnxNode, x: Tensor, region: Any = None, scales: Any = None, sizes: Any = None) -> Tensor:
    if node.version < 11:  # Resize-10 has the scales second, and one way to count
        scales, region = region, None
        node = OnnxNode(
            "Resize",
            node.name,
            10,
            1,
            {**node.attributes, "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"},
        )
    axes = [positive(a, x.ndim) for a in node.get("axes") or range(x.ndim)]
    if sizes is not None and len(sizes):
        wanted, factors = _kept_ratio(node, x, axes, ints(sizes))
    else:
        factors = [float(one) for one in scales]
        wanted = [int(np.floor(x.shape[axis] * factor)) for axis, factor in zip(axes, factors)]
    return _resized(node, x, axes, wanted, factors, None if region is None else [float(one) for one in region])


def _kept_ratio(node: OnnxNode, x: Tensor, axes: list[int], sizes: list[int]) -> tuple[list[int], list[float]]:
    policy = node.get("keep_aspect_ratio_policy", "stretch")
    factors = [size / x.shape[axis] for axis, size in zip(axes, sizes)]
    if policy == "stretch":
        return sizes, factors
    factor = (min if policy == "not_larger" else max)(factors)
    return [int(np.floor(x.shape[axis] * factor + 0.5)) for axis in axes], [factor] * len(axes)


def _resized(
    node: OnnxNode, x: Tensor, axes: list[int], wanted: list[int], factors: list[float], region: list[float] | None
) -> Tensor:
    """One axis after the other: a matrix of weights, or a gather where only one element counts."""
    cropped = node.get("coordinate_transformation_mode") == "tf_crop_and_resize"
    dtype, outside = x.dtype, None
    for number, (axis, size, factor) in enumerate(zip(axes, wanted, factors)):
        bounds = (region[number], region[number + len(axes)]) if cropped and region is not None else (0.0, 1.0)
        if size == x.shape[axis] and factor == 1.0 and bounds == (0.0, 1.0):
            continue
        where = _coordinates(node, x.shape[axis], size, factor, bounds)
        if cropped:
            out = (where < 0) | (where > x.shape[axis] - 1)
            shape = [size if i == axis else 1 for i in range(x.ndim)]
            outside = out.reshape(shape) if outside is None else outside | out.reshape(shape)
        if node.get("mode", "nearest") == "nearest":
            x = ops.gather(x, Tensor(_nearest(node, where, x.shape[axis])), axis)
        else:
            weights = Tensor(_weights(node, where, x.shape[axis], factor).astype(dtype.np_dtype))
            x = ops.moveaxis(ops.matmul(ops.moveaxis(x, axis, -1), weights), -1, axis)
    if outside is not None and outside.any():
        x = ops.where(Tensor(outside), Tensor(node.get("extrapolation_value", 0.0), dtype), x)
    return x.astype(dtype)


def _coordinates(node: OnnxNode, length: int, size: int, factor: float, bounds: tuple[float, float]) -> np.ndarray:
    """The input coordinate of each element of the result."""
    mode, i = node.get("coordinate_transformation_mode", "half_pixel"), np.arange(size, dtype=np.float64)
    exact = length * factor
    if mode == "asymmetric":
        return i / factor
    if mode == "align_corners":
        return i * (length - 1) / (exact - 1) if exact > 1 else np.zeros(size)
    if mode == "pytorch_half_pixel":
        return (i + 0.5) / factor - 0.5 if size > 1 else np.zeros(size)
    if mode == "tf_half_pixel_for_nn":
        return (i + 0.5) / factor
    if mode == "half_pixel_symmetric":
        return length / 2 * (1 - size / exact) + (i + 0.5) / factor - 0.5
    if mode == "tf_crop_and_resize":
        start, end = bounds
        if size <= 1:
            return np.full(size, 0.5 * (start + end) * (length - 1))
        return start * (length - 1) + i * (end - start) * (length - 1) / (size - 1)
    if mode == "half_pixel":
        return (i + 0.5) / factor - 0.5
    raise node.refuse(f"has the coordinate_transformation_mode {mode!r}")


def _nearest(node: OnnxNode, where: np.ndarray, length: int) -> np.ndarray:
    mode = node.get("nearest_mode", "round_prefer_floor")
    rounded = {"round_prefer_floor": lambda w: np.ceil(w - 0.5), "round_prefer_ceil": lambda w: np.floor(w + 0.5),
               "floor": np.floor, "ceil": np.ceil}  # fmt: skip
    return np.clip(rounded[mode](where), 0, length - 1).astype(np.int64)


def _weights(node: OnnxNode, where: np.ndarray, length: int, factor: float) -> np.ndarray:
    """(input, result): how much each element of the input counts."""
    cubic, a = node.get("mode") == "cubic", node.get("cubic_coeff_a", -0.75)
    narrow = min(factor, 1.0) if node.flag("antialias") else 1.0  # each output then sees more of the input
    reach = int(np.ceil((2 if cubic else 1) / narrow))
    first = np.floor(where).astype(np.int64)
    offsets = np.arange(-reach + 1, reach + 1)
    taken = first[:, None] + offsets[None, :]
    weights = _kernel((where[:, None] - taken) * narrow, cubic, a)
    inside = (taken >= 0) & (taken < length)
    if node.flag("exclude_outside"):
        weights = np.where(inside, weights, 0)
    weights = weights / weights.sum(1, keepdims=True)
    table = np.zeros((length, len(where)))
    np.add.at(table, (np.clip(taken, 0, length - 1), np.arange(len(where))[:, None]), weights)
    return table


def _kernel(distance: np.ndarray, cubic: bool, a: float) -> np.ndarray:
    d = np.abs(distance)
    if not cubic:
        return np.maximum(1 - d, 0)
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0))


@operator("GridSample")
def grid_sample(node: OnnxNode, x: Tensor, grid: Tensor) -> Tensor:
    named = node.get("mode", "linear")
    mode = "bilinear" if named == "linear" else named
    if mode in ("cubic", "bicubic"):
        return _sampled_cubic(node, x, grid)
    return ops.grid_sample(x, grid, mode, node.get("padding_mode", "zeros"), node.flag("align_corners"))


def _sampled_cubic(node: OnnxNode, x: Tensor, grid: Tensor) -> Tensor:
    """Four indices along each axis, with the weights of cubic interpolation."""
    lengths, padding, corners = x.shape[2:], node.get("padding_mode", "zeros"), node.flag("align_corners")
    flat = x.reshape((*x.shape[:2], -1))
    total: Any = None
    taps: list[list[tuple[Tensor, Tensor]]] = []
    for axis, length in enumerate(lengths):
        at = (grid[..., len(lengths) - 1 - axis] + 1) / 2
        at = at * (length - 1) if corners else at * length - 0.5
        low, high = (0.0, length - 1.0) if corners else (-0.5, length - 0.5)
        at = _padded(at, low, high, length, padding)
        first = ops.floor(at)
        taps.append(
            [_tap(first + step, at - first - step, low, high, length, padding, node.get("cubic_coeff_a", -0.75)) for step in (-1, 0, 1, 2)]
        )  # fmt: skip
    for chosen in itertools.product(*taps):
        index, weight = chosen[0]
        for (one, share), length in zip(chosen[1:], lengths[1:]):
            index, weight = index * length + one, weight * share
        indices = ops.broadcast_to(index.reshape((index.shape[0], 1, -1)), (*x.shape[:2], index[0].size))
        part = ops.gather_elements(flat, 2, indices) * weight.reshape((weight.shape[0], 1, -1))
        total = part if total is None else total + part
    return total.reshape((*x.shape[:2], *grid.shape[1:-1]))


def _padded(at: Tensor, low: float, high: float, length: int, padding: str) -> Tensor:
    """Coordinates outside of the image, moved inside as the padding mode says."""
    if padding == "border":
        return ops.clamp(at, 0, length - 1)
    if padding == "reflection":
        span = max(high - low, 1e-9)
        turned = ops.abs(at - low) % (2 * span)
        return ops.minimum(turned, 2 * span - turned) + low
    return at


def _tap(
    index: Tensor, distance: Tensor, low: float, high: float, length: int, padding: str, a: float
) -> tuple[Tensor, Tensor]:
    """Where an element is read, and what it counts."""
    d = ops.abs(distance)
    near, far = ((a + 2) * d - (a + 3)) * d * d + 1, ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    weight = ops.where(d <= 1, near, ops.where(d < 2, far, ops.zeros_like(d)))
    inside = _padded(index, low, high, length, padding)
    if padding == "zeros":
        weight = ops.where(ops.logical_and(index >= 0, index <= length - 1), weight, ops.zeros_like(weight))
    return ops.clamp(inside, 0, length - 1).astype(dtypes.int64), weight
