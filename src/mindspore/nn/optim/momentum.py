"""Momentum."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import float32
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_bool
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.optim._arguments import check_float
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["Momentum"]


@primitives(opt=lambda net: ops.ApplyMomentum(net.use_nesterov))
class Momentum(Optimizer):
    r"""Gradient descent with momentum.

    .. math::
        v_{t+1} = v_t \cdot \mu + g, \qquad p_{t+1} = p_t - lr \cdot v_{t+1}

    and with ``use_nesterov`` :math:`p_{t+1} = p_t - lr \cdot (g + \mu \cdot v_{t+1})`.

    Args:
        params, learning_rate, weight_decay, loss_scale: see :class:`mindspore.nn.Optimizer`.
        momentum: a float of at least 0.
        use_nesterov: whether to look ahead.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> optimizer = nn.Momentum([w], learning_rate=0.1, momentum=0.9)
        >>> for _ in range(2):
        ...     _ = optimizer((Tensor([1.0, 1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.71 1.71]
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any, momentum: float, weight_decay: Any = 0.0, loss_scale: float = 1.0,
                 use_nesterov: bool = False):  # fmt: skip
        check_float("Momentum", "momentum", momentum, 0.0)
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.momentum = Parameter(Tensor(momentum, float32), name="momentum")
        self.params = self.parameters
        self.use_nesterov = check_bool("Momentum", "use_nesterov", use_nesterov)
        self.moments = self.parameters.clone("moments", "zeros")

    def construct(self, gradients: Any) -> tuple[bool, ...]:
        gradients, rates = self._begin(gradients)
        for parameter, moment, rate, gradient in zip(self.parameters, self.moments, rates, gradients):
            self.opt(parameter, moment, rate, gradient, self.momentum)
        return self._done()
