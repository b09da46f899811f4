"""What all losses share: the reduction."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import float32
from mindspore._utils.refusals import WrongObject, refused, type_or_value
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell

REDUCTIONS = ("mean", "sum", "none")


class LossBase(Cell):
    """The base of losses: ``get_loss`` applies the weights and the reduction to a loss per element.

    Args:
        reduction: 'mean', 'sum', or 'none' for the loss per element.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> class Distance(nn.LossBase):
        ...     def construct(self, logits, labels):
        ...         return self.get_loss((logits - labels).abs())
        >>> print(Distance("sum")(Tensor([1.0, 2.0]), Tensor([3.0, 3.0])))
        3.0
    """

    def __init__(self, reduction: str = "mean"):
        super().__init__()
        self.reduction = check_reduction(type(self).__name__, reduction)
        # the names below are used by subclasses in programs
        self.average = reduction != "sum"
        self.reduce = reduction != "none"
        self.reduce_mean = ops.ReduceMean()
        self.reduce_sum = ops.ReduceSum()
        self.mul = ops.Mul()
        self.cast = ops.Cast()

    def get_axis(self, x: Tensor) -> tuple[int, ...]:
        """All axes of a Tensor."""
        return tuple(range(x.ndim))

    def get_loss(self, x: Tensor, weights: Any = 1.0) -> Tensor:
        """The weighted loss per element, or its mean or sum; computed in float32, given in the dtype of ``x``."""
        loss = ops.cast(x, float32) * ops.cast(weights, float32)
        if self.reduce:
            loss = (
                self.reduce_mean(loss, self.get_axis(loss))
                if self.average
                else self.reduce_sum(loss, self.get_axis(loss))
            )
        return ops.cast(loss, x.dtype)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The loss; every loss defines its own."""
        raise NotImplementedError(f"For '{type(self).__name__}', the method 'construct' must be defined.")


class _Loss(LossBase):
    """The name of LossBase in MindSpore 1.x."""


def check_reduction(owner: str, reduction: Any, allowed: tuple[str, ...] = REDUCTIONS) -> str:
    """Check the name of a reduction; whatever is no such name is a ValueError, as in MindSpore."""
    if not isinstance(reduction, str) or reduction not in allowed:
        kind = ValueError if isinstance(reduction, str) else type_or_value(ValueError)
        raise refused(kind, f"For '{owner}', the 'reduction' must be in {list(allowed)}, but got {reduction!r}.")
    return reduction


def check_weight(owner: str, weight: Any, name: str = "weight") -> Tensor | None:
    """Check for a Tensor of weights, or None."""
    if weight is not None and not isinstance(weight, Tensor):
        kind = type(weight).__name__
        raise refused(
            WrongObject,
            f"For '{owner}', the '{name}' must be a Tensor or None, but got type '{kind}'. Write Tensor(...).",
        )
    return weight
