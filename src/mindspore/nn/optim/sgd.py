"""SGD."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.dtype import float32
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.optimizer.optimizer_descent import sgd
from mindspore._utils.checks import check_float_range
from mindspore._utils.refusals import refused
from mindspore.nn.optim._arguments import check_bools
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["SGD"]


class SGD(Optimizer):
    r"""Stochastic gradient descent, with momentum if asked for.

    .. math::
        v_{t+1} = \mu \cdot v_t + (1 - dampening) \cdot g, \qquad p_{t+1} = p_t - lr \cdot v_{t+1}

    where the first step takes :math:`v = g`; with ``nesterov`` :math:`p_{t+1} = p_t - lr \cdot (g + \mu \cdot v_{t+1})`.

    Args:
        params, learning_rate, weight_decay, loss_scale: see :class:`mindspore.nn.Optimizer`; the weight decay must be a
            number.
        momentum: a number of at least 0.
        dampening: how much of a new gradient is left out, at least 0.
        nesterov: whether to look ahead; needs momentum above 0 and no dampening.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = nn.SGD([w], learning_rate=0.5)((Tensor([1.0, 1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 1.5]
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 0.1, momentum: float = 0.0, dampening: float = 0.0,
                 weight_decay: float = 0.0, nesterov: bool = False, loss_scale: float = 1.0):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_weight_decay:
            raise refused(
                TypeError,
                "For 'SGD', the 'weight_decay', also that of groups, must be a float or int, but got a Cell: dynamic weight decay is "
                "not supported.",
            )
        momentum = check_float_range("SGD", "momentum", momentum, 0.0, float("inf"))
        dampening = check_float_range("SGD", "dampening", dampening, 0.0, float("inf"))
        check_bools("SGD", nesterov=nesterov)
        if nesterov and (momentum <= 0.0 or dampening != 0.0):
            raise refused(
                ValueError,
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must equal to 0.0, but got 'momentum' "
                f"{momentum}, 'dampening' {dampening}.",
            )
        self.dampening = dampening
        self.nesterov = nesterov
        self.momentum = Parameter(Tensor(momentum, float32), name="momentum")
        self.accum = self.parameters.clone("accum", "zeros")
        self.stat = self.parameters.clone("stat", "ones")

    def construct(self, gradients: Any) -> tuple[bool, ...]:
        gradients, rates = self._begin(gradients)
        for parameter, gradient, rate, accum, stat in zip(self.parameters, gradients, rates, self.accum, self.stat):
            sgd(parameter, gradient, rate, accum, self.momentum, stat, self.dampening, 0.0, self.nesterov)
        return self._done()
