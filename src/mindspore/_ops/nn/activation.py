"""Activation functions built from ReLU, sigmoid and tanh."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Choice
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import accepts, halves_as_float32
from mindspore._ops.declaring.promotion import as_float, kind_of
from mindspore._ops.declaring.requirements import require, require_choice
from mindspore._ops.math.soft_maximum import softplus as softplus_of

_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772, 1.0507009873554805


def numpy_sigmoid(x: np.ndarray) -> np.ndarray:
    """NumPy's sigmoid, for the tests."""
    return 1 / (1 + np.exp(-x))


def in_kind(function: Any, x: Any) -> Any:
    """``function`` computed in floating point, in the dtype of ``x`` (integers are truncated, as in MindSpore)."""
    return function(x) if kind_of(x.dtype) in "fc" else function(x.astype(np.float32)).astype(x.dtype)


@op(primitive="ReLU", old={"input": ("x", "input_x")}, call_order=("input",),
    test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: np.maximum(x, 0)),
                    t.case(t.ints(4, low=-5), expect=lambda x: np.maximum(x, 0))])  # fmt: skip
@accepts("bif", "input")
def relu(input: Array, inplace: bool = False):
    """The larger of 0 and the input; the gradient at 0 is 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.relu(Tensor([-1.0, 2.0])))
        [0. 2.]
    """
    require(not inplace, "the 'inplace' must be False, but got True. Write x = ops.relu(x) instead.")
    return input if input.dtype == jnp.bool_ else positive_part(input)


@jax.custom_jvp
def positive_part(x: Any) -> Any:
    """ReLU in the form that kernels look for (``_kernels/folding.py``)."""
    return jnp.maximum(x, 0)


positive_part.defjvps(lambda tangent, _, x: jax.lax.select(x > 0, tangent, jax.lax.full_like(tangent, 0)))


@op(primitive="ReLU6", test=lambda t: [t.case(t.normal(3, 4) * 4, expect=lambda x: np.clip(x, 0, 6))])
@accepts("f", "x")
def relu6(x: Array):
    """The input limited to the interval from 0 to 6.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.relu6(Tensor([-1.0, 2.0, 7.0])))
        [0. 2. 6.]
    """
    return jnp.where(x > 6, jnp.asarray(6, x.dtype), jax.nn.relu(x))


@op(test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: np.where(x > 0, x, 0.2 * x)),
                    t.case(t.normal(3, 4), 0.1, expect=lambda x, a: np.where(x > 0, x, a * x))])  # fmt: skip
@accepts("bif", "input")
@halves_as_float32
def leaky_relu(input: Array, alpha: float = 0.2):
    """The input where positive, ``alpha`` times the input elsewhere.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.leaky_relu(Tensor([-10.0, 2.0])))
        [-2.  2.]
    """
    larger = jnp.maximum if alpha <= 1 else jnp.minimum
    return in_kind(lambda x: larger(x * alpha, x), input)


@op(primitive="PReLU", old={"input": "x"},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(1), expect=lambda x, w: np.where(x > 0, x, w * x)),
                    t.case(t.normal(2, 3, 2), t.normal(3),
                           expect=lambda x, w: np.where(x > 0, x, w[:, None] * x))])  # fmt: skip
@accepts("f", "input")
@accepts("f", "weight")
def prelu(input: Array, weight: Array):
    """The input where positive, ``weight`` times the input elsewhere; a single weight, or one per channel (axis 1).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.prelu(Tensor([[-1.0, -1.0, 2.0]]), Tensor([0.1, 0.2, 0.3])))
        [[-0.1 -0.2  2. ]]
    """
    channels = input.shape[1] if input.ndim > 1 else 1
    fits = weight.ndim == 1 and weight.shape[0] in (1, channels)
    require(fits, f"the 'weight' must have shape (1,) or ({channels},), one per channel, but got {weight.shape}.")
    slopes = weight.reshape(1, -1, *[1] * (input.ndim - 2)) if input.ndim > 1 else weight.reshape([1] * input.ndim)
    return jnp.where(input > 0, input, slopes.astype(input.dtype) * input)


@op(primitive="Elu", init=("alpha",), old={"input_x": ("x", "input")},
    test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: np.where(x > 0, x, np.expm1(x)))])  # fmt: skip
@accepts("bif", "input_x")
@halves_as_float32
def elu(input_x: Array, alpha: float = 1.0):
    """The input where positive, ``alpha * (exp(x) - 1)`` elsewhere.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.elu(Tensor([0.0, 2.0])))
        [0. 2.]
    """
    return jax.nn.elu(as_float(input_x), alpha)


@op(primitive="SeLU", old={"input_x": ("x", "input")},
    test=lambda t: [t.case(t.normal(3, 4), tolerance=1e-4,
                           expect=lambda x: 1.0507 * np.where(x > 0, x, 1.67326 * np.expm1(x)))])  # fmt: skip
@accepts("if", "input_x")
@halves_as_float32
def selu(input_x: Array):
    """The scaled ELU that keeps mean 0 and variance 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.selu(Tensor([0.0, 1.0])))
        [0.       1.050701]
    """

    def scaled(x: Any) -> Any:
        # the inner where keeps exp of large numbers out of the gradient
        negative = _SELU_ALPHA * jnp.expm1(jnp.where(x >= 0, 0, x))
        return _SELU_SCALE * jnp.where(x >= 0, x, negative)

    return in_kind(scaled, input_x)


@op(primitive="CeLU", init=("alpha",),
    test=lambda t: [t.case(t.normal(3, 4), 2.0,
                           expect=lambda x, a: np.where(x > 0, x, a * np.expm1(x / a)))])  # fmt: skip
@accepts("f", "x")
@halves_as_float32
def celu(x: Array, alpha: float = 1.0):
    """The input where positive, ``alpha * (exp(x / alpha) - 1)`` elsewhere.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.celu(Tensor([0.0, 2.0])))
        [0. 2.]
    """
    require(alpha != 0, "the 'alpha' must not be 0, but got 0.")
    return jax.nn.celu(as_float(x), alpha)


@op(primitive="Sigmoid", method="sigmoid", old={"input": ("x", "input_x")},
    test=lambda t: [t.case(t.normal(3, 4), expect=numpy_sigmoid)])  # fmt: skip
@halves_as_float32
def sigmoid(input: Array):
    """``1 / (1 + exp(-x))``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.sigmoid(Tensor([0.0])))
        [0.5]
    """
    return jax.nn.sigmoid(as_float(input))


@op(aliases="log_sigmoid", test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: np.log(numpy_sigmoid(x)))])
@halves_as_float32
def logsigmoid(x: Array):
    """The logarithm of the sigmoid, exact for large negative inputs too.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.logsigmoid(Tensor([-100.0])))
        [-100.]
    """
    x = as_float(x)
    # what is exact for large inputs compares them, which complex numbers have no order for
    return -jnp.log1p(jnp.exp(-x)) if jnp.iscomplexobj(x) else -softplus_of(-x)


@op(aliases="swish", primitive=("SiLU", "Swish"), old={"input": "x"},
    test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: x * numpy_sigmoid(x))])  # fmt: skip
@halves_as_float32
def silu(input: Array):
    """The input times its sigmoid.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.silu(Tensor([0.0, 100.0])))
        [  0. 100.]
    """
    return jax.nn.silu(as_float(input))


@op(primitive="Tanh", method="tanh", old={"input": ("x", "input_x")},
    test=lambda t: [t.case(t.normal(3, 4), expect=np.tanh)])  # fmt: skip
@halves_as_float32
def tanh(input: Array):
    """The hyperbolic tangent.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.tanh(Tensor([0.0])))
        [0.]
    """
    return jnp.tanh(as_float(input))


@op(test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: x - np.tanh(x))])
@halves_as_float32
def tanhshrink(input: Array):
    """The input minus its hyperbolic tangent.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.tanhshrink(Tensor([0.0, 100.0])))
        [ 0. 99.]
    """
    x = as_float(input)
    return x - jnp.tanh(x)


def _gelu_tanh(x: np.ndarray, *_: Any) -> np.ndarray:
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


@op(test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: x / 2 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))),
                    t.case(t.normal(2, 3), "tanh", expect=_gelu_tanh)])  # fmt: skip
@accepts("f", "input")
@halves_as_float32
def gelu(input: Array, approximate: Choice = "none"):
    """The input times the normal distribution function at it; ``approximate='tanh'`` is a faster formula.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.gelu(Tensor([0.0, 100.0])))
        [  0. 100.]
    """
    require_choice("approximate", approximate, ("none", "tanh"))
    return jax.nn.gelu(as_float(input), approximate=approximate == "tanh")


@op(primitive=("GeLU", "Gelu"), public=False, old={"input": "x"},
    test=lambda t: [t.case(t.normal(3, 4), expect=_gelu_tanh)])  # fmt: skip
@accepts("f", "input")
@halves_as_float32
def gelu_primitive(input: Array):
    """The input times the normal distribution function at it, by the formula with tanh.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.GeLU()(Tensor([0.0, 1.0])).asnumpy().round(4))
        [0.     0.8412]
    """
    return jax.nn.gelu(as_float(input), approximate=True)


@op(primitive=("FastGeLU", "FastGelu"),
    test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: x * numpy_sigmoid(1.702 * x))])  # fmt: skip
@accepts("f", "x")
@halves_as_float32
def fast_gelu(x: Array):
    """The input times ``sigmoid(1.702 * x)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.fast_gelu(Tensor([0.0, 100.0])))
        [  0. 100.]
    """
    x = as_float(x)
    return x * jax.nn.sigmoid(1.702 * x)


@op(primitive="Mish", test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: x * np.tanh(np.log1p(np.exp(x))))])
@accepts("f", "x")
@halves_as_float32
def mish(x: Array):
    """The input times the tanh of its softplus.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.mish(Tensor([0.0, 100.0])))
        [  0. 100.]
    """
    x = as_float(x)
    return x * jnp.tanh(softplus_of(x))


@op(primitive="Softplus", call_order=("input",), old={"input": "x"},
    test=lambda t: [t.case(t.normal(3, 4), expect=lambda x: np.log1p(np.exp(x))),
                    t.case(t.normal(3, 4), 2, 30, expect=lambda x, b, _: np.log1p(np.exp(b * x)) / b)])  # fmt: skip
@accepts("f", "input")
@halves_as_float32
def softplus(input: Array, beta: float = 1, threshold: float = 20):
    """``log(1 + exp(beta * x)) / beta``, the input itself where ``beta * x`` exceeds the threshold.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.softplus(Tensor([0.0, 100.0])))
        [  0.6931472 100.       ]
    """
    require(beta != 0, "the 'beta' must not be 0, but got 0.")
    x = as_float(input)
    return jnp.where(x * beta > threshold, x, softplus_of(x * beta) / beta)
