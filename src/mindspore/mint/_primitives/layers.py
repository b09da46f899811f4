"""Convolution, pooling, padding, resizing and normalization: the functions of ``mint`` as primitives."""

from __future__ import annotations

from typing import Any

import mindspore.common.dtype as mstype
from mindspore import mint, ops
from mindspore._engine.operator.function_primitive import form_of
from mindspore._ops.generated.recurrent import packed_gru
from mindspore.mint.nn import functional as F
from mindspore.ops import Tensor
from mindspore.ops import operations as P

_CONVOLUTIONS = {3: F.conv1d, 4: F.conv2d, 5: F.conv3d}


def _convolved(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
               transposed: bool = False, output_padding: Any = 0, groups: int = 1) -> Tensor:  # fmt: skip
    if transposed:
        return F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    return _CONVOLUTIONS[weight.ndim](input, weight, bias, stride, padding, dilation, groups)


def _pooled(input: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool, dtype: Any) -> Any:
    best, indices = F.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode, True)
    return best, ops.cast(indices, dtype)


def _padded(mode: str) -> Any:
    return lambda input, padding: F.pad(input, padding, mode=mode)


def _resized(mode: str) -> Any:
    """Interpolation in one mode: to a size, or by factors."""

    def resize(x: Any, output_size: Any = None, scales: Any = None, align_corners: bool = False) -> Tensor:
        corners = None if mode == "nearest" else align_corners
        size = output_size if scales is None else None
        return F.interpolate(x, size=size, scale_factor=scales, mode=mode, align_corners=corners)

    return resize


def _nearest(x: Any, output_size: Any = None, scales: Any = None) -> Tensor:
    return _resized("nearest")(x, output_size, scales)


def _batch_norm(input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool,
                momentum: float, epsilon: float) -> tuple[Tensor, ...]:  # fmt: skip
    """The result, and the mean and the inverse deviation it was computed with."""
    normal = F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, epsilon)
    if training or running_mean is None:
        return normal, *mint.batch_norm_stats(input, epsilon)
    return normal, running_mean, mint.rsqrt(running_var + epsilon)


def _group_norm(input: Any, num_groups: int, weight: Any, bias: Any, eps: float) -> tuple[Tensor, ...]:
    normal = F.group_norm(input, num_groups, weight, bias, eps)
    variance, mean = mint.var_mean(mint.reshape(input, (input.shape[0], num_groups, -1)), -1, correction=0)
    return normal, mean, mint.rsqrt(variance + eps)


def _layer_norm(input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float) -> tuple[Tensor, ...]:
    normal = F.layer_norm(input, normalized_shape, weight, bias, eps)
    count = 1 if isinstance(normalized_shape, int) else len(normalized_shape)
    variance, mean = mint.var_mean(input, tuple(range(-count, 0)), correction=0, keepdim=True)
    return normal, mean, mint.rsqrt(variance + eps)


def _with_inverse(parts: Any, epsilon: float) -> tuple[Tensor, ...]:
    """The variance as the inverse of the standard deviation."""
    normal, mean, variance = parts
    return normal, mean, mint.rsqrt(variance + epsilon)


FORMS = {
    "CudnnGRU": form_of(packed_gru, "input_size hidden_size num_layers has_bias bidirectional dropout"),
    "Conv1DExt": form_of(F.conv1d),
    "Conv1DPadding": lambda input, weight, bias=None, stride=1, padding="valid", dilation=1, groups=1: F.conv1d(
        input, weight, bias, stride, padding, dilation, groups
    ),
    "Conv2DExt": form_of(F.conv2d),
    "Conv2DPadding": lambda input, weight, bias=None, stride=1, padding="valid", dilation=1, groups=1: F.conv2d(
        input, weight, bias, stride, padding, dilation, groups
    ),
    "Conv3DExt": form_of(F.conv3d),
    "Conv3DPadding": lambda input, weight, bias=None, stride=1, padding="valid", dilation=1, groups=1: F.conv3d(
        input, weight, bias, stride, padding, dilation, groups
    ),
    "ConvTbc": form_of(mint.conv_tbc),
    "ConvTranspose2D": form_of(F.conv_transpose2d),
    "Convolution": _convolved,
    "ConvolutionStr": lambda input, weight, bias=None, stride=1, padding="valid", dilation=1, transposed=False, output_padding=0, groups=1: (
        _convolved(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    ),
    "Col2ImExt": form_of(F.fold),
    "Im2ColExt": form_of(F.unfold),
    # pooling
    "AdaptiveAvgPool1D": lambda input, output_size: F.adaptive_avg_pool1d(input, output_size),
    "AdaptiveAvgPool2DExt": lambda input, output_size: F.adaptive_avg_pool2d(input, output_size),
    "AdaptiveAvgPool3DExt": lambda input, output_size: F.adaptive_avg_pool3d(input, output_size),
    "AdaptiveMaxPool1D": lambda input, output_size: F.adaptive_max_pool1d(input, output_size, True),
    "AvgPool1D": form_of(F.avg_pool1d),
    "AvgPool2D": lambda input, kernel_size, stride, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None: (
        F.avg_pool2d(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    ),
    "AvgPool3DExt": form_of(F.avg_pool3d),
    "FuncMaxPool2D": lambda input, kernel_size, stride=None, padding=0, dilation=(1, 1), ceil_mode=False, return_indices=False: (
        F.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)
    ),
    "MaxPoolWithIndices": lambda x, *, kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False, argmax_type=mstype.int64: (
        _pooled(x, kernel_size, strides, pads, dilation, ceil_mode, argmax_type)
    ),
    # Ascend packs the indices into bits; here the mask is the indices themselves, which its gradient takes back
    "MaxPoolWithMask": lambda x, *, kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False, argmax_type=mstype.int64: (
        _pooled(x, kernel_size, strides, pads, dilation, ceil_mode, argmax_type)
    ),
    "MaxUnpool2DExt": form_of(F.max_unpool2d),
    # padding and resizing
    "ConstantPadND": lambda input, padding, value=0.0: F.pad(input, padding, value=value),
    **{f"ReflectionPad{n}D": _padded("reflect") for n in (1, 2, 3)},
    **{f"ReplicationPad{n}D": _padded("replicate") for n in (1, 2, 3)},
    "UpsampleBicubic2D": _resized("bicubic"),
    "UpsampleBilinear2D": _resized("bilinear"),
    "UpsampleLinear1D": _resized("linear"),
    "UpsampleNearest1D": lambda x, output_size=None, scales=None: _nearest(x, output_size, scales),
    "UpsampleNearest2D": lambda x, output_size=None, scales=None: _nearest(x, output_size, scales),
    # normalization
    "AddLayerNormV2": form_of(ops.add_layer_norm, additional_output="additionalOut"),
    "AddRmsNorm": form_of(ops.add_rms_norm),
    "BatchNormElemt": form_of(mint.batch_norm_elemt),
    "BatchNormExt": lambda input, weight=None, bias=None, running_mean=None, runnning_var=None, training=False, momentum=0.1, epsilon=1e-05: (
        _batch_norm(input, weight, bias, running_mean, runnning_var, training, momentum, epsilon)
    ),
    "BatchNormGatherStatsWithCounts": form_of(mint.batch_norm_gather_stats_with_counts),
    "BatchNormStats": form_of(mint.batch_norm_stats),
    "GroupNorm": lambda input, num_groups, weight=None, bias=None, eps=1e-05: _group_norm(
        input, num_groups, weight, bias, eps
    ),
    "LayerNormExt": lambda input, normalized_shape, weight=None, bias=None, eps=1e-05: _layer_norm(
        input, normalized_shape, weight, bias, eps
    ),
    "LayerNormV3": lambda input_x, gamma, beta, *, begin_norm_axis=1, begin_params_axis=1, epsilon=1e-07: _with_inverse(
        P.LayerNorm(begin_norm_axis, begin_params_axis, epsilon)(input_x, gamma, beta), epsilon
    ),
}
