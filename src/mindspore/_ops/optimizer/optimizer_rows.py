"""Update rules that replaced others late or exist only fused: rows by Adadelta and RMSProp, fused Adafactor."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import require, require_shape
from mindspore._ops.optimizer.optimizer_adaptive import adadelta, root_mean_square
from mindspore._ops.optimizer.optimizer_rule import existing_rows, rule, summed_rows
from mindspore._utils.checks import check_bool, shown


@rule(primitive="SparseApplyAdadelta", writes=("var", "accum", "accum_update"), init=("epsilon", "use_locking"),
      test=lambda t: [t.case(t.normal(3, 2), t.positive(3, 2), t.positive(3, 2), 0.1, 0.9, t.normal(2, 2),
                             np.array([2, 0]), 1e-3, grad=False)])  # fmt: skip
def sparse_apply_adadelta(var: Array, accum: Array, accum_update: Array, lr: Operand, rho: Operand, grad: Array,
                          indices: Array, epsilon: float, use_locking: bool = False):  # fmt: skip
    """Adadelta for a gradient of some rows; the others stay as they are.

    Examples:
        >>> import mindspore
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, a, u = (Parameter(Tensor([[x], [x]]), name=n) for x, n in ((1.0, "p"), (0.0, "a"), (0.0, "u")))
        >>> gradient, rows = Tensor([[1.0]]), Tensor([1], mindspore.int32)
        >>> print(ops.SparseApplyAdadelta(epsilon=1e-6)(p, a, u, Tensor(1.0), Tensor(0.9), gradient, rows)[0].round(3))
        [[1.   ]
         [0.997]]
    """
    require(epsilon >= 0, f"the 'epsilon' must not be negative, but got {epsilon}.")
    return adadelta(var, accum, accum_update, lr, rho, epsilon, grad)


@rule(primitive="SparseApplyRMSProp", writes=("var", "ms", "mom"), init=("rho", "momentum", "epsilon", "use_locking"),
      test=lambda t: [t.case(t.normal(3, 2), t.positive(3, 2), t.normal(3, 2), 0.1, t.normal(2, 2), np.array([2, 0]),
                             0.9, 0.8, 1e-3, grad=False)])  # fmt: skip
def sparse_apply_rms_prop(var: Array, ms: Array, mom: Array, lr: Operand, grad: Array, indices: Array, rho: float,
                          momentum: float, epsilon: float, use_locking: bool = False):  # fmt: skip
    """RMSProp for a gradient of some rows; the others stay as they are.

    Examples:
        >>> import mindspore
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, s, m = (Parameter(Tensor([[x], [x]]), name=n) for x, n in ((1.0, "p"), (0.0, "s"), (0.0, "m")))
        >>> gradient, rows = Tensor([[1.0]]), Tensor([1], mindspore.int32)
        >>> print(ops.SparseApplyRMSProp(0.9, 0.0, 1e-6)(p, s, m, Tensor(0.1), gradient, rows)[0].round(3))
        [[1.   ]
         [0.684]]
    """
    require(0 <= rho <= 1, f"the 'rho' must be in [0, 1], but got {rho}.")
    require(momentum >= 0, f"the 'momentum' must not be negative, but got {momentum}.")
    require(epsilon > 0, f"the 'epsilon' must be positive, but got {epsilon}.")
    ms = rho * ms + (1 - rho) * grad * grad
    mom = momentum * mom + lr * grad / jnp.sqrt(ms + epsilon)
    return var - mom, ms, mom


@op(public=False,
    test=lambda t: [t.case(t.normal(3, 2), np.array([2, 0, 2]), t.normal(3, 2), 0.1, grad=False,
                           expect=lambda x, i, g, decay: (np.array([3, 0, 2]),
                                                          np.stack([0 * x[0], g[1] + decay * x[0],
                                                                    g[0] + g[2] + decay * x[2]])))])  # fmt: skip
def decayed_rows(variable: Array, indices: Array, values: Array, decay: Operand):
    """Rows of a gradient plus ``decay`` times those of the variable: every row once, as in a dense gradient."""
    rows, sums = summed_rows(existing_rows(indices, variable), values, variable.shape[0])
    found = variable.at[rows].get(mode="fill", fill_value=0)
    return rows, sums + (found * decay).astype(sums.dtype)


def _factored(row: Any, column: Any) -> Any:
    """The squares that two averages, over the last two axes, stand for."""
    return (row / row.mean(-1, keepdims=True))[..., None] * column[..., None, :]


@op(public=False,
    test=lambda t: [t.case(t.normal(3), t.normal(3), t.normal(3), t.positive(3), t.positive(3), t.positive(3),
                           np.array([1e-30, 1e-3], np.float32), 1.0, 0.9, 0.8, 0.01, 0.03, 1.0, (False, False, False),
                           grad=False),
                    t.case(t.normal(3, 2), t.normal(3, 2), t.normal(3, 2), t.positive(3), t.positive(2),
                           t.positive(3, 2), np.array([1e-30, 1e-3], np.float32), 1.0, 0.9, 0.8, 0.01, 0.03, 1.0,
                           (True, True, True), grad=False)])  # fmt: skip
def ada_factor_step(gradient: Array, param: Array, exp_avg: Array, exp_avg_sq_row: Array, exp_avg_sq_col: Array,
                    exp_avg_sq: Array, epsilon: Array, clip_threshold: Operand, beta1: Operand, beta2: Operand,
                    weight_decay: Operand, learning_rate: Operand, global_norm: Operand, enabled: Any):  # fmt: skip
    """The parameter and its averages after a step of Adafactor."""
    scale_parameter, first_moment, decay = enabled
    require_shape("epsilon", epsilon, (2,))
    require_shape("gradient", gradient, param.shape)
    old, grad = upcast_half(param), upcast_half(gradient) / global_norm
    if scale_parameter:
        learning_rate = learning_rate * jnp.maximum(epsilon[1], root_mean_square(old))
    squares = grad * grad + epsilon[0]
    row, column, average = exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq
    if param.ndim >= 2:
        row = beta2 * row + (1 - beta2) * squares.mean(-1)
        column = beta2 * column + (1 - beta2) * squares.mean(-2)
        update = grad / jnp.sqrt(_factored(row, column))
    else:
        average = beta2 * average + (1 - beta2) * squares
        update = grad / jnp.sqrt(average)
    update = update * learning_rate / jnp.maximum(1.0, root_mean_square(update) / clip_threshold)
    moment = exp_avg
    if first_moment:
        moment = update = beta1 * exp_avg + (1 - beta1) * update
    if decay:
        old = old * (1 - weight_decay * learning_rate)
    states = (param, exp_avg, exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq)
    results = (old - update, moment, row, column, average)
    return tuple(new.astype(state.dtype) for new, state in zip(results, states, strict=True))


@register_primitive
class FusedAdaFactor(Primitive):
    """A step of Adafactor: writes the parameter and its averages, and returns zeros in the parameter's shape.

    Args:
        enable_scale_parameter: whether the learning rate is relative to the size of the parameter.
        enable_first_moment: whether the update is averaged over steps.
        enable_weight_decay: whether the parameter shrinks by ``learning_rate * weight_decay``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> param, moment, row, column, squares = (Parameter(Tensor([1.0, 2.0]), name=name) for name in "pmrcs")
        >>> _ = ops.FusedAdaFactor()((1e-30, 1e-3), 1.0, 0.9, 0.8, 0.0, 0.5, Tensor([1.0, 1.0]), param, moment, row,
        ...                          column, squares)
        >>> print(param.value())
        [0.5      1.627322]
    """

    def __init__(self, enable_scale_parameter: bool = False, enable_first_moment: bool = False,
                 enable_weight_decay: bool = False):  # fmt: skip
        super().__init__()
        given = {"enable_scale_parameter": enable_scale_parameter, "enable_first_moment": enable_first_moment,
                 "enable_weight_decay": enable_weight_decay}  # fmt: skip
        for name, value in given.items():
            self.add_prim_attr(name, check_bool(self.name, name, value))

    def __call__(self, epsilon: Any, clip_threshold: Any, beta1: Any, beta2: Any, weight_decay: Any, learning_rate: Any,
                 gradient: Tensor, param: Tensor, exp_avg: Tensor, exp_avg_sq_row: Tensor, exp_avg_sq_col: Tensor,
                 exp_avg_sq: Tensor, global_norm: Any = 1.0) -> tuple[Tensor]:  # fmt: skip
        if not isinstance(epsilon, (Tensor, tuple, list)):
            raise TypeError(f"For '{self.name}', the 'epsilon' must be a pair of floats, but got {shown(epsilon)}.")
        pair = epsilon if isinstance(epsilon, Tensor) else Tensor(np.array(epsilon, np.float32))
        states = (param, exp_avg, exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq)
        enabled = (self.enable_scale_parameter, self.enable_first_moment, self.enable_weight_decay)
        results = ada_factor_step(gradient, *states, pair, clip_threshold, beta1, beta2, weight_decay, learning_rate,
                                  global_norm, enabled)  # fmt: skip
        for state, new in zip(states, results, strict=True):
            state._overwrite(new)
        return (param.new_zeros(param.shape),)


@register_primitive
class FusedAdaFactorWithGlobalNorm(FusedAdaFactor):
    """:class:`FusedAdaFactor` of the gradient divided by ``global_norm``, the last input.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> shapes = (((2, 2), "p"), ((2, 2), "average"), ((2,), "row"), ((2,), "column"))
        >>> p, average, row, column = (Parameter(ops.ones(shape), name=name) for shape, name in shapes)
        >>> step = ops.FusedAdaFactorWithGlobalNorm()
        >>> updated = step((1e-30, 1e-3), 1.0, 0.9, 0.9, 0.0, 0.1, ops.ones((2, 2)), p, average, row, column, Tensor([0.0]), Tensor([1.0]))
        >>> print(p.shape)
        (2, 2)
    """
