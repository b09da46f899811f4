"""What all convolution layers share: checks, Parameters, the printed form."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore._utils.checks import (
    check_bool,
    check_int,
    check_one_of,
    check_positive_int,
)
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.initializer import initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.inputs import CHANNELS, Width
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer._implementation.initial import initial_bias, initial_weight, shown_init
from mindspore.nn.layer._implementation.sizes import sizes


@primitives(shape=ops.Shape)
class _Conv(Cell):
    """The base of convolution layers: kernel, stride and dilation are tuples with one int per spatial axis.

    Subclasses of programs may mix lengths, as a row convolution with ``kernel_size=(3,)`` and ``stride=(1, 2)`` does.
    """

    _cell_widths = (Width("in_channels", CHANNELS),)

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, ...],
        stride: tuple[int, ...],
        pad_mode: str,
        padding: Any,
        dilation: tuple[int, ...],
        group: int,
        has_bias: bool,
        weight_init: Any,
        bias_init: Any,
        data_format: str = "NCHW",
        transposed: bool = False,
        dtype: Any = mstype.float32,
    ):
        super().__init__()
        owner = self.cls_name
        count = len(kernel_size)
        self.in_channels = check_positive_int(owner, "in_channels", in_channels)
        self.out_channels = check_positive_int(owner, "out_channels", out_channels)
        self.kernel_size = sizes(owner, "kernel_size", kernel_size, count)
        self.stride = _sizes_of_any_length(owner, "stride", stride, count)
        self.pad_mode = check_one_of(owner, "pad_mode", pad_mode, ("valid", "same", "pad"))
        self.data_format = check_one_of(owner, "data_format", data_format, ("NCHW", "NHWC", "NCDHW"))
        self.padding = _checked_padding(owner, padding, 2 * count)
        self.dilation = _sizes_of_any_length(owner, "dilation", dilation, count)
        self.group = check_positive_int(owner, "group", group)
        self.has_bias = check_bool(owner, "has_bias", has_bias)
        if in_channels % group or out_channels % group:
            raise refused(
                ValueError,
                f"For '{owner}', the 'group' must divide 'in_channels' and 'out_channels', but got group: {group}, "
                f"in_channels: {in_channels}, out_channels: {out_channels}.",
            )
        inner = (out_channels if transposed else in_channels) // group
        outer = in_channels if transposed else out_channels
        shape = (outer, *kernel_size, inner) if data_format == "NHWC" else (outer, inner, *kernel_size)
        self.weight_init = initial_weight(weight_init)
        self.weight = Parameter(initializer(self.weight_init, shape, dtype), name="weight")
        if has_bias:
            self.bias_init = initial_bias(bias_init, inner * math.prod(kernel_size))
            self.bias = Parameter(initializer(self.bias_init, [out_channels], dtype), name="bias")
        else:
            self.bias_init = bias_init
            self.bias = None
        self.bias_add = ops.BiasAdd(data_format=data_format)

    def _biased(self, output: Tensor) -> Tensor:
        return output if self.bias is None else self.bias_add(output, self.bias)

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, weight_init={shown_init(self.weight_init)}, "
            f"bias_init={shown_init(self.bias_init)}, format={self.data_format}"
        )


@primitives(expand_dims=ops.ExpandDims, squeeze=lambda _: ops.Squeeze(2))
class _RowConv(_Conv):
    """The base of convolution layers on rows (N, C, L), computed as images of height 1."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int, stride: int, pad_mode: str, padding: int,
                 dilation: int, group: int, has_bias: bool, weight_init: Any, bias_init: Any, *, transposed: bool = False,
                 dtype: Any = mstype.float32):  # fmt: skip
        owner = type(self).__name__
        given = {"kernel_size": kernel_size, "stride": stride, "dilation": dilation}
        kernel, steps, gaps = ((1, check_int(owner, name, value, low=1)) for name, value in given.items())
        pad = check_int(owner, "padding", padding, low=0)
        if isinstance(weight_init, Tensor) and weight_init.ndim == 3:  # (C, C, length)
            weight_init = ops.expand_dims(weight_init, 2)
        super().__init__(in_channels, out_channels, kernel, steps, pad_mode, (0, 0, pad, pad), gaps, group, has_bias,
                         weight_init, bias_init, transposed=transposed, dtype=dtype)  # fmt: skip

    def _convolved(self, x: Tensor) -> Tensor:
        """The convolution of images (N, C, 1, L); every layer defines its own."""
        raise NotImplementedError(f"For '{self.cls_name}', define '_convolved'.")

    def construct(self, x: Tensor) -> Tensor:
        """The convolution of a batch of rows."""
        _check_input_3d(x.shape, self.cls_name)
        return self.squeeze(self._convolved(self.expand_dims(x, 2)))


def _check_input_3d(input_shape: tuple[int, ...], op_name: str) -> None:
    """Refuse anything but (N, C, L)."""
    if len(input_shape) != 3:
        raise refused(ValueError, f"For '{op_name}', the dimension of input must be 3d, but got {len(input_shape)}.")


def _sizes_of_any_length(owner: str, name: str, value: Any, count: int) -> tuple[int, ...]:
    return sizes(owner, name, value, len(value) if isinstance(value, (tuple, list)) else count)


def spatial_sizes(owner: str, count: int, kernel_size: Any, stride: Any, dilation: Any) -> list[tuple[int, ...]]:
    """Kernel size, stride and dilation, each as one int per spatial axis."""
    given = {"kernel_size": kernel_size, "stride": stride, "dilation": dilation}
    return [sizes(owner, name, value, count) for name, value in given.items()]


def _checked_padding(owner: str, padding: Any, count: int) -> Any:
    """Padding as it was given: an int for all sides, or ``count`` of them."""
    wrong_length = ValueError if isinstance(padding, tuple) else TypeError  # as MindSpore has it
    checked = sizes(owner, "padding", padding, count, low=0, wrong_length=wrong_length)
    return checked if isinstance(padding, (tuple, list)) else checked[0]
