"""AdaMax."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import float32
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.optim._arguments import check_betas, check_positive
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["AdaMax"]


@primitives(opt=ops.ApplyAdaMax)
class AdaMax(Optimizer):
    r"""Adam with the running maximum of gradients instead of the mean square.

    .. math::
        m_{t+1} = \beta_1 m_t + (1 - \beta_1) g, \qquad v_{t+1} = \max(\beta_2 v_t, |g|), \qquad
        p_{t+1} = p_t - \frac{lr}{1 - \beta_1^{t+1}} \cdot \frac{m_{t+1}}{v_{t+1} + \epsilon}

    Args:
        params, learning_rate, weight_decay, loss_scale: see :class:`mindspore.nn.Optimizer`.
        beta1, beta2: floats between 0 and 1, both left out.
        eps: a float above 0.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = nn.AdaMax([w], learning_rate=0.5)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2.5]
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 0.001, beta1: float = 0.9, beta2: float = 0.999,
                 eps: float = 1e-8, weight_decay: Any = 0.0, loss_scale: float = 1.0):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_betas("AdaMax", beta1=beta1, beta2=beta2)
        check_positive("AdaMax", eps=eps)
        self.beta1, self.beta2, self.eps = (Tensor(value, float32) for value in (beta1, beta2, eps))
        self.beta1_power = Parameter(Tensor([1.0], float32), name="beta1_power")
        self.moment1 = self.parameters.clone("moment1", "zeros")
        self.moment2 = self.parameters.clone("moment2", "zeros")

    def construct(self, gradients: Any) -> tuple[bool, ...]:
        gradients, rates = self._begin(gradients)
        self.beta1_power = self.beta1_power * self.beta1
        for parameter, m, v, rate, gradient in zip(self.parameters, self.moment1, self.moment2, rates, gradients):
            self.opt(parameter, m, v, self.beta1_power, rate, self.beta1, self.beta2, self.eps, gradient)
        return self._done()
