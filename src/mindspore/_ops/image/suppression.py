"""Non-maximum suppression: boxes chosen by score so that none overlaps a better box."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.index_form import at_hand
from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.sorting import sort
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.requirements import require, require_elements, require_float, require_rank, require_shape
from mindspore._ops.image.boxes import keep_apart


def _overlaps(boxes: Any) -> Any:
    """Intersection over union of all pairs of boxes (y1, x1, y2, x2), in any order of corners."""
    low, high = jnp.minimum(boxes[:, :2], boxes[:, 2:]), jnp.maximum(boxes[:, :2], boxes[:, 2:])
    area = (high - low).prod(-1)
    sides = jnp.maximum(jnp.minimum(high[:, None], high[None]) - jnp.maximum(low[:, None], low[None]), 0)
    common = sides.prod(-1)
    union = area[:, None] + area[None] - common
    return jnp.where(union > 0, common / jnp.where(union > 0, union, 1), 0)


def _select(overlap: Any, scores: Any, limit: Any, threshold: Any, least: Any) -> tuple[Any, Any]:
    """The boxes by descending score, kept ones first, and how many are kept."""
    order = sort(-scores, 0)[1]
    kept = keep_apart(overlap[order][:, order] > threshold, scores[order] > least)
    kept = kept & (jnp.cumsum(kept) <= limit)
    return order[sort(~kept, 0)[1]], kept.sum()


@op(public=False, test=lambda t: [t.case(
    np.array([[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, 9, 1, 10]], np.float32), np.array([0.9, 0.8, 0.7], np.float32), 3,
    0.5, 0.0, False, grad=False, expect=lambda *_: (np.array([0, 2, 1]), 2))])  # fmt: skip
def non_max_suppression_order(boxes: Array, scores: Array, max_output_size: Operand, iou_threshold: Operand,
                              score_threshold: Operand, given_overlaps: bool):  # fmt: skip
    """All boxes with the chosen ones in front, and how many those are."""
    name = "overlaps" if given_overlaps else "boxes"
    require_float(name, boxes)
    require_rank(name, boxes, 2)
    require_shape("scores", scores, boxes.shape[:1])
    columns = boxes.shape[0] if given_overlaps else 4
    require(boxes.shape[1] == columns, f"the '{name}' must have shape (N, {columns}), but got {boxes.shape}.")
    overlap = boxes.T if given_overlaps else _overlaps(boxes)
    return _select(overlap, scores, max_output_size, iou_threshold, score_threshold)


class _Suppression(Primitive):
    given_overlaps = False

    def __call__(self, boxes: Any, scores: Any, max_output_size: Any, threshold: Any, score_threshold: Any) -> Tensor:
        order, count = non_max_suppression_order(boxes, scores, max_output_size, threshold, score_threshold,
                                                 self.given_overlaps)  # fmt: skip
        number = at_hand(count)
        if number is None:
            raise RuntimeError(
                f"For '{self.name}', how many boxes stay depends on the numbers, which a compiled graph does not know. "
                "Call it outside of the graph, or take 'NMSWithMask', which marks the boxes instead."
            )
        return order[: int(number)]


@register_primitive
class NonMaxSuppressionV3(_Suppression):
    """The numbers of the boxes (y1, x1, y2, x2) that stay, by falling score.

    Its inputs are boxes, scores, the most boxes, the overlap above which the lower score goes, and the score that is
    too low.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> boxes = Tensor([[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [0.0, 9.0, 1.0, 10.0]])
        >>> print(ops.NonMaxSuppressionV3()(boxes, Tensor([0.9, 0.8, 0.7]), 3, 0.5, 0.0))
        [0 2]
    """


@register_primitive
class NonMaxSuppressionWithOverlaps(_Suppression):
    """As :class:`NonMaxSuppressionV3`, with a square matrix of overlaps in place of boxes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> overlaps = Tensor([[1.0, 0.9], [0.9, 1.0]])
        >>> print(ops.NonMaxSuppressionWithOverlaps()(overlaps, Tensor([0.7, 0.8]), 2, 0.5, 0.0))
        [1]
    """

    given_overlaps = True


# -- several classes, several images -----------------------------------------------------------------------------------
def _select_classes(boxes: Any, scores: Any, per_class: int, total: int, threshold: Any, least: Any) -> tuple[Any, ...]:
    """Boxes (N, 1 or classes, 4) and scores (N, classes) of one image: the ``total`` best boxes of all classes."""
    found = []
    for number in range(scores.shape[1]):
        own = boxes[:, min(number, boxes.shape[1] - 1)]
        order, count = _select(_overlaps(own), scores[:, number], per_class, threshold, least)
        order = order[:per_class]
        stays = np.arange(order.shape[0]) < count
        found.append((own[order], jnp.where(stays, scores[order, number], -jnp.inf), jnp.full(order.shape, number)))
    chosen, best, classes = (jnp.concatenate(parts) for parts in zip(*found, strict=True))
    order = sort(-best, 0)[1][:total]
    valid = best[order] > -jnp.inf
    rows = jnp.where(valid[:, None], chosen[order], 0)
    return rows, jnp.where(valid, best[order], 0), jnp.where(valid, classes[order], 0), valid.sum()


def _sizes(per_class: Any, total: Any, boxes: int, classes: int, pad_per_class: bool) -> tuple[int, int, int]:
    """The most boxes of a class, of an image, and the length of the result."""
    per_class, total = min(int(per_class), boxes), int(total)
    return per_class, total, min(total, int(per_class) * classes) if pad_per_class else total


@op(primitive="CombinedNonMaxSuppression", init=("pad_per_class", "clip_boxes"), public=False,
    test=lambda t: [t.case(np.array([[[[0, 0, 1, 1]], [[0, 0.1, 1, 1.1]], [[0, 9, 1, 10]]]], np.float32),
                           np.array([[[0.9], [0.8], [0.7]]], np.float32), 2, 3, 0.5, 0.0, False, False, grad=False,
                           expect=lambda *_: (np.array([[[0, 0, 1, 1], [0, 9, 1, 10], [0, 0, 0, 0]]]),
                                              np.array([[0.9, 0.7, 0]]), np.zeros((1, 3)), np.array([2])))])  # fmt: skip
@accepts("f", "scores")
@accepts("f", "iou_threshold")
@accepts("f", "score_threshold")
@accepts("i", "max_output_size_per_class")
@accepts("i", "max_total_size")
def combined_non_max_suppression(boxes: Array, scores: Array, max_output_size_per_class: int, max_total_size: int,
                                 iou_threshold: Operand, score_threshold: Operand, pad_per_class: bool = False,
                                 clip_boxes: bool = True):  # fmt: skip
    """Per image the best boxes of all classes: boxes, scores, classes, and how many there are.

    Inputs are ``boxes`` (images, N, 1 or classes, 4) and ``scores`` (images, N, classes).

    Args:
        pad_per_class: the result is no longer than ``max_output_size_per_class`` times the number of classes.
        clip_boxes: corners are moved into [0, 1].

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> boxes, scores, count = Tensor([[[[0.0, 0.0, 1.0, 1.0]]]]), Tensor([[[0.9]]]), Tensor(1, mindspore.int32)
        >>> print(ops.CombinedNonMaxSuppression()(boxes, scores, count, count, Tensor(0.5), Tensor(0.5))[1])
        [[0.9]]
    """
    require_float("boxes", boxes)
    require_rank("boxes", boxes, 4)
    require_rank("scores", scores, 3)
    images, count, classes = scores.shape
    require_elements("scores", scores, (0, 1, 2))
    wanted = (images, count, classes if boxes.shape[2] != 1 else 1, 4)
    require(boxes.shape == wanted, f"the 'boxes' must have shape {wanted}, but got {boxes.shape}.")
    per_class, total, length = _sizes(max_output_size_per_class, max_total_size, count, classes, pad_per_class)
    text = "the 'max_output_size_per_class' and 'max_total_size' must be positive"
    require(per_class > 0 and total > 0, f"{text}, but got {max_output_size_per_class} and {max_total_size}.")
    choose = jax.vmap(lambda b, s: _select_classes(b, s, per_class, length, iou_threshold, score_threshold))
    chosen, best, numbers, valid = choose(boxes, scores)
    missing = length - best.shape[1]
    if missing > 0:
        chosen = jnp.pad(chosen, ((0, 0), (0, missing), (0, 0)))
        best, numbers = (jnp.pad(array, ((0, 0), (0, missing))) for array in (best, numbers))
    chosen = jnp.clip(chosen, 0, 1) if clip_boxes else chosen
    return chosen, best, numbers.astype(scores.dtype), valid.astype(jnp.int32)
