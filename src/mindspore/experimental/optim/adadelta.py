"""Adadelta."""

from __future__ import annotations

from typing import Any

from mindspore._ops.optimizer.optimizer_adaptive import apply_adadelta
from mindspore._utils.checks import check_float_range
from mindspore.experimental.optim._arguments import check_bools, check_positive
from mindspore.experimental.optim.optimizer import Optimizer

__all__ = ["Adadelta"]


class Adadelta(Optimizer):
    r"""Steps measured by the mean square of earlier steps.

    .. math::
        a \leftarrow \rho a + (1 - \rho) g^2, \qquad u = \sqrt{\frac{d + \epsilon}{a + \epsilon}} g, \qquad
        d \leftarrow \rho d + (1 - \rho) u^2, \qquad p \leftarrow p - lr \cdot u

    Args:
        params: Parameters, or dicts that describe groups of them.
        lr: the learning rate.
        rho: a number from 0 to 1.
        eps, weight_decay: numbers of at least 0.
        maximize: whether to climb instead of descend.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = optim.Adadelta([w], rho=0.0, eps=1.0)((Tensor([0.0, 2.0]),))
        >>> print(w.asnumpy().round(3))
        [1.    1.106]
    """

    def __init__(self, params: Any, lr: Any = 1.0, rho: float = 0.9, eps: float = 1e-6, weight_decay: float = 0.0, *,
                 maximize: bool = False):  # fmt: skip
        check_float_range("Adadelta", "rho", rho, 0.0, 1.0)
        check_positive("Adadelta", lr=lr, eps=eps)
        check_bools("Adadelta", maximize=maximize)
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize})
        self.accum = self._keep("accum")
        self.accum_update = self._keep("accum_update")

    def construct(self, gradients: Any) -> bool:
        for group, rate, members in self._by_group(gradients, self.accum, self.accum_update):
            for parameter, gradient, accum, accum_update in members:
                apply_adadelta(parameter, accum, accum_update, rate, group["rho"], group["eps"], gradient)
        return True
