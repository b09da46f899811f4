"""Steps of optimizers as one operator each: AdamW in two forms, and CAME in four parts."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array, Operand
from mindspore._ops.generated.declare import generated_op


def _numpy_adamw(var: Any, m: Any, v: Any, best: Any, g: Any, step: Any, *numbers: Any) -> Any:
    lr, first, second, decay, eps = numbers
    t = step + 1
    var = var * (1 - lr * decay)
    m, v = first * m + (1 - first) * g, second * v + (1 - second) * g * g
    return var - lr / (1 - first**t) * m / (np.sqrt(v) / np.sqrt(1 - second**t) + eps), m, v, best


@generated_op(test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), t.positive(3), t.normal(3),
                                     np.float32(2), 0.1, 0.9, 0.99, 0.01, 1e-8, grad=False, tolerance=1e-5,
                                     expect=_numpy_adamw)])  # fmt: skip
def adamw_step(var: Array, m: Array, v: Array, max_v: Array, gradient: Array, step: Operand, lr: Operand, beta1: Operand,
               beta2: Operand, decay: Operand, eps: Operand, amsgrad: bool = False, maximize: bool = False):  # fmt: skip
    """The step after ``step`` of AdamW: the weights, both moments and the largest second moments."""
    g = (-gradient if maximize else gradient).astype(var.dtype)
    number = jnp.asarray(step).reshape(()).astype(jnp.float32) + 1
    first = beta1 * m + (1 - beta1) * g
    second = beta2 * v + (1 - beta2) * g * g
    largest = jnp.maximum(max_v, second) if amsgrad else max_v
    root = jnp.sqrt(largest if amsgrad else second) / jnp.sqrt(1 - jnp.power(jnp.float32(beta2), number)) + eps
    moved = var * (1 - lr * decay) - lr / (1 - jnp.power(jnp.float32(beta1), number)) * first / root
    return moved.astype(var.dtype), first.astype(m.dtype), second.astype(v.dtype), largest.astype(max_v.dtype)


def _numpy_applied(var: Any, m: Any, v: Any, p1: Any, p2: Any, *rest: Any) -> Any:
    lr, decay, first, second, eps, g, best = rest
    m, v = first * m + (1 - first) * g, second * v + (1 - second) * g * g
    root = np.sqrt(v / (1 - p2 * second)) + eps
    return var * (1 - lr * decay) - lr * m / (1 - p1 * first) / root, m, v, best


@generated_op(test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), np.float32(0.81), np.float32(0.9801), 0.1, 0.01,
                                     0.9, 0.99, 1e-8, t.normal(3), t.positive(3), grad=False, tolerance=1e-4,
                                     expect=_numpy_applied)])  # fmt: skip
def adamw_step_of_powers(var: Array, m: Array, v: Array, beta1_power: Operand, beta2_power: Operand, lr: Operand,
                         weight_decay: Operand, beta1: Operand, beta2: Operand, epsilon: Operand, grad: Array,
                         max_grad_norm: Array, amsgrad: bool = False, maximize: bool = False):  # fmt: skip
    """A step of AdamW from the powers of the betas so far."""
    g = -grad if maximize else grad
    first = beta1 * m + (1 - beta1) * g
    second = beta2 * v + (1 - beta2) * g * g
    largest = jnp.maximum(max_grad_norm, second) if amsgrad else max_grad_norm
    root = jnp.sqrt((largest if amsgrad else second) / (1 - beta2_power * beta2)) + epsilon
    moved = var * (1 - lr * weight_decay) - lr * first / (1 - beta1_power * beta1) / root
    return moved.astype(var.dtype), first.astype(m.dtype), second.astype(v.dtype), largest.astype(grad.dtype)


# -- CAME: confidence-guided adaptive memory-efficient optimization ------------------------------------------------------
def _sums(x: Any) -> tuple[Any, Any, Any]:
    return x.sum(-1), x.sum(-2), x.sum((-2, -1))


def _sizes(x: Any, global_shape: Any) -> tuple[Any, Any]:
    """How many rows and columns the whole matrix has, of which ``x`` may be a part."""
    if global_shape is None:
        return x.shape[-2], x.shape[-1]
    return global_shape[0].astype(jnp.float32), global_shape[1].astype(jnp.float32)


def _factored(rows: Any, columns: Any, mean: Any) -> Any:
    return lax.rsqrt(rows / mean)[..., :, None] * lax.rsqrt(columns)[..., None, :]


@generated_op(test=lambda t: [t.case(t.normal(2, 3), 1e-3, expect=lambda g, e: (
    (g * g + e).sum(1), (g * g + e).sum(0), (g * g + e).sum()))])  # fmt: skip
def came_sums(grad: Array, eps: float):
    """The sums of squares of rows, of columns and of all."""
    return _sums(grad.astype(jnp.float32) ** 2 + eps)


def _numpy_second(g: Any, sr: Any, sc: Any, src: Any, r: Any, c: Any, beta: float) -> Any:
    r = beta * r + (1 - beta) * sr / g.shape[1]
    c = beta * c + (1 - beta) * sc / g.shape[0]
    u = g / np.sqrt(r / r.mean())[:, None] / np.sqrt(c)
    return r, c, u, (u * u).sum()[None]


@generated_op(test=lambda t: [t.case(t.normal(2, 3), t.positive(2), t.positive(3), t.positive(), t.positive(2), t.positive(3),
                                     0.9, grad=False, tolerance=1e-5, expect=_numpy_second)])  # fmt: skip
def came_update(grad: Array, sum_grad_r: Array, sum_grad_c: Array, sum_grad_rc: Array, r: Array, c: Array, beta2: float,
                sum_r: Array | None = None, global_shape: Array | None = None):  # fmt: skip
    """The factored second moments, the gradient divided by their root, and the sum of its squares."""
    rows, columns = _sizes(grad, global_shape)
    of_rows = beta2 * r + (1 - beta2) * sum_grad_r / columns
    of_columns = beta2 * c + (1 - beta2) * sum_grad_c / rows
    mean = of_rows.mean(-1, keepdims=True) if sum_r is None else sum_r / rows
    update = grad * _factored(of_rows, of_columns, mean)
    return (of_rows.astype(r.dtype), of_columns.astype(c.dtype), update.astype(grad.dtype),
            (update.astype(jnp.float32) ** 2).sum().reshape(1))  # fmt: skip


def _numpy_third(u: Any, m: Any, eps: float, beta: float, limit: float, square: Any) -> Any:
    u = u / max(1, np.sqrt(square[0] / u.size) / limit)
    m = beta * m + (1 - beta) * u
    apart = (u - m) ** 2 + eps
    return m, apart.sum(1), apart.sum(0), apart.sum()


@generated_op(test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), 1e-3, 0.9, 1.0, np.array([9], np.float32), None, True,
                                     grad=False, expect=lambda *a: _numpy_third(*a[:6]))])  # fmt: skip
def came_momentum(u: Array, m: Array, eps: float, beta1: float, clip_threshold: float, sum_square_u: Array,
                  global_shape: Array | None = None, use_first_moment: bool = False):  # fmt: skip
    """The first moment of the clipped update, and the sums of how far the update is from it."""
    rows, columns = _sizes(u, global_shape)
    root = jnp.sqrt(sum_square_u.reshape(()) / (rows * columns))
    clipped = u / jnp.maximum(1, root / clip_threshold).astype(u.dtype)
    moment = beta1 * m + (1 - beta1) * clipped if use_first_moment else clipped
    return moment.astype(m.dtype), *_sums((clipped - moment).astype(jnp.float32) ** 2 + eps)


def _numpy_fourth(
    p: Any, m: Any, r: Any, c: Any, decay: Any, lr: Any, beta: float, _: Any, ur: Any, uc: Any, urc: Any
) -> Any:
    r = beta * r + (1 - beta) * ur / p.shape[1]
    c = beta * c + (1 - beta) * uc / p.shape[0]
    step = m / np.sqrt(r / r.mean())[:, None] / np.sqrt(c)
    return p * (1 - lr * decay) - lr * step, r, c


@generated_op(test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), t.positive(2), t.positive(3), np.array([0.1], np.float32),
                                     np.array([0.5], np.float32), 0.9, None, t.positive(2), t.positive(3), t.positive(),
                                     grad=False, tolerance=1e-5, expect=_numpy_fourth)])  # fmt: skip
def came_step(param: Array, m: Array, r: Array, c: Array, weight_decay: Array, lr: Array, beta3: float,
              sum_r: Array | None, sum_u_r: Array, sum_u_c: Array, sum_u_rc: Array,
              global_shape: Array | None = None):  # fmt: skip
    """The weights after the step, and the factored instability of the updates."""
    rows, columns = _sizes(param, global_shape)
    of_rows = beta3 * r + (1 - beta3) * sum_u_r / columns
    of_columns = beta3 * c + (1 - beta3) * sum_u_c / rows
    mean = of_rows.mean(-1, keepdims=True) if sum_r is None else sum_r / rows
    rate, decay = lr.reshape(()), weight_decay.reshape(())
    moved = param * (1 - rate * decay) - rate * m * _factored(of_rows, of_columns, mean)
    return moved.astype(param.dtype), of_rows.astype(r.dtype), of_columns.astype(c.dtype)
