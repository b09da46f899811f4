"""Lamb."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.dtype import float32
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.optimizer.optimizer_adam import apply_lamb
from mindspore.nn.optim._arguments import check_betas, check_positive
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["Lamb"]


class Lamb(Optimizer):
    r"""Layer-wise adaptive moments for large batches.

    .. math::
        \begin{aligned}
        u &= \frac{\hat m}{\sqrt{\hat v} + \epsilon} + \lambda p, \qquad
            \hat m = \frac{m}{1 - \beta_1^t}, \quad \hat v = \frac{v}{1 - \beta_2^t} \\
        p &\leftarrow p - lr \cdot \min\left( \frac{\|p\|}{\|u\|}, 10 \right) \cdot u
        \end{aligned}

    where the ratio is 1 for a Parameter or gradient of zeros.

    Args:
        params, learning_rate, weight_decay: see :class:`mindspore.nn.Optimizer`.
        beta1, beta2: floats between 0 and 1, both left out.
        eps: a float above 0.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([3.0, 4.0]), name="w")
        >>> _ = nn.Lamb([w], learning_rate=0.1)((Tensor([1.0, 1.0]),))
        >>> print(w.asnumpy().round(3))
        [2.646 3.646]
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-6,
                 weight_decay: Any = 0.0):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay)
        check_betas("Lamb", beta1=beta1, beta2=beta2)
        check_positive("Lamb", eps=eps)
        self.beta1, self.beta2, self.eps = (Tensor(value, float32) for value in (beta1, beta2, eps))
        self.params = self.parameters
        self.moments1 = self.parameters.clone("lamb_m", "zeros")
        self.moments2 = self.parameters.clone("lamb_v", "zeros")

    def construct(self, gradients: Any) -> tuple[bool, ...]:
        gradients = self.gradients_centralization(self.flatten_gradients(self._one_per_parameter(gradients)))
        decays = self._applied_decays()
        states = zip(self.parameters, self.moments1, self.moments2, self._next_rates(), decays, gradients)
        for parameter, m, v, rate, decay, gradient in states:
            apply_lamb(parameter, m, v, rate, self.beta1, self.beta2, self.eps, decay, self.global_step, gradient)
        return self._done()
