"""Gradients of activation functions."""

from __future__ import annotations

import jax.numpy as jnp

from mindspore._engine.operator.arguments import Array
from mindspore._ops.declaring.gradient_primitives import gradient, pull
from mindspore._ops.nn.activation import (
    fast_gelu,
    gelu,
    gelu_primitive,
    leaky_relu,
    logsigmoid,
    mish,
    prelu,
    relu,
    relu6,
    silu,
    softplus,
)
from mindspore._ops.nn.activation_limits import glu, hardshrink, hardsigmoid, hardswish, softshrink, swiglu
from mindspore._ops.nn.activation_limits import threshold as limited

SELU_SCALE, SELU_ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717


# -- of the input ----------------------------------------------------------------------------------------------------
@gradient("ReluGrad")
def relu_grad(y_backprop: Array, x: Array):
    return pull(relu, y_backprop, x)


@gradient("ReLU6Grad")
def relu6_grad(y_backprop: Array, x: Array):
    return pull(relu6, y_backprop, x)


@gradient("LeakyReLUGradExt")
def leaky_relu_grad_ext(dy: Array, input: Array, negative_slope: float = 0.01, is_result: bool = False):
    """The gradient of ``LeakyReLUExt``; its result has the signs of its input, so ``is_result`` changes nothing."""
    return pull(leaky_relu, dy, input, alpha=negative_slope)


@gradient("PReLUGrad")
def prelu_grad(dy: Array, x: Array, weight: Array):
    """The gradients of ``PReLU`` by its input and its weight."""
    return pull(prelu, dy, x, weight)


@gradient("GeLUGrad")
def gelu_grad(dy: Array, x: Array, y: Array):
    """The gradient of ``GeLU``; its result ``y`` is not needed."""
    return pull(gelu_primitive, dy, x)


@gradient("GeluGradExt")
def gelu_grad_ext(grad: Array, input: Array, approximate: str = "none"):
    return pull(gelu, grad, input, approximate=approximate)


@gradient("FastGeLUGrad")
def fast_gelu_grad(dy: Array, x: Array):
    return pull(fast_gelu, dy, x)


@gradient("SiLUGrad")
def silu_grad(dout: Array, x: Array):
    return pull(silu, dout, x)


@gradient("MishGradExt")
def mish_grad_ext(dout: Array, x: Array):
    return pull(mish, dout, x)


@gradient("LogSigmoidGrad", function=True)
def logsigmoid_grad(dy: Array, input: Array, buffer: Array):
    """The gradient of ``LogSigmoid``; the ``buffer`` that its kernel kept is not needed.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.auto_generate import logsigmoid_grad
        >>> print(logsigmoid_grad(Tensor([1.0]), Tensor([0.0]), Tensor([0.0])))
        [0.5]
    """
    return pull(logsigmoid, dy, input)


@gradient("SoftplusGrad")
def softplus_grad(gradients: Array, features: Array):
    return pull(softplus, gradients, features)


@gradient("SoftplusGradExt")
def softplus_grad_ext(dout: Array, x: Array, beta: float = 1, threshold: float = 20):
    return pull(softplus, dout, x, beta=beta, threshold=threshold)


# -- with limits -----------------------------------------------------------------------------------------------------
@gradient("HSigmoidGrad")
def hsigmoid_grad(grads: Array, input_x: Array):
    return pull(hardsigmoid, grads, input_x)


@gradient("HSwishGrad")
def hswish_grad(y_grad: Array, x: Array):
    return pull(hardswish, y_grad, x)


@gradient("HShrinkGrad", ("lambd",))
def hshrink_grad(gradients: Array, features: Array, lambd: float = 0.5):
    return pull(hardshrink, gradients, features, lambd=lambd)


@gradient("SoftShrinkGrad", ("lambd",), function=True)
def softshrink_grad(input_grad: Array, input_x: Array, lambd: float = 0.5):
    """The gradient of ``SoftShrink``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.auto_generate import softshrink_grad
        >>> print(softshrink_grad(Tensor([2.0, 2.0]), Tensor([0.1, 1.0])))
        [0. 2.]
    """
    return pull(softshrink, input_grad, input_x, lambd=lambd)


@gradient("HardtanhGrad")
def hardtanh_grad(dout: Array, input: Array, min_val: float = -1, max_val: float = 1):
    """The gradient of ``Hardtanh``: that of the result inside the limits, 0 outside and at them."""
    return jnp.where((input > min_val) & (input < max_val), dout, 0).astype(dout.dtype)


@gradient("ThresholdGrad")
def threshold_grad(grad_output: Array, input: Array, threshold: float):
    return pull(limited, grad_output, input, thr=threshold, value=0.0)


# -- of the result ---------------------------------------------------------------------------------------------------
@gradient("EluGrad")
def elu_grad(dout: Array, out: Array):
    """The gradient of ``Elu``, from its result."""
    return jnp.where(out > 0, dout, dout * (out + 1))


@gradient("EluGradExt")
def elu_grad_ext(dout: Array, x_or_out: Array, alpha: float = 1.0, is_result: bool = False):
    """The gradient of ``EluExt``, from its input or, with ``is_result``, from its result."""
    slope = x_or_out + alpha if is_result else alpha * jnp.exp(jnp.minimum(x_or_out, 0))
    return jnp.where(x_or_out > 0, dout, dout * slope)


@gradient("SeluGrad", function=True)
def selu_grad(gradient: Array, result: Array):
    """The gradient of ``SeLU``, from its result.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.auto_generate import selu_grad
        >>> print(selu_grad(Tensor([1.0]), Tensor([2.0])))
        [1.050701]
    """
    negative = gradient * (result + SELU_SCALE * SELU_ALPHA)
    return jnp.where(result >= 0, gradient * SELU_SCALE, negative).astype(gradient.dtype)


@gradient("SoftmaxGrad")
def softmax_grad(y: Array, dy: Array):
    """The gradient of ``Softmax`` along the last axis, from its result."""
    return y * (dy - (y * dy).sum(-1, keepdims=True))


@gradient("LogSoftmaxGrad", ("axis",))
def log_softmax_grad(logits: Array, grad: Array, axis: int = -1):
    """The gradient of ``LogSoftmax``, from its result ``logits``."""
    return grad - jnp.exp(logits) * grad.sum(axis, keepdims=True)


# -- gates -----------------------------------------------------------------------------------------------------------
@gradient("GluGrad", ("axis",))
def glu_grad(grads: Array, x: Array, axis: int = -1):
    return pull(glu, grads, x, axis=axis)


@gradient("SwigluGrad", function=True)
def swiglu_grad(grad_output: Array, input: Array, dim: int = -1):
    """The gradient of ``Swiglu``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.auto_generate import swiglu_grad
        >>> print(swiglu_grad(Tensor([1.0]), Tensor([0.0, 2.0])))
        [1. 0.]
    """
    return pull(swiglu, grad_output, input, dim=dim)
