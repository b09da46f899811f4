"""Gradients of operators for training with quantized numbers."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from mindspore._engine.operator.arguments import Array
from mindspore._ops.declaring.gradient_primitives import forward_of, gradient, pull
from mindspore._ops.nn.fake_quant import fake_quantize, learned_scale_quantize

_BITS = ("num_bits", "quant_delay", "symmetric", "narrow_range")


def _others(x: Any, axis: int | None) -> tuple[int, ...]:
    return tuple(dim for dim in range(x.ndim) if axis is None or dim != axis % x.ndim)


def _along(vector: Any, x: Any, axis: int) -> Any:
    return vector.reshape([-1 if dim == axis % x.ndim else 1 for dim in range(x.ndim)])


# -- with a given range ----------------------------------------------------------------------------------------------
@gradient("FakeQuantPerLayerGrad", _BITS)
def fake_quant_per_layer_grad(dout: Array, x: Array, min: Array, max: Array, num_bits: int = 8, quant_delay: int = 0,
                              symmetric: bool = False, narrow_range: bool = False):  # fmt: skip
    return pull(fake_quantize, dout, x, minimum=min, maximum=max, num_bits=num_bits, symmetric=symmetric,
                narrow_range=narrow_range)  # fmt: skip


@gradient("FakeQuantPerChannelGrad", (*_BITS, "channel_axis"))
def fake_quant_per_channel_grad(dout: Array, x: Array, min: Array, max: Array, num_bits: int = 8, quant_delay: int = 0,
                                symmetric: bool = False, narrow_range: bool = False, channel_axis: int = 1):  # fmt: skip
    return pull(fake_quantize, dout, x, minimum=min, maximum=max, channel_axis=channel_axis, num_bits=num_bits,
                symmetric=symmetric, narrow_range=narrow_range)  # fmt: skip


def _of_range(seed: Any, x: Any, low: Any, high: Any, axis: int | None, num_bits: int, narrow_range: bool) -> tuple:
    """The gradients by input, minimum and maximum; an element beyond a limit counts for the limit."""
    by_input = pull(fake_quantize, seed, x, minimum=low, maximum=high, channel_axis=axis, num_bits=num_bits,
                    narrow_range=narrow_range)  # fmt: skip
    ones = jnp.ones_like(x)
    inside = pull(fake_quantize, ones, x, minimum=low, maximum=high, channel_axis=axis, num_bits=num_bits,
                  narrow_range=narrow_range) > 0  # fmt: skip
    least = low.reshape(()) if axis is None else low
    over = _others(x, axis)
    below = ~inside & (x < (least + (high.reshape(()) if axis is None else high)) / 2)
    by_low = jnp.where(below, seed, 0).sum(over).reshape(low.shape)
    return by_input, by_low, jnp.where(~inside & ~below, seed, 0).sum(over).reshape(high.shape)


@gradient("FakeQuantWithMinMaxVarsGradient", ("num_bits", "narrow_range"))
def fake_quant_with_min_max_vars_gradient(gradients: Array, x: Array, min: Array, max: Array, num_bits: int = 8,
                                          narrow_range: bool = False):  # fmt: skip
    """The gradients of ``FakeQuantWithMinMaxVars`` by input, minimum and maximum."""
    return _of_range(gradients, x, min.reshape(1), max.reshape(1), None, num_bits, narrow_range)


@gradient("FakeQuantWithMinMaxVarsPerChannelGradient", ("num_bits", "narrow_range"))
def fake_quant_with_min_max_vars_per_channel_gradient(gradients: Array, x: Array, min: Array, max: Array,
                                                      num_bits: int = 8, narrow_range: bool = False):  # fmt: skip
    """The gradients of ``FakeQuantWithMinMaxVarsPerChannel`` by input, minima and maxima of the last axis."""
    return _of_range(gradients, x, min, max, x.ndim - 1, num_bits, narrow_range)


# -- with a learned range --------------------------------------------------------------------------------------------
def _of_scale(dout: Any, x: Any, alpha: Any, quant_max: Any, neg_trunc: bool, axis: int | None) -> tuple:
    return pull(lambda x, scale: forward_of(learned_scale_quantize, {})(x, scale, quant_max, axis, neg_trunc), dout, x,
                alpha)  # fmt: skip


def _by_element(dout: Any, x: Any, alpha: Any, quant_max: Any, neg_trunc: bool, axis: int | None) -> tuple:
    """The gradients by input and by the scale of every element alone."""
    scales = jnp.broadcast_to(alpha.reshape(()) if axis is None else _along(alpha, x, axis), x.shape)
    by_input, by_scale = _of_scale(dout.reshape(-1), x.reshape(-1), scales.reshape(-1), quant_max, neg_trunc, 0)
    return by_input.reshape(x.shape), by_scale.reshape(x.shape)


@gradient("FakeLearnedScaleQuantPerLayerGrad", ("quant_delay", "neg_trunc"))
def fake_learned_scale_quant_per_layer_grad(dout: Array, x: Array, alpha: Array, quant_max: Array, quant_delay: int = 0,
                                            neg_trunc: bool = False):  # fmt: skip
    """The gradients by input and scale."""
    return _of_scale(dout, x, alpha, quant_max, neg_trunc, None)


@gradient("FakeLearnedScaleQuantPerLayerGradD", ("neg_trunc",))
def fake_learned_scale_quant_per_layer_grad_d(dout: Array, x: Array, alpha: Array, quant_max: Array,
                                              neg_trunc: bool = False):  # fmt: skip
    """The gradients by input and, element by element, by the scale."""
    return _by_element(dout, x, alpha, quant_max, neg_trunc, None)


@gradient("FakeLearnedScaleQuantPerLayerGradDReduce")
def fake_learned_scale_quant_per_layer_grad_d_reduce(dout_alpha: Array):
    """The sum of the gradients by the scale."""
    return dout_alpha.sum().reshape(1)


@gradient("FakeLearnedScaleQuantPerChannelGrad", ("quant_delay", "neg_trunc", "channel_axis"))
def fake_learned_scale_quant_per_channel_grad(dout: Array, x: Array, alpha: Array, quant_max: Array, quant_delay: int = 0,
                                              neg_trunc: bool = False, channel_axis: int = 1):  # fmt: skip
    """The gradients by input and scales."""
    return _of_scale(dout, x, alpha, quant_max, neg_trunc, channel_axis)


@gradient("FakeLearnedScaleQuantPerChannelGradD", ("neg_trunc", "channel_axis"))
def fake_learned_scale_quant_per_channel_grad_d(dout: Array, x: Array, alpha: Array, quant_max: Array,
                                                neg_trunc: bool = False, channel_axis: int = 1):  # fmt: skip
    """The gradients by input and, element by element, by the scales."""
    return _by_element(dout, x, alpha, quant_max, neg_trunc, channel_axis)


@gradient("FakeLearnedScaleQuantPerChannelGradDReduce", ("channel_axis",))
def fake_learned_scale_quant_per_channel_grad_d_reduce(dout_alpha: Array, channel_axis: int = 1):
    """The sums of the gradients by the scale of each channel."""
    return dout_alpha.sum(_others(dout_alpha, channel_axis))


@gradient("ActsULQInputGrad")
def acts_ulq_input_grad(y_grad: Array, clamp_min_mask: Array, clamp_max_mask: Array):
    """The gradient by the input: that of the result where nothing was limited."""
    return y_grad * clamp_min_mask.astype(y_grad.dtype) * clamp_max_mask.astype(y_grad.dtype)


@gradient("ActULQClampMinGrad")
def act_ulq_clamp_min_grad(y_grad: Array, clamp_min_mask: Array, x_clamped_loss: Array):
    """The gradient by the lower limit: of elements below it, less the rounding errors."""
    return (y_grad * (1 - clamp_min_mask.astype(y_grad.dtype) - x_clamped_loss)).sum().reshape(1)


@gradient("ActULQClampMaxGrad")
def act_ulq_clamp_max_grad(y_grad: Array, clamp_max_mask: Array, x_clamped_loss: Array):
    """The gradient by the upper limit: of elements above it, and the rounding errors."""
    return (y_grad * (1 - clamp_max_mask.astype(y_grad.dtype) + x_clamped_loss)).sum().reshape(1)


# -- batch normalization folded into weights -------------------------------------------------------------------------
def _fold(d_batch_mean: Any, d_batch_std: Any, x: Any, batch_mean: Any, batch_std: Any) -> Any:
    count = x.size // x.shape[1]
    by_mean, by_std, mean, std = (_along(one, x, 1) for one in (d_batch_mean, d_batch_std, batch_mean, batch_std))
    return by_mean / count + by_std * (x - mean) / (count * std) + jnp.zeros_like(x)


@gradient("BatchNormFoldGrad", ("epsilon", "is_training", "freeze_bn"))
def batch_norm_fold_grad(d_batch_mean: Array, d_batch_std: Array, x: Array, batch_mean: Array, batch_std: Array,
                         global_step: Array, epsilon: float = 1e-5, is_training: bool = True, freeze_bn: int = 0):  # fmt: skip
    """The gradient of the batch's mean and deviation by its input; 0 once they are frozen."""
    frozen = jnp.asarray(not is_training) | (global_step.reshape(()) >= freeze_bn if freeze_bn else False)
    return jnp.where(frozen, 0, _fold(d_batch_mean, d_batch_std, x, batch_mean, batch_std))


@gradient("BatchNormFoldGradD", ("epsilon", "is_training", "freeze_bn"))
def batch_norm_fold_grad_d(d_batch_mean: Array, d_batch_std: Array, x: Array, batch_mean: Array, batch_std: Array,
                           epsilon: float = 1e-5, is_training: bool = True, freeze_bn: int = 0):  # fmt: skip
    """The gradient of the batch's mean and deviation by its input."""
    return _fold(d_batch_mean, d_batch_std, x, batch_mean, batch_std) if is_training else jnp.zeros_like(x)


@gradient("BatchNormFold2Grad", ("freeze_bn",))
def batch_norm_fold2_grad(dout: Array, x: Array, gamma: Array, batch_std: Array, batch_mean: Array, running_std: Array,
                          running_mean: Array, global_step: Array, freeze_bn: int = 0):  # fmt: skip
    """The gradients of ``BatchNormFold2`` by deviation and mean of the batch, shift, scale and input."""

    def forward(batch_std: Any, batch_mean: Any, beta: Any, gamma: Any, x: Any) -> Any:
        moving = x * _along(running_std / batch_std, x, 1) + _along(beta - gamma * batch_mean / batch_std, x, 1)
        frozen = x + _along(beta - gamma * running_mean / running_std, x, 1)
        return jnp.where(global_step.reshape(()) < freeze_bn, moving, frozen)

    return pull(forward, dout, batch_std, batch_mean, jnp.zeros_like(gamma), gamma, x)


@gradient("BatchNormFold2GradReduce", ("freeze_bn",))
def batch_norm_fold2_grad_reduce(dout: Array, x: Array, freeze_bn: bool = False):
    """The sums per channel of the cotangent, and of it times the input."""
    return dout.sum(_others(x, 1)), (dout * x).sum(_others(x, 1))


@gradient("BatchNormFold2GradD", ("freeze_bn",))
def batch_norm_fold2_grad_d(dout: Array, dout_reduce: Array, dout_x_reduce: Array, gamma: Array, batch_std: Array,
                            batch_mean: Array, running_std: Array, freeze_bn: bool = False):  # fmt: skip
    """The gradients of ``BatchNormFold2`` by deviation and mean of the batch, scale and input, from sums per channel."""
    if freeze_bn:
        return jnp.zeros_like(batch_std), jnp.zeros_like(batch_mean), jnp.zeros_like(gamma), dout
    by_std = (dout_reduce * gamma * batch_mean - dout_x_reduce * running_std) / (batch_std * batch_std)
    by_mean, by_scale = -dout_reduce * gamma / batch_std, -dout_reduce * batch_mean / batch_std
    return by_std, by_mean, by_scale, dout * _along(running_std / batch_std, dout, 1)


@gradient("CorrectionMulGrad", ("channel_axis",))
def correction_mul_grad(dout: Array, x: Array, gamma: Array, running_std: Array, channel_axis: int = 0):
    """The gradients of ``CorrectionMul`` by weight and deviation of the batch."""
    return pull(lambda x, gamma: x * _along(gamma / running_std, x, channel_axis), dout, x, gamma)


@gradient("CorrectionMulGradReduce", ("channel_axis",))
def correction_mul_grad_reduce(mul_dx: Array, channel_axis: int = 0):
    """The sums of a product per channel."""
    return mul_dx.sum(_others(mul_dx, channel_axis))
