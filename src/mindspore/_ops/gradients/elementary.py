"""Gradients of elementary functions, some of which take the result of the function instead of its input."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._ops.declaring.gradient_primitives import gradient, pull
from mindspore._ops.math.elementary import abs as absolute
from mindspore._ops.math.elementary import logit
from mindspore._ops.math.elementwise import maximum, minimum
from mindspore._ops.math.special import mvlgamma
from mindspore._ops.math.trigonometric import acos, asin, atan


# -- of the input ----------------------------------------------------------------------------------------------------
@gradient("AbsGrad")
def abs_grad(x: Array, dout: Array):
    return pull(absolute, dout, x)


@gradient("ACosGrad")
def acos_grad(x: Array, dout: Array):
    return pull(acos, dout, x)


@gradient("AsinGrad")
def asin_grad(x: Array, dout: Array):
    return pull(asin, dout, x)


@gradient("AtanGrad")
def atan_grad(x: Array, dout: Array):
    return pull(atan, dout, x)


@gradient("LogitGrad", ("eps",))
def logit_grad(grad: Array, input: Array, eps: float = -1.0):
    """The gradient of ``Logit``; a negative ``eps`` limits nothing."""
    return pull(logit, grad, input, eps=eps)


@gradient("MvlgammaGrad", ("p",))
def mvlgamma_grad(y_grad: Array, x: Array, p: int):
    return pull(mvlgamma, y_grad, x, p=p)


@gradient("IgammaGradA")
def igamma_grad_a(a: Array, x: Array):
    """The derivative of ``Igamma`` by its first argument."""
    return lax.igamma_grad_a(*jnp.broadcast_arrays(a, x))


@gradient("RandomGammaGrad")
def random_gamma_grad(alpha: Array, sample: Array):
    """The derivative of a sample of the gamma distribution by ``alpha``, at a constant quantile."""
    return lax.random_gamma_grad(*jnp.broadcast_arrays(alpha, sample))  # pyright: ignore[reportCallIssue] - it takes two arrays


# -- of the result ---------------------------------------------------------------------------------------------------
def _conjugate(x: Any) -> Any:
    return jnp.conj(x) if jnp.iscomplexobj(x) else x


@gradient("AcoshGrad")
def acosh_grad(out: Array, dout: Array):
    """The gradient of ``Acosh``, from its result."""
    return dout / _conjugate(jnp.sinh(out))


@gradient("AsinhGrad")
def asinh_grad(out: Array, dout: Array):
    """The gradient of ``Asinh``, from its result."""
    return dout / _conjugate(jnp.cosh(out))


@gradient("InvGrad")
def inv_grad(x: Array, grad: Array):
    """The gradient of ``Inv``, from its result ``x``."""
    return _reciprocal(x, grad)


@gradient("ReciprocalGrad")
def reciprocal_grad(y: Array, dy: Array):
    """The gradient of ``Reciprocal``, from its result."""
    return _reciprocal(y, dy)


def _reciprocal(y: Any, dy: Any) -> Any:
    y = _conjugate(y)
    return -dy * (y * y)


@gradient("SqrtGrad")
def sqrt_grad(dy: Array, y: Array):
    """The gradient of ``Sqrt``: its result first, then the cotangent, whatever the arguments are called."""
    return y / (_conjugate(dy) * 2)


@gradient("RsqrtGrad")
def rsqrt_grad(y_backprop: Array, x: Array):
    """The gradient of ``Rsqrt``: its result first, then the cotangent, whatever the arguments are called."""
    y = _conjugate(y_backprop)
    half = -x * (y * y * y)
    return half / 2 if jnp.issubdtype(half.dtype, jnp.inexact) else lax.div(half, jnp.full_like(half, 2))


@gradient("SigmoidGrad")
def sigmoid_grad(y: Array, dy: Array):
    """The gradient of ``Sigmoid``, from its result."""
    y = _conjugate(y)
    return dy * (y * (1 - y))


@gradient("TanhGrad")
def tanh_grad(y: Array, dy: Array):
    """The gradient of ``Tanh``, from its result."""
    y = _conjugate(y)
    return dy * (1 - y * y)


# -- of two inputs ---------------------------------------------------------------------------------------------------
@gradient("MaximumGrad", ("grad_x", "grad_y"))
def maximum_grad(x: Array, y: Array, grads: Array, grad_x: bool = True, grad_y: bool = True):
    """The gradients of ``Maximum`` by both inputs."""
    return pull(maximum, grads, x, y)


@gradient("MinimumGrad", ("grad_x", "grad_y"))
def minimum_grad(x1: Array, x2: Array, grads: Array, grad_x: bool = True, grad_y: bool = True):
    """The gradients of ``Minimum`` by both inputs."""
    return pull(minimum, grads, x1, x2)


@gradient("MaximumGradGrad", ("grad_x", "grad_y"))
def maximum_grad_grad(x: Array, y: Array, dx: Array, dy: Array, grad_x: bool = True, grad_y: bool = True):
    """The gradients of ``MaximumGrad`` by both inputs, which are zero, and by the cotangent."""
    return _of_choice(jnp.greater_equal, x, y, dx, dy)


@gradient("MinimumGradGrad")
def minimum_grad_grad(x1: Array, x2: Array, grad_y1: Array, grad_y2: Array):
    """The gradients of ``MinimumGrad`` by both inputs, which are zero, and by the cotangent."""
    return _of_choice(jnp.less_equal, x1, x2, grad_y1, grad_y2)


def _of_choice(chooses: Any, x: Any, y: Any, dx: Any, dy: Any) -> tuple:
    return jnp.zeros_like(x), jnp.zeros_like(y), jnp.where(chooses(x, y), dx, dy)
