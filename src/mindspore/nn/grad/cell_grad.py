"""Directional derivatives of networks as Cells."""

from __future__ import annotations

from typing import Any

from mindspore._engine.transforms.gradients import GradOperation, jvp
from mindspore._utils.checks import check_callable
from mindspore.nn.cell import Cell

__all__ = ["Jvp", "Vjp"]


class Jvp(Cell):
    """The output of a network and its derivative along a direction.

    Args:
        fn: the network or function.

    Called with the inputs of the network and, last, the direction: a Tensor, or a tuple with one Tensor per input.

    Examples:
        >>> from mindspore import Tensor, nn, ops
        >>> print(*nn.Jvp(ops.square)(Tensor(3.0), Tensor(2.0)))
        9.0 12.0
    """

    def __init__(self, fn: Any):
        super().__init__()
        self.fn = check_callable("Jvp", "fn", fn)

    def construct(self, *args: Any) -> Any:
        *inputs, direction = args
        return jvp(self.fn, tuple(inputs), direction if isinstance(direction, tuple) else (direction,))


class Vjp(Cell):
    """The output of a network and the gradients of its inputs, weighted by a Tensor of the output's shape.

    Args:
        fn: the network or function.

    Called with the inputs of the network and, last, the weights. One input gives a Tensor, several a tuple.

    Examples:
        >>> from mindspore import Tensor, nn, ops
        >>> print(*nn.Vjp(ops.square)(Tensor(3.0), Tensor(2.0)))
        9.0 12.0
    """

    def __init__(self, fn: Any):
        super().__init__()
        self.fn = check_callable("Vjp", "fn", fn)
        self.grad = GradOperation(get_all=True, sens_param=True)

    def construct(self, *args: Any) -> Any:
        output = self.fn(*args[:-1])
        gradients = self.grad(self.fn)(*args)
        return output, gradients[0] if len(gradients) == 1 else gradients
