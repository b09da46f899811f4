"""Gradients of normalizations over a batch."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._engine.operator.arguments import Array, Shape
from mindspore._engine.operator.primitive import Primitive
from mindspore._ops.declaring.gradient_primitives import gradient, gradient_class, pull
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.distributed.collective import AllReduce
from mindspore._ops.gradients.normalization import as_given, moments, standardized

_ATTRIBUTES = ("is_training", "epsilon", "data_format")


def _channel_axis(x: Any, data_format: str) -> int:
    return x.ndim - 1 if data_format == "NHWC" else 1


def _per_channel(vector: Any, x: Any, axis: int) -> Any:
    return upcast_half(vector).reshape([-1 if number == axis else 1 for number in range(x.ndim)])


def _others(x: Any, axis: int) -> tuple[int, ...]:
    return tuple(number for number in range(x.ndim) if number != axis)


def _batch(dout: Any, x: Any, scale: Any, mean: Any, rstd: Any, training: bool, axis: int) -> tuple:
    """The gradients by input, scale and shift, from mean and inverse deviation per channel."""
    over = _others(x, axis)
    wide, seed = upcast_half(x), upcast_half(dout)
    factor, centre, weight = (_per_channel(vector, x, axis) for vector in (rstd, mean, scale))
    by_input = standardized(seed, wide, weight, centre, factor, over) if training else seed * weight * factor
    by_scale = (seed * (wide - centre) * factor).sum(over)
    return by_input.astype(x.dtype), by_scale.astype(scale.dtype), seed.sum(over).astype(scale.dtype)


def _from_variance(dout: Any, x: Any, scale: Any, mean: Any, variance: Any, training: bool, epsilon: float,
                   data_format: str) -> tuple:  # fmt: skip
    axis = _channel_axis(x, data_format)
    mean, variance = upcast_half(mean), upcast_half(variance)
    if training:  # they are the batch's own
        centre, spread = moments(upcast_half(x), _others(x, axis))
        mean, variance = as_given(mean, centre.reshape(-1)), as_given(variance, spread.reshape(-1))
    return _batch(dout, x, scale, mean, lax.rsqrt(variance + epsilon), training, axis)


@gradient("BatchNormGrad", _ATTRIBUTES)
def batch_norm_grad(dout: Array, x: Array, scale: Array, saved_mean: Array, saved_variance: Array, reserve: Array,
                    is_training: bool = False, epsilon: float = 1e-5, data_format: str = "NCHW"):  # fmt: skip
    """The gradients of ``BatchNorm`` by input, scale and shift; nothing is read from ``reserve``."""
    return _from_variance(dout, x, scale, saved_mean, saved_variance, is_training, epsilon, data_format)


@gradient("BatchNormGradGrad", _ATTRIBUTES)
def batch_norm_grad_grad(x: Array, dy: Array, scale: Array, saved_mean: Array, saved_variance: Array, dout_dx: Array,
                         dout_dscale: Array, dout_dbias: Array, is_training: bool = False, epsilon: float = 1e-5,
                         data_format: str = "NCHW"):  # fmt: skip
    """The gradients of ``BatchNormGrad`` by input, cotangent and scale."""

    def first_order(x: Any, dy: Any, scale: Any) -> tuple:
        return _from_variance(dy, x, scale, saved_mean, saved_variance, is_training, epsilon, data_format)

    return pull(first_order, (dout_dx, dout_dscale, dout_dbias), x, dy, scale)


@gradient("BatchNormGradExt", ("training", "eps"))
def batch_norm_grad_ext(dout: Array, input: Array, weight: Array | None = None, running_mean: Array | None = None,
                        running_var: Array | None = None, saved_mean: Array | None = None,
                        saved_rstd: Array | None = None, output_mask: Shape = (1, 1, 1), training: bool = False,
                        eps: float = 1e-5):  # fmt: skip
    """The gradients of ``BatchNormExt`` by input, weight and bias."""
    scale = jnp.ones(input.shape[1], upcast_half(input).dtype) if weight is None else weight
    if training and saved_mean is not None and saved_rstd is not None:
        return _batch(dout, input, scale, saved_mean, saved_rstd, True, 1)
    mean, variance = (moment.reshape(-1) for moment in moments(upcast_half(input), _others(input, 1)))
    if not training and running_mean is not None and running_var is not None:
        mean, variance = running_mean, running_var
    return _batch(dout, input, scale, mean, lax.rsqrt(upcast_half(variance) + eps), training, 1)


# -- in two steps, for batches over several devices ------------------------------------------------------------------
@gradient("BatchNormReduceGrad")
def batch_norm_reduce_grad(dout: Array, input: Array, mean: Array, invstd: Array, weight: Array, input_g: bool,
                           weight_g: bool, bias_g: bool):  # fmt: skip
    """Sums per channel: of the cotangent, of it times the centred input, and the gradients by weight and bias."""
    over, seed = _others(input, 1), upcast_half(dout)
    total = seed.sum(over)
    products = (seed * (upcast_half(input) - _per_channel(mean, input, 1))).sum(over)
    return total, products, (products * invstd).astype(weight.dtype), total.astype(weight.dtype)


@gradient("BatchNormElemtGrad")
def batch_norm_elemt_grad(dout: Array, input: Array, mean: Array, invstd: Array, weight: Array, sumd_dy: Array,
                          sum_dy_xmu: Array, count: Array):  # fmt: skip
    """The gradient of ``BatchNormElemt`` by its input, from the sums and counts of all parts of the batch."""
    number = count.sum()
    factor, centre = _per_channel(invstd, input, 1), _per_channel(mean, input, 1)
    spread = _per_channel(sum_dy_xmu / number, input, 1) * (upcast_half(input) - centre) * factor * factor
    centred = upcast_half(dout) - _per_channel(sumd_dy / number, input, 1) - spread
    return (centred * factor * _per_channel(weight, input, 1)).astype(input.dtype)


@gradient("BNTrainingUpdateGrad", ("epsilon", "data_format"))
def bn_training_update_grad(grads: Array, x: Array, batch_mean: Array, batch_variance: Array, epsilon: float = 1e-4,
                            data_format: str = "NCHW"):  # fmt: skip
    """The gradients of a batch normalization by scale and shift."""
    axis = _channel_axis(x, data_format)
    over, seed = _others(x, axis), upcast_half(grads)
    factor = lax.rsqrt(_per_channel(batch_variance, x, axis) + epsilon)
    normal = (upcast_half(x) - _per_channel(batch_mean, x, axis)) * factor
    return (seed * normal).sum(over), seed.sum(over)


@gradient("BNTrainingReduceGrad", ("epsilon", "data_format"))
def bn_training_reduce_grad(grads: Array, x: Array, diff_scale: Array, diff_offset: Array, scale: Array,
                            batch_mean: Array, batch_variance: Array, epsilon: float = 1e-4,
                            data_format: str = "NCHW"):  # fmt: skip
    """The gradient of a batch normalization by its input, from those by scale and shift."""
    axis = _channel_axis(x, data_format)
    number = x.size // x.shape[axis]
    factor = lax.rsqrt(_per_channel(batch_variance, x, axis) + epsilon)
    normal = (upcast_half(x) - _per_channel(batch_mean, x, axis)) * factor
    mean_seed, mean_product = (_per_channel(total / number, x, axis) for total in (diff_offset, diff_scale))
    centred = upcast_half(grads) - mean_seed - normal * mean_product
    return (centred * factor * _per_channel(scale, x, axis)).astype(grads.dtype)


@gradient_class
class SyncBatchNormGrad(Primitive):
    """The gradients of a batch normalization by input, scale and shift, with sums over the processes of a group."""

    def __init__(self, epsilon: float = 1e-5, group: str = "group0", device_num: int = 2):
        super().__init__()
        for name, value in (("epsilon", epsilon), ("group", group), ("device_num", device_num)):
            self.add_prim_attr(name, value)

    def __call__(self, y_grad: Any, x_input: Any, scale: Any, saved_mean: Any, saved_variance: Any) -> tuple:
        invstd = (saved_variance + self.epsilon) ** -0.5
        total, products, by_scale, by_shift = batch_norm_reduce_grad(
            y_grad, x_input, saved_mean, invstd, scale, True, True, True
        )
        count = total * 0 + x_input.size // x_input.shape[1]
        if self.device_num > 1:
            total, products, count = (AllReduce(group=self.group)(part) for part in (total, products, count))
        by_input = batch_norm_elemt_grad(y_grad, x_input, saved_mean, invstd, scale, total, products, count[:1])
        return by_input, by_scale, by_shift
