"""Update rules with moving averages of the gradient and of its square: Adam and its relatives."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Operand
from mindspore._ops.optimizer.optimizer_rule import rule


def _moved(m: Any, v: Any, beta1: Any, beta2: Any, gradient: Any) -> tuple[Any, Any]:
    return beta1 * m + (1 - beta1) * gradient, beta2 * v + (1 - beta2) * gradient * gradient


def _corrected_rate(lr: Any, beta1_power: Any, beta2_power: Any) -> Any:
    return lr * jnp.sqrt(1 - beta2_power) / (1 - beta1_power)


def _adam(var: Any, m: Any, v: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any,
          gradient: Any, use_nesterov: bool) -> tuple[Any, Any, Any]:  # fmt: skip
    m, v = _moved(m, v, beta1, beta2, gradient)
    direction = beta1 * m + (1 - beta1) * gradient if use_nesterov else m
    step = _corrected_rate(lr, beta1_power, beta2_power) * direction / (jnp.sqrt(v) + epsilon)
    return var - step, m, v


def _reference(p: Any, m: Any, v: Any, power1: Any, power2: Any, lr: Any, b1: Any, b2: Any, eps: Any, g: Any) -> tuple:
    m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g**2
    return p - lr * np.sqrt(1 - power2) / (1 - power1) * m / (np.sqrt(v) + eps), m, v


@rule(primitive="Adam", writes=("var", "m", "v"), init=("use_locking", "use_nesterov"),
      test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), t.positive(2, 3), 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8,
                             t.normal(2, 3), grad=False, expect=_reference),
                      t.case(t.normal(3), t.normal(3), t.positive(3), 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, t.normal(3),
                             False, True, grad=False)])  # fmt: skip
def apply_adam(var: Array, m: Array, v: Array, beta1_power: Operand, beta2_power: Operand, lr: Operand, beta1: Operand,
               beta2: Operand, epsilon: Operand, gradient: Array, use_locking: bool = False,
               use_nesterov: bool = False):  # fmt: skip
    """``p -= lr * sqrt(1 - beta2_power) / (1 - beta1_power) * m / (sqrt(v) + epsilon)`` with averages m and v.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, m, v = (Parameter(Tensor([x]), name=n) for x, n in ((1.0, "p"), (0.0, "m"), (0.0, "v")))
        >>> updated = ops.Adam()(p, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([1.0]))
        >>> print(p.asnumpy().round(3))
        [0.9]
    """
    return _adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_nesterov)


@rule(primitive="AdamNoUpdateParam", writes=("m", "v"), init=("use_locking", "use_nesterov"), returns=2,
      test=lambda t: [t.case(t.normal(3), t.positive(3), 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, t.normal(3),
                             grad=False)])  # fmt: skip
def adam_no_update_param(m: Array, v: Array, beta1_power: Operand, beta2_power: Operand, lr: Operand, beta1: Operand,
                         beta2: Operand, epsilon: Operand, gradient: Array, use_locking: bool = False,
                         use_nesterov: bool = False):  # fmt: skip
    """What Adam would add to the parameter, which stays as it is; the averages move on.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> m, v = Parameter(Tensor([0.0]), name="m"), Parameter(Tensor([0.0]), name="v")
        >>> print(ops.AdamNoUpdateParam()(m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([1.0])).round(3))
        [-0.1]
    """
    step, m, v = _adam(0.0, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_nesterov)
    return m, v, step


@rule(primitive="AdamWeightDecay", writes=("var", "m", "v"), init=("use_locking",),
      test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), 0.1, 0.9, 0.999, 1e-6, 0.1, t.normal(3),
                             grad=False)])  # fmt: skip
def adam_weight_decay(var: Array, m: Array, v: Array, lr: Operand, beta1: Operand, beta2: Operand, epsilon: Operand,
                      decay: Operand, gradient: Array, use_locking: bool = False):  # fmt: skip
    """``p -= lr * (m / (sqrt(v) + epsilon) + decay * p)`` with averages m and v that are not corrected for their start.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, m, v = (Parameter(Tensor([x]), name=n) for x, n in ((1.0, "p"), (0.0, "m"), (0.0, "v")))
        >>> updated = ops.AdamWeightDecay()(p, m, v, 0.1, 0.9, 0.999, 1e-8, 0.0, Tensor([1.0]))
        >>> print(p.asnumpy().round(3))
        [0.684]
    """
    m, v = _moved(m, v, beta1, beta2, gradient)
    return var - lr * (m / (jnp.sqrt(v) + epsilon) + decay * var), m, v


@rule(primitive="FusedCastAdamWeightDecay", writes=("var", "m", "v"), init=("use_locking",),
      test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), 0.1, 0.9, 0.999, 1e-6, 0.1, t.normal(3), 2.0,
                             grad=False)])  # fmt: skip
def fused_cast_adam_weight_decay(var: Array, m: Array, v: Array, lr: Operand, beta1: Operand, beta2: Operand,
                                 epsilon: Operand, decay: Operand, gradient: Array, global_norm: Operand = 1.0,
                                 use_locking: bool = False):  # fmt: skip
    """AdamWeightDecay of a gradient that is divided by ``global_norm`` and may have another dtype.

    Examples:
        >>> import mindspore
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, m, v = (Parameter(Tensor([x], mindspore.float32), name=n) for x, n in ((1.0, "p"), (0.0, "m"), (0.0, "v")))
        >>> gradient = Tensor([1.0], mindspore.float16)
        >>> updated = ops.FusedCastAdamWeightDecay()(p, m, v, 0.1, 0.9, 0.999, 1e-8, 0.0, gradient, 1.0)
        >>> print(p.asnumpy().round(3))
        [0.684]
    """
    m, v = _moved(m, v, beta1, beta2, gradient / global_norm)
    return var - lr * (m / (jnp.sqrt(v) + epsilon) + decay * var), m, v


def _amsgrad(var: Any, m: Any, v: Any, vhat: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any, beta2: Any,
             epsilon: Any, grad: Any) -> tuple[Any, ...]:  # fmt: skip
    """A step of Adam that divides by the running maximum of ``v``."""
    m, v = _moved(m, v, beta1, beta2, grad)
    vhat = jnp.maximum(vhat, v)
    return var - _corrected_rate(lr, beta1_power, beta2_power) * m / (jnp.sqrt(vhat) + epsilon), m, v, vhat


@rule(primitive="ApplyAdamWithAmsgradV2", writes=("var", "m", "v", "vhat"), init=("use_locking",),
      test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), t.positive(3), 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8,
                             t.normal(3), grad=False)])  # fmt: skip
def apply_adam_with_amsgrad(var: Array, m: Array, v: Array, vhat: Array, beta1_power: Operand, beta2_power: Operand,
                            lr: Operand, beta1: Operand, beta2: Operand, epsilon: Operand, grad: Array,
                            use_locking: bool = False):  # fmt: skip
    """Adam with the running maximum of ``v`` instead of ``v``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, m, v, h = (Parameter(Tensor([x]), name=n) for x, n in ((1.0, "p"), (0.0, "m"), (0.0, "v"), (0.0, "h")))
        >>> updated = ops.ApplyAdamWithAmsgradV2()(p, m, v, h, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([1.0]))
        >>> print(p.asnumpy().round(3))
        [0.9]
    """
    return _amsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)


@rule(primitive="ApplyAdamWithAmsgrad", writes=("var", "m", "v", "vhat"),
      init=("beta1", "beta2", "epsilon", "use_locking"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), t.positive(3), 0.9, 0.999, 0.1, t.normal(3),
                             grad=False)])  # fmt: skip
def apply_adam_with_fixed_amsgrad(var: Array, m: Array, v: Array, vhat: Array, beta1_power: Operand,
                                  beta2_power: Operand, lr: Operand, grad: Array, beta1: float = 0.9,
                                  beta2: float = 0.999, epsilon: float = 1e-8, use_locking: bool = False):  # fmt: skip
    """Adam with the running maximum of ``v`` instead of ``v``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, m, v, h = (Parameter(Tensor([x]), name=n) for x, n in ((1.0, "p"), (0.0, "m"), (0.0, "v"), (0.0, "h")))
        >>> updated = ops.ApplyAdamWithAmsgrad()(p, m, v, h, 0.9, 0.999, 0.1, Tensor([1.0]))
        >>> print(p.asnumpy().round(3))
        [0.9]
    """
    return _amsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)


@rule(primitive="ApplyAdaMax", writes=("var", "m", "v"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), 0.9, 0.1, 0.9, 0.99, 1e-3, t.normal(3),
                             grad=False)])  # fmt: skip
def apply_ada_max(var: Array, m: Array, v: Array, beta1_power: Operand, lr: Operand, beta1: Operand, beta2: Operand,
                  epsilon: Operand, grad: Array):  # fmt: skip
    """``v = max(beta2 * v, |g|); p -= lr / (1 - beta1_power) * m / (v + epsilon)``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, m, v = (Parameter(Tensor([x]), name=n) for x, n in ((1.0, "p"), (0.0, "m"), (0.0, "v")))
        >>> updated = ops.ApplyAdaMax()(p, m, v, 0.9, 0.1, 0.9, 0.999, 1e-8, Tensor([1.0]))
        >>> print(p.asnumpy().round(3))
        [0.9]
    """
    m, v = beta1 * m + (1 - beta1) * grad, jnp.maximum(beta2 * v, jnp.abs(grad))
    return var - lr / (1 - beta1_power) * m / (v + epsilon), m, v


@rule(writes=("var", "m", "v"),
      test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), t.positive(2, 3), 0.1, 0.9, 0.999, 1e-6, 0.1, 1.0,
                             t.normal(2, 3), grad=False)])  # fmt: skip
def apply_lamb(var: Array, m: Array, v: Array, lr: Operand, beta1: Operand, beta2: Operand, epsilon: Operand,
               decay: Operand, step: Operand, gradient: Array):  # fmt: skip
    """Adam's decayed step scaled to the length of the parameter, at most tenfold; ``step`` counts from 1."""
    m, v = _moved(m, v, beta1, beta2, gradient)
    mean, square = m / (1 - beta1**step), v / (1 - beta2**step)
    length = jnp.linalg.norm(var)
    measured = jnp.linalg.norm(mean / jnp.sqrt(square + epsilon) + decay * var)
    moves = (length > 0) & (jnp.linalg.norm(gradient) > 0)
    ratio = jnp.clip(jnp.where(moves, length / jnp.where(moves, measured, 1.0), 1.0), 0.0, 10.0)
    return var - ratio * lr * (mean / (jnp.sqrt(square) + epsilon) + decay * var), m, v


@rule(primitive="FusedSparseAdam", writes=("var", "m", "v"), init=("use_locking", "use_nesterov"), every_row=True,
      test=lambda t: [t.case(t.normal(3, 2), t.normal(3, 2), t.positive(3, 2), 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8,
                             t.normal(2, 2), np.array([2, 0]), grad=False)])  # fmt: skip
def fused_sparse_adam(var: Array, m: Array, v: Array, beta1_power: Operand, beta2_power: Operand, lr: Operand,
                      beta1: Operand, beta2: Operand, epsilon: Operand, grad: Array, indices: Array,
                      use_locking: bool = False, use_nesterov: bool = False):  # fmt: skip
    """Adam for a gradient of some rows; for the other rows it is zero.

    Examples:
        >>> import mindspore
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, m, v = (Parameter(Tensor([[x], [x]]), name=n) for x, n in ((1.0, "p"), (0.0, "m"), (0.0, "v")))
        >>> gradient, rows = Tensor([[1.0]]), Tensor([1], mindspore.int32)
        >>> updated = ops.FusedSparseAdam()(p, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, gradient, rows)
        >>> print(p.asnumpy().round(3))
        [[1. ]
         [0.9]]
    """
    return _adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, use_nesterov)


@rule(primitive="FusedSparseLazyAdam", writes=("var", "m", "v"), init=("use_locking", "use_nesterov"),
      test=lambda t: [t.case(t.normal(3, 2), t.normal(3, 2), t.positive(3, 2), 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8,
                             t.normal(2, 2), np.array([2, 0]), grad=False)])  # fmt: skip
def fused_sparse_lazy_adam(var: Array, m: Array, v: Array, beta1_power: Operand, beta2_power: Operand, lr: Operand,
                           beta1: Operand, beta2: Operand, epsilon: Operand, grad: Array, indices: Array,
                           use_locking: bool = False, use_nesterov: bool = False):  # fmt: skip
    """Adam for a gradient of some rows; the other rows stay as they are.

    Examples:
        >>> import mindspore
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, m, v = (Parameter(Tensor([[x], [x]]), name=n) for x, n in ((1.0, "p"), (0.0, "m"), (0.0, "v")))
        >>> gradient, rows = Tensor([[1.0]]), Tensor([1], mindspore.int32)
        >>> updated = ops.FusedSparseLazyAdam()(p, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, gradient, rows)
        >>> print(p.asnumpy().round(3))
        [[1. ]
         [0.9]]
    """
    return _adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, use_nesterov)
