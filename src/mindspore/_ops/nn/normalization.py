"""Normalization within a sample: layer, group, instance and root-mean-square, and local response."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array, Shape
from mindspore._engine.operator.registry import op
from mindspore._kernels.matrices.few_rows import widened
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import normal_axis, upcast_half
from mindspore._ops.declaring.requirements import (
    require,
    require_batch,
    require_choice,
    require_float,
    require_rank_from,
)


def standardize(x: Any, axes: tuple[int, ...], epsilon: float) -> tuple[Any, Any, Any]:
    """``x`` with mean 0 and variance 1 over the axes, the mean, and the variance, all in at least float32."""
    wide = upcast_half(x)
    mean = jnp.mean(wide, axis=axes, keepdims=True)
    centred = wide - mean
    variance = jnp.mean(jnp.square(centred), axis=axes, keepdims=True)
    return centred * lax.rsqrt(variance + epsilon), mean, variance


def scaled(x: Any, weight: Any, bias: Any, dtype: Any) -> Any:
    """``x * weight + bias`` where given, in ``dtype``."""
    if weight is not None:
        x = x * widened(upcast_half(weight), x.shape)
    if bias is not None:
        x = x + widened(upcast_half(bias), x.shape)
    return x.astype(dtype)


def per_channel(vector: Any, ndim: int, axis: int = 1) -> Any:
    """A vector shaped to multiply the channels of an array."""
    return None if vector is None else vector.reshape([-1 if i == axis else 1 for i in range(ndim)])


def _check_parameter(name: str, array: Any, shape: tuple[int, ...]) -> None:
    fits = array is None or array.shape == shape
    require(fits, f"the '{name}' must have shape {shape}, but got {None if fits else array.shape}.")


def _reference(x: np.ndarray, axes: Any, eps: float) -> np.ndarray:
    """NumPy's standardized array, for the tests."""
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


@op(primitive="LayerNorm", init=("begin_norm_axis", "begin_params_axis", "epsilon"), public=False,
    old={"input_x": "x"},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3), t.normal(3), grad=False,
                           expect=lambda x, g, b: (_reference(x, -1, 1e-7) * g + b, x.mean(-1, keepdims=True),
                                                   x.var(-1, keepdims=True))),
                    t.case(t.normal(2, 3, 4), t.normal(4), t.normal(4), -1, -1, 1e-5, grad=False)])  # fmt: skip
def layer_norm_primitive(input_x: Array, gamma: Array, beta: Array, begin_norm_axis: int = 1,
                         begin_params_axis: int = 1, epsilon: float = 1e-7):  # fmt: skip
    """Standardize over the axes from ``begin_norm_axis`` on; also returns mean and variance, without gradient.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> output, mean, variance = ops.LayerNorm()(Tensor([[1.0, 3.0]]), Tensor([1.0, 1.0]), Tensor([0.0, 0.0]))
        >>> print(output.round(3), mean)
        [[-1.  1.]] [[2.]]
    """
    require_float("input_x", input_x)
    first = normal_axis(begin_norm_axis, input_x.ndim, "begin_norm_axis")
    shape = input_x.shape[normal_axis(begin_params_axis, input_x.ndim, "begin_params_axis"):]  # fmt: skip
    _check_parameter("gamma", gamma, shape)
    _check_parameter("beta", beta, shape)
    result, mean, variance = standardize(input_x, tuple(range(first, input_x.ndim)), epsilon)
    statistics = [lax.stop_gradient(s) for s in (mean, variance)]
    return scaled(result, gamma, beta, input_x.dtype), *statistics


@op(test=lambda t: [t.case(t.normal(2, 3), (3,), expect=lambda x, _: _reference(x, -1, 1e-5)),
                    t.case(t.normal(2, 3, 4), (3, 4), t.normal(3, 4), t.normal(3, 4))])  # fmt: skip
def layer_norm(input: Array, normalized_shape: Shape, weight: Array | None = None, bias: Array | None = None,
               eps: float = 1e-5):  # fmt: skip
    """Standardize over the last axes, whose lengths are ``normalized_shape``; then scale and shift.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.layer_norm(Tensor([[-3.0, 3.0]]), (2,), eps=7.0))
        [[-0.75  0.75]]
    """
    require_float("input", input)
    count = len(normalized_shape)
    last = input.shape[input.ndim - count :]
    text = f"the 'normalized_shape' must be the end of the input's shape {input.shape}, but got {normalized_shape}."
    require(0 < count <= input.ndim and last == normalized_shape, text)
    _check_parameter("weight", weight, normalized_shape)
    _check_parameter("bias", bias, normalized_shape)
    leading, flat = input.shape[: input.ndim - count], (math.prod(normalized_shape),)
    if leading and all(isinstance(size, int) for size in leading):
        leading = (math.prod(leading),)  # XLA reads element by element where the first axis of several has length 1
    # one long axis: XLA sums over it in order
    scale, shift = (None if one is None else one.reshape(flat) for one in (weight, bias))
    rows = standardize(input.reshape(*leading, *flat), (len(leading),), eps)[0]
    return scaled(rows, scale, shift, input.dtype).reshape(input.shape)


@op(test=lambda t: [t.case(t.normal(2, 4, 3), 2,
                           expect=lambda x, n: _reference(x.reshape(2, n, 2, 3), (2, 3), 1e-5).reshape(x.shape)),
                    t.case(t.normal(2, 4, 2, 2), 4, t.normal(4), t.normal(4), 1e-3)])  # fmt: skip
@accepts("f", "input")
def group_norm(input: Array, num_groups: int, weight: Array | None = None, bias: Array | None = None,
               eps: float = 1e-5):  # fmt: skip
    """Standardize groups of neighbouring channels of each sample; then scale and shift every channel.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.group_norm(Tensor([[-3.0, 3.0, 1.0, 1.0]]), 2, eps=7.0))
        [[-0.75  0.75  0.    0.  ]]
    """
    require_float("input", input)
    require_rank_from("input", input, 2)
    channels = input.shape[1]
    divides = num_groups > 0 and channels % num_groups == 0
    require(divides, f"the 'num_groups' must divide the number of channels {channels}, but got {num_groups}.")
    _check_parameter("weight", weight, (channels,))
    _check_parameter("bias", bias, (channels,))
    grouped = input.reshape(input.shape[0], num_groups, channels // num_groups, math.prod(input.shape[2:]))
    return _by_channels(upcast_half(grouped), weight, bias, eps).astype(input.dtype).reshape(input.shape)


def _by_channels(x: Any, weight: Any, bias: Any, eps: float) -> Any:
    """Groups (N, groups, channels, pixels), standardized and scaled: sums over pixels first, so that gradients are such sums, too."""

    def mean_of_group(x: Any) -> Any:
        return jnp.mean(jnp.mean(x, 3, keepdims=True), 2, keepdims=True)

    def shaped(parameter: Any) -> Any:
        return upcast_half(parameter).reshape(x.shape[1:3])[None, :, :, None]

    centred = x - mean_of_group(x)
    factor = lax.rsqrt(mean_of_group(jnp.square(centred)) + eps)
    result = centred * (factor if weight is None else factor * shaped(weight))
    return result if bias is None else result + shaped(bias)


@op(test=lambda t: [t.case(t.normal(2, 3), t.normal(3))])
def rms_norm(x: Array, gamma: Array, epsilon: float = 1e-6):
    """Scale the last axes to root mean square 1, times ``gamma``; also returns what every element was multiplied with.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> result, factor = ops.rms_norm(Tensor([[3.0, -3.0]]), Tensor([1.0, 2.0]), epsilon=7.0)
        >>> print(result)
        [[ 0.75 -1.5 ]]
    """
    require_float("x", x)
    fits = 0 < gamma.ndim <= x.ndim and x.shape[x.ndim - gamma.ndim :] == gamma.shape
    require(fits, f"the 'gamma' must have the shape of the last axes of {x.shape}, but got {gamma.shape}.")
    leading, wide = x.shape[: x.ndim - gamma.ndim], upcast_half(x)
    if leading and all(isinstance(size, int) for size in x.shape):  # as rows: see layer_norm
        wide = wide.reshape(math.prod(leading), *gamma.shape)
    axes = tuple(range(wide.ndim - gamma.ndim, wide.ndim))
    factor = lax.rsqrt(jnp.mean(jnp.square(wide), axis=axes, keepdims=True) + epsilon)
    found = scaled(wide * factor, gamma, None, x.dtype).reshape(x.shape)
    return found, factor.reshape(*leading, *(1,) * gamma.ndim)


@at_construction(lambda norm_region, **_: require_choice("norm_region", norm_region, ("ACROSS_CHANNELS",)))
@op(primitive="LRN", init=("depth_radius", "bias", "alpha", "beta", "norm_region"),
    test=lambda t: [t.case(t.normal(1, 7, 2, 2)), t.case(t.normal(1, 7, 2, 2), 2, 2.0, 0.5, 0.75)])  # fmt: skip
@accepts("f", "x")
def lrn(x: Array, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
        norm_region: str = "ACROSS_CHANNELS"):  # fmt: skip
    """Divide by ``(bias + alpha * s) ** beta``, where s sums the squares of the channels up to ``depth_radius`` away.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.lrn(Tensor([[[[1.0]], [[1.0]], [[1.0]]]]), depth_radius=1).reshape(-1))
        [0.57735026 0.5        0.57735026]
    """
    require_choice("norm_region", norm_region, ("ACROSS_CHANNELS",))
    require(depth_radius >= 0, f"the 'depth_radius' must not be negative, but got {depth_radius}.")
    require_batch("x", x, 4)
    require_float("x", x)
    pairs = ((0, 0), (depth_radius, depth_radius), (0, 0), (0, 0))
    window = (1, 2 * depth_radius + 1, 1, 1)
    sums = lax.reduce_window(jnp.square(x), np.zeros((), x.dtype), lax.add, window, (1, 1, 1, 1), pairs)
    return x / (bias + alpha * sums) ** beta
