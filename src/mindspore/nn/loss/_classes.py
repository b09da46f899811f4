"""Losses of class scores against classes."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._ops.nn.label_loss import softmax_cross_entropy
from mindspore._utils.checks import check_bool, check_float_range, check_int, check_positive_int, check_type
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell.primitives import changed, primitives
from mindspore.nn.layer.activation import LogSoftmax
from mindspore.nn.loss._base import LossBase, check_weight


@primitives(
    softmax_cross_entropy=ops.SoftmaxCrossEntropyWithLogits,
    one_hot=ops.OneHot,
    sparse_softmax_cross_entropy=ops.SparseSoftmaxCrossEntropyWithLogits,
)
class SoftmaxCrossEntropyWithLogits(LossBase):
    """The cross entropy between the softmax of logits (N, C) and labels.

    Args:
        sparse: whether labels are class indices (N,) of dtype int32 or int64, rather than probabilities (N, C).
        reduction: 'none' (a loss per row) unless 'mean' or 'sum' is asked for.

    A class index outside of [0, C) counts as a loss of 0.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        >>> print(loss(Tensor([[0.0, 0.0], [1.0, 1.0]]), Tensor([0, 1], ms.int32)))
        0.6931472
    """

    def __init__(self, sparse: bool = False, reduction: str = "none"):
        super().__init__(reduction)
        self.sparse = check_bool("SoftmaxCrossEntropyWithLogits", "sparse", sparse)
        self.on_value, self.off_value = Tensor(1.0, mstype.float32), Tensor(0.0, mstype.float32)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        if changed(self, "softmax_cross_entropy", "sparse_softmax_cross_entropy", "one_hot"):
            return self._by_parts(logits, labels)
        return softmax_cross_entropy(logits, labels, self.sparse, self.reduction)

    def _by_parts(self, logits: Tensor, labels: Tensor) -> Tensor:
        """The same by the layer's Primitives, which the program sharded or replaced."""
        if self.sparse and self.reduction == "mean":
            return self.sparse_softmax_cross_entropy(logits, labels)
        if self.sparse:
            labels = self.one_hot(labels, logits.shape[-1], self.on_value, self.off_value)
        return self.get_loss(self.softmax_cross_entropy(logits, labels)[0])


class CrossEntropyLoss(LossBase):
    """The cross entropy of logits (N, C, ...) against class indices (N, ...) or probabilities (N, C, ...).

    Args:
        weight: a weight for every class.
        ignore_index: a class index that does not count.
        reduction: 'mean' (weighted), 'sum' or 'none'.
        label_smoothing: what part of the labels is spread over all classes, in [0.0, 1.0].

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> print(nn.CrossEntropyLoss()(Tensor([[0.0, 0.0]]), Tensor([1], ms.int32)))
        0.6931472
    """

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean",
                 label_smoothing: float = 0.0):  # fmt: skip
        super().__init__(reduction)
        self.weight = check_weight("CrossEntropyLoss", weight)
        self.ignore_index = check_int("CrossEntropyLoss", "ignore_index", ignore_index)
        check_type("CrossEntropyLoss", "label_smoothing", label_smoothing, float)
        self.label_smoothing = check_float_range("CrossEntropyLoss", "label_smoothing", label_smoothing, 0.0, 1.0)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.cross_entropy(logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing)


class NLLLoss(LossBase):
    """Minus the log-probability (N, C, ...) of the target class (N, ...).

    Args:
        weight: a weight for every class.
        ignore_index: a class index that does not count.
        reduction: 'mean' (weighted), 'sum' or 'none'.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> print(nn.NLLLoss()(Tensor([[-1.0, -3.0]]), Tensor([1], ms.int32)))
        3.0
    """

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean"):
        super().__init__(reduction)
        self.weight = check_weight("NLLLoss", weight)
        self.ignore_index = check_int("NLLLoss", "ignore_index", ignore_index)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


@primitives(
    expand_dims=ops.ExpandDims, gather_d=ops.GatherD, squeeze=lambda _: ops.Squeeze(1), tile=ops.Tile, dtype=ops.DType
)
class FocalLoss(LossBase):
    """The cross entropy with confident predictions weighing less: ``-(1 - p) ** gamma * log(p)``.

    Args:
        weight: a weight for every class.
        gamma: how much less, a float.
        reduction: 'mean', 'sum' or 'none'.

    Inputs:
        logits: (N, C), (N, C, L) or (N, C, H, W).
        labels: class indices (N, 1, ...), or 0 and 1 in the shape of the logits.

    The loss of a sample is the mean over its positions.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> print(nn.FocalLoss(gamma=1.0)(Tensor([[0.0, 0.0]]), Tensor([[1]], ms.int32)))
        0.3465736
    """

    def __init__(self, weight: Tensor | None = None, gamma: float = 2.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.gamma = check_type("FocalLoss", "gamma", gamma, float)
        self.weight = check_weight("FocalLoss", weight)
        if weight is not None and weight.ndim != 1:
            raise refused(
                ValueError, f"For 'FocalLoss', the 'weight' must have 1 dimension, but got shape {weight.shape}."
            )
        self.logsoftmax = LogSoftmax(1)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        for name, value in (("logits", logits), ("labels", labels)):
            if not 2 <= value.ndim <= 4:
                raise refused(
                    ValueError,
                    f"For 'FocalLoss', the '{name}' must have 2 to 4 dimensions, but got shape {value.shape}.",
                )
        count, classes = logits.shape[:2]
        scores = self.logsoftmax(logits).reshape((count, classes, -1))
        target = labels.reshape((count, labels.shape[1], -1))
        by_index = target.shape[1] == 1
        if by_index:
            return self._of_classes(scores, target)
        loss = -ops.pow(1.0 - ops.exp(scores), self.gamma) * scores * target
        if self.weight is not None:
            loss = loss * self.weight.reshape((1, -1, 1))
        return self.get_loss(loss.mean(-1))

    def _of_classes(self, scores: Tensor, target: Tensor) -> Tensor:
        """The loss against class indices (N, 1, positions)."""
        chosen = ops.gather_d(scores, 1, target)
        loss = -ops.pow(1.0 - ops.exp(chosen), self.gamma) * chosen
        if self.weight is not None:
            loss = loss * ops.gather(self.weight, target, 0)
        return self.get_loss(ops.sum(loss.mean(-1), 1))


@primitives(
    reshape=ops.Reshape,
    shape=ops.Shape,
    exp=ops.Exp,
    log=ops.Log,
    slice_op=ops.Slice,
    matmul=lambda _: ops.MatMul(transpose_b=True),
    gather_v2=ops.Gather,
    reduce_max_true=lambda _: ops.ReduceMax(True),
    reduce_sum_true=lambda _: ops.ReduceSum(True),
    concat_dim0=lambda _: ops.Concat(0),
    concat_dim1=lambda _: ops.Concat(1),
    ones_like=ops.OnesLike,
    zeros_like=ops.ZerosLike,
    expand_dims=ops.ExpandDims,
    dtype=ops.DType,
)
class SampledSoftmaxLoss(LossBase):
    """The softmax cross entropy over the true classes and some random classes, for very many classes.

    Args:
        num_sampled: how many random classes.
        num_classes: how many classes there are.
        num_true: how many true classes each sample has.
        sampled_values: the random classes and the expected counts of true and random classes, instead of drawing them.
        remove_accidental_hits: whether random classes that are true for a sample do not count for it.
        seed: of the random classes.
        reduction: 'none' unless 'mean' or 'sum' is asked for.

    Inputs:
        weights: of the last layer, (C, D).
        biases: of the last layer, (C,).
        labels: classes, (N, num_true) or (N,).
        logits: the inputs of the last layer, (N, D).

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn, ops
        >>> loss = nn.SampledSoftmaxLoss(num_sampled=2, num_classes=5)
        >>> print(loss(ops.ones((5, 3)), ops.zeros(5), Tensor([[1], [4]], ms.int32), ops.ones((2, 3))).shape)
        (2,)
    """

    def __init__(self, num_sampled: int, num_classes: int, num_true: int = 1, sampled_values: Any = None,
                 remove_accidental_hits: bool = True, seed: int = 0, reduction: str = "none"):  # fmt: skip
        super().__init__(reduction)
        owner = "SampledSoftmaxLoss"
        self.num_sampled = check_positive_int(owner, "num_sampled", num_sampled)
        self.num_classes = check_positive_int(owner, "num_classes", num_classes)
        self.num_true = check_positive_int(owner, "num_true", num_true)
        for name, value in (("num_sampled", num_sampled), ("num_true", num_true)):
            if value > num_classes:
                raise refused(
                    ValueError,
                    f"For '{owner}', the '{name}' must not exceed 'num_classes', but got {value} and {num_classes}.",
                )
        self.sampled_values = self._checked_samples(sampled_values)
        self.remove_accidental_hits = remove_accidental_hits
        self.seed = seed
        self.sampler = ops.UniformCandidateSampler(num_true, num_sampled, True, num_classes, seed)

    @staticmethod
    def _checked_samples(samples: Any) -> tuple[Any, ...] | None:
        if samples is None:
            return None
        check_type("SampledSoftmaxLoss", "sampled_values", samples, (list, tuple))
        if len(samples) != 3:
            raise refused(
                ValueError,
                "For 'SampledSoftmaxLoss', the 'sampled_values' must hold 3 Tensors (classes, expected counts of true and of "
                f"random classes), but got {len(samples)}.",
            )
        return tuple(samples)

    def construct(self, weights: Tensor, biases: Tensor, labels: Tensor, logits: Tensor) -> Tensor:
        labels = labels.reshape((-1, self.num_true))
        classes, true_count, random_count = self.sampled_values or self.sampler(labels)
        true_scores = (ops.gather(weights, labels, 0) * logits.expand_dims(1)).sum(-1) + ops.gather(biases, labels, 0)
        scores = ops.matmul(logits, ops.gather(weights, classes, 0).T) + ops.gather(biases, classes, 0)
        scores = scores - ops.log(random_count)
        if self.remove_accidental_hits:
            hits = ops.any(labels.expand_dims(2) == classes, 1)
            scores = ops.select(hits, ops.full_like(scores, -1e30), scores)
        everything = ops.concat((true_scores - ops.log(true_count), scores), 1)
        loss = -ops.log_softmax(everything, 1)[:, : self.num_true].mean(1)
        return self.get_loss(loss)
