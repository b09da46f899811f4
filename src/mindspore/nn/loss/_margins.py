"""Losses that compare inputs with each other or with a margin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_callable, check_float_range, check_one_of, check_type
from mindspore.common.tensor import Tensor
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.loss._base import LossBase, check_weight


@primitives(maximum=ops.Maximum)
class CosineEmbeddingLoss(LossBase):
    """``1 - cosine`` of two inputs where the label is 1, what the cosine exceeds the margin by where it is -1.

    Args:
        margin: a float in [-1.0, 1.0].
        reduction: 'mean', 'sum' or 'none'.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> loss = nn.CosineEmbeddingLoss(margin=0.25)
        >>> print(loss(Tensor([[3.0, 0.0]]), Tensor([[2.0, 0.0]]), Tensor([-1], ms.int32)))
        0.75
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean"):
        super().__init__(reduction)
        check_type("CosineEmbeddingLoss", "margin", margin, float)
        self.margin = check_float_range("CosineEmbeddingLoss", "margin", margin, -1.0, 1.0)

    def construct(self, logits_x1: Tensor, logits_x2: Tensor, labels: Tensor) -> Tensor:
        return ops.cosine_embedding_loss(logits_x1, logits_x2, labels, self.margin, self.reduction)


class MarginRankingLoss(LossBase):
    """0 where the first input ranks above the second by the margin (target 1), or below it (target -1).

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MarginRankingLoss(0.5)(Tensor([1.0]), Tensor([3.0]), Tensor([1.0])))
        2.5
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.margin = check_type("MarginRankingLoss", "margin", margin, (float, int))

    def construct(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return ops.margin_ranking_loss(input1, input2, target, float(self.margin), self.reduction)


class HingeEmbeddingLoss(LossBase):
    """The input where the label is 1, what it falls below the margin by where it is -1.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.HingeEmbeddingLoss(reduction="none")(Tensor([0.5, 0.25]), Tensor([1.0, -1.0])))
        [0.5  0.75]
    """

    def __init__(self, margin: float = 1.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.margin = check_type("HingeEmbeddingLoss", "margin", margin, (float, int))

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.hinge_embedding_loss(logits, labels, float(self.margin), self.reduction)


class SoftMarginLoss(LossBase):
    """``log(1 + exp(-label * logit))`` for labels 1 and -1.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.SoftMarginLoss()(Tensor([0.0]), Tensor([1.0])))
        0.6931472
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.soft_margin_loss(logits, labels, self.reduction)


class MultiLabelSoftMarginLoss(LossBase):
    """The cross entropy of the sigmoid of every class score, averaged over the classes.

    Args:
        weight: a weight for every class.
        reduction: 'mean', 'sum' or 'none'.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MultiLabelSoftMarginLoss()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]])))
        0.6931472
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean"):
        super().__init__(reduction)
        self.weight = check_weight("MultiLabelSoftMarginLoss", weight)

    def construct(self, x: Tensor, target: Tensor) -> Tensor:
        return ops.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


@primitives(multi_margin_loss=lambda net: ops.MultiMarginLoss(net.p, net.margin, net.reduction))
class MultiMarginLoss(LossBase):
    """How far other classes come within the margin of the target class, to the power ``p``, averaged over classes.

    Args:
        p: 1 or 2.
        margin: a float.
        reduction: 'mean', 'sum' or 'none'.
        weight: a weight for every class.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MultiMarginLoss()(Tensor([[0.0, 1.0]]), Tensor([0])))
        1.0
    """

    def __init__(self, p: int = 1, margin: float = 1.0, reduction: str = "mean", weight: Tensor | None = None):
        super().__init__(reduction)
        self.p = check_one_of("MultiMarginLoss", "p", p, (1, 2))
        self.margin = check_type("MultiMarginLoss", "margin", margin, float)
        self.weight = check_weight("MultiMarginLoss", weight)

    def construct(self, x: Tensor, target: Tensor, weight: Tensor | None = None) -> Tensor:
        weight = self.weight if weight is None else weight
        return self.multi_margin_loss(x, target, weight)


@primitives(multilabel_margin_loss=lambda net: ops.MultilabelMarginLoss(net.reduction))
class MultilabelMarginLoss(LossBase):
    """How far other classes come within 1 of each target class; a row lists classes up to the first negative number.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> print(nn.MultilabelMarginLoss()(Tensor([[0.5, 1.0, 0.0]]), Tensor([[1, -1, 0]], ms.int32)))
        0.16666667
    """

    def construct(self, x: Tensor, target: Tensor) -> Tensor:
        return ops.multilabel_margin_loss(x, target, self.reduction)


class TripletMarginLoss(LossBase):
    """What the anchor is nearer to the negative than to the positive, up to the margin, in the p-norm.

    Args:
        p: the norm.
        swap: whether the distance of positive and negative counts where it is smaller than that of the anchor.
        eps: added to differences.
        reduction: 'mean', 'sum' or 'none'.
        margin: a float; the call may give another.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> near, far = Tensor([[1.0, 0.0]]), Tensor([[4.0, 0.0]])
        >>> print(nn.TripletMarginLoss(eps=0.0)(Tensor([[0.0, 0.0]]), far, near))
        4.0
    """

    def __init__(
        self, p: int = 2, swap: bool = False, eps: float = 1e-06, reduction: str = "mean", margin: float = 1.0
    ):
        super().__init__(reduction)
        owner = "TripletMarginLoss"
        self.p = check_type(owner, "p", p, (int, float))
        self.swap = check_bool(owner, "swap", swap)
        self.eps = check_type(owner, "eps", eps, (int, float))
        self.margin = check_type(owner, "margin", margin, (int, float))

    def construct(self, x: Tensor, positive: Tensor, negative: Tensor, margin: Any = None) -> Tensor:
        margin = self.margin if margin is None else margin
        if isinstance(margin, Tensor):
            return self.get_loss(_excess(self._distance, x, positive, negative, margin, self.swap))
        return ops.triplet_margin_loss(
            x, positive, negative, float(margin), self.p, float(self.eps), self.swap, self.reduction
        )

    def _distance(self, x: Tensor, y: Tensor) -> Tensor:
        return ops.norm(x - y + self.eps, self.p, -1)


@primitives(maximum=ops.Maximum, minimum=ops.Minimum)
class TripletMarginWithDistanceLoss(LossBase):
    """What the anchor is nearer to the negative than to the positive, up to the margin, by a distance of your own.

    Args:
        distance_function: takes two Tensors; by default the Euclidean distance along the last axis.
        swap: whether the distance of positive and negative counts where it is smaller than that of the anchor.
        reduction: 'mean', 'sum' or 'none'.
        margin: a float.

    Examples:
        >>> from mindspore import Tensor, nn, ops
        >>> loss = nn.TripletMarginWithDistanceLoss(lambda x, y: ops.abs(x - y).max(axis=-1))
        >>> print(loss(Tensor([[0.0, 0.0]]), Tensor([[4.0, 1.0]]), Tensor([[0.0, 2.0]])))
        3.0
    """

    def __init__(self, distance_function: Callable[..., Tensor] | None = None, swap: bool = False, reduction: str = "mean",
                 margin: float = 1.0):  # fmt: skip
        super().__init__(reduction)
        owner = "TripletMarginWithDistanceLoss"
        if distance_function is not None:
            check_callable(owner, "distance_function", distance_function)
        self.distance_function = distance_function
        self.swap = check_bool(owner, "swap", swap)
        self.margin = check_type(owner, "margin", margin, float)

    def construct(self, x: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        if self.distance_function is None:
            return ops.triplet_margin_loss(x, positive, negative, self.margin, 2, 0.0, self.swap, self.reduction)
        return self.get_loss(_excess(self.distance_function, x, positive, negative, self.margin, self.swap))


def _excess(
    distance: Callable[..., Tensor], x: Tensor, positive: Tensor, negative: Tensor, margin: Any, swap: bool
) -> Tensor:
    """The loss of triplets by any distance."""
    other = distance(x, negative)
    if swap:
        other = ops.minimum(other, distance(positive, negative))
    return ops.relu(distance(x, positive) - other + margin)
