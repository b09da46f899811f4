"""NAdam."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import float32
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.optimizer.optimizer_corrected import nesterov_adam, nesterov_factor
from mindspore.experimental.optim._arguments import check_betas, check_not_negative, check_positive
from mindspore.experimental.optim.optimizer import Optimizer

__all__ = ["NAdam"]


class NAdam(Optimizer):
    r"""Adam with Nesterov's look ahead.

    .. math::
        \begin{aligned}
        \mu_t &= \beta_1 \left( 1 - \tfrac{1}{2} 0.96^{t \psi} \right), \qquad
        \hat m = \frac{\mu_{t+1} m}{1 - \prod_{i=1}^{t+1} \mu_i} + \frac{(1 - \mu_t) g}{1 - \prod_{i=1}^{t} \mu_i} \\
        p &\leftarrow p - lr \cdot \frac{\hat m}{\sqrt{v / (1 - \beta_2^t)} + \epsilon}
        \end{aligned}

    with :math:`\psi` the ``momentum_decay``.

    Args:
        params: Parameters, or dicts that describe groups of them.
        lr: the learning rate.
        betas: two factors from 0 up to, but without, 1.
        eps, weight_decay, momentum_decay: numbers of at least 0.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = optim.NAdam([w], lr=0.5)((Tensor([0.0, 0.0]),))
        >>> print(w.asnumpy().round(3))
        [1. 2.]
    """

    def __init__(self, params: Any, lr: Any = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0.0, momentum_decay: float = 4e-3):  # fmt: skip
        check_betas("NAdam", betas)
        check_not_negative("NAdam", momentum_decay=momentum_decay)
        check_positive("NAdam", lr=lr, eps=eps)
        self.__dict__["mu_product"] = []
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                                  "momentum_decay": momentum_decay})  # fmt: skip
        self._keep_step("step_t")
        self.exp_avg = self._keep("exp_avg")
        self.exp_avg_sq = self._keep("exp_avg_sq")

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add Parameters with settings of their own."""
        super().add_param_group(param_group)
        product = Parameter(Tensor(1.0, float32), name=f"mu_product_{len(self.mu_product)}")
        self.mu_product = [*self.mu_product, product]

    def construct(self, gradients: Any) -> bool:
        step = self._next_step()
        groups = self._by_group(gradients, self.exp_avg, self.exp_avg_sq)
        for (group, rate, members), product in zip(groups, self.mu_product):
            settings = (*group["betas"], group["eps"], group["momentum_decay"])
            ops.assign(product, product * nesterov_factor(step, group["betas"][0], group["momentum_decay"]))
            for parameter, gradient, m, v in members:
                nesterov_adam(parameter, m, v, gradient, rate, step, product, *settings)
        return True
