"""Update rules in the form of ``experimental.optim``: averages corrected for their start; ``step`` counts from 1."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Operand
from mindspore._ops.optimizer.optimizer_rule import rule


def _moved(m: Any, v: Any, gradient: Any, beta1: float, beta2: float) -> tuple[Any, Any]:
    return beta1 * m + (1 - beta1) * gradient, beta2 * v + (1 - beta2) * gradient * gradient


@rule(writes=("var", "m", "v", "largest"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), t.positive(3), t.normal(3), 0.1, 2.0, 0.01, 0.9, 0.999,
                             1e-8, False, grad=False),
                      t.case(t.normal(3), t.normal(3), t.positive(3), t.positive(3), t.normal(3), 0.1, 2.0, 0.0, 0.9, 0.999,
                             1e-8, True, grad=False)])  # fmt: skip
def decoupled_adam(var: Array, m: Array, v: Array, largest: Array, gradient: Array, lr: Operand, step: Operand,
                   decay: Operand, beta1: float, beta2: float, eps: float, amsgrad: bool):  # fmt: skip
    """``p -= lr * decay * p``, then Adam with ``sqrt(v / (1 - beta2 ** step)) + eps`` below the fraction."""
    m, v = _moved(m, v, gradient, beta1, beta2)
    if amsgrad:
        largest = jnp.maximum(largest, v)
    below = jnp.sqrt((largest if amsgrad else v) / (1 - beta2**step)) + eps
    return var * (1 - lr * decay) - lr / (1 - beta1**step) * m / below, m, v, largest


@rule(writes=("var", "mean", "square", "moment"),
      test=lambda t: [t.case(t.normal(3), t.uniform(-0.1, 0.1, 3), t.positive(3), t.normal(3), t.normal(3), 0.1, 0.9, 1e-3,
                             0.8, True, grad=False),
                      t.case(t.normal(3), t.normal(3), t.positive(3), t.normal(3), t.normal(3), 0.1, 0.9, 1e-3, 0.0, False,
                             grad=False)])  # fmt: skip
def root_mean_square_descent(var: Array, mean: Array, square: Array, moment: Array, gradient: Array, lr: Operand,
                             alpha: float, eps: float, momentum: float, centered: bool):  # fmt: skip
    """``s = alpha * s + (1 - alpha) * g ** 2; m = momentum * m + g / (sqrt(s) + eps); p -= lr * m``."""
    square = alpha * square + (1 - alpha) * gradient * gradient
    spread = square
    if centered:
        mean = alpha * mean + (1 - alpha) * gradient
        spread = square - mean * mean
    step = gradient / (jnp.sqrt(spread) + eps)
    if momentum:
        step = moment = momentum * moment + step
    return var - lr * step, mean, square, moment


@rule(writes=("var", "m", "norm"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), t.normal(3), 0.1, 2.0, 0.9, 0.999, 1e-8,
                             grad=False)])  # fmt: skip
def corrected_adamax(var: Array, m: Array, norm: Array, gradient: Array, lr: Operand, step: Operand, beta1: float,
                     beta2: float, eps: float):  # fmt: skip
    """``n = max(beta2 * n, |g| + eps); p -= lr / (1 - beta1 ** step) * m / n``."""
    m, norm = beta1 * m + (1 - beta1) * gradient, jnp.maximum(beta2 * norm, jnp.abs(gradient) + eps)
    return var - lr / (1 - beta1**step) * m / norm, m, norm


@rule(writes=("var", "m", "v"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), t.normal(3), 0.1, 2.0, 0.2, 0.9, 0.999, 1e-8, 0.004,
                             grad=False)])  # fmt: skip
def nesterov_adam(var: Array, m: Array, v: Array, gradient: Array, lr: Operand, step: Operand, product: Operand,
                  beta1: float, beta2: float, eps: float, momentum_decay: float):  # fmt: skip
    """Adam with Nesterov's look ahead; ``product`` is that of all factors ``nesterov_factor`` up to this step."""
    m, v = _moved(m, v, gradient, beta1, beta2)
    present = nesterov_factor(step, beta1, momentum_decay)
    following = nesterov_factor(step + 1, beta1, momentum_decay)
    direction = (1 - present) / (1 - product) * gradient + following / (1 - product * following) * m
    return var - lr * direction / (jnp.sqrt(v / (1 - beta2**step)) + eps), m, v


def nesterov_factor(step: Any, beta1: float, momentum_decay: float) -> Any:
    """How much of the average counts at a step."""
    return beta1 * (1 - 0.5 * 0.96 ** (step * momentum_decay))


@rule(writes=("var", "m", "v"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), t.normal(3), 0.1, 2.0, 0.9, 0.999, 1e-8, grad=False),
                      t.case(t.normal(3), t.normal(3), t.positive(3), t.normal(3), 0.1, 9.0, 0.9, 0.999, 1e-8,
                             grad=False)])  # fmt: skip
def rectified_adam(var: Array, m: Array, v: Array, gradient: Array, lr: Operand, step: Operand, beta1: float,
                   beta2: float, eps: float):  # fmt: skip
    """Adam that is plain momentum until there are enough gradients for a variance, and rectified from then on."""
    m, v = _moved(m, v, gradient, beta1, beta2)
    kept = 1 - beta2**step
    most = 2 / (1 - beta2) - 1
    length = most - 2 * step * beta2**step / kept
    enough = length > 5
    length = jnp.where(enough, length, 6.0)
    factor = jnp.sqrt((length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length))
    adapted = factor * jnp.sqrt(kept) / (jnp.sqrt(v) + eps)
    return var - lr * m / (1 - beta1**step) * jnp.where(enough, adapted, 1.0), m, v


@rule(writes=("var", "ax"),
      test=lambda t: [t.case(t.normal(3), t.normal(3), t.normal(3), 0.1, 2.0, 1e-4, 0.75, 1.0, grad=False),
                      t.case(t.normal(3), np.zeros(3, np.float32), t.normal(3), 0.1, 1.0, 1e-4, 0.75, 1e6,
                             grad=False)])  # fmt: skip
def averaged_descent_at(var: Array, ax: Array, gradient: Array, lr: Operand, step: Operand, lambd: float, alpha: float,
                        t0: float):  # fmt: skip
    """``p = (1 - lambd * eta) * p - eta * g`` with ``eta = lr / (1 + lambd * lr * (step - 1)) ** alpha``; ``ax`` its average."""
    eta = lr / (1 + lambd * lr * (step - 1)) ** alpha
    weight = 1 / jnp.maximum(1, step - 1 - t0)
    var = var * (1 - lambd * eta) - eta * gradient
    return var, jnp.where(weight == 1, var, ax + (var - ax) * weight)
