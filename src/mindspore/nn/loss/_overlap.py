"""Losses by how far two sets overlap."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_one_of, check_type
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn._rates import check_rate
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer.activation import activation_of
from mindspore.nn.loss._base import LossBase, check_weight

_ACTIVATIONS = ("softmax", "logsoftmax", "relu", "relu6", "tanh", "sigmoid")


def _check_same_shape(owner: str, logits: Tensor, label: Tensor) -> None:
    if logits.shape != label.shape:
        raise refused(
            ValueError,
            f"For '{owner}', the 'logits' and 'label' must have the same shape, but got {logits.shape} and {label.shape}.",
        )


@primitives(reshape=ops.Reshape)
class DiceLoss(LossBase):
    """``1 - 2 * sum(logits * label) / (sum(logits ** 2) + sum(label ** 2) + smooth)``: 0 for sets that agree.

    Args:
        smooth: keeps the denominator above 0, a float above 0.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.DiceLoss(smooth=1.0)(Tensor([[1.0, 1.0]]), Tensor([[1.0, 0.0]])))
        0.5
    """

    def __init__(self, smooth: float = 1e-5):
        super().__init__()
        self.smooth = check_rate("DiceLoss", "smooth", smooth)

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        _check_same_shape("DiceLoss", logits, label)
        logits, label = logits.reshape((1, 1, -1)), label.reshape((1, 1, -1))
        return self.per_class(logits, label)[0]

    def per_class(self, logits: Tensor, label: Tensor) -> Tensor:
        """The loss of every class of (N, C, ...)."""
        axes = (0, *range(2, logits.ndim))
        shared = (logits * label).sum(axes)
        return 1 - 2 * shared / ((logits * logits).sum(axes) + (label * label).sum(axes) + self.smooth)


@primitives(reshape=ops.Reshape)
class MultiClassDiceLoss(LossBase):
    """The mean of the dice losses of all classes (axis 1).

    Args:
        weights: weights (C, K) that multiply the losses of the classes.
        ignore_indiex: a class that does not count.
        activation: applied to the logits first: 'softmax', 'logsoftmax', 'relu', 'relu6', 'tanh', 'sigmoid', a Cell or None.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MultiClassDiceLoss(activation=None)(Tensor([[1.0, 1.0]]), Tensor([[1.0, 1.0]])) < 1e-5)
        True
    """

    def __init__(self, weights: Tensor | None = None, ignore_indiex: int | None = None, activation: Any = "softmax"):
        super().__init__()
        owner = "MultiClassDiceLoss"
        self.binarydiceloss = DiceLoss(smooth=1e-5)
        self.weights = check_weight(owner, weights, "weights")
        if weights is not None and weights.ndim != 2:
            raise refused(
                ValueError, f"For '{owner}', the 'weights' must have 2 dimensions, but got shape {weights.shape}."
            )
        self.ignore_indiex = check_type(owner, "ignore_indiex", ignore_indiex, (int, type(None)))
        if isinstance(activation, str):
            check_one_of(owner, "activation", activation, _ACTIVATIONS)
        self.activation = activation_of(owner, activation)

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        _check_same_shape("MultiClassDiceLoss", logits, label)
        if logits.ndim < 2:
            raise refused(
                ValueError,
                f"For 'MultiClassDiceLoss', the 'logits' must have at least 2 dimensions, but got shape {logits.shape}.",
            )
        if self.activation is not None:
            logits = self.activation(logits)
        classes = label.shape[1]
        losses = self.binarydiceloss.per_class(logits, label)
        if self.weights is not None:
            losses = losses.expand_dims(1) * self.weights
        if self.ignore_indiex is not None and 0 <= self.ignore_indiex < classes:
            counted = ops.arange(classes) != self.ignore_indiex
            losses = losses * counted.reshape((classes,) + (1,) * (losses.ndim - 1))
        return losses.sum(0) / classes
