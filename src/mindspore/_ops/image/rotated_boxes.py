"""Intersection over union of rotated boxes."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import require, require_float, require_rank

_SIGNS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def _by_centre(boxes: Any, corners: bool) -> Any:
    """(x, y, width, height, angle) of the centre, from this or from two corners and an angle."""
    if not corners:
        return boxes
    low, high, angle = boxes[..., :2], boxes[..., 2:4], boxes[..., 4:]
    return jnp.concatenate([(low + high) / 2, high - low, angle], -1)


def _corners(boxes: Any) -> Any:
    angle = jnp.deg2rad(boxes[..., 4])[..., None]
    x, y = (boxes[..., 2 + axis, None] * _SIGNS[:, axis] for axis in (0, 1))
    turned = jnp.stack([x * jnp.cos(angle) - y * jnp.sin(angle), x * jnp.sin(angle) + y * jnp.cos(angle)], -1)
    return turned + boxes[..., None, :2]


def _inside(points: Any, boxes: Any, margin: float) -> Any:
    """Which points lie in their box."""
    angle = jnp.deg2rad(boxes[..., 4])[..., None]
    x, y = (points[..., axis] - boxes[..., axis, None] for axis in (0, 1))
    along, across = x * jnp.cos(angle) + y * jnp.sin(angle), y * jnp.cos(angle) - x * jnp.sin(angle)
    width, height = (boxes[..., axis, None] / 2 + margin for axis in (2, 3))
    return (jnp.abs(along) <= width) & (jnp.abs(across) <= height)


def _cross(a: Any, b: Any) -> Any:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _crossings(first: Any, second: Any, margin: float) -> tuple[Any, Any]:
    """The 16 points where edges of two quadrangles cross, and which of them exist."""
    a, b = first[..., :, None, :], second[..., None, :, :]
    along, across = jnp.roll(first, -1, -2)[..., :, None, :] - a, jnp.roll(second, -1, -2)[..., None, :, :] - b
    area = _cross(along, across)
    parallel = jnp.abs(area) < 1e-12
    safe = jnp.where(parallel, 1, area)
    s, t = _cross(b - a, across) / safe, _cross(b - a, along) / safe
    exists = ~parallel & (s >= -margin) & (s <= 1 + margin) & (t >= -margin) & (t <= 1 + margin)
    points = a + s[..., None] * along
    return points.reshape(*points.shape[:-3], 16, 2), exists.reshape(*exists.shape[:-2], 16)


def _area(points: Any, exists: Any) -> Any:
    """The area of the polygon of those points that exist, in any order."""
    count = exists.sum(-1)
    centre = jnp.where(exists[..., None], points, 0).sum(-2) / jnp.maximum(count, 1)[..., None]
    offset = points - centre[..., None, :]
    order = jnp.argsort(jnp.where(exists, jnp.arctan2(offset[..., 1], offset[..., 0]), jnp.inf), -1)
    offset = jnp.take_along_axis(offset, order[..., None], -2)
    last = jnp.arange(points.shape[-2]) >= count[..., None]
    offset = jnp.where(last[..., None], offset[..., :1, :], offset)  # what does not exist closes the polygon
    area = jnp.abs(_cross(offset, jnp.roll(offset, -1, -2)).sum(-1)) / 2
    return jnp.where(count > 2, area, 0)


def _numpy_squares(a: np.ndarray, b: np.ndarray, *_: Any) -> np.ndarray:
    low = np.maximum(a[:, :, None, :2] - a[:, :, None, 2:4] / 2, b[:, None, :, :2] - b[:, None, :, 2:4] / 2)
    high = np.minimum(a[:, :, None, :2] + a[:, :, None, 2:4] / 2, b[:, None, :, :2] + b[:, None, :, 2:4] / 2)
    both = np.maximum(high - low, 0).prod(-1)
    return both / (a[:, :, None, 2:4].prod(-1) + b[:, None, :, 2:4].prod(-1) - both)


_FLAT = np.array([1, 1, 1, 1, 0], np.float32)


@op(test=lambda t: [t.case(t.positive(2, 3, 5) * _FLAT, t.positive(2, 2, 5) * _FLAT, grad=False, tolerance=1e-4,
                           expect=_numpy_squares),
                    t.case(t.positive(1, 3, 5), t.positive(1, 3, 5), True, 1, False, grad=False)])  # fmt: skip
def rotated_iou(boxes: Array, query_boxes: Array, trans: bool = False, mode: int = 0, is_cross: bool = True,
                v_threshold: float = 0.0, e_threshold: float = 0.0):  # fmt: skip
    """The area two rectangles share, divided by what they cover together.

    Args:
        boxes, query_boxes: (batch, boxes, 5): centre, width, height and angle in degrees.
        trans: whether they are given by two corners, (x1, y1, x2, y2, angle), instead.
        mode: 1 divides by the area of the first rectangle alone.
        is_cross: whether every rectangle meets every other, giving (batch, boxes, query_boxes); else they meet pairwise.
        v_threshold, e_threshold: how far outside a corner still counts as inside, and a crossing as on the edge.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x, y = Tensor([[[0.0, 0.0, 2.0, 2.0, 0.0]]]), Tensor([[[1.0, 0.0, 2.0, 2.0, 90.0]]])
        >>> print(ops.rotated_iou(x, y).asnumpy().round(4))
        [[[0.3333]]]
    """
    for name, rectangle in (("boxes", boxes), ("query_boxes", query_boxes)):
        require_rank(name, rectangle, 3)
        require_float(name, rectangle)
        require(
            rectangle.shape[2] == 5, f"the '{name}' must have 5 numbers for each box, but got shape {rectangle.shape}."
        )
    require(boxes.shape[0] == query_boxes.shape[0],
            f"the 'boxes' and 'query_boxes' must have one batch size, but got {boxes.shape} and {query_boxes.shape}.")  # fmt: skip
    first, second = (_by_centre(upcast_half(rectangle), trans) for rectangle in (boxes, query_boxes))
    if is_cross:
        shape = (*first.shape[:2], second.shape[1], 5)
        first, second = (jnp.broadcast_to(rectangle, shape) for rectangle in (first[:, :, None], second[:, None]))
    else:
        require(
            first.shape == second.shape, "the 'boxes' and 'query_boxes' must have one shape when 'is_cross' is False."
        )
    corners, others = _corners(first), _corners(second)
    margin = v_threshold + 1e-6
    points, exists = _crossings(corners, others, e_threshold + 1e-6)
    points = jnp.concatenate([points, corners, others], -2)
    exists = jnp.concatenate([exists, _inside(corners, second, margin), _inside(others, first, margin)], -1)
    shared = _area(points, exists)
    own, other = (rectangle[..., 2] * rectangle[..., 3] for rectangle in (first, second))
    return (shared / (own if mode == 1 else own + other - shared)).astype(boxes.dtype)
