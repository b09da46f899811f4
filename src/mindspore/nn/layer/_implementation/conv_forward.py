"""Convolution layers."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_one_of
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer._implementation.conv_base import _Conv, _RowConv, spatial_sizes


class Conv2d(_Conv):
    """A convolution of images (N, C_in, H, W) to (N, C_out, H_out, W_out).

    The weight has shape (C_out, C_in / group, height, width).

    Args:
        in_channels, out_channels: C_in and C_out.
        kernel_size, stride, dilation: an int, or (height, width).
        pad_mode: 'same' pads with zeros so that H_out is H / stride rounded up, 'valid' does not pad, 'pad' pads by
            ``padding``.
        padding: for 'pad', an int for all sides or (top, bottom, left, right).
        group: into how many parts the channels are split, each with kernels of its own.
        has_bias: whether one number per channel is added.
        weight_init, bias_init: Tensor, initializer, its name, or a number; by default uniform by the fan-in.
        data_format: 'NCHW', or 'NHWC' for channels last (the weight is then (C_out, height, width, C_in / group)).
        dtype: dtype of the Parameters.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.Conv2d(3, 8, 3, stride=2)
        >>> print(net(ops.ones((1, 3, 6, 6))).shape)
        (1, 8, 3, 3)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCHW",
        dtype: Any = mstype.float32,
    ):
        owner = type(self).__name__
        kernel, steps, gaps = spatial_sizes(owner, 2, kernel_size, stride, dilation)
        check_one_of(owner, "data_format", data_format, ("NCHW", "NHWC"))
        super().__init__(in_channels, out_channels, kernel, steps, pad_mode, padding, gaps, group, has_bias, weight_init,
                         bias_init, data_format, dtype=dtype)  # fmt: skip
        self.conv2d = ops.Conv2D(out_channels, self.kernel_size, 1, pad_mode, self.padding, self.stride, self.dilation,
                                 group, data_format)  # fmt: skip

    def construct(self, x: Tensor) -> Tensor:
        """The convolution of a batch of images."""
        return self._biased(self.conv2d(x, self.weight))


class Conv1d(_RowConv):
    """A convolution of rows (N, C_in, L) to (N, C_out, L_out).

    The weight has shape (C_out, C_in / group, 1, length).

    Args:
        kernel_size, stride, padding, dilation: ints; all else as for :class:`Conv2d`.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Conv1d(3, 8, 3, pad_mode="valid")(ops.ones((2, 3, 6))).shape)
        (2, 8, 4)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        pad_mode: str = "same",
        padding: int = 0,
        dilation: int = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = mstype.float32,
    ):
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         weight_init, bias_init, dtype=dtype)  # fmt: skip
        self.conv2d = ops.Conv2D(out_channels, self.kernel_size, 1, pad_mode, self.padding, self.stride, self.dilation,
                                 group)  # fmt: skip

    def _convolved(self, x: Tensor) -> Tensor:
        return self._biased(self.conv2d(x, self.weight))


@primitives(
    concat=lambda _: ops.Concat(1),
    split_0=lambda net: ops.Split(0, net.group),
    split_1=lambda net: ops.Split(1, net.group),
)
class Conv3d(_Conv):
    """A convolution of volumes (N, C_in, D, H, W) to (N, C_out, D_out, H_out, W_out).

    The weight has shape (C_out, C_in / group, depth, height, width).

    Args:
        kernel_size, stride, dilation: an int, or (depth, height, width).
        padding: for pad_mode 'pad', an int for all sides or (head, tail, top, bottom, left, right).
        data_format: 'NCDHW'. All else as for :class:`Conv2d`.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Conv3d(2, 4, (1, 3, 3))(ops.ones((1, 2, 2, 4, 4))).shape)
        (1, 4, 2, 4, 4)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int, int],
        stride: int | tuple[int, int, int] = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, int, int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = mstype.float32,
    ):
        owner = type(self).__name__
        kernel, steps, gaps = spatial_sizes(owner, 3, kernel_size, stride, dilation)
        check_one_of(owner, "data_format", data_format, ("NCDHW",))
        super().__init__(in_channels, out_channels, kernel, steps, pad_mode, padding, gaps, group, has_bias, weight_init,
                         bias_init, data_format, dtype=dtype)  # fmt: skip
        self.conv3d = ops.Conv3D(out_channels, self.kernel_size, 1, pad_mode, self.padding, self.stride, self.dilation,
                                 group, data_format)  # fmt: skip

    def construct(self, x: Tensor) -> Tensor:
        """The convolution of a batch of volumes."""
        return self._biased(self.conv3d(x, self.weight))
