"""RMSProp."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.optim._arguments import check_bools, check_not_negative, check_positive
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["RMSProp"]


@primitives(opt=lambda net: ops.ApplyCenteredRMSProp() if net.centered else ops.ApplyRMSProp())
class RMSProp(Optimizer):
    r"""Steps divided by the root of the gradient's mean square.

    .. math::
        s_{t+1} = \rho s_t + (1 - \rho) g^2, \qquad
        m_{t+1} = \mu m_t + \frac{lr}{\sqrt{s_{t+1} + \epsilon}} g, \qquad p_{t+1} = p_t - m_{t+1}

    where s starts at 1; with ``centered`` the square of the gradient's mean is taken off s.

    Args:
        params, learning_rate, loss_scale, weight_decay: see :class:`mindspore.nn.Optimizer`.
        decay: the factor of the mean square, a float of at least 0.
        momentum: a float of at least 0.
        epsilon: a float above 0.
        use_locking: kept for other back ends.
        centered: whether to use the gradient's variance.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = nn.RMSProp([w], learning_rate=0.1)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.9 2.1]
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 0.1, decay: float = 0.9, momentum: float = 0.0,
                 epsilon: float = 1e-10, use_locking: bool = False, centered: bool = False, loss_scale: float = 1.0,
                 weight_decay: Any = 0.0):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_not_negative("RMSProp", decay=decay, momentum=momentum)
        check_positive("RMSProp", epsilon=epsilon)
        check_bools("RMSProp", centered=centered, use_locking=use_locking)
        self.decay = decay
        self.momentum = momentum
        self.epsilon = epsilon
        self.centered = centered
        if centered:
            self.mg = self.parameters.clone("mean_grad", "zeros")
        self.ms = self.parameters.clone("mean_square", "ones")
        self.moment = self.parameters.clone("moment", "zeros")

    def construct(self, gradients: Any) -> tuple[bool, ...]:
        gradients, rates = self._begin(gradients)
        fixed = (self.decay, self.momentum, self.epsilon)
        if self.centered:
            states = zip(self.parameters, self.mg, self.ms, self.moment, gradients, rates)
            for parameter, mean, square, moment, gradient, rate in states:
                self.opt(parameter, mean, square, moment, gradient, rate, *fixed)
        else:
            for parameter, square, moment, gradient, rate in zip(
                self.parameters, self.ms, self.moment, gradients, rates
            ):
                self.opt(parameter, square, moment, rate, gradient, *fixed)
        return self._done()
