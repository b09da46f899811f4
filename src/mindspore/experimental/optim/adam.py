"""Adam."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import float32
from mindspore._ops.optimizer.optimizer_adam import apply_adam, apply_adam_with_amsgrad
from mindspore.experimental.optim._arguments import check_betas, check_bools, check_not_negative
from mindspore.experimental.optim.optimizer import Optimizer

__all__ = ["Adam"]


class Adam(Optimizer):
    r"""Adaptive moment estimation.

    .. math::
        m \leftarrow \beta_1 m + (1 - \beta_1) g, \qquad v \leftarrow \beta_2 v + (1 - \beta_2) g^2, \qquad
        p \leftarrow p - lr \cdot \frac{\sqrt{1 - \beta_2^t}}{1 - \beta_1^t} \cdot \frac{m}{\sqrt{v} + \epsilon}

    The weight decay is added to the gradient; see :class:`AdamW` for the other way.

    Args:
        params: Parameters, or dicts that describe groups of them.
        lr: the learning rate.
        betas: two factors from 0 up to, but without, 1.
        eps, weight_decay: numbers of at least 0.
        amsgrad: whether the largest v so far replaces v.
        maximize: whether to climb instead of descend.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = optim.Adam([w], lr=0.5)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2.5]
    """

    def __init__(self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0.0, amsgrad: bool = False, *, maximize: bool = False):  # fmt: skip
        owner = type(self).__name__
        check_betas(owner, betas)
        check_not_negative(owner, eps=eps)
        check_bools(owner, amsgrad=amsgrad, maximize=maximize)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
                                  "maximize": maximize})  # fmt: skip
        self.exp_avg = self._keep("exp_avg")
        self.exp_avg_sq = self._keep("exp_avg_sq")
        self.max_exp_avg_sq = self._keep("max_exp_avg_sq")
        self._keep_step("state_step")

    def construct(self, gradients: Any) -> bool:
        step = ops.cast(self._next_step(), float32)
        for group, rate, members in self._by_group(gradients, self.exp_avg, self.exp_avg_sq, self.max_exp_avg_sq):
            betas = group["betas"]
            numbers = (*(beta**step for beta in betas), rate, *betas, group["eps"])
            for parameter, gradient, m, v, largest in members:
                if group["amsgrad"]:
                    apply_adam_with_amsgrad(parameter, m, v, largest, *numbers, gradient)
                else:
                    apply_adam(parameter, m, v, *numbers, gradient)
        return True
