"""ProximalAdagrad."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.execution.row_gradient import RowGradient
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.optim._arguments import check_bools, check_not_negative
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["ProximalAdagrad"]


@primitives(opt=ops.ApplyProximalAdagrad, sparse_opt=ops.SparseApplyProximalAdagrad)
class ProximalAdagrad(Optimizer):
    r"""Adagrad followed by a step towards 0.

    .. math::
        a_{t+1} = a_t + g^2, \qquad r = \frac{lr}{\sqrt{a_{t+1}}}, \qquad q = p_t - r g, \qquad
        p_{t+1} = \frac{sign(q)}{1 + r l_2} \max(|q| - r l_1, 0)

    Args:
        params, learning_rate, loss_scale, weight_decay: see :class:`mindspore.nn.Optimizer`.
        accum: where the sums of squares start, a float of at least 0.
        l1, l2: floats of at least 0.
        use_locking: kept for other back ends.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = nn.ProximalAdagrad([w], accum=3.0, learning_rate=0.5, l1=1.0)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2. ]
    """

    @opt_init_args_register
    def __init__(self, params: Any, accum: float = 0.1, learning_rate: Any = 0.001, l1: float = 0.0, l2: float = 0.0,
                 use_locking: bool = False, loss_scale: float = 1.0, weight_decay: Any = 0.0):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_not_negative("ProximalAdagrad", accum=accum, l1=l1, l2=l2)
        check_bools("ProximalAdagrad", use_locking=use_locking)
        self.l1, self.l2, self.use_locking = l1, l2, use_locking
        self.accum = self.parameters.clone("accum", accum)

    def construct(self, grads: Any) -> tuple[bool, ...]:
        gradients, rates = self._begin(grads)
        for parameter, accum, rate, gradient in zip(self.parameters, self.accum, rates, gradients):
            if gradient.__class__ is RowGradient:  # rows that were not looked up stay as they are
                self.sparse_opt(parameter, accum, rate, self.l1, self.l2, gradient.values, gradient.indices)
            else:
                self.opt(parameter, accum, rate, self.l1, self.l2, gradient)
        return self._done()
