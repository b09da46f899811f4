"""Gradients of several batches for one step of the optimizer."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_positive_int, check_type
from mindspore.common import dtype as mstype
from mindspore.common.initializer import initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.optim.optimizer import Optimizer

__all__ = ["GradientAccumulation", "gradient_accumulation_op", "gradient_clear_op"]

gradient_accumulation_op = ops.MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op = ops.MultitypeFuncGraph("gradient_clear_op")


@gradient_accumulation_op.register("Int64", "Tensor", "Tensor")
def _accumulate(accumulation_step: int, cumulative_grad: Parameter, grad: Tensor) -> Tensor:
    """Add the share of one batch in the mean of all."""
    return ops.assign_add(cumulative_grad, (grad / accumulation_step).astype(cumulative_grad.dtype))


@gradient_clear_op.register("Tensor")
def _clear(cumulative_grad: Parameter) -> Tensor:
    """Begin with zero again."""
    return ops.assign(cumulative_grad, ops.zeros_like(cumulative_grad))


class GradientAccumulation(Cell):
    """Calls the optimizer once for several batches, with the mean of their gradients.

    Args:
        max_accumulation_step: for how many batches.
        optimizer: what changes the Parameters.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> from mindspore.boost import GradientAccumulation
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> accumulate = GradientAccumulation(2, nn.SGD([weight], 0.5))
        >>> for gradient in (1.0, 3.0):
        ...     loss = accumulate(Tensor(0.0), (Tensor([gradient]),))
        ...     print(weight.asnumpy())
        [1.]
        [0.]
    """

    def __init__(self, max_accumulation_step: int, optimizer: Optimizer):
        super().__init__()
        owner = "GradientAccumulation"
        self._max_accumulation_step = check_positive_int(owner, "max_accumulation_step", max_accumulation_step)
        self.optimizer = check_type(owner, "optimizer", optimizer, Optimizer)
        self.weights = optimizer.parameters
        self.hyper_map = ops.HyperMap()
        self._grad_accumulation = self.weights.clone(prefix="grad_accumulation", init="zeros")
        self._accumulation_step = Parameter(initializer(0, [], mstype.int32), name="accumulation_step")

    def construct(self, loss: Tensor, grads: tuple[Any, ...]) -> Any:
        """The loss, unchanged."""
        self.hyper_map(
            ops.partial(gradient_accumulation_op, self._max_accumulation_step), self._grad_accumulation, grads
        )
        step = ops.assign_add(self._accumulation_step, 1)
        if step >= self._max_accumulation_step:
            self.optimizer(self._grad_accumulation)
            self.hyper_map(ops.partial(gradient_clear_op), self._grad_accumulation)
            ops.assign(self._accumulation_step, 0)
        return loss
