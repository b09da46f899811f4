"""RMSprop."""

from __future__ import annotations

from typing import Any

from mindspore._ops.optimizer.optimizer_corrected import root_mean_square_descent
from mindspore.experimental.optim._arguments import check_bools, check_not_negative, check_positive
from mindspore.experimental.optim.optimizer import Optimizer

__all__ = ["RMSprop"]


class RMSprop(Optimizer):
    r"""Steps divided by the root of the gradient's mean square.

    .. math::
        s \leftarrow \alpha s + (1 - \alpha) g^2, \qquad
        m \leftarrow \mu m + \frac{g}{\sqrt{s} + \epsilon}, \qquad p \leftarrow p - lr \cdot m

    With ``centered`` the square of the gradient's mean is taken off s.

    Args:
        params: Parameters, or dicts that describe groups of them.
        lr: the learning rate.
        alpha, eps, weight_decay, momentum: numbers of at least 0.
        centered: whether to use the gradient's variance.
        maximize: whether to climb instead of descend.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = optim.RMSprop([w], lr=0.1, alpha=0.0)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.9 2.1]
    """

    def __init__(self, params: Any, lr: Any = 1e-2, alpha: float = 0.99, eps: float = 1e-8, weight_decay: float = 0.0,
                 momentum: float = 0.0, centered: bool = False, maximize: bool = False):  # fmt: skip
        check_not_negative("RMSprop", alpha=alpha, momentum=momentum)
        check_positive("RMSprop", lr=lr, eps=eps)
        check_bools("RMSprop", centered=centered, maximize=maximize)
        super().__init__(params, {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
                                  "weight_decay": weight_decay, "maximize": maximize})  # fmt: skip
        self.mean_grad = self._keep("mean_grad")
        self.mean_square = self._keep("mean_square")
        self.moment = self._keep("moment")

    def construct(self, gradients: Any) -> bool:
        for group, rate, members in self._by_group(gradients, self.mean_grad, self.mean_square, self.moment):
            settings = (group["alpha"], group["eps"], group["momentum"], group["centered"])
            for parameter, gradient, mean, square, moment in members:
                root_mean_square_descent(parameter, mean, square, moment, gradient, rate, *settings)
        return True
