"""LARS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import float32
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.optimizer.optimizer_descent import lars_update
from mindspore._utils.checks import check_callable, shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.optim._arguments import check_bools, check_float
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["LARS"]


def _ordinary(parameter: Parameter) -> bool:
    return "LayerNorm" not in parameter.name and "bias" not in parameter.name


class LARS(Optimizer):
    r"""Layer-wise adaptive rates for another optimizer, which gets the gradients

    .. math::
        \lambda = \frac{\theta \|p\|}{\|g\| + \delta \|p\| + \epsilon}, \qquad g \leftarrow \lambda (g + \delta p)

    with :math:`\theta` the coefficient and :math:`\delta` the weight decay of the other optimizer, which no longer decays.

    Args:
        optimizer: the optimizer that updates.
        epsilon: a float.
        coefficient: a float.
        use_clip: whether the rate is limited to ``min(rate / lr, 1)``.
        lars_filter: a function that says for a Parameter whether it gets a rate of its own; by default all do whose names
            contain neither 'LayerNorm' nor 'bias'.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([3.0, 4.0]), name="w")
        >>> optimizer = nn.LARS(nn.SGD([w], learning_rate=0.1), coefficient=1.0)
        >>> _ = optimizer((Tensor([1.0, 0.0]),))
        >>> print(w.asnumpy().round(3))
        [2.5 4. ]
    """

    @opt_init_args_register
    def __init__(self, optimizer: Optimizer, epsilon: float = 1e-5, coefficient: float = 0.001, use_clip: bool = False,
                 lars_filter: Callable[[Parameter], bool] = _ordinary):  # fmt: skip
        if not isinstance(optimizer, Optimizer):
            raise refused(WrongObject, f"For 'LARS', the 'optimizer' must be an Optimizer, but got {shown(optimizer)}.")
        check_float("LARS", "epsilon", epsilon)
        check_float("LARS", "coefficient", coefficient)
        check_bools("LARS", use_clip=use_clip)
        check_callable("LARS", "lars_filter", lars_filter)
        super().__init__(0.0, [Parameter(Tensor(0.0, float32), name="fake_param")])
        self.learning_rate.name = "fake_lr"
        self.opt = optimizer
        self.__dict__["init_params"] = optimizer.__dict__.get("init_params", {})
        self.epsilon, self.coefficient, self.use_clip = epsilon, coefficient, use_clip
        self._take_over(optimizer)
        self.lars_flag = tuple(bool(lars_filter(parameter)) for parameter in self.parameters)

    def _take_over(self, optimizer: Optimizer) -> None:
        """From now on this Cell decays and scales, and the optimizer does not."""
        self.parameters = self._parameters = optimizer.parameters
        for name in ("param_length", "is_group", "is_group_lr", "dynamic_lr", "decay_flags", "dynamic_weight_decay",
                     "need_scale", "reciprocal_scale"):  # fmt: skip
            setattr(self, name, getattr(optimizer, name))
        self.global_step = optimizer.global_step
        self.weight_decay = optimizer._decay_for(1.0)
        optimizer.exec_weight_decay = False
        optimizer.decay_flags = (False,) * optimizer.param_length
        optimizer.need_scale = False
        optimizer.reciprocal_scale = Tensor(1.0, float32)

    def get_lr(self) -> Any:
        """The learning rate of the other optimizer."""
        return self.opt.get_lr()

    def construct(self, gradients: Any) -> Any:
        gradients = self.scale_grad(self._one_per_parameter(gradients))
        rates = self.get_lr()
        each = tuple(rates) if self.is_group_lr else (rates,) * self.param_length
        adjusted = []
        for parameter, gradient, rate, decay, flag in zip(self.parameters, gradients, each, self._applied_decays(),
                                                          self.lars_flag):  # fmt: skip
            if flag:
                squares = ops.SquareSumAll()(parameter, gradient)
                gradient = lars_update(
                    parameter, gradient, *squares, decay, rate, self.epsilon, self.coefficient, self.use_clip
                )
            adjusted.append(gradient)
        return self.opt(tuple(adjusted))
