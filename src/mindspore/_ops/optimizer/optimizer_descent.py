"""Update rules that follow the gradient: with momentum, by its sign, proximal, averaged."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.promotion import promote
from mindspore._ops.declaring.requirements import require_shape
from mindspore._ops.optimizer.optimizer_rule import rule


@rule(primitive="ApplyMomentum", writes=("variable", "accumulation"), returns=0,
      init=("use_nesterov", "use_locking", "gradient_scale"),
      test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), 0.1, t.normal(2, 3), 0.9, grad=False,
                             expect=lambda p, v, lr, g, m: (p - lr * (m * v + g), m * v + g)),
                      t.case(t.normal(3), t.normal(3), 0.1, t.normal(3), 0.9, True, grad=False,
                             expect=lambda p, v, lr, g, m, n: (p - lr * (g + m * (m * v + g)), m * v + g))])  # fmt: skip
def apply_momentum(variable: Array, accumulation: Array, learning_rate: Operand, gradient: Array, momentum: Operand,
                   use_nesterov: bool = False, use_locking: bool = False, gradient_scale: float = 1.0):  # fmt: skip
    """``v = momentum * v + g; p -= lr * v``, or with Nesterov's look ahead ``p -= lr * (g + momentum * v)``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, v = Parameter(Tensor([1.0, 2.0]), name="p"), Parameter(Tensor([0.0, 0.0]), name="v")
        >>> print(ops.ApplyMomentum()(p, v, 0.1, Tensor([1.0, 1.0]), 0.9).round(3))
        [0.9 1.9]
    """
    gradient = gradient * gradient_scale
    accumulation = momentum * accumulation + gradient
    step = gradient + momentum * accumulation if use_nesterov else accumulation
    return variable - learning_rate * step, accumulation


@rule(primitive="FusedWeightScaleApplyMomentum", writes=("variable", "accumulation"), returns=0,
      test=lambda t: [t.case(0.1, 0.5, t.normal(3), t.normal(3), 0.2, t.normal(3), 0.9, grad=False,
                             expect=lambda d, s, p, v, lr, g, m: (p - lr * (m * v + g * s + d * p),
                                                                  m * v + g * s + d * p))])  # fmt: skip
def fused_weight_scale_apply_momentum(weight_decay: Operand, loss_scale: Operand, variable: Array, accumulation: Array,
                                      learning_rate: Operand, gradient: Array, momentum: Operand):  # fmt: skip
    """``v = momentum * v + g * loss_scale + weight_decay * p; p -= lr * v``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, v = Parameter(Tensor([1.0, 2.0]), name="p"), Parameter(Tensor([0.0, 0.0]), name="v")
        >>> decay, scale, rate, momentum = Tensor(0.0), Tensor(1.0), Tensor(0.1), Tensor(0.9)
        >>> print(ops.FusedWeightScaleApplyMomentum()(decay, scale, p, v, rate, Tensor([1.0, 1.0]), momentum).round(3))
        [0.9 1.9]
    """
    accumulation = momentum * accumulation + gradient * loss_scale + weight_decay * variable
    return variable - learning_rate * accumulation, accumulation


@rule(primitive="ApplyKerasMomentum", writes=("var", "accum"), init=("use_locking", "use_nesterov"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), 0.1, t.normal(3), 0.9, grad=False,
                             expect=lambda p, v, lr, g, m: (p + (m * v - lr * g), m * v - lr * g))])  # fmt: skip
def apply_keras_momentum(var: Array, accum: Array, lr: Operand, grad: Array, momentum: Operand,
                         use_locking: bool = False, use_nesterov: bool = False):  # fmt: skip
    """``v = momentum * v - lr * g; p += v``, or with Nesterov's look ahead ``p += momentum * v - lr * g``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, v = Parameter(Tensor([1.0, 2.0]), name="p"), Parameter(Tensor([0.0, 0.0]), name="v")
        >>> print(ops.ApplyKerasMomentum()(p, v, 0.1, Tensor([1.0, 1.0]), 0.9)[0].round(3))
        [0.9 1.9]
    """
    accum = momentum * accum - lr * grad
    return var + (momentum * accum - lr * grad if use_nesterov else accum), accum


@rule(primitive="SGD", writes=("parameters", "accum", "stat"), returns=0,
      init=("dampening", "weight_decay", "nesterov"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), 0.1, t.normal(3), 0.9, np.zeros(3, np.float32), 0.5, grad=False,
                             expect=lambda p, g, lr, v, m, s, d: (p - lr * (m * v + (1 - d) * g),
                                                                  m * v + (1 - d) * g, s)),
                      t.case(t.normal(3), t.normal(3), 0.1, t.normal(3), 0.0, np.ones(3, np.float32), 0.0, 0.1,
                             grad=False)])  # fmt: skip
def sgd(parameters: Array, gradient: Array, learning_rate: Operand, accum: Array, momentum: Operand, stat: Array,
        dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False):  # fmt: skip
    """``v = momentum * v + (1 - dampening) * g; p -= lr * v``; where ``stat`` is above 0, a first step, ``v = g``.

    Without momentum ``p -= lr * g``; with Nesterov's look ahead ``p -= lr * (g + momentum * v)``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, v = Parameter(Tensor([1.0, 2.0]), name="p"), Parameter(Tensor([0.0, 0.0]), name="v")
        >>> print(ops.SGD()(p, Tensor([1.0, 1.0]), Tensor(0.1), v, Tensor(0.9), Tensor([1.0, 1.0])).round(3))
        [0.9 1.9]
    """
    gradient = gradient + weight_decay * parameters
    moved = jnp.where(stat > 0, gradient, momentum * accum + (1 - dampening) * gradient)
    still = momentum == 0
    step = gradient + momentum * moved if nesterov else moved
    parameters = parameters - learning_rate * jnp.where(still, gradient, step)
    return parameters, jnp.where(still, accum, moved), jnp.where(still, stat, jnp.zeros_like(stat))


@rule(primitive="ApplyGradientDescent", writes=("var",), returns=0,
      test=lambda t: [t.case(t.normal(3), 0.1, t.normal(3), grad=False,
                             expect=lambda p, lr, g: (p - lr * g,))])  # fmt: skip
def apply_gradient_descent(var: Array, alpha: Operand, gradient: Array):
    """``p -= alpha * g``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p = Parameter(Tensor([1.0, 2.0]), name="p")
        >>> print(ops.ApplyGradientDescent()(p, 0.1, Tensor([1.0, 1.0])).round(3))
        [0.9 1.9]
    """
    return (var - alpha * gradient,)


@rule(primitive="ApplyAddSign", writes=("var", "m"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), 0.1, 0.5, 0.6, 0.7, t.normal(3), grad=False)])  # fmt: skip
def apply_add_sign(var: Array, m: Array, lr: Operand, alpha: Operand, sign_decay: Operand, beta: Operand, grad: Array):
    """``m = beta * m + (1 - beta) * g; p -= lr * (alpha + sign_decay * sign(g) * sign(m)) * g``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, m = Parameter(Tensor([1.0, 2.0]), name="p"), Parameter(Tensor([0.0, 0.0]), name="m")
        >>> print(ops.ApplyAddSign()(p, m, 0.1, 1.0, 0.9, 0.9, Tensor([1.0, 1.0]))[0].round(3))
        [0.81 1.81]
    """
    m = beta * m + (1 - beta) * grad
    return var - lr * (alpha + sign_decay * jnp.sign(grad) * jnp.sign(m)) * grad, m


@rule(primitive="ApplyPowerSign", writes=("var", "m"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), 0.1, 0.5, 0.6, 0.7, t.normal(3), grad=False)])  # fmt: skip
def apply_power_sign(var: Array, m: Array, lr: Operand, logbase: Operand, sign_decay: Operand, beta: Operand,
                     grad: Array):  # fmt: skip
    """``m = beta * m + (1 - beta) * g; p -= lr * exp(logbase * sign_decay * sign(g) * sign(m)) * g``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, m = Parameter(Tensor([1.0, 2.0]), name="p"), Parameter(Tensor([0.0, 0.0]), name="m")
        >>> print(ops.ApplyPowerSign()(p, m, 0.1, 1.0, 0.9, 0.9, Tensor([1.0, 1.0]))[0].round(3))
        [0.754 1.754]
    """
    m = beta * m + (1 - beta) * grad
    return var - lr * jnp.exp(logbase * sign_decay * jnp.sign(grad) * jnp.sign(m)) * grad, m


@rule(writes=("var", "ax", "eta", "mu"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), np.array(0.1, np.float32), np.array(1, np.float32),
                             t.normal(3), 0.1, 2.0, 1e-4,
                             0.75, 1e6, grad=False)])  # fmt: skip
def averaged_descent(var: Array, ax: Array, eta: Array, mu: Array, gradient: Array, lr: Operand, step: Operand,
                     lambd: float, alpha: float, t0: float):  # fmt: skip
    """``p = (1 - lambd * eta) * p - eta * g``, and ``ax`` its average, with ``eta`` falling; step counts from 1."""
    eta = jnp.where(step == 1, lr, eta)
    var = var * (1 - lambd * eta) - eta * gradient
    ax = jnp.where(mu == 1, var, ax + (var - ax) * mu)
    return var, ax, lr / (1 + lambd * lr * step) ** alpha, 1 / jnp.maximum(1, step - t0)


@rule(writes=("var", "previous", "step_size"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), t.normal(3), 0.1, 2.0, 0.5, 1.2, 1e-6, 50.0,
                             grad=False)])  # fmt: skip
def resilient_descent(var: Array, previous: Array, step_size: Array, gradient: Array, lr: Operand, step: Operand,
                      eta_minus: float, eta_plus: float, least: float, most: float):  # fmt: skip
    """``p -= step_size * sign(g)``: steps grow while the sign of g stays, and shrink, resting once, when it changes."""
    step_size = jnp.where(step == 1, lr, step_size)
    agreement = jnp.sign(gradient * jnp.where(step == 1, 0, previous))
    factor = jnp.where(agreement > 0, eta_plus, jnp.where(agreement < 0, eta_minus, 1.0))
    gradient = jnp.where(agreement < 0, 0.0, gradient)
    step_size = jnp.where(step == 1, step_size, jnp.clip(step_size * factor, least, most))
    return var - step_size * jnp.sign(gradient), gradient, step_size


@op(primitive="LARSUpdate", public=False, init=("epsilon", "hyperpara", "use_clip"),
    test=lambda t: [t.case(t.normal(3), t.normal(3), 4.0, 9.0, 0.1, 0.5, grad=False,
                           expect=lambda w, g, ww, gg, d, lr: 0.001 * 2 / (3 + 0.1 * 2 + 1e-5) * (g + d * w)),
                    t.case(t.normal(3), t.normal(3), 4.0, 9.0, 0.1, 1e-4, 1e-5, 0.001, True, grad=False,
                           expect=lambda w, g, ww, gg, d, lr, *_: g + d * w)])  # fmt: skip
def lars_update(weight: Array, gradient: Array, norm_weight: Operand, norm_gradient: Operand, weight_decay: Operand,
                learning_rate: Operand, epsilon: float = 1e-5, hyperpara: float = 0.001,
                use_clip: bool = False):  # fmt: skip
    """The decayed gradient times the layer's own rate ``hyperpara * |w| / (|g| + weight_decay * |w| + epsilon)``.

    ``norm_weight`` and ``norm_gradient`` are the sums of squares. With ``use_clip`` the rate is divided by
    ``learning_rate`` and limited to 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> weight, gradient, one = Tensor([3.0, 4.0]), Tensor([0.6, 0.8]), Tensor(1.0)
        >>> print(ops.LARSUpdate()(weight, gradient, Tensor(25.0), one, Tensor(0.0), one).shape)
        (2,)
    """
    require_shape("gradient", gradient, weight.shape)
    wide_weight, wide, of_weight, of_gradient, decay, rate, _ = promote(
        weight, gradient, *(x.reshape(()) for x in map(jnp.asarray, (norm_weight, norm_gradient, weight_decay,
                                                                     learning_rate))), np.float32(0))  # fmt: skip
    of_weight, of_gradient = jnp.sqrt(of_weight), jnp.sqrt(of_gradient)
    factor = hyperpara * of_weight / (of_gradient + decay * of_weight + epsilon)
    if use_clip:
        factor = jnp.clip(factor / rate, 0.0, 1.0)
    return (factor * (wide + decay * wide_weight)).astype(gradient.dtype)


@op(primitive="SquareSumAll", public=False,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3),
                           expect=lambda x, y: ((x * x).sum(), (y * y).sum()))])  # fmt: skip
def square_sum_all(x: Array, y: Array):
    """The sums of squares of two Tensors.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.SquareSumAll()(Tensor([1.0, 2.0]), Tensor([3.0])))
        (Tensor(shape=[], dtype=Float32, value= 5), Tensor(shape=[], dtype=Float32, value= 9))
    """
    return jnp.sum(x * x), jnp.sum(y * y)
