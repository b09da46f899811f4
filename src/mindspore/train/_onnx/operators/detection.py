"""Detectors: suppression of boxes, and regions of feature maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.table import OnnxNode, number, operator


@operator("NonMaxSuppression", known=(0, 1, 2, 3, 4))
def non_max_suppression(
    node: OnnxNode, boxes: Any, scores: Any, most: Any = None, overlap: Any = None, lowest: Any = None
) -> Tensor:
    """(image, class, box) of what is kept. How many there are depends on the data, so it runs eagerly."""
    limit = 0 if most is None else int(number(most))
    share = 0.0 if overlap is None else float(number(overlap))
    least = None if lowest is None else float(number(lowest))
    found = []
    for image in range(scores.shape[0]):
        corners = _corners(np.asarray(boxes[image], np.float64), node.flag("center_point_box"))
        for kind in range(scores.shape[1]):
            kept = _kept(corners, np.asarray(scores[image, kind]), limit, share, least)
            found += [(image, kind, box) for box in kept]
    return Tensor(np.array(found, np.int64).reshape(-1, 3))


def _corners(boxes: np.ndarray, centered: bool) -> np.ndarray:
    if centered:
        x, y, width, height = boxes.T
        return np.stack([y - height / 2, x - width / 2, y + height / 2, x + width / 2], 1)
    return np.concatenate([np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])], 1)


def _kept(boxes: np.ndarray, scores: np.ndarray, limit: int, share: float, least: float | None) -> list[int]:
    """The best box, and the next best ones that overlap none of those kept too much."""
    order = [i for i in np.argsort(-scores, kind="stable") if least is None or scores[i] > least]
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], 1)
    kept: list[int] = []
    for one in order:
        if len(kept) >= limit:
            break
        if kept:
            low, high = np.maximum(boxes[kept, :2], boxes[one, :2]), np.minimum(boxes[kept, 2:], boxes[one, 2:])
            common = np.prod(np.maximum(high - low, 0), 1)
            if (common > share * (areas[kept] + areas[one] - common)).any():
                continue
        kept.append(int(one))
    return kept


@operator("RoiAlign")
def roi_align(node: OnnxNode, x: Tensor, regions: Tensor, images: Tensor) -> Tensor:
    """Each cell of a region is the mean, or the largest, of samples between the pixels."""
    height, width = node.get("output_height", 1), node.get("output_width", 1)
    scale, count = node.get("spatial_scale", 1.0), node.get("sampling_ratio", 0)
    mode = node.get("coordinate_transformation_mode", "half_pixel" if node.version >= 16 else "output_half_pixel")
    offset = 0.5 if mode == "half_pixel" else 0.0
    corners = regions * scale - offset
    spans = corners[:, 2:] - corners[:, :2]
    if mode != "half_pixel":
        spans = ops.maximum(spans, 1.0)
    if node.get("mode", "avg") != "avg":
        raise node.refuse("takes the largest sample of a cell (mode 'max')")
    if not count:  # as many samples as a cell has pixels: known for constant regions alone
        raise node.refuse("leaves the number of samples of a cell to the data (sampling_ratio 0)")
    axes = []
    for axis, cells, size in ((1, height, x.shape[2]), (0, width, x.shape[3])):
        steps = Tensor(((np.arange(cells * count) + 0.5) / count).astype(x.dtype.np_dtype))
        where = corners[:, axis : axis + 1] + steps[None] * (spans[:, axis : axis + 1] / cells)
        axes.append(_between(where, size))
    picked = ops.gather(x, images.astype(dtypes.int64), 0)  # (regions, channels, h, w)
    rows = ops.einsum("rchw,ryh->rcyw", picked, axes[0])
    cells_of = ops.einsum("rcyw,rxw->rcyx", rows, axes[1])
    shape = (x.shape[1], height, count, width, count)
    return ops.mean(cells_of.reshape((regions.shape[0], *shape)), (3, 5))


def _between(where: Tensor, size: int) -> Tensor:
    """(regions, samples, size): weights of the two pixels around each coordinate; none outside of the image."""
    valid = ops.logical_and(where > -1.0, where < float(size))
    clipped = ops.clip(where, 0.0, float(size - 1))
    pixels = Tensor(np.arange(size).astype(where.dtype.np_dtype))
    near = ops.maximum(1 - ops.abs(clipped[..., None] - pixels), 0)
    return ops.where(valid[..., None], near, ops.zeros_like(near))
