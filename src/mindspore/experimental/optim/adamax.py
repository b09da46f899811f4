"""Adamax."""

from __future__ import annotations

from typing import Any

from mindspore._ops.optimizer.optimizer_corrected import corrected_adamax
from mindspore.experimental.optim._arguments import check_betas, check_bools, check_positive
from mindspore.experimental.optim.optimizer import Optimizer

__all__ = ["Adamax"]


class Adamax(Optimizer):
    r"""Adam with the running maximum of gradients instead of the mean square.

    .. math::
        m \leftarrow \beta_1 m + (1 - \beta_1) g, \qquad n \leftarrow \max(\beta_2 n, |g| + \epsilon), \qquad
        p \leftarrow p - \frac{lr}{1 - \beta_1^t} \cdot \frac{m}{n}

    Args:
        params: Parameters, or dicts that describe groups of them.
        lr: the learning rate.
        betas: two factors from 0 up to, but without, 1.
        eps, weight_decay: numbers of at least 0.
        maximize: whether to climb instead of descend.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = optim.Adamax([w], lr=0.5)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2.5]
    """

    def __init__(self, params: Any, lr: Any = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0.0, *, maximize: bool = False):  # fmt: skip
        check_betas("Adamax", betas)
        check_positive("Adamax", lr=lr, eps=eps)
        check_bools("Adamax", maximize=maximize)
        super().__init__(
            params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        )
        self._keep_step("step_t")
        self.exp_avg = self._keep("exp_avg")
        self.exp_inf = self._keep("exp_inf")

    def construct(self, gradients: Any) -> bool:
        step = self._next_step()
        for group, rate, members in self._by_group(gradients, self.exp_avg, self.exp_inf):
            for parameter, gradient, m, norm in members:
                corrected_adamax(parameter, m, norm, gradient, rate, step, *group["betas"], group["eps"])
        return True
