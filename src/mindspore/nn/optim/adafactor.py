"""AdaFactor."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.dtype import float16, float32
from mindspore._engine.tensor.parameter import Parameter, ParameterTuple
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.optimizer.optimizer_adaptive import adafactor
from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused
from mindspore.common.initializer import initializer
from mindspore.nn.optim._arguments import check_bools, check_float, check_not_negative
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

__all__ = ["AdaFactor"]


class AdaFactor(Optimizer):
    r"""Adam whose mean squares need little memory: of a matrix only those of its rows and columns are kept.

    .. math::
        \begin{aligned}
        \hat\beta_t &= 1 - t^{-decay\_rate}, \qquad
            r \leftarrow \hat\beta_t r + (1 - \hat\beta_t) \, mean_{columns}(g^2 + \epsilon_1), \qquad
            c \leftarrow \hat\beta_t c + (1 - \hat\beta_t) \, mean_{rows}(g^2 + \epsilon_1) \\
        u &= g \sqrt{mean(r) / (r c)}, \qquad u \leftarrow lr \cdot u / \max(1, RMS(u) / clip\_threshold)
        \end{aligned}

    Args:
        params, learning_rate, weight_decay: see :class:`mindspore.nn.Optimizer`. Without a learning rate it follows from the
            step, see ``relative_step``. The weight decay applies to every Parameter.
        eps: added to the squares, and the smallest scale of a Parameter.
        clip_threshold: how long the mean step may be, a float of at least 0.
        decay_rate: a float between 0 and 1.
        beta1: the factor of the average of steps, a float of at least 0; 0 for no average.
        scale_parameter: whether the rate that follows from the step is multiplied by the root mean square of the Parameter.
        relative_step: whether the rate is ``min(0.01, 1 / sqrt(t))``; then there must be no learning rate.
        warmup_init: whether that rate begins with ``1e-6 * t``.
        compression: whether the mean squares of vectors are kept as float16.
        loss_scale: has no effect, since the steps do not depend on the scale of gradients.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> optimizer = nn.AdaFactor([w], learning_rate=0.5, relative_step=False, scale_parameter=False, beta1=0.0)
        >>> _ = optimizer((Tensor([3.0, -3.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2.5]
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = None, eps: tuple[float, float] = (1e-30, 1e-3),
                 clip_threshold: float = 1.0, decay_rate: float = 0.8, beta1: float = 0.9, weight_decay: Any = 0.0,
                 scale_parameter: bool = True, relative_step: bool = True, warmup_init: bool = False,
                 compression: bool = False, loss_scale: float = 1.0):  # fmt: skip
        if learning_rate is not None and relative_step:
            raise refused(
                ValueError,
                "For 'AdaFactor', the 'learning_rate' must be None when 'relative_step' is True, but got "
                f"{shown(learning_rate)}. Pass relative_step=False to set the rate yourself.",
            )
        if warmup_init and not relative_step:
            raise refused(ValueError, "For 'AdaFactor', the 'warmup_init' requires relative_step=True.")
        super().__init__(0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale)
        if not isinstance(eps, (list, tuple)) or len(eps) != 2:
            raise refused(
                ValueError, f"For 'AdaFactor', the 'eps' must have 2 values: (eps1, eps2), but got {shown(eps)}."
            )
        for position, value in enumerate(eps):
            check_float("AdaFactor", f"eps[{position}]", value, 0.0)
        check_not_negative("AdaFactor", clip_threshold=clip_threshold, beta1=beta1)
        check_float("AdaFactor", "decay_rate", decay_rate, 0.0, 1.0, include_low=False, include_high=False)
        check_bools("AdaFactor", scale_parameter=scale_parameter, relative_step=relative_step, warmup_init=warmup_init,
                    compression=compression)  # fmt: skip
        self.eps = (float(eps[0]), float(eps[1]))
        self.settings = (clip_threshold, decay_rate, beta1, scale_parameter, relative_step, warmup_init)
        self.compression = compression
        self._init_state(beta1, compression)

    supports_memory_efficient_fp16 = True  # what trainers ask before they pass float16 Parameters
    supports_flat_params = False  # the rows and columns of a matrix are needed

    def init_ada_factor_state(self, beta1: float) -> None:
        """Make the averages anew, all zero."""
        self._init_state(beta1, self.compression)

    def _init_state(self, beta1: float, compression: bool) -> None:
        own = self.parameters
        matrices = [parameter.ndim >= 2 for parameter in own]
        unused = (1,)  # shape of a state that a Parameter does not need
        self.exp_avg = ParameterTuple(
            _zeros(f"exp_avg.{parameter.name}", parameter.shape if beta1 > 0 else unused, parameter.dtype)
            for parameter in own
        )
        rows = [parameter.shape[:-1] if matrix else unused for parameter, matrix in zip(own, matrices)]
        columns = [
            (*parameter.shape[:-2], parameter.shape[-1]) if matrix else unused
            for parameter, matrix in zip(own, matrices)
        ]
        self.exp_avg_sq_row, self.exp_avg_sq_col = (
            ParameterTuple(
                _zeros(f"{prefix}_{parameter.name}", shape, parameter.dtype) for parameter, shape in zip(own, shapes)
            )
            for prefix, shapes in (("exp_avg_sq_row", rows), ("exp_avg_sq_col", columns))
        )
        self.exp_avg_sq = ParameterTuple(
            _zeros(f"exp_avg_sq_{parameter.name}", unused, parameter.dtype)
            if matrix
            else _zeros(f"exp_avg_sq_{parameter.name}", parameter.shape, float16 if compression else parameter.dtype)
            for parameter, matrix in zip(own, matrices)
        )
        self.step = Parameter(Tensor([0.0], float32), name="afactor_step")

    def construct(self, gradients: Any) -> tuple[bool, ...]:
        gradients = self.gradients_centralization(self.flatten_gradients(self._one_per_parameter(gradients)))
        rates, decays = self._next_rates(), self._each_decay()
        self.step = self.step + 1.0
        states = zip(self.parameters, self.exp_avg, self.exp_avg_sq_row, self.exp_avg_sq_col, self.exp_avg_sq, gradients,
                     rates, decays)  # fmt: skip
        for parameter, average, row, column, square, gradient, rate, decay in states:
            adafactor(parameter, average, row, column, square, gradient, rate, self.step, decay, self.eps, *self.settings,
                      parameter.ndim >= 2)  # fmt: skip
        return self._done()


def _zeros(name: str, shape: tuple[int, ...], dtype: Any) -> Parameter:
    return Parameter(initializer("zeros", shape, dtype), name=name)
