"""Gradients of normalizations, from the statistics that the forward pass used."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from mindspore._engine.operator.arguments import Array, Axis, Shape
from mindspore._ops.declaring.gradient_primitives import forward_of, gradient, pull
from mindspore._ops.declaring.promotion import normal_axis, upcast_half
from mindspore._ops.linalg.matrix import l2_normalize
from mindspore._ops.nn.normalization import lrn


@jax.custom_jvp
def as_given(given: Any, computed: Any) -> Any:
    """The given statistic, with the derivative of the computed statistic."""
    return given


as_given.defjvp(lambda primals, tangents: (primals[0], tangents[1].astype(primals[0].dtype)))


def standardized(dy: Any, x: Any, scale: Any, mean: Any, rstd: Any, axes: tuple[int, ...], of_mean: bool = True) -> Any:
    """The gradient by ``x`` of ``(x - mean) * rstd * scale``, whose statistics were taken over ``axes``.

    ``of_mean`` says whether the deviation depends on the mean, which tells only where another mean was given.
    """
    normal = (x - mean) * rstd
    inner = dy * scale
    offsets = normal - normal.mean(axes, keepdims=True) if of_mean else normal
    return rstd * (inner - inner.mean(axes, keepdims=True) - offsets * (inner * normal).mean(axes, keepdims=True))


def moments(x: Any, axes: tuple[int, ...]) -> tuple[Any, Any]:
    """Mean and variance over ``axes``, which stay with length 1."""
    mean = x.mean(axes, keepdims=True)
    return mean, jnp.square(x - mean).mean(axes, keepdims=True)


# -- over the last axes ----------------------------------------------------------------------------------------------
def _layer(x: Any, dy: Any, gamma: Any, mean: Any, rstd: Any, first: int, parameters: int) -> tuple:
    """The gradients by input, scale and shift of a normalization over the axes from ``first`` on."""
    axes, batch = tuple(range(first, x.ndim)), tuple(range(parameters))
    centre, factor = (upcast_half(s).reshape(x.shape[:first] + (1,) * len(axes)) for s in (mean, rstd))
    wide, seed = upcast_half(x), upcast_half(dy)
    normal = (wide - centre) * factor
    by_input = standardized(seed, wide, upcast_half(gamma), centre, factor, axes)
    by_scale, by_shift = (seed * normal).sum(batch), seed.sum(batch)
    return by_input.astype(x.dtype), by_scale.astype(gamma.dtype), by_shift.astype(gamma.dtype)


def _layer_from_variance(x: Any, dy: Any, variance: Any, mean: Any, gamma: Any, begin_norm_axis: int,
                         begin_params_axis: int, epsilon: float) -> tuple:  # fmt: skip
    first = normal_axis(begin_norm_axis, x.ndim, "begin_norm_axis")
    centre, spread = moments(upcast_half(x), tuple(range(first, x.ndim)))
    mean = as_given(upcast_half(mean), centre.reshape(mean.shape))
    variance = as_given(upcast_half(variance), spread.reshape(variance.shape))
    parameters = normal_axis(begin_params_axis, x.ndim, "begin_params_axis")
    return _layer(x, dy, gamma, mean, lax.rsqrt(variance + epsilon), first, parameters)


_LAYER = ("begin_norm_axis", "begin_params_axis")


@gradient("LayerNormGrad", _LAYER)
def layer_norm_grad(x: Array, dy: Array, variance: Array, mean: Array, gamma: Array, begin_norm_axis: int = 1,
                    begin_params_axis: int = 1):  # fmt: skip
    """The gradients of ``LayerNorm`` by input, scale and shift."""
    return _layer_from_variance(x, dy, variance, mean, gamma, begin_norm_axis, begin_params_axis, 1e-12)


@gradient("LayerNormGradGrad", _LAYER)
def layer_norm_grad_grad(x: Array, dy: Array, variance: Array, mean: Array, gamma: Array, d_dx: Array, d_dg: Array,
                         d_db: Array, begin_norm_axis: int = 1, begin_params_axis: int = 1):  # fmt: skip
    """The gradients of ``LayerNormGrad`` by input, cotangent and scale."""

    def first_order(x: Any, dy: Any, gamma: Any) -> tuple:
        return _layer_from_variance(x, dy, variance, mean, gamma, begin_norm_axis, begin_params_axis, 1e-12)

    return pull(first_order, (d_dx, d_dg, d_db), x, dy, gamma)


@gradient("LayerNormGradV3", _LAYER)
def layer_norm_grad_v3(x: Array, dy: Array, variance: Array, mean: Array, gamma: Array, begin_norm_axis: int = 1,
                       begin_params_axis: int = 1):  # fmt: skip
    """The gradients of ``LayerNormV3``, whose ``variance`` is the reciprocal of the standard deviation."""
    first = normal_axis(begin_norm_axis, x.ndim, "begin_norm_axis")
    return _layer(x, dy, gamma, mean, variance, first, normal_axis(begin_params_axis, x.ndim, "begin_params_axis"))


@gradient("LayerNormGradExt")
def layer_norm_grad_ext(dy: Array, x: Array, normalized_shape: Shape, mean: Array, variance: Array, gamma: Array,
                        beta: Array, output_mask: Shape = (1, 1, 1)):  # fmt: skip
    """The gradients of ``LayerNormExt``, whose ``variance`` is the reciprocal of the standard deviation."""
    first = x.ndim - len(normalized_shape)
    return _layer(x, dy, gamma, mean, variance, first, first)


@gradient("AddLayerNormGrad", function=True)
def add_layer_norm_grad(dy: Array, x1: Array, x2: Array, rstd: Array, mean: Array, gamma: Array,
                        dsumOptional: Array):  # fmt: skip
    """The gradients of ``AddLayerNorm`` by the sum of its inputs, by scale and by shift.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.auto_generate import add_layer_norm_grad
        >>> x, rstd, zero = Tensor([[-1.0, 1.0]]), Tensor([[1.0]]), Tensor([[0.0, 0.0]])
        >>> print(add_layer_norm_grad(x, x, zero, rstd, Tensor([[0.0]]), Tensor([1.0, 1.0]), zero)[1])
        [1. 1.]
    """
    first = x1.ndim - gamma.ndim
    by_input, by_scale, by_shift = _layer(x1 + x2, dy, gamma, mean, rstd, first, first)
    return by_input + dsumOptional, by_scale, by_shift


@gradient("RmsNormGrad")
def rms_norm_grad(dy: Array, x: Array, rstd: Array, gamma: Array):
    """The gradients of ``RmsNorm`` by input and scale."""
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    wide, seed = upcast_half(x), upcast_half(dy)
    factor = upcast_half(rstd).reshape(x.shape[: x.ndim - gamma.ndim] + (1,) * gamma.ndim)
    normal, inner = wide * factor, seed * upcast_half(gamma)
    by_input = factor * (inner - normal * (inner * normal).mean(axes, keepdims=True))
    by_scale = (seed * normal).sum(tuple(range(x.ndim - gamma.ndim)))
    return by_input.astype(x.dtype), by_scale.astype(upcast_half(gamma).dtype)


# -- over groups of channels -----------------------------------------------------------------------------------------
@gradient("GroupNormGrad")
def group_norm_grad(dy: Array, x: Array, mean: Array, rstd: Array, gamma_opt: Array, num_groups: int,
                    dx_is_require: bool = True, dgamma_is_require: bool = True, dbeta_is_require: bool = True):  # fmt: skip
    """The gradients of ``GroupNorm`` by input, scale and shift."""
    wide, seed = (upcast_half(array).reshape(x.shape[0], x.shape[1], -1) for array in (x, dy))
    groups = (x.shape[0], num_groups, -1)
    centre, factor = (upcast_half(s).reshape(x.shape[0], num_groups, 1) for s in (mean, rstd))
    normal = ((wide.reshape(groups) - centre) * factor).reshape(wide.shape)
    inner = (seed * upcast_half(gamma_opt)[:, None]).reshape(groups)
    by_input = standardized(inner, wide.reshape(groups), 1, centre, factor, (2,)).reshape(x.shape)
    by_scale, by_shift = (seed * normal).sum((0, 2)), seed.sum((0, 2))
    return by_input.astype(x.dtype), by_scale.astype(gamma_opt.dtype), by_shift.astype(gamma_opt.dtype)


def _instance(dy: Any, x: Any, gamma: Any, mean: Any, rstd: Any) -> tuple:
    axes = tuple(range(2, x.ndim))
    per_channel = (1, -1, *[1] * len(axes))
    centre, factor = (s.reshape(x.shape[:2] + (1,) * len(axes)) for s in (mean, rstd))
    normal = (x - centre) * factor
    by_input = standardized(dy, x, gamma.reshape(per_channel), centre, factor, axes)
    return by_input, (dy * normal).sum((0, *axes)), dy.sum((0, *axes))


@gradient("InstanceNormGrad", ("epsilon", "momentum"))
def instance_norm_grad(dy: Array, x: Array, gamma: Array, save_mean: Array, save_variance: Array, epsilon: float = 0.0,
                       momentum: float = 0.1):  # fmt: skip
    """The gradients of ``InstanceNorm`` by input, scale and shift; ``save_variance`` is the reciprocal deviation."""
    return _instance(dy, x, gamma, save_mean, save_variance)


@gradient("InstanceNormV2Grad", ("is_training", "epsilon"))
def instance_norm_v2_grad(dy: Array, x: Array, gamma: Array, mean: Array, variance: Array, save_mean: Array,
                          save_variance: Array, is_training: bool = True, epsilon: float = 1e-5):  # fmt: skip
    """The gradients of ``InstanceNormV2`` by input, scale and shift, per sample and channel.

    In training ``save_variance`` is the reciprocal of the standard deviation.
    """
    axes = (2, 3)
    centre, factor = (save_mean, save_variance) if is_training else (mean, lax.rsqrt(variance + epsilon))
    normal = (x - centre) * factor
    by_input = standardized(dy, x, gamma, centre, factor, axes, False) if is_training else dy * gamma * factor
    return by_input, (dy * normal).sum(axes, keepdims=True), dy.sum(axes, keepdims=True)


# -- of vectors and channels -----------------------------------------------------------------------------------------
@gradient("L2NormalizeGrad", ("axis", "epsilon"))
def l2_normalize_grad(input_x: Array, out: Array, dout: Array, axis: Axis = 0, epsilon: float = 1e-4):
    """The gradient of ``L2Normalize``, from its input and its result."""
    axes = (axis,) if isinstance(axis, int) else axis
    unit = as_given(out, forward_of(l2_normalize, {})(input_x, axes, epsilon))
    length = jnp.sqrt(jnp.maximum(jnp.square(input_x).sum(axes, keepdims=True), epsilon))
    return (dout - unit * (unit * dout).sum(axes, keepdims=True)) / length


@gradient("LRNGrad", ("depth_radius", "bias", "alpha", "beta"))
def lrn_grad(grads: Array, x: Array, y: Array, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0,
             beta: float = 0.5):  # fmt: skip
    """The gradient of ``LRN``; its result is not needed."""
    return pull(lrn, grads, x, depth_radius=depth_radius, bias=bias, alpha=alpha, beta=beta)
