"""Rprop."""

from __future__ import annotations

from typing import Any

from mindspore._ops.optimizer.optimizer_descent import resilient_descent
from mindspore._utils.checks import check_float_range
from mindspore._utils.refusals import type_or_value
from mindspore.experimental.optim._arguments import check_bools
from mindspore.experimental.optim.optimizer import Optimizer

__all__ = ["Rprop"]


class Rprop(Optimizer):
    r"""Resilient backpropagation: only the sign of the gradient counts.

    A step grows by the factor ``etas[1]`` while the gradient keeps its sign, and shrinks by ``etas[0]`` when the sign changes;
    then the element rests for one step. Steps begin at the learning rate.

    Args:
        params: Parameters, or dicts that describe groups of them.
        lr: the first step.
        etas: two factors with ``0 < etas[0] < 1 < etas[1]``.
        step_sizes: the smallest and the largest step.
        maximize: whether to climb instead of descend.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = optim.Rprop([w], lr=0.5)((Tensor([0.1, -3.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2.5]
    """

    def __init__(self, params: Any, lr: Any = 1e-2, etas: tuple[float, float] = (0.5, 1.2),
                 step_sizes: tuple[float, float] = (1e-6, 50), *, maximize: bool = False):  # fmt: skip
        for name, pair in (("etas", etas), ("step_sizes", step_sizes)):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise type_or_value(ValueError)(
                    f"For 'Rprop', the '{name}' must be a tuple of 2 numbers, but got {pair!r}."
                )
        check_float_range("Rprop", "etas[0]", etas[0], 0.0, 1.0, include_low=False, include_high=False)
        check_float_range("Rprop", "etas[1]", etas[1], 1.0, float("inf"), include_low=False)
        check_float_range("Rprop", "step_sizes[1]", step_sizes[1], float(step_sizes[0]), float("inf"))
        check_bools("Rprop", maximize=maximize)
        super().__init__(params, {"lr": lr, "etas": etas, "step_sizes": step_sizes, "maximize": maximize,
                                  "weight_decay": 0.0})  # fmt: skip
        self.prev = self._keep("prev")
        self.step_size = self._keep("step_size")
        self._keep_step("step_t")

    def construct(self, gradients: Any) -> bool:
        step = self._next_step()
        for group, rate, members in self._by_group(gradients, self.prev, self.step_size):
            for parameter, gradient, prev, size in members:
                resilient_descent(parameter, prev, size, gradient, rate, step, *group["etas"], *group["step_sizes"])
        return True
