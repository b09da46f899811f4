"""Transposed convolutions: the gradient of a convolution for its input, used as a layer."""

from __future__ import annotations

from typing import Any

import jax

from mindspore._engine.operator.arguments import Array, Choice, Shape, Sizes
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.requirements import (
    FOUND_BY_KERNEL,
    require,
    require_batch,
    require_choice,
    require_rank,
    require_same_dtype,
)
from mindspore._ops.declaring.windows import Pairs, explicit, output_length, padding_pairs, reach, spatial, symmetric
from mindspore._ops.nn.convolution import add_channel_bias, check_attributes, convolve, spatial_shape
from mindspore._utils.refusals import several


def transpose_convolution(x: Any, weight: Any, shape: tuple[int, ...], stride: tuple[int, ...], pairs: Pairs,
                          dilation: tuple[int, ...], groups: int, channels_last: bool = False) -> Any:  # fmt: skip
    """What a convolution with ``weight`` maps from ``shape`` to the shape of ``x``, the other way round."""
    require_same_dtype(x=x, weight=weight)

    def forward(result: Any) -> Any:
        return convolve(result, weight, stride, pairs, dilation, groups, channels_last)

    (result,) = jax.linear_transpose(forward, jax.ShapeDtypeStruct(shape, x.dtype))(x)
    return result


def _check_channels(x: Any, weight: Any, groups: int, channel_axis: int = 1) -> None:
    got, wanted = x.shape[channel_axis], weight.shape[0]
    text = f"the 'C_in' of the input must be equal to the weight's first axis {wanted}, but got {got}: shape {x.shape}."
    require(got == wanted, text, ValueError if weight.ndim == 5 else RuntimeError)
    require(
        0 not in weight.shape[2:], f"the 'weight' must have a kernel of at least one element, but got {weight.shape}."
    )
    text = f"the 'group' must divide the number of input channels {wanted}, but got {groups}."
    require(groups >= 1 and wanted % groups == 0, text)


@at_construction(check_attributes(2))
@op(primitive=("Conv2DTranspose", "Conv2DBackpropInput"), public=False,
    init=("out_channel", "kernel_size", "pad_mode", "pad", "pad_list", "mode", "stride", "dilation", "group",
          "data_format"),
    old={"dout": "out_backprop", "weight": ("filter", "w"), "input_size": "input_sizes"},
    test=lambda t: [t.case(t.normal(1, 4, 3, 3), t.normal(4, 2, 3, 3), (1, 2, 5, 5), 2, 3),
                    t.case(t.normal(1, 4, 2, 2), t.normal(4, 1, 3, 3), (1, 2, 4, 4), 2, 3, "same", stride=2,
                           group=2)])  # fmt: skip
@accepts("f", "dout", "weight")
def conv2d_transpose_primitive(dout: Array, weight: Array, input_size: Shape, out_channel: int, kernel_size: Sizes,
                               pad_mode: str = "valid", pad: Sizes = 0, pad_list: Any = None, mode: int = 1,
                               stride: Sizes = 1, dilation: Sizes = 1, group: int = 1,
                               data_format: Choice = "NCHW"):  # fmt: skip
    """The transpose of a convolution; ``input_size`` is the full shape of the result.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> found = ops.Conv2DBackpropInput(1, 2)(ops.ones((1, 1, 1, 1)), ops.ones((1, 1, 2, 2)), (1, 1, 2, 2))
        >>> print(found)
        [[[[1. 1.]
           [1. 1.]]]]
    """
    require_choice("data_format", data_format, ("NCHW", "NHWC"))
    require(mode == 1, f"the 'mode' must be 1 (cross-correlation), but got {mode}.")
    for name, array in (("dout", dout), ("weight", weight)):
        text = f"the '{name}' must have 4 dimensions, but got {array.ndim}: shape {array.shape}."
        require(array.ndim == 4, text, FOUND_BY_KERNEL)
    text = f"the 'input_size' must be the shape of the result, 4 numbers, but got {input_size}."
    require(len(input_size) == 4, text, several(ValueError, RuntimeError, TypeError))
    channels_last = data_format == "NHWC"
    _check_channels(dout, weight, group, -1 if channels_last else 1)
    kernel = spatial("kernel_size", kernel_size, 2)
    text = f"the 'kernel_size' must be that of the 'weight' of shape {weight.shape}, but got {kernel_size}."
    require(kernel == spatial_shape(weight, channels_last), text)
    channels = weight.shape[-1 if channels_last else 1] * group
    text = f"the 'input_size' must have the {channels} channels of the 'weight', but got {input_size}."
    require(input_size[-1 if channels_last else 1] == channels, text)
    text = f"the 'input_size' must start with the batch size of 'dout' {dout.shape[0]}, but got {input_size}."
    require(input_size[0] == dout.shape[0], text)
    steps, dilations = spatial("stride", stride, 2), spatial("dilation", dilation, 2)
    lengths = input_size[1:-1] if channels_last else input_size[2:]
    pads = explicit("pad_list", pad_list, 2) if pad_list else explicit("pad", pad, 2)
    pairs = padding_pairs(pad_mode, pads, lengths, kernel, steps, dilations)
    rows = zip(lengths, kernel, steps, pairs, dilations, strict=True)
    needed = tuple(output_length(*row, ceil_mode=False) for row in rows)
    got = spatial_shape(dout, channels_last)
    text = f"the 'input_size' must fit: a convolution of {lengths} has spatial shape {needed}, but 'dout' has {got}."
    require(needed == got, text)
    return transpose_convolution(dout, weight, input_size, steps, pairs, dilations, group, channels_last)


def _transpose(x: Any, weight: Any, bias: Any, stride: Any, pad_mode: str, padding: Pairs, output_padding: Any,
               groups: int, dilation: Any, count: int) -> Any:  # fmt: skip
    """A transposed convolution that works out the shape of its result."""
    require_batch("input", x, count + 2)
    require_rank("weight", weight, count + 2)
    _check_channels(x, weight, groups)
    kernel, steps, dilations = weight.shape[2:], spatial("stride", stride, count), spatial("dilation", dilation, count)
    extra = spatial("output_padding", output_padding, count, least=0)
    text = f"the 'output_padding' must be zero when 'pad_mode' is not 'pad', but got {output_padding} and {pad_mode!r}."
    require(pad_mode == "pad" or not any(extra), text)
    text = f"the 'output_padding' must be smaller than stride or dilation, but got {extra}, {steps} and {dilations}."
    require(all(e < max(s, d) for e, s, d in zip(extra, steps, dilations, strict=True)), text)
    lengths = []
    for length, size, step, pad, gap, more in zip(x.shape[2:], kernel, steps, padding, dilations, extra, strict=True):
        window = reach(size, gap)
        if pad_mode == "valid":
            window = max(window, step)  # steps that leave gaps leave a gap at the end too
        full = (length - 1) * step + window
        lengths.append(length * step if pad_mode == "same" else full - sum(pad) + more)
    pairs = padding_pairs(pad_mode, padding, tuple(lengths), kernel, steps, dilations)
    shape = (x.shape[0], weight.shape[1] * groups, *lengths)
    result = transpose_convolution(x, weight, shape, steps, pairs, dilations, groups)
    return result if bias is None else add_channel_bias(result, bias)


@op(test=lambda t: [t.case(t.normal(1, 4, 3, 3), t.normal(4, 2, 3, 3), t.normal(2)),
                    t.case(t.normal(1, 4, 3, 3), t.normal(4, 2, 3, 3), None, 2, 1, 1, 2)])  # fmt: skip
def conv_transpose2d(input: Array, weight: Array, bias: Array | None = None, stride: Any = 1, padding: Any = 0,
                     output_padding: Any = 0, groups: int = 1, dilation: Any = 1):  # fmt: skip
    """A transposed convolution of images; the weight has shape (C_in, C_out / groups, kh, kw).

    Examples:
        >>> from mindspore import ops
        >>> print(ops.conv_transpose2d(ops.ones((1, 1, 2, 2)), ops.ones((1, 1, 2, 2))))
        [[[[1. 2. 1.]
           [2. 4. 2.]
           [1. 2. 1.]]]]
    """
    pairs = symmetric(spatial("padding", padding, 2, least=0))
    return _transpose(input, weight, bias, stride, "pad", pairs, output_padding, groups, dilation, 2)


@op(test=lambda t: [t.case(t.normal(1, 2, 2, 2, 2), t.normal(2, 3, 2, 2, 2)),
                    t.case(t.normal(1, 2, 2, 2, 2), t.normal(2, 3, 2, 2, 2), "pad", 1, 2,
                           output_padding=1)])  # fmt: skip
@accepts("fc", "inputs", "weight")
def conv3d_transpose(inputs: Array, weight: Array, pad_mode: str = "valid", padding: Any = 0, stride: Any = 1,
                     dilation: Any = 1, group: int = 1, output_padding: Any = 0):  # fmt: skip
    """A transposed convolution of volumes; the weight has shape (C_in, C_out / group, kd, kh, kw).

    Examples:
        >>> from mindspore import ops
        >>> print(ops.conv3d_transpose(ops.ones((1, 1, 2, 2, 2)), ops.ones((1, 1, 2, 2, 2)), stride=2).shape)
        (1, 1, 4, 4, 4)
    """
    pairs = explicit("padding", padding, 3)
    return _transpose(inputs, weight, None, stride, pad_mode, pairs, output_padding, group, dilation, 3)


@at_construction(check_attributes(3))
@op(primitive="Conv3DTranspose", public=False,
    init=("in_channel", "out_channel", "kernel_size", "mode", "pad_mode", "pad", "stride", "dilation", "group",
          "output_padding", "data_format"),
    test=lambda t: [t.case(t.normal(1, 2, 2, 2, 2), t.normal(2, 3, 2, 2, 2), 2, 3, 2)])  # fmt: skip
@accepts("fc", "dout", "weight")
def conv3d_transpose_primitive(dout: Array, weight: Array, in_channel: int, out_channel: int, kernel_size: Sizes,
                               mode: int = 1, pad_mode: str = "valid", pad: Sizes = 0, stride: Sizes = 1,
                               dilation: Sizes = 1, group: int = 1, output_padding: Sizes = 0,
                               data_format: Choice = "NCDHW"):  # fmt: skip
    """A transposed convolution of volumes.

    Examples:
        >>> from mindspore import ops
        >>> convolution = ops.Conv3DTranspose(in_channel=2, out_channel=1, kernel_size=2)
        >>> print(convolution(ops.ones((1, 2, 3, 3, 3)), ops.ones((2, 1, 2, 2, 2))).shape)
        (1, 1, 4, 4, 4)
    """
    require_choice("data_format", data_format, ("NCDHW",))
    require(mode == 1, f"the 'mode' must be 1 (cross-correlation), but got {mode}.")
    wanted = (in_channel, out_channel // group, *spatial("kernel_size", kernel_size, 3))
    require(weight.shape == wanted, f"the 'weight' must have shape {wanted}, but got {weight.shape}.")
    pairs = explicit("pad", pad, 3)
    return _transpose(dout, weight, None, stride, pad_mode, pairs, output_padding, group, dilation, 3)
