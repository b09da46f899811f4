"""AdamW."""

from __future__ import annotations

from typing import Any

from mindspore._ops.optimizer.optimizer_corrected import decoupled_adam
from mindspore.experimental.optim.adam import Adam

__all__ = ["AdamW"]


class AdamW(Adam):
    r"""Adam with weight decay beside its step.

    .. math::
        p \leftarrow p - lr \cdot \lambda p - \frac{lr}{1 - \beta_1^t} \cdot
            \frac{m}{\sqrt{v / (1 - \beta_2^t)} + \epsilon}

    Args:
        params, lr, betas, eps, weight_decay, amsgrad, maximize: see :class:`Adam`.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = optim.AdamW([w], lr=0.1, weight_decay=0.5)((Tensor([0.0, 0.0]),))
        >>> print(w.asnumpy().round(3))
        [0.95 1.9 ]
    """

    def __init__(self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 1e-2, amsgrad: bool = False, *, maximize: bool = False):  # fmt: skip
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)

    def construct(self, gradients: Any) -> bool:
        step = self._next_step()
        states = (self.exp_avg, self.exp_avg_sq, self.max_exp_avg_sq)
        for group, rate, members in self._by_group(gradients, *states, decayed=False):
            settings = (group["weight_decay"], *group["betas"], group["eps"], group["amsgrad"])
            for parameter, gradient, m, v, largest in members:
                decoupled_adam(parameter, m, v, largest, gradient, rate, step, *settings)
        return True


class SpeedAdamW(AdamW):
    """AdamW as one fused operator in MindSpore; XLA fuses every optimizer's update."""
