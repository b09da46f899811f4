"""Rprop."""

from __future__ import annotations

from typing import Any

from mindspore._ops.optimizer.optimizer_descent import resilient_descent
from mindspore._utils.checks import check_type, shown
from mindspore._utils.refusals import refused
from mindspore.nn.optim._arguments import check_float
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["Rprop"]


class Rprop(Optimizer):
    r"""Resilient backpropagation: only the sign of the gradient counts.

    .. math::
        p_{t+1} = p_t - s_{t+1} \cdot sign(g)

    A step s grows by the factor ``etas[1]`` while the gradient keeps its sign, and shrinks by ``etas[0]`` when the sign changes;
    then the element rests for one step. Steps begin at the learning rate.

    Args:
        params, learning_rate, weight_decay: see :class:`mindspore.nn.Optimizer`.
        etas: the two factors, floats with ``0 < etas[0] < 1 < etas[1]``.
        step_sizes: the smallest and the largest step, floats.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> optimizer = nn.Rprop([w], learning_rate=0.5, etas=(0.5, 2.0))
        >>> for _ in range(2):
        ...     _ = optimizer((Tensor([0.1, -3.0]),))
        >>> print(w.asnumpy().round(3))
        [-0.5  3.5]
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 0.1, etas: tuple[float, float] = (0.5, 1.2),
                 step_sizes: tuple[float, float] = (1e-6, 50.0), weight_decay: Any = 0.0):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay)
        _check_pair("etas", etas)
        _check_pair("step_sizes", step_sizes)
        check_float("Rprop", "etaminus", etas[0], 0.0, 1.0, include_low=False, include_high=False)
        check_float("Rprop", "etaplus", etas[1], 1.0, include_low=False)
        check_float("Rprop", "min_step_sizes", step_sizes[0])
        check_float("Rprop", "max_step_sizes", step_sizes[1])
        if step_sizes[0] > step_sizes[1]:
            raise refused(
                ValueError,
                "For 'Rprop', maximal step size should not be less than minimal step size, but got "
                f"{step_sizes[0]} > {step_sizes[1]}.",
            )
        self.etaminus, self.etaplus = etas
        self.step_size_min, self.step_size_max = step_sizes
        self.prev = self.parameters.clone("prev", "zeros")
        self.step_size = self.parameters.clone("step_size", "zeros")

    def construct(self, gradients: Any) -> bool:
        gradients, rates = self._begin(gradients)
        factors = (self.etaminus, self.etaplus, self.step_size_min, self.step_size_max)
        for parameter, prev, size, gradient, rate in zip(self.parameters, self.prev, self.step_size, gradients, rates):
            resilient_descent(parameter, prev, size, gradient, rate, self.global_step, *factors)
        return True


def _check_pair(name: str, value: Any) -> None:
    check_type("Rprop", name, value, tuple)
    if len(value) != 2:
        raise refused(
            ValueError, f"For 'Rprop', the '{name}' must be a tuple with the size of 2, but got {shown(value)}."
        )
