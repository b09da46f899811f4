"""Adam, with its forms for decoupled weight decay and for other devices."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base.dtype import float32
from mindspore._engine.execution.row_gradient import RowGradient
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.optimizer.optimizer_adam import adam_weight_decay, apply_adam_with_amsgrad
from mindspore._utils.refusals import refused
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.optim._arguments import check_betas, check_bools, check_positive
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["Adam", "AdamOffload", "AdamWeightDecay"]


def _for_rows(net: Any) -> Any:
    made = ops.FusedSparseLazyAdam if net._is_lazy else ops.FusedSparseAdam
    return made(net.use_locking, net.use_nesterov)


@primitives(opt=lambda net: ops.Adam(net.use_locking, net.use_nesterov), sparse_opt=_for_rows)
class _Adam(Optimizer):
    """What the forms of Adam with bias correction share."""

    _power_shape: tuple[int, ...] = (1,)  # of the powers of the betas
    _is_lazy = False  # whether rows without a gradient stay as they are

    def __init__(self, params: Any, learning_rate: Any, beta1: float, beta2: float, eps: float, use_locking: bool,
                 use_nesterov: bool, weight_decay: Any, loss_scale: float):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        owner = type(self).__name__
        check_betas(owner, beta1=beta1, beta2=beta2)
        check_positive(owner, eps=eps)
        check_bools(owner, use_locking=use_locking, use_nesterov=use_nesterov)
        self.beta1, self.beta2, self.eps = (Tensor(value, float32) for value in (beta1, beta2, eps))
        self.use_locking = use_locking
        self.use_nesterov = use_nesterov
        ones = Tensor(np.ones(self._power_shape), float32)
        self.beta1_power = Parameter(ones, name="beta1_power")
        self.beta2_power = Parameter(ones, name="beta2_power")
        self.moment1 = self.parameters.clone("moment1", "zeros")
        self.moment2 = self.parameters.clone("moment2", "zeros")

    def construct(self, gradients: Any) -> tuple[bool, ...]:
        gradients, rates = self._begin(gradients)
        self.beta1_power = self.beta1_power * self.beta1
        self.beta2_power = self.beta2_power * self.beta2
        self._update(gradients, rates)
        return self._done()

    def _update(self, gradients: tuple, rates: tuple) -> None:
        for parameter, m, v, rate, gradient in zip(self.parameters, self.moment1, self.moment2, rates, gradients):
            states = parameter, m, v, self.beta1_power, self.beta2_power, rate, self.beta1, self.beta2, self.eps
            if gradient.__class__ is RowGradient:
                self.sparse_opt(*states, gradient.values, gradient.indices)
            else:
                self.opt(*states, gradient)


class Adam(_Adam):
    r"""Adaptive moment estimation.

    .. math::
        \begin{aligned}
        m_{t+1} &= \beta_1 m_t + (1 - \beta_1) g, \qquad v_{t+1} = \beta_2 v_t + (1 - \beta_2) g^2 \\
        p_{t+1} &= p_t - lr \cdot \frac{\sqrt{1 - \beta_2^{t+1}}}{1 - \beta_1^{t+1}} \cdot
            \frac{m_{t+1}}{\sqrt{v_{t+1}} + \epsilon}
        \end{aligned}

    The weight decay is added to the gradient; :class:`AdamWeightDecay` has it beside the step.

    Args:
        params, learning_rate, weight_decay, loss_scale: see :class:`mindspore.nn.Optimizer`.
        beta1, beta2: floats between 0 and 1, both left out.
        eps: a float above 0.
        use_locking: kept for other back ends.
        use_nesterov: whether to look ahead.
        use_amsgrad: whether the largest v so far replaces v.
        use_lazy: whether rows of a table that were not looked up stay as they are, with their moments: where the gradient is
            made of rows, as that of :class:`mindspore.nn.EmbeddingLookup`.
        use_offload: a form for small devices; here it computes the same.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = nn.Adam([w], learning_rate=0.5)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2.5]
    """

    _power_shape = ()

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-8,
                 use_locking: bool = False, use_nesterov: bool = False, weight_decay: Any = 0.0, loss_scale: float = 1.0,
                 use_amsgrad: bool = False, use_lazy: bool = False, use_offload: bool = False):  # fmt: skip
        check_bools("Adam", use_amsgrad=use_amsgrad, use_lazy=use_lazy, use_offload=use_offload)
        if use_lazy and use_offload:
            raise refused(ValueError, "For 'Adam', 'use_lazy' and 'use_offload' can not both be True.")
        if use_amsgrad and (use_lazy or use_offload):
            raise refused(ValueError, "For 'Adam', 'use_amsgrad' can not be True when 'use_lazy' or 'use_offload' is.")
        super().__init__(params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale)
        self.use_amsgrad, self.use_lazy, self.use_offload = use_amsgrad, use_lazy, use_offload
        self._is_lazy = use_lazy
        if use_amsgrad:
            self.vhat = self.parameters.clone("vhat", "zeros")

    def _apply_adam(self, params: Any, beta1_power: Any, beta2_power: Any, moment1: Any, moment2: Any, lr: Any,
                    gradients: Any) -> tuple[bool, ...]:  # fmt: skip
        """The step with moments and rates that a subclass of a program has prepared."""
        rates = lr if isinstance(lr, (tuple, list)) else (lr,) * len(params)
        for parameter, m, v, rate, gradient in zip(params, moment1, moment2, rates, gradients, strict=True):
            self.opt(parameter, m, v, beta1_power, beta2_power, rate, self.beta1, self.beta2, self.eps, gradient)
        return self._done()

    def _update(self, gradients: tuple, rates: tuple) -> None:
        if not self.use_amsgrad:
            super()._update(gradients, rates)
            return
        states = zip(self.parameters, self.moment1, self.moment2, self.vhat, rates, gradients)
        for parameter, m, v, vhat, rate, gradient in states:
            apply_adam_with_amsgrad(parameter, m, v, vhat, self.beta1_power, self.beta2_power, rate, self.beta1, self.beta2,
                                    self.eps, gradient)  # fmt: skip


class AdamOffload(_Adam):
    """Adam whose state other back ends keep on the host; here it computes as :class:`Adam` does, on the device.

    Args:
        params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale: see :class:`Adam`.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = nn.AdamOffload([w], learning_rate=0.5)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2.5]
    """

    def __init__(self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-8,
                 use_locking: bool = False, use_nesterov: bool = False, weight_decay: Any = 0.0,
                 loss_scale: float = 1.0):  # fmt: skip
        super().__init__(params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale)


class AdamWeightDecay(Optimizer):
    r"""Adam with weight decay beside its step, and averages that are not corrected for their start.

    .. math::
        p_{t+1} = p_t - lr \cdot \left( \frac{m_{t+1}}{\sqrt{v_{t+1}} + \epsilon} + \lambda p_t \right)

    Args:
        params, learning_rate, weight_decay: see :class:`mindspore.nn.Optimizer`.
        beta1, beta2: floats between 0 and 1, both left out.
        eps: a float above 0.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = nn.AdamWeightDecay([w], learning_rate=0.1, weight_decay=0.5)((Tensor([0.0, 0.0]),))
        >>> print(w.asnumpy().round(3))
        [0.95 1.9 ]
    """

    def __init__(self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-6,
                 weight_decay: Any = 0.0):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay)
        check_betas("AdamWeightDecay", beta1=beta1, beta2=beta2)
        check_positive("AdamWeightDecay", eps=eps)
        self.beta1, self.beta2, self.eps = (Tensor(value, float32) for value in (beta1, beta2, eps))
        self.moments1 = self.parameters.clone("adam_m", "zeros")
        self.moments2 = self.parameters.clone("adam_v", "zeros")

    def construct(self, gradients: Any) -> tuple[bool, ...]:
        gradients = self.flatten_gradients(self._one_per_parameter(gradients))
        decays = self._applied_decays()
        states = zip(self.parameters, self.moments1, self.moments2, self._next_rates(), decays, gradients)
        for parameter, m, v, rate, decay, gradient in states:
            adam_weight_decay(parameter, m, v, rate, self.beta1, self.beta2, self.eps, decay, gradient)
        return self._done()
