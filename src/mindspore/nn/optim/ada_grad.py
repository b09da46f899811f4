"""Adagrad."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.optim._arguments import check_bools, check_not_negative
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["Adagrad"]


@primitives(opt=lambda net: ops.ApplyAdagrad(net.update_slots))
class Adagrad(Optimizer):
    r"""Steps divided by the root of the sum of all squared gradients.

    .. math::
        a_{t+1} = a_t + g^2, \qquad p_{t+1} = p_t - \frac{lr}{\sqrt{a_{t+1}}} g

    Args:
        params, learning_rate, loss_scale, weight_decay: see :class:`mindspore.nn.Optimizer`.
        accum: where the sums start, a float of at least 0.
        update_slots: whether gradients are added to the sums.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = nn.Adagrad([w], accum=3.0, learning_rate=0.5)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.75 2.25]
    """

    @opt_init_args_register
    def __init__(self, params: Any, accum: float = 0.1, learning_rate: Any = 0.001, update_slots: bool = True,
                 loss_scale: float = 1.0, weight_decay: Any = 0.0):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_not_negative("Adagrad", accum=accum)
        check_bools("Adagrad", update_slots=update_slots)
        self.update_slots = update_slots
        self.accum = self.parameters.clone("accum", accum)

    def construct(self, grads: Any) -> tuple[bool, ...]:
        gradients, rates = self._begin(grads)
        for parameter, accum, rate, gradient in zip(self.parameters, self.accum, rates, gradients):
            self.opt(parameter, accum, rate, gradient)
        return self._done()
