"""Update rules with a rate per element: RMSProp, Adagrad, Adadelta, FTRL and proximal forms, dense and for rows."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Operand
from mindspore._ops.optimizer.optimizer_rule import rule


# -- RMSProp and Adadelta ---------------------------------------------------------------------------------------------
@rule(primitive="ApplyRMSProp", writes=("var", "mean_square", "moment"), init=("use_locking",), returns=0,
      test=lambda t: [t.case(t.normal(3), t.positive(3), t.normal(3), 0.1, t.normal(3), 0.9, 0.8, 1e-3,
                             grad=False)])  # fmt: skip
def apply_rms_prop(var: Array, mean_square: Array, moment: Array, learning_rate: Operand, grad: Array, decay: Operand,
                   momentum: Operand, epsilon: Operand, use_locking: bool = False):  # fmt: skip
    """``s = decay * s + (1 - decay) * g ** 2; m = momentum * m + lr * g / sqrt(s + epsilon); p -= m``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, s, m = (Parameter(Tensor([x]), name=n) for x, n in ((1.0, "p"), (0.0, "s"), (0.0, "m")))
        >>> print(ops.ApplyRMSProp()(p, s, m, 0.1, Tensor([1.0]), 0.9, 0.0, 1e-6).round(3))
        [0.684]
    """
    mean_square = decay * mean_square + (1 - decay) * grad * grad
    moment = momentum * moment + learning_rate * grad / jnp.sqrt(mean_square + epsilon)
    return var - moment, mean_square, moment


@rule(primitive="ApplyCenteredRMSProp", writes=("var", "mean_gradient", "mean_square", "moment"), returns=0,
      init=("use_locking",),
      test=lambda t: [t.case(t.normal(3), t.uniform(-0.1, 0.1, 3), t.positive(3), t.normal(3), t.normal(3), 0.1, 0.9,
                             0.8, 1e-3, grad=False)])  # fmt: skip
def apply_centered_rms_prop(var: Array, mean_gradient: Array, mean_square: Array, moment: Array, grad: Array,
                            learning_rate: Operand, decay: Operand, momentum: Operand, epsilon: Operand,
                            use_locking: bool = False):  # fmt: skip
    """RMSProp with the variance of the gradient, ``s - mean ** 2``, instead of its mean square.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, g, s, m = (Parameter(Tensor([x]), name=n) for x, n in ((1.0, "p"), (0.0, "g"), (0.0, "s"), (0.0, "m")))
        >>> print(ops.ApplyCenteredRMSProp()(p, g, s, m, Tensor([1.0]), 0.1, 0.9, 0.0, 1e-6).round(2))
        [0.67]
    """
    mean_gradient = decay * mean_gradient + (1 - decay) * grad
    mean_square = decay * mean_square + (1 - decay) * grad * grad
    variance = mean_square - mean_gradient * mean_gradient
    moment = momentum * moment + learning_rate * grad / jnp.sqrt(variance + epsilon)
    return var - moment, mean_gradient, mean_square, moment


def adadelta(var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any, epsilon: Any, grad: Any) -> tuple[Any, ...]:
    """A step of Adadelta: the variable and the moving averages of squared gradients and updates."""
    accum = rho * accum + (1 - rho) * grad * grad
    update = jnp.sqrt(accum_update + epsilon) / jnp.sqrt(accum + epsilon) * grad
    return var - lr * update, accum, rho * accum_update + (1 - rho) * update * update


@rule(primitive="ApplyAdadelta", writes=("var", "accum", "accum_update"),
      test=lambda t: [t.case(t.normal(3), t.positive(3), t.positive(3), 0.1, 0.9, 1e-3, t.normal(3),
                             grad=False)])  # fmt: skip
def apply_adadelta(var: Array, accum: Array, accum_update: Array, lr: Operand, rho: Operand, epsilon: Operand,
                   grad: Array):  # fmt: skip
    """``p -= lr * u`` with ``u = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * g`` and averages of the squares.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, a, u = (Parameter(Tensor([x]), name=n) for x, n in ((1.0, "p"), (0.0, "a"), (0.0, "u")))
        >>> updated = ops.ApplyAdadelta()(p, a, u, 1.0, 0.9, 1e-6, Tensor([1.0]))
        >>> print(p.asnumpy().round(3))
        [0.997]
    """
    return adadelta(var, accum, accum_update, lr, rho, epsilon, grad)


# -- Adagrad ------------------------------------------------------------------------------------------------------------
def _adagrad(var: Any, accum: Any, lr: Any, grad: Any, update_slots: bool, epsilon: float = 0.0) -> tuple[Any, Any]:
    if update_slots:
        accum = accum + grad * grad
    return var - lr * grad / (jnp.sqrt(accum) + epsilon), accum


@rule(primitive="ApplyAdagrad", writes=("var", "accum"), init=("update_slots",),
      test=lambda t: [t.case(t.normal(3), t.positive(3), 0.1, t.normal(3), grad=False,
                             expect=lambda p, a, lr, g: (p - lr * g / np.sqrt(a + g * g), a + g * g)),
                      t.case(t.normal(3), t.positive(3), 0.1, t.normal(3), False, grad=False,
                             expect=lambda p, a, lr, g, u: (p - lr * g / np.sqrt(a), a))])  # fmt: skip
def apply_adagrad(var: Array, accum: Array, lr: Operand, grad: Array, update_slots: bool = True):
    """``a += g ** 2; p -= lr * g / sqrt(a)``; without ``update_slots`` a stays as it is.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, a = Parameter(Tensor([1.0]), name="p"), Parameter(Tensor([0.0]), name="a")
        >>> print(ops.ApplyAdagrad()(p, a, 0.1, Tensor([2.0]))[0].round(3))
        [0.9]
    """
    return _adagrad(var, accum, lr, grad, update_slots)


@rule(primitive="ApplyAdagradV2", writes=("var", "accum"), init=("epsilon", "update_slots"),
      test=lambda t: [t.case(t.normal(3), t.positive(3), 0.1, t.normal(3), 0.01, grad=False)])  # fmt: skip
def apply_adagrad_v2(var: Array, accum: Array, lr: Operand, grad: Array, epsilon: float, update_slots: bool = True):
    """``a += g ** 2; p -= lr * g / (sqrt(a) + epsilon)``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, a = Parameter(Tensor([1.0]), name="p"), Parameter(Tensor([0.0]), name="a")
        >>> print(ops.ApplyAdagradV2(epsilon=1e-6)(p, a, 0.1, Tensor([2.0]))[0].round(3))
        [0.9]
    """
    return _adagrad(var, accum, lr, grad, update_slots, epsilon)


@rule(primitive="SparseApplyAdagrad", writes=("var", "accum"), init=("lr", "update_slots", "use_locking"),
      test=lambda t: [t.case(t.normal(3, 2), t.positive(3, 2), t.normal(2, 2), np.array([2, 0]), 0.1,
                             grad=False)])  # fmt: skip
def sparse_apply_adagrad(var: Array, accum: Array, grad: Array, indices: Array, lr: float, update_slots: bool = True,
                         use_locking: bool = False):  # fmt: skip
    """Adagrad for a gradient of some rows; the others stay as they are.

    Examples:
        >>> import mindspore
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, a = Parameter(Tensor([[1.0], [1.0]]), name="p"), Parameter(Tensor([[0.1], [0.1]]), name="a")
        >>> print(ops.SparseApplyAdagrad(lr=0.1)(p, a, Tensor([[1.0]]), Tensor([1], mindspore.int32))[0].round(3))
        [[1.   ]
         [0.905]]
    """
    return _adagrad(var, accum, lr, grad, update_slots)


@rule(primitive="SparseApplyAdagradV2", writes=("var", "accum"),
      init=("lr", "epsilon", "use_locking", "update_slots"),
      test=lambda t: [t.case(t.normal(3, 2), t.positive(3, 2), t.normal(2, 2), np.array([2, 0]), 0.1, 1e-3,
                             grad=False)])  # fmt: skip
def sparse_apply_adagrad_v2(var: Array, accum: Array, grad: Array, indices: Array, lr: float, epsilon: float,
                            use_locking: bool = False, update_slots: bool = True):  # fmt: skip
    """AdagradV2 for a gradient of some rows; the others stay as they are.

    Examples:
        >>> import mindspore
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, a = Parameter(Tensor([[1.0], [1.0]]), name="p"), Parameter(Tensor([[0.1], [0.1]]), name="a")
        >>> adagrad = ops.SparseApplyAdagradV2(lr=0.1, epsilon=1e-6)
        >>> print(adagrad(p, a, Tensor([[1.0]]), Tensor([1], mindspore.int32))[0].round(3))
        [[1.   ]
         [0.905]]
    """
    return _adagrad(var, accum, lr, grad, update_slots, epsilon)


def _shrunk(value: Any, threshold: Any) -> Any:
    return jnp.sign(value) * jnp.maximum(jnp.abs(value) - threshold, 0.0)


@rule(primitive="ApplyAdagradDA", writes=("var", "gradient_accumulator", "gradient_squared_accumulator"), returns=0,
      init=("use_locking",),
      test=lambda t: [t.case(t.normal(3), t.normal(3), t.positive(3), t.normal(3), 0.1, 0.01, 0.02, 2,
                             grad=False)])  # fmt: skip
def apply_adagrad_da(var: Array, gradient_accumulator: Array, gradient_squared_accumulator: Array, grad: Array,
                     lr: Operand, l1: Operand, l2: Operand, global_step: Operand, use_locking: bool = False):  # fmt: skip
    """Adagrad by dual averaging: the parameter follows from the sums of all gradients and of their squares.

    Examples:
        >>> import mindspore
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, g, s = (Parameter(Tensor([x]), name=n) for x, n in ((1.0, "p"), (0.0, "g"), (0.0, "s")))
        >>> updated = ops.ApplyAdagradDA()(p, g, s, Tensor([2.0]), 0.1, 0.0, 0.0, Tensor(1, mindspore.int32))
        >>> print(p.asnumpy().round(3))
        [-0.1]
    """
    total = gradient_accumulator + grad
    squares = gradient_squared_accumulator + grad * grad
    var = -lr * _shrunk(total, l1 * global_step) / (l2 * global_step * lr + jnp.sqrt(squares))
    return var, total, squares


# -- FTRL -----------------------------------------------------------------------------------------------------------------
def _ftrl(var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any, lr_power: Any,
          l2_shrinkage: float = 0.0) -> tuple[Any, Any, Any]:  # fmt: skip
    squares = accum + grad * grad
    sigma = (squares**-lr_power - accum**-lr_power) / lr
    linear = linear + grad + 2 * l2_shrinkage * var - sigma * var
    var = -_shrunk(linear, l1) / (squares**-lr_power / lr + 2 * l2)
    return var, squares, linear


@rule(primitive="ApplyFtrl", writes=("var", "accum", "linear"), init=("use_locking",), returns=0,
      test=lambda t: [t.case(t.normal(3), t.positive(3), t.normal(3), t.normal(3), 0.1, 0.01, 0.02, -0.5,
                             grad=False)])  # fmt: skip
def apply_ftrl(var: Array, accum: Array, linear: Array, grad: Array, lr: Operand, l1: Operand, l2: Operand,
               lr_power: Operand, use_locking: bool = False):  # fmt: skip
    """Follow the regularized leader: ``p = -shrink(linear, l1) / (accum ** -lr_power / lr + 2 * l2)``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, a, n = (Parameter(Tensor([x]), name=y) for x, y in ((1.0, "p"), (0.1, "a"), (0.0, "n")))
        >>> updated = ops.ApplyFtrl()(p, a, n, Tensor([1.0]), 0.1, 0.0, 0.0, -0.5)
        >>> print(p.asnumpy().round(3))
        [0.603]
    """
    return _ftrl(var, accum, linear, grad, lr, l1, l2, lr_power)


@rule(writes=("var", "accum", "linear"),
      test=lambda t: [t.case(t.normal(3, 2), t.positive(3, 2), t.normal(3, 2), t.normal(2, 2), np.array([2, 0]), 0.1,
                             0.01, 0.02, -0.5, grad=False)])  # fmt: skip
def ftrl_of_rows(var: Array, accum: Array, linear: Array, grad: Array, indices: Array, lr: Operand, l1: Operand,
                 l2: Operand, lr_power: Operand):  # fmt: skip
    """Follow the regularized leader at a rate that may change, for a gradient of some rows; the others stay as they are."""
    return _ftrl(var, accum, linear, grad, lr, l1, l2, lr_power)


@rule(primitive=("SparseApplyFtrl", "FusedSparseFtrl"), writes=("var", "accum", "linear"),
      init=("lr", "l1", "l2", "lr_power", "use_locking"),
      test=lambda t: [t.case(t.normal(3, 2), t.positive(3, 2), t.normal(3, 2), t.normal(2, 2), np.array([2, 0]), 0.1,
                             0.01, 0.02, -0.5, grad=False)])  # fmt: skip
def sparse_apply_ftrl(var: Array, accum: Array, linear: Array, grad: Array, indices: Array, lr: float, l1: float,
                      l2: float, lr_power: float, use_locking: bool = False):  # fmt: skip
    """Follow the regularized leader, for a gradient of some rows; the others stay as they are.

    Examples:
        >>> import mindspore
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, a, n = (Parameter(Tensor([[x], [x]]), name=y) for x, y in ((1.0, "p"), (0.1, "a"), (0.0, "n")))
        >>> updated = ops.FusedSparseFtrl(0.1, 0.0, 0.0, -0.5)(p, a, n, Tensor([[1.0]]), Tensor([1], mindspore.int32))
        >>> print(p.asnumpy().round(3))
        [[1.   ]
         [0.603]]
    """
    return _ftrl(var, accum, linear, grad, lr, l1, l2, lr_power)


@rule(primitive="SparseApplyFtrlV2", writes=("var", "accum", "linear"),
      init=("lr", "l1", "l2", "l2_shrinkage", "lr_power", "use_locking"),
      test=lambda t: [t.case(t.normal(3, 2), t.positive(3, 2), t.normal(3, 2), t.normal(2, 2), np.array([2, 0]), 0.1,
                             0.01, 0.02, 0.03, -0.5, grad=False)])  # fmt: skip
def sparse_apply_ftrl_v2(var: Array, accum: Array, linear: Array, grad: Array, indices: Array, lr: float, l1: float,
                         l2: float, l2_shrinkage: float, lr_power: float, use_locking: bool = False):  # fmt: skip
    """Follow the regularized leader with shrinkage, for a gradient of some rows; the others stay as they are.

    Examples:
        >>> import mindspore
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, a, n = (Parameter(Tensor([[x], [x]]), name=y) for x, y in ((1.0, "p"), (0.1, "a"), (0.0, "n")))
        >>> leader = ops.SparseApplyFtrlV2(0.1, 0.0, 0.0, 0.0, -0.5)
        >>> print(leader(p, a, n, Tensor([[1.0]]), Tensor([1], mindspore.int32))[0].round(3))
        [[1.   ]
         [0.603]]
    """
    return _ftrl(var, accum, linear, grad, lr, l1, l2, lr_power, l2_shrinkage)


# -- proximal -----------------------------------------------------------------------------------------------------------
def _proximal_adagrad(var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any) -> tuple[Any, Any]:
    accum = accum + grad * grad
    rate = lr / jnp.sqrt(accum)
    return _shrunk(var - rate * grad, rate * l1) / (1 + rate * l2), accum


@rule(primitive="ApplyProximalAdagrad", writes=("var", "accum"), init=("use_locking",),
      test=lambda t: [t.case(t.normal(3), t.positive(3), 0.1, 0.01, 0.02, t.normal(3), grad=False)])  # fmt: skip
def apply_proximal_adagrad(var: Array, accum: Array, lr: Operand, l1: Operand, l2: Operand, grad: Array,
                           use_locking: bool = False):  # fmt: skip
    """Adagrad's step of rate r, shrunk by ``r * l1`` towards 0 and divided by ``1 + r * l2``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, a = Parameter(Tensor([1.0]), name="p"), Parameter(Tensor([0.1]), name="a")
        >>> print(ops.ApplyProximalAdagrad()(p, a, 0.1, 0.0, 0.0, Tensor([1.0]))[0].round(3))
        [0.905]
    """
    return _proximal_adagrad(var, accum, lr, l1, l2, grad)


@rule(primitive=("FusedSparseProximalAdagrad", "SparseApplyProximalAdagrad"), writes=("var", "accum"),
      init=("use_locking",),
      test=lambda t: [t.case(t.normal(3, 2), t.positive(3, 2), 0.1, 0.01, 0.02, t.normal(2, 2), np.array([2, 0]),
                             grad=False)])  # fmt: skip
def sparse_apply_proximal_adagrad(var: Array, accum: Array, lr: Operand, l1: Operand, l2: Operand, grad: Array,
                                  indices: Array, use_locking: bool = False):  # fmt: skip
    """Proximal Adagrad for a gradient of some rows; the others stay as they are.

    Examples:
        >>> import mindspore
        >>> from mindspore import Parameter, Tensor, ops
        >>> p, a = Parameter(Tensor([[1.0], [1.0]]), name="p"), Parameter(Tensor([[0.1], [0.1]]), name="a")
        >>> updated = ops.FusedSparseProximalAdagrad()(p, a, 0.1, 0.0, 0.0, Tensor([[1.0]]), Tensor([1], mindspore.int32))
        >>> print(p.asnumpy().round(3))
        [[1.   ]
         [0.905]]
    """
    return _proximal_adagrad(var, accum, lr, l1, l2, grad)


@rule(primitive="ApplyProximalGradientDescent", writes=("var",), returns=0,
      test=lambda t: [t.case(t.normal(3), 0.1, 0.01, 0.02, t.normal(3), grad=False)])  # fmt: skip
def apply_proximal_gradient_descent(var: Array, alpha: Operand, l1: Operand, l2: Operand, gradient: Array):
    """The step ``p - alpha * g``, shrunk by ``alpha * l1`` towards 0 and divided by ``1 + alpha * l2``.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> print(ops.ApplyProximalGradientDescent()(p, 0.1, 0.0, 0.0, Tensor([1.0])).round(3))
        [0.9]
    """
    return (_shrunk(var - alpha * gradient, alpha * l1) / (1 + alpha * l2),)


# -- Adafactor ------------------------------------------------------------------------------------------------------------
def root_mean_square(value: Any) -> Any:
    """Over all elements."""
    return jnp.sqrt(jnp.mean(value * value))


@rule(writes=("var", "average", "row", "column", "square"),
      test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), t.positive(2), t.positive(3), t.positive(1), t.normal(2, 3),
                             0.1, 2.0, 0.01, (1e-30, 1e-3), 1.0, 0.8, 0.9, True, True, False, True, grad=False),
                      t.case(t.normal(3), t.normal(3), t.positive(1), t.positive(1), t.positive(3), t.normal(3), 0.1,
                             2.0, 0.0, (1e-30, 1e-3), 1.0, 0.8, 0.0, False, False, False, False,
                             grad=False)])  # fmt: skip
def adafactor(var: Array, average: Array, row: Array, column: Array, square: Array, gradient: Array, lr: Operand,
              step: Operand, decay: Operand, eps: tuple, clip_threshold: float, decay_rate: float, beta1: float,
              scale_parameter: bool, relative_step: bool, warmup_init: bool, factored: bool):  # fmt: skip
    """Adafactor: the mean square of a matrix is kept as that of its rows and of its columns; step counts from 1."""
    if relative_step:
        lr = jnp.minimum(1e-6 * step if warmup_init else 1e-2, 1 / jnp.sqrt(step))
    if scale_parameter:
        lr = lr * jnp.maximum(eps[1], root_mean_square(var))
    keep = 1 - step**-decay_rate
    squares = gradient * gradient + eps[0]
    if factored:
        row = keep * row + (1 - keep) * squares.mean(-1)
        column = keep * column + (1 - keep) * squares.mean(-2)
        of_rows = jnp.sqrt(row.mean(-1, keepdims=True) / row)[..., None]
        update = of_rows / jnp.sqrt(column)[..., None, :] * gradient
    else:
        square = keep * square + (1 - keep) * squares
        update = gradient / jnp.sqrt(square)
    update = lr * update / jnp.maximum(1.0, root_mean_square(update) / clip_threshold)
    if beta1 > 0:
        update = average = beta1 * average + (1 - beta1) * update
    return var * (1 - decay * lr) - update, average, row, column, square
