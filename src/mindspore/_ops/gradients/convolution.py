"""Gradients of convolutions by input, weight and bias."""

from __future__ import annotations

from typing import Any

from mindspore._engine.operator.arguments import Array, Shape
from mindspore._ops.declaring.gradient_primitives import forward_of, gradient, pull, pull_from
from mindspore._ops.declaring.requirements import require, require_choice
from mindspore._ops.declaring.windows import padding_pairs, spatial, symmetric
from mindspore._ops.image.deformable import deformable_offsets
from mindspore._ops.image.image_layout import im2col
from mindspore._ops.nn.convolution import conv2d_primitive, conv3d_primitive, convolve, depthwise_conv2d_primitive
from mindspore._ops.nn.pooling_primitives import dilation2d
from mindspore._ops.nn.transposed_convolution import transpose_convolution

_VOLUMES = ("out_channel", "kernel_size", "mode", "pad_mode", "pad", "stride", "dilation", "group", "data_format")


# -- images ----------------------------------------------------------------------------------------------------------
@gradient("Conv2DBackpropFilter", ("out_channel", "kernel_size", "pad_mode", "pad", "pad_list", "mode", "stride",
                                   "dilation", "group", "data_format"))  # fmt: skip
def conv2d_backprop_filter(out_backprop: Array, input: Array, filter_sizes: Shape, out_channel: int, kernel_size: Any,
                           pad_mode: str = "valid", pad: Any = 0, pad_list: Any = (0, 0, 0, 0), mode: int = 1,
                           stride: Any = (1, 1), dilation: Any = (1, 1, 1, 1), group: int = 1,
                           data_format: str = "NCHW"):  # fmt: skip
    """The gradient of ``Conv2D`` by its weight of shape ``filter_sizes``."""

    def of_weight(weight: Any) -> Any:
        pads = pad_list if any(pad_list) else pad
        return forward_of(conv2d_primitive, {})(input, weight, out_channel, kernel_size, mode, pad_mode, pads, stride, dilation,
                                        group, data_format)  # fmt: skip

    return pull_from(of_weight, filter_sizes, out_backprop)


_DEPTHWISE = ("channel_multiplier", "kernel_size", "pad_mode", "pad", "pad_list", "mode", "stride", "dilation", "group")


@gradient("DepthwiseConv2dNativeBackpropFilter", _DEPTHWISE)
def depthwise_conv2d_backprop_filter(input: Array, filter_size: Shape, dout: Array, channel_multiplier: int,
                                     kernel_size: Any, pad_mode: str = "valid", pad: Any = 0,
                                     pad_list: Any = (0, 0, 0, 0), mode: int = 3, stride: Any = 1, dilation: Any = 1,
                                     group: int = 1):  # fmt: skip
    """The gradient of ``DepthwiseConv2dNative`` by its weight of shape ``filter_size``."""

    def of_weight(weight: Any) -> Any:
        pads = pad_list if any(pad_list) else pad
        return forward_of(depthwise_conv2d_primitive, {})(input, weight, channel_multiplier, kernel_size, mode, pad_mode, pads,
                                                  stride, dilation, group)  # fmt: skip

    return pull_from(of_weight, filter_size, dout)


@gradient("DepthwiseConv2dNativeBackpropInput", _DEPTHWISE)
def depthwise_conv2d_backprop_input(input_size: Shape, filter: Array, dout: Array, channel_multiplier: int,
                                    kernel_size: Any, pad_mode: str = "valid", pad: Any = 0,
                                    pad_list: Any = (0, 0, 0, 0), mode: int = 3, stride: Any = 1, dilation: Any = 1,
                                    group: int = 1):  # fmt: skip
    """The gradient of ``DepthwiseConv2dNative`` by its input of shape ``input_size``."""
    pads = pad_list if any(pad_list) else pad
    return pull_from(depthwise_conv2d_primitive, input_size, dout, weight=filter, channel_multiplier=channel_multiplier,
                     kernel_size=kernel_size, mode=mode, pad_mode=pad_mode, pad=pads, stride=stride, dilation=dilation,
                     group=group)  # fmt: skip


# -- volumes ---------------------------------------------------------------------------------------------------------
@gradient("Conv3DBackpropFilter", _VOLUMES)
def conv3d_backprop_filter(x: Array, out_backprop: Array, filter_size: Shape, out_channel: int, kernel_size: Any,
                           mode: int = 1, pad_mode: str = "valid", pad: Any = 0, stride: Any = (1, 1, 1, 1, 1),
                           dilation: Any = (1, 1, 1, 1, 1), group: int = 1, data_format: str = "NCDHW"):  # fmt: skip
    """The gradient of ``Conv3D`` by its weight of shape ``filter_size``."""

    def of_weight(weight: Any) -> Any:
        return forward_of(conv3d_primitive, {})(x, weight, out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group,
                                        data_format)  # fmt: skip

    return pull_from(of_weight, filter_size, out_backprop)


@gradient("Conv3DBackpropInput", _VOLUMES)
def conv3d_backprop_input(filter: Array, out_backprop: Array, input_size: Shape, out_channel: int, kernel_size: Any,
                          mode: int = 1, pad_mode: str = "valid", pad: Any = 0, stride: Any = 1, dilation: Any = 1,
                          group: int = 1, data_format: str = "NCDHW"):  # fmt: skip
    """The gradient of ``Conv3D`` by its input of shape ``input_size``."""
    return pull_from(conv3d_primitive, input_size, out_backprop, weight=filter, out_channel=out_channel,
                     kernel_size=kernel_size, mode=mode, pad_mode=pad_mode, pad=pad, stride=stride, dilation=dilation,
                     group=group, data_format=data_format)  # fmt: skip


# -- of any number of axes -------------------------------------------------------------------------------------------
def _all_gradients(dout: Any, x: Any, weight: Any, stride: Any, padding: Any, dilation: Any, transposed: bool,
                   output_padding: Any, groups: int) -> tuple:  # fmt: skip
    count = x.ndim - 2
    steps, gaps = spatial("stride", stride, count), spatial("dilation", dilation, count)
    if isinstance(padding, str):
        require_choice("padding", padding, ("same", "valid"))
        require(not transposed, "the 'transposed' must be False where the 'padding' is a str, but got True.")
        pairs = padding_pairs(padding, symmetric((0,) * count), x.shape[2:], weight.shape[2:], steps, gaps)
    else:
        pairs = symmetric(spatial("padding", padding, count, least=0))

    def forward(x: Any, weight: Any) -> Any:
        if transposed:  # the result has the cotangent's shape
            return transpose_convolution(x, weight, dout.shape, steps, pairs, gaps, groups)
        return convolve(x, weight, steps, pairs, gaps, groups)

    by_input, by_weight = pull(forward, dout, x, weight)
    return by_input, by_weight, dout.sum((0, *range(2, dout.ndim)))


@gradient("ConvolutionGrad")
def convolution_grad(dout: Array, input: Array, weight: Array, bias: Array | None = None, stride: Any = 1,
                     padding: Any = 0, dilation: Any = (1, 1), transposed: bool = False, output_padding: Any = 0,
                     groups: int = 1, output_mask: Shape = ()):  # fmt: skip
    """The gradients of ``Convolution`` by input, weight and bias."""
    gaps = dilation if isinstance(dilation, int) or len(dilation) == input.ndim - 2 else dilation[0]
    return _all_gradients(dout, input, weight, stride, padding, gaps, transposed, output_padding, groups)


@gradient("ConvolutionStrGrad")
def convolution_str_grad(dout: Array, input: Array, weight: Array, bias: Array | None = None, stride: Any = 1,
                         padding: str = "valid", dilation: Any = 1, transposed: bool = False, output_padding: Any = 0,
                         groups: int = 1, output_mask: Shape = ()):  # fmt: skip
    """The gradients of ``ConvolutionStr`` by input, weight and bias."""
    return _all_gradients(dout, input, weight, stride, padding, dilation, transposed, output_padding, groups)


@gradient("BiasAddGrad", ("data_format",))
def bias_add_grad(dout: Array, data_format: str = "NCHW"):
    """The gradient of ``BiasAdd`` by the bias: the sum over all axes but that of the channels."""
    require_choice("data_format", data_format, ("NCHW", "NHWC", "NCDHW"))
    channels = dout.ndim - 1 if data_format == "NHWC" else 1
    return dout.sum(tuple(axis for axis in range(dout.ndim) if axis != channels)).astype(dout.dtype)


# -- morphology, sampling, columns -----------------------------------------------------------------------------------
_DILATION = ("stride", "dilation", "pad_mode", "data_format")


@gradient("Dilation2DBackpropInput", _DILATION)
def dilation2d_backprop_input(x: Array, filter: Array, out_backprop: Array, stride: Any, dilation: Any,
                              pad_mode: str = "SAME", data_format: str = "NCHW"):  # fmt: skip
    """The gradient of ``Dilation2D`` by its input."""
    return _dilation(x, filter, out_backprop, stride, dilation, pad_mode, data_format)[0]


@gradient("Dilation2DBackpropFilter", _DILATION)
def dilation2d_backprop_filter(x: Array, filter: Array, out_backprop: Array, stride: Any, dilation: Any,
                               pad_mode: str = "SAME", data_format: str = "NCHW"):  # fmt: skip
    """The gradient of ``Dilation2D`` by its filter."""
    return _dilation(x, filter, out_backprop, stride, dilation, pad_mode, data_format)[1]


def _dilation(x: Any, filter: Any, seed: Any, stride: Any, dilation: Any, pad_mode: str, data_format: str) -> tuple:
    return pull(
        dilation2d, seed, x, filter, stride=stride, dilation=dilation, pad_mode=pad_mode, data_format=data_format
    )


@gradient("DeformableOffsetsGrad", ("strides", "pads", "kernel_size", "dilations", "data_format", "deformable_groups",
                                    "modulated"))  # fmt: skip
def deformable_offsets_grad(grad: Array, x: Array, offsets: Array, strides: Any, pads: Any, kernel_size: Any,
                            dilations: Any = (1, 1, 1, 1), data_format: str = "NCHW", deformable_groups: int = 1,
                            modulated: bool = True):  # fmt: skip
    """The gradients of ``DeformableOffsets`` by input and offsets."""
    return pull(deformable_offsets, grad, x, offsets, strides=strides, pads=pads, ksize=kernel_size, dilations=dilations,
                data_format=data_format, deformable_groups=deformable_groups, modulated=modulated)  # fmt: skip


@gradient("Col2ImGrad")
def col2im_grad(input: Array, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1):
    """The gradient of ``Col2Im``: the columns of the cotangent ``input``."""
    images = input if input.ndim == 4 else input[None]
    columns = forward_of(im2col, {})(images, kernel_size, stride, dilation, padding)
    return columns.reshape(*input.shape[:-3], -1, columns.shape[-1])
