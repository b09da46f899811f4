"""FTRL."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.execution.row_gradient import RowGradient
from mindspore._ops.optimizer.optimizer_adaptive import ftrl_of_rows
from mindspore._utils.refusals import refused
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.optim._arguments import check_bools, check_float, check_not_negative
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["FTRL"]


@primitives(
    opt=ops.ApplyFtrl, sparse_opt=lambda net: ops.SparseApplyFtrl(net.lr, net.l1, net.l2, net.lr_power, net.use_locking)
)
class FTRL(Optimizer):
    r"""Follow the regularized leader.

    .. math::
        \begin{aligned}
        a_{t+1} &= a_t + g^2, \qquad
            z_{t+1} = z_t + g - \frac{a_{t+1}^{-q} - a_t^{-q}}{lr} \cdot p_t \\
        p_{t+1} &= \frac{sign(z_{t+1}) \cdot l_1 - z_{t+1}}{a_{t+1}^{-q} / lr + 2 l_2}
            \text{ if } |z_{t+1}| > l_1 \text{ else } 0
        \end{aligned}

    with :math:`q` the ``lr_power``.

    Args:
        params, learning_rate, loss_scale, weight_decay: see :class:`mindspore.nn.Optimizer`; the learning rate must be one
            number for all Parameters, and the weight decay applies to every Parameter.
        initial_accum: where the sums of squares start, a float of at least 0.
        lr_power: a float of at most 0.
        l1, l2: floats of at least 0.
        use_locking: kept for other back ends.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = nn.FTRL([w], initial_accum=3.0, learning_rate=1.0)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [-0.366  0.768]
    """

    @opt_init_args_register
    def __init__(self, params: Any, initial_accum: float = 0.1, learning_rate: Any = 0.001, lr_power: float = -0.5,
                 l1: float = 0.0, l2: float = 0.0, use_locking: bool = False, loss_scale: float = 1.0,
                 weight_decay: Any = 0.0):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_lr or self.is_group_lr:
            raise refused(
                ValueError,
                "For 'FTRL', dynamic learning rate and group learning rate are currently not supported, they should all be false, but "
                f"got dynamic learning rate {self.dynamic_lr} and group learning rate {self.is_group_lr}.",
            )
        check_not_negative("FTRL", initial_accum=initial_accum, l1=l1, l2=l2)
        check_float("FTRL", "lr_power", lr_power, high=0.0)
        check_bools("FTRL", use_locking=use_locking)
        if not self.is_group:
            self.decay_flags = (True,) * self.param_length
        self.l1, self.l2, self.lr_power, self.lr, self.use_locking = l1, l2, lr_power, learning_rate, use_locking
        self.moments = self.parameters.clone("moments", initial_accum)
        self.linear = self.parameters.clone("linear", "zeros")

    def construct(self, grads: Any) -> tuple[bool, ...]:
        gradients, rates = self._begin(grads)
        for parameter, accum, linear, gradient, rate in zip(
            self.parameters, self.moments, self.linear, gradients, rates
        ):
            if gradient.__class__ is RowGradient:  # rows that were not looked up stay as they are
                rows = gradient.values, gradient.indices
                ftrl_of_rows(parameter, accum, linear, *rows, rate, self.l1, self.l2, self.lr_power)
            else:
                self.opt(parameter, accum, linear, gradient, rate, self.l1, self.l2, self.lr_power)
        return self._done()
