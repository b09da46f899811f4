"""Boxes (x1, y1, x2, y2) whose corners are pixels that belong to them: overlap, selection, coding, validity."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_float,
    require_form,
    require_rank,
    require_same_dtype,
)

_ZEROS, _ONES = (0.0,) * 4, (1.0,) * 4


def _require_boxes(name: str, boxes: Any, *widths: int) -> None:
    require_rank(name, boxes, 2)
    allowed = " or ".join(map(str, widths))
    require(boxes.shape[1] in widths, f"the '{name}' must have shape (N, {allowed}), but got {boxes.shape}.")


def _areas(boxes: Any, last: int = 1) -> Any:
    """``last`` is 1 where the corners count as pixels of the box, 0 where they are points."""
    return (boxes[..., 2] - boxes[..., 0] + last) * (boxes[..., 3] - boxes[..., 1] + last)


def _common_areas(first: Any, second: Any, last: int = 1) -> Any:
    """The area every box of ``first`` (a row of the result) shares with every box of ``second``."""
    low = jnp.maximum(first[:, None, :2], second[None, :, :2])
    high = jnp.minimum(first[:, None, 2:4], second[None, :, 2:4])
    sides = jnp.maximum(high - low + last, 0)
    return sides[..., 0] * sides[..., 1]


def _numpy_iou(anchors: np.ndarray, truths: np.ndarray, mode: str = "iou", last: int = 1) -> np.ndarray:
    result = np.zeros((len(truths), len(anchors)))
    for i, g in enumerate(truths.astype(float)):
        for j, a in enumerate(anchors.astype(float)):
            sides = [max(min(a[k + 2], g[k + 2]) - max(a[k], g[k]) + last, 0) for k in (0, 1)]
            common = sides[0] * sides[1]
            area, other = ((b[2] - b[0] + last) * (b[3] - b[1] + last) for b in (g, a))
            result[i, j] = common / (area + other - common if mode == "iou" else area)
    return result


def _sample_boxes(t: Any, count: int) -> np.ndarray:
    corners = t.uniform(0, 9, count, 2)
    return np.concatenate([corners, corners + t.uniform(1, 9, count, 2)], axis=1)


@at_construction(lambda mode: require_choice("mode", mode, ("iou", "iof")))
@op(primitive="IOU", init=("mode",),
    test=lambda t: [t.case(_sample_boxes(t, 3), _sample_boxes(t, 4), mode, expect=_numpy_iou)
                    for mode in ("iou", "iof")])  # fmt: skip
@accepts("f", "anchor_boxes", "gt_boxes")
def iou(anchor_boxes: Array, gt_boxes: Array, mode: str = "iou"):
    """How much boxes overlap, one row per box of ``gt_boxes``, one column per box of ``anchor_boxes``.

    Args:
        mode: what the common area is divided by: the union ('iou') or the box of ``gt_boxes`` ('iof').

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.iou(Tensor([[0.0, 0.0, 9.0, 9.0]]), Tensor([[5.0, 0.0, 14.0, 9.0], [20.0, 20.0, 29.0, 29.0]])))
        [[0.33333334]
         [0.        ]]
    """
    require_choice("mode", mode, ("iou", "iof"))
    require_same_dtype(anchor_boxes=anchor_boxes, gt_boxes=gt_boxes)
    require_float("anchor_boxes", anchor_boxes)
    _require_boxes("anchor_boxes", anchor_boxes, 4)
    _require_boxes("gt_boxes", gt_boxes, 4)
    anchors, truths = upcast_half(anchor_boxes), upcast_half(gt_boxes)
    common = _common_areas(truths, anchors)
    whole = _areas(truths)[:, None]
    if mode == "iou":
        whole = whole + _areas(anchors)[None] - common
    return (common / whole).astype(anchor_boxes.dtype)


def keep_apart(overlaps: Any, candidates: Any) -> Any:
    """Greedy suppression: each candidate, best first, removes the later candidates it overlaps (``overlaps[i, j]``)."""
    if not overlaps.shape[0]:
        return candidates
    later = np.arange(overlaps.shape[0])

    def visit(index: Any, kept: Any) -> Any:
        removed = overlaps[index] & (later > index) & kept[index]
        return kept & ~removed

    return lax.fori_loop(0, overlaps.shape[0], visit, candidates)


def _threshold(iou_threshold: float) -> None:
    text = f"the 'iou_threshold' must be greater than 0 and at most 1, but got {iou_threshold}."
    require_form(0 < iou_threshold <= 1, text)


def _numpy_suppressed(bboxes: np.ndarray, threshold: float) -> tuple[np.ndarray, ...]:
    boxes = bboxes[np.argsort(-bboxes[:, 4], kind="stable")]
    overlap = _numpy_iou(boxes, boxes, last=0)
    kept = np.ones(len(boxes), bool)
    for i in range(len(boxes)):
        kept[i + 1 :] &= ~(kept[i] & (overlap[i, i + 1 :] > threshold))
    return boxes, np.arange(len(boxes)), kept


def _scored_boxes(t: Any, count: int) -> np.ndarray:
    scores = np.arange(count, dtype=np.float32)[::-1, None] / count
    return np.concatenate([_sample_boxes(t, count), np.roll(scores, 2)], axis=1)


@at_construction(_threshold)
@op(primitive="NMSWithMask", init=("iou_threshold",), public=False,
    test=lambda t: [t.case(_scored_boxes(t, 12), 0.3, expect=_numpy_suppressed)])  # fmt: skip
@accepts("f", "bboxes")
def nms_with_mask(bboxes: Array, iou_threshold: float = 0.5):
    """The boxes (x1, y1, x2, y2, score) by falling score, their numbers, and which of them no better box overlaps.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> boxes = Tensor([[0.0, 0.0, 9.0, 9.0, 0.5], [1.0, 0.0, 9.0, 9.0, 0.75], [30.0, 30.0, 39.0, 39.0, 0.25]])
        >>> best, index, kept = ops.NMSWithMask(0.5)(boxes)
        >>> print(kept)
        [ True False  True]
    """
    _threshold(iou_threshold)
    require_float("bboxes", bboxes)
    _require_boxes("bboxes", bboxes, 5, 8)
    order = jnp.argsort(-bboxes[:, 4], stable=True)
    boxes = bboxes[order, :5]
    frozen = upcast_half(lax.stop_gradient(boxes))
    common = _common_areas(frozen, frozen, last=0)
    areas = _areas(frozen, last=0)
    overlaps = common / (areas[:, None] + areas[None] - common) > iou_threshold
    kept = keep_apart(overlaps, jnp.ones(boxes.shape[0], bool))
    return boxes, jnp.arange(boxes.shape[0], dtype=jnp.int32), kept


# -- boxes as differences to anchors -----------------------------------------------------------------------------------
def _four(name: str, values: Any) -> Any:
    text = f"the '{name}' must be a tuple of 4 floats, but got {values!r}."
    numbers = isinstance(values, tuple) and all(isinstance(v, (int, float)) for v in values)
    require(numbers, text, TypeError)
    require_form(len(values) == 4, text)
    return np.array(values, np.float32)


def _check_coding(means: Any, stds: Any) -> None:
    _four("means", means)
    _four("stds", stds)


def _centred(boxes: Any) -> tuple[Any, Any]:
    """Centres and sizes."""
    return (boxes[:, :2] + boxes[:, 2:]) * 0.5, boxes[:, 2:] - boxes[:, :2] + 1


def _require_pair(first_name: str, first: Any, second_name: str, second: Any) -> None:
    require_same_dtype(**{first_name: first, second_name: second})
    require_float(first_name, first)
    _require_boxes(first_name, first, 4)
    text = f"the '{first_name}' and '{second_name}' must have the same shape, but got {first.shape} and {second.shape}."
    require(first.shape == second.shape, text)


def _numpy_encode(anchor: np.ndarray, truth: np.ndarray, means: tuple = _ZEROS, stds: tuple = _ONES) -> np.ndarray:
    centre, size = (anchor[:, :2] + anchor[:, 2:]) / 2, anchor[:, 2:] - anchor[:, :2] + 1
    other, length = (truth[:, :2] + truth[:, 2:]) / 2, truth[:, 2:] - truth[:, :2] + 1
    return (np.concatenate([(other - centre) / size, np.log(length / size)], 1) - means) / stds


@at_construction(_check_coding)
@op(primitive="BoundingBoxEncode", init=("means", "stds"),
    test=lambda t: [t.case(_sample_boxes(t, 3), _sample_boxes(t, 3), (0.1, 0.2, 0.3, 0.4), (0.5, 1.0, 2.0, 0.1),
                           expect=_numpy_encode)])  # fmt: skip
@accepts("f", "anchor_box", "groundtruth_box")
def bounding_box_encode(anchor_box: Array, groundtruth_box: Array, means: Any = _ZEROS, stds: Any = _ONES):
    """Boxes as differences to anchors: shifts of the centre in anchor sizes and logarithms of the size ratios.

    Args:
        means, stds: taken off the differences, and what they are divided by then.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bounding_box_encode(Tensor([[2.0, 2.0, 5.0, 5.0]]), Tensor([[3.0, 2.0, 6.0, 5.0]])))
        [[0.25 0.   0.   0.  ]]
    """
    _check_coding(means, stds)
    _require_pair("anchor_box", anchor_box, "groundtruth_box", groundtruth_box)
    (centre, size), (other, length) = _centred(upcast_half(anchor_box)), _centred(upcast_half(groundtruth_box))
    differences = jnp.concatenate([(other - centre) / size, jnp.log(length / size)], axis=1)
    coded = (differences - _four("means", means)) / _four("stds", stds)
    return coded.astype(anchor_box.dtype)


def _check_decoding(max_shape: Any, means: Any, stds: Any, wh_ratio_clip: float) -> None:
    _check_coding(means, stds)
    text = f"the 'max_shape' must be (height, width) with positive numbers, but got {max_shape!r}."
    numbers = isinstance(max_shape, tuple) and all(isinstance(v, (int, float)) for v in max_shape)
    require(numbers, text, TypeError)
    require(len(max_shape) == 2 and min(max_shape) > 0, text)
    require(wh_ratio_clip > 0, f"the 'wh_ratio_clip' must be positive, but got {wh_ratio_clip}.")


@at_construction(_check_decoding)
@op(primitive="BoundingBoxDecode", init=("max_shape", "means", "stds", "wh_ratio_clip"),
    test=lambda t: [t.case(_sample_boxes(t, 3) + 3, t.uniform(-0.1, 0.1, 3, 4), (50, 60),
                           expect=lambda a, d, _: _numpy_decode(a, d)),
                    t.case(_sample_boxes(t, 3), t.normal(3, 4), (10, 12), _ZEROS, _ONES, 0.3)])  # fmt: skip
@accepts("f", "anchor_box", "deltas")
def bounding_box_decode(anchor_box: Array, deltas: Array, max_shape: Any, means: Any = _ZEROS, stds: Any = _ONES,
                        wh_ratio_clip: float = 0.016):  # fmt: skip
    """The boxes that :func:`bounding_box_encode` made differences of, inside an image.

    Args:
        max_shape: height and width of the image; corners are moved into it.
        wh_ratio_clip: the smallest ratio of sizes (and the inverse of the largest).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bounding_box_decode(Tensor([[2.0, 2.0, 5.0, 5.0]]), Tensor([[0.25, 0.0, 0.0, 0.0]]), (9, 9)))
        [[3. 2. 6. 5.]]
    """
    _check_decoding(max_shape, means, stds, wh_ratio_clip)
    _require_pair("anchor_box", anchor_box, "deltas", deltas)
    centre, size = _centred(upcast_half(anchor_box))
    differences = upcast_half(deltas) * _four("stds", stds) + _four("means", means)
    limit = abs(math.log(wh_ratio_clip))
    middle = centre + size * differences[:, :2]
    reach = size * jnp.exp(jnp.clip(differences[:, 2:], -limit, limit)) * 0.5
    corners = jnp.concatenate([middle - reach + 0.5, middle + reach - 0.5], axis=1)
    height, width = max_shape
    return jnp.clip(corners, 0, np.array([width, height, width, height], np.float32)).astype(anchor_box.dtype)


def _numpy_decode(anchor: np.ndarray, deltas: np.ndarray) -> np.ndarray:
    centre, size = (anchor[:, :2] + anchor[:, 2:]) / 2, anchor[:, 2:] - anchor[:, :2] + 1
    middle, half = centre + size * deltas[:, :2], size * np.exp(deltas[:, 2:]) / 2
    return np.concatenate([middle - half + 0.5, middle + half - 0.5], axis=1)


_VALID_DTYPES = (dtypes.float16, dtypes.float32, dtypes.int16, dtypes.uint8)


@op(primitive="CheckValid",
    test=lambda t: [t.case(t.uniform(-2, 30, 9, 4), np.array([10, 12, 2], np.float32), grad=False,
                           expect=lambda b, m: (b[:, :2] >= 0).all(1) & (b[:, 2] <= 23) & (b[:, 3] <= 19))])  # fmt: skip
def check_valid(bboxes: Array, img_metas: Array):
    """Which boxes (N, 4) lie in an image, given by ``img_metas``: (height, width, ratio).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.check_valid(Tensor([[0.0, 0.0, 9.0, 9.0], [5.0, 5.0, 10.0, 9.0]]), Tensor([10.0, 10.0, 1.0])))
        [ True False]
    """
    for name, array in (("bboxes", bboxes), ("img_metas", img_metas)):
        found = dtypes.from_numpy(array.dtype)
        text = f"the '{name}' must have dtype Float16, Float32, Int16 or UInt8, but got {found}. Convert it with astype(mindspore.float32)."
        require(found in _VALID_DTYPES or found == dtypes.float64, text, TypeError)
    _require_boxes("bboxes", bboxes, 4)
    require(img_metas.shape == (3,), f"the 'img_metas' must have shape (3,), but got {img_metas.shape}.")
    wide = jnp.promote_types(bboxes.dtype, jnp.float32)
    boxes, (height, width, ratio) = bboxes.astype(wide), img_metas.astype(wide)
    return (boxes[:, :2] >= 0).all(1) & (boxes[:, 2] <= width * ratio - 1) & (boxes[:, 3] <= height * ratio - 1)
