"""ASGD."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.dtype import float32
from mindspore._engine.tensor.parameter import Parameter, ParameterTuple
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.optimizer.optimizer_descent import averaged_descent
from mindspore.nn.optim._arguments import check_float
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["ASGD"]


class ASGD(Optimizer):
    r"""Averaged stochastic gradient descent.

    .. math::
        p_{t+1} = (1 - \lambda \eta_t) p_t - \eta_t g, \qquad
        a_{t+1} = a_t + (p_{t+1} - a_t) \mu_t, \qquad
        \eta_{t+1} = \frac{lr}{(1 + \lambda \cdot lr \cdot t)^\alpha}, \qquad \mu_{t+1} = \frac{1}{\max(1, t - t_0)}

    The averages a are kept in ``ax``.

    Args:
        params, learning_rate, weight_decay: see :class:`mindspore.nn.Optimizer`.
        lambd: a float, the decay.
        alpha: a float, the power of the falling rate.
        t0: a float, the step at which averaging begins.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = nn.ASGD([w], learning_rate=0.5, lambd=0.0)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2.5]
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 0.1, lambd: float = 1e-4, alpha: float = 0.75, t0: float = 1e6,
                 weight_decay: Any = 0.0):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay)
        for name, value in (("lambd", lambd), ("alpha", alpha), ("t0", t0)):
            check_float("ASGD", name, value)
        self.lambd, self.alpha, self.t0 = lambd, alpha, t0
        self.mu = self._one_each("mu", 1.0)
        self.eta = self._one_each("eta", 0.0)
        self.ax = self.parameters.clone("ax_", "zeros")

    def _one_each(self, prefix: str, value: float) -> ParameterTuple:
        return ParameterTuple(
            Parameter(Tensor(value, float32), name=f"{prefix}_{parameter.name}") for parameter in self.parameters
        )

    def construct(self, gradients: Any) -> bool:
        gradients, rates = self._begin(gradients)
        states = zip(self.parameters, self.ax, self.eta, self.mu, gradients, rates)
        for parameter, ax, eta, mu, gradient, rate in states:
            averaged_descent(parameter, ax, eta, mu, gradient, rate, self.global_step, self.lambd, self.alpha, self.t0)
        return True
