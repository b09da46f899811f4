"""RAdam."""

from __future__ import annotations

from typing import Any

from mindspore._ops.optimizer.optimizer_corrected import rectified_adam
from mindspore.experimental.optim._arguments import check_betas, check_positive
from mindspore.experimental.optim.optimizer import Optimizer

__all__ = ["RAdam"]


class RAdam(Optimizer):
    r"""Adam that waits for a variance it can rely on.

    .. math::
        \rho_t = \rho_\infty - \frac{2 t \beta_2^t}{1 - \beta_2^t}, \qquad \rho_\infty = \frac{2}{1 - \beta_2} - 1, \qquad
        r_t = \sqrt{\frac{(\rho_t - 4)(\rho_t - 2) \rho_\infty}{(\rho_\infty - 4)(\rho_\infty - 2) \rho_t}}

    Up to :math:`\rho_t = 5` a step is :math:`lr \cdot \hat m`, beyond it :math:`lr \cdot r_t \hat m / \sqrt{\hat v}`.

    Args:
        params: Parameters, or dicts that describe groups of them.
        lr: the learning rate.
        betas: two factors from 0 up to, but without, 1.
        eps, weight_decay: numbers of at least 0.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = optim.RAdam([w], lr=0.5)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2.5]
    """

    def __init__(self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0.0):  # fmt: skip
        check_betas("RAdam", betas)
        check_positive("RAdam", lr=lr, eps=eps)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})
        self._keep_step("step_t")
        self.exp_avg = self._keep("exp_avg")
        self.exp_avg_sq = self._keep("exp_avg_sq")

    def construct(self, gradients: Any) -> bool:
        step = self._next_step()
        for group, rate, members in self._by_group(gradients, self.exp_avg, self.exp_avg_sq):
            for parameter, gradient, m, v in members:
                rectified_adam(parameter, m, v, gradient, rate, step, *group["betas"], group["eps"])
        return True
