"""ASGD."""

from __future__ import annotations

from typing import Any

from mindspore._ops.optimizer.optimizer_corrected import averaged_descent_at
from mindspore._utils.checks import check_type
from mindspore.experimental.optim._arguments import check_bools
from mindspore.experimental.optim.optimizer import Optimizer

__all__ = ["ASGD"]


class ASGD(Optimizer):
    r"""Averaged stochastic gradient descent.

    .. math::
        \eta = \frac{lr}{(1 + \lambda \cdot lr \cdot (t - 1))^\alpha}, \qquad
        p \leftarrow (1 - \lambda \eta) p - \eta g, \qquad a \leftarrow a + \frac{p - a}{\max(1, t - 1 - t_0)}

    The averages a are kept in ``ax``.

    Args:
        params: Parameters, or dicts that describe groups of them.
        lr: the learning rate.
        lambd, alpha, t0: the decay, the power of the falling rate, and the step at which averaging begins.
        weight_decay: a number of at least 0.
        maximize: whether to climb instead of descend.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = optim.ASGD([w], lr=0.5, lambd=0.0)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2.5]
    """

    def __init__(self, params: Any, lr: Any = 1e-2, lambd: float = 1e-4, alpha: float = 0.75, t0: float = 1e6,
                 weight_decay: float = 0.0, maximize: bool = False):  # fmt: skip
        for name, value in (("lambd", lambd), ("alpha", alpha), ("t0", t0)):
            check_type("ASGD", name, value, (int, float))
        check_bools("ASGD", maximize=maximize)
        super().__init__(params, {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay,
                                  "maximize": maximize})  # fmt: skip
        self.ax = self._keep("ax")
        self._keep_step("step_t")

    def construct(self, gradients: Any) -> bool:
        step = self._next_step()
        for group, rate, members in self._by_group(gradients, self.ax):
            for parameter, gradient, ax in members:
                averaged_descent_at(parameter, ax, gradient, rate, step, group["lambd"], group["alpha"], group["t0"])
        return True
