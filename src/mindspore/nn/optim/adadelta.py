"""Adadelta."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.optim._arguments import check_float, check_not_negative
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["Adadelta"]


@primitives(opt=ops.ApplyAdadelta)
class Adadelta(Optimizer):
    r"""Steps measured by the mean square of earlier steps.

    .. math::
        a_{t+1} = \rho a_t + (1 - \rho) g^2, \qquad
        u = \sqrt{\frac{d_t + \epsilon}{a_{t+1} + \epsilon}} g, \qquad
        d_{t+1} = \rho d_t + (1 - \rho) u^2, \qquad p_{t+1} = p_t - lr \cdot u

    Args:
        params, learning_rate, loss_scale, weight_decay: see :class:`mindspore.nn.Optimizer`.
        rho: a float from 0 to 1.
        epsilon: a float of at least 0.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = nn.Adadelta([w], rho=0.0, epsilon=1.0)((Tensor([0.0, 2.0]),))
        >>> print(w.asnumpy().round(3))
        [1.    1.106]
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 1.0, rho: float = 0.9, epsilon: float = 1e-6,
                 loss_scale: float = 1.0, weight_decay: Any = 0.0):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_float("Adadelta", "rho", rho, 0.0, 1.0)
        check_not_negative("Adadelta", epsilon=epsilon)
        self.rho, self.epsilon = rho, epsilon
        self.accum = self.parameters.clone("accum", "zeros")
        self.accum_update = self.parameters.clone("accum_update", "zeros")

    def construct(self, grads: Any) -> tuple[bool, ...]:
        gradients, rates = self._begin(grads)
        states = zip(self.parameters, self.accum, self.accum_update, rates, gradients)
        for parameter, accum, accum_update, rate, gradient in states:
            self.opt(parameter, accum, accum_update, rate, self.rho, self.epsilon, gradient)
        return self._done()
