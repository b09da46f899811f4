"""Gradients of pooling to a given size, and of pooling with windows at random positions."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from mindspore._engine.operator.arguments import Array, Shape
from mindspore._ops.declaring.gradient_primitives import gradient, pull, pull_from
from mindspore._ops.gradients.positions import scattered
from mindspore._ops.nn.adaptive_pooling import adaptive_avg_pool2d, adaptive_avg_pool3d


# -- to a given size -------------------------------------------------------------------------------------------------
@gradient("AdaptiveAvgPool2DGrad")
def adaptive_avg_pool2d_grad(input_grad: Array, orig_input_shape: Shape):
    """The gradient of ``AdaptiveAvgPool2D``, from the shape of its input."""
    return pull_from(adaptive_avg_pool2d, orig_input_shape, input_grad, output_size=input_grad.shape[-2:])


@gradient("AdaptiveAvgPool3DGrad")
def adaptive_avg_pool3d_grad(y_grad: Array, orig_input_shape: Shape):
    """The gradient of ``AdaptiveAvgPool3D``, from the shape of its input."""
    return pull_from(adaptive_avg_pool3d, orig_input_shape, y_grad, output_size=y_grad.shape[-3:])


@gradient("AdaptiveAvgPool2DGradExt", function=True)
def adaptive_avg_pool2d_grad_ext(grad_output: Array, x: Array):
    """The gradient of ``AdaptiveAvgPool2DExt``.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.ops.auto_generate import adaptive_avg_pool2d_grad_ext
        >>> print(adaptive_avg_pool2d_grad_ext(ops.ones((1, 1, 1)), ops.ones((1, 2, 2))))
        [[[0.25 0.25]
          [0.25 0.25]]]
    """
    return pull(adaptive_avg_pool2d, grad_output, x, output_size=grad_output.shape[-2:])


@gradient("AdaptiveAvgPool3DGradExt")
def adaptive_avg_pool3d_grad_ext(input_grad: Array, input: Array):
    return pull(adaptive_avg_pool3d, input_grad, input, output_size=input_grad.shape[-3:])


@gradient("AdaptiveMaxPool2DGrad", function=True)
def adaptive_max_pool2d_grad(y_grad: Array, x: Array, argmax: Array):
    """The gradient of ``AdaptiveMaxPool2D``: the cotangent put where the largest elements were.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> from mindspore.ops.auto_generate import adaptive_max_pool2d_grad
        >>> print(adaptive_max_pool2d_grad(Tensor([[[[5.0]]]]), ops.ones((1, 1, 2, 2)), Tensor([[[[3]]]])))
        [[[[0. 0.]
           [0. 5.]]]]
    """
    return scattered(x, y_grad, argmax, 2)


@gradient("AdaptiveMaxPool3DGrad")
def adaptive_max_pool3d_grad(input_grad: Array, x: Array, argmax: Array):
    """The gradient of ``AdaptiveMaxPool3D``: the cotangent put where the largest elements were."""
    return scattered(x, input_grad, argmax, 3)


# -- at random positions ---------------------------------------------------------------------------------------------
@gradient("FractionalMaxPoolGradWithFixedKsize", ("data_format",))
def fractional_max_pool_grad_with_fixed_ksize(origin_input: Array, out_backprop: Array, argmax: Array,
                                              data_format: str = "NCHW"):  # fmt: skip
    """The gradient of ``FractionalMaxPoolWithFixedKsize``: the cotangent put where the largest elements were."""
    return scattered(origin_input, out_backprop, argmax, 2, data_format == "NHWC")


@gradient("FractionalMaxPool3DGradWithFixedKsize", ("data_format",))
def fractional_max_pool3d_grad_with_fixed_ksize(origin_input: Array, out_backprop: Array, argmax: Array,
                                                data_format: str = "NCDHW"):  # fmt: skip
    """The gradient of ``FractionalMaxPool3DWithFixedKsize``: the cotangent put where the largest elements were."""
    return scattered(origin_input, out_backprop, argmax, 3, data_format == "NDHWC")


def _covers(sequence: Any, length: int, overlapping: bool) -> Any:
    """Which of ``length`` positions lie in each window between consecutive bounds of the sequence."""
    positions = jnp.arange(length)
    ends = jnp.minimum(sequence[1:] + overlapping, length)
    return (positions >= sequence[:-1, None]) & (positions < ends[:, None])


@gradient("FractionalMaxPoolGrad", ("overlapping",))
def fractional_max_pool_grad(orig_input: Array, orig_output: Array, out_backprop: Array, row_pooling_sequence: Array,
                             col_pooling_sequence: Array, overlapping: bool = False):  # fmt: skip
    """The gradient of ``FractionalMaxPool`` of (N, H, W, C); its result is not needed."""
    _, height, width, _ = orig_input.shape
    rows, columns = (
        _covers(*pair, overlapping) for pair in ((row_pooling_sequence, height), (col_pooling_sequence, width))
    )
    inside = rows[:, None, :, None] & columns[None, :, None, :]
    flat = orig_input.transpose(0, 3, 1, 2)[:, :, None, None]
    lowest = jnp.asarray(-jnp.inf, flat.dtype) if jnp.issubdtype(flat.dtype, jnp.inexact) else jnp.iinfo(flat.dtype).min
    elements = jnp.where(inside, flat, lowest)
    largest = elements.reshape(*elements.shape[:4], height * width).argmax(-1)
    return scattered(orig_input, out_backprop, largest.transpose(0, 2, 3, 1), 2, True)


@gradient("FractionalAvgPoolGrad", ("overlapping",))
def fractional_avg_pool_grad(orig_input_tensor_shape: Shape, out_backprop: Array, row_pooling_sequence: Array,
                             col_pooling_sequence: Array, overlapping: bool = False):  # fmt: skip
    """The gradient of ``FractionalAvgPool`` of (N, H, W, C), from the shape of its input."""
    _, height, width, _ = orig_input_tensor_shape
    pairs = ((row_pooling_sequence, height), (col_pooling_sequence, width))
    rows, columns = (_covers(*pair, overlapping).astype(out_backprop.dtype) for pair in pairs)
    shares = (cover / cover.sum(1, keepdims=True) for cover in (rows, columns))
    return jnp.einsum("nijc,ih,jw->nhwc", out_backprop, *shares)
