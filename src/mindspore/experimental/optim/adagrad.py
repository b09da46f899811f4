"""Adagrad."""

from __future__ import annotations

from typing import Any

from mindspore._ops.optimizer.optimizer_adaptive import apply_adagrad_v2
from mindspore.experimental.optim._arguments import check_bools, check_not_negative, check_positive
from mindspore.experimental.optim.optimizer import Optimizer

__all__ = ["Adagrad"]


class Adagrad(Optimizer):
    r"""Steps divided by the root of the sum of all squared gradients.

    .. math::
        a \leftarrow a + g^2, \qquad p \leftarrow p - \frac{lr}{1 + (t - 1) \eta} \cdot \frac{g}{\sqrt{a} + \epsilon}

    with :math:`\eta` the ``lr_decay``.

    Args:
        params: Parameters, or dicts that describe groups of them.
        lr: the learning rate.
        lr_decay, weight_decay, initial_accumulator_value, eps: numbers of at least 0.
        maximize: whether to climb instead of descend.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = optim.Adagrad([w], lr=0.5, initial_accumulator_value=3.0)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.75 2.25]
    """

    def __init__(self, params: Any, lr: Any = 1e-2, lr_decay: float = 0.0, weight_decay: float = 0.0,
                 initial_accumulator_value: float = 0.0, eps: float = 1e-10, *, maximize: bool = False):  # fmt: skip
        check_not_negative("Adagrad", lr_decay=lr_decay, initial_accumulator_value=initial_accumulator_value)
        check_positive("Adagrad", lr=lr, eps=eps)
        check_bools("Adagrad", maximize=maximize)
        super().__init__(params, {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
                                  "initial_accumulator_value": initial_accumulator_value,
                                  "maximize": maximize})  # fmt: skip
        self.accum = self._keep("accum", initial_accumulator_value)
        self._keep_step("step_t")

    def construct(self, gradients: Any) -> bool:
        step = self._next_step()
        for group, rate, members in self._by_group(gradients, self.accum):
            slowed = rate / (1.0 + (step - 1.0) * group["lr_decay"])
            for parameter, gradient, accum in members:
                apply_adagrad_v2(parameter, accum, slowed, gradient, group["eps"])
        return True
