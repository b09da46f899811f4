"""SGD."""

from __future__ import annotations

from typing import Any

from mindspore._ops.optimizer.optimizer_descent import sgd
from mindspore.experimental.optim._arguments import check_bools, check_not_negative
from mindspore.experimental.optim.optimizer import Optimizer
from mindspore.nn.optim.optimizer import centralized

__all__ = ["SGD"]


class SGD(Optimizer):
    r"""Stochastic gradient descent, with momentum if asked for.

    .. math::
        v \leftarrow \mu v + (1 - dampening) g, \qquad p \leftarrow p - lr \cdot v

    where the first step takes :math:`v = g`; with ``nesterov`` :math:`p \leftarrow p - lr \cdot (g + \mu v)`.

    Args:
        params: Parameters, or dicts that describe groups of them.
        lr: the learning rate.
        momentum, dampening, weight_decay: numbers of at least 0.
        nesterov: whether to look ahead; needs momentum and no dampening.
        maximize: whether to climb instead of descend.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = optim.SGD([w], 0.5)((Tensor([1.0, 1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 1.5]
    """

    def __init__(self, params: Any, lr: Any, momentum: float = 0, dampening: float = 0, weight_decay: float = 0.0,
                 nesterov: bool = False, *, maximize: bool = False):  # fmt: skip
        check_not_negative("SGD", momentum=momentum, dampening=dampening)
        check_bools("SGD", nesterov=nesterov, maximize=maximize)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must equal to 0.0, but got 'momentum' "
                f"{momentum}, 'dampening' {dampening}."
            )
        super().__init__(params, {"lr": lr, "momentum": float(momentum), "dampening": float(dampening),
                                  "weight_decay": weight_decay, "nesterov": nesterov, "maximize": maximize,
                                  "grad_centralization": False})  # fmt: skip
        self.accum = self._keep("accum")
        self.stat = self._keep("stat", "ones")

    def construct(self, gradients: Any) -> bool:
        for group, rate, members in self._by_group(gradients, self.accum, self.stat):
            for parameter, gradient, accum, stat in members:
                gradient = centralized(gradient) if group["grad_centralization"] else gradient
                sgd(
                    parameter,
                    gradient,
                    rate,
                    accum,
                    group["momentum"],
                    stat,
                    group["dampening"],
                    0.0,
                    group["nesterov"],
                )
        return True
