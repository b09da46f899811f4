"""Transposed convolution layers."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_one_of
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.layer._implementation.conv_base import _Conv, _RowConv, spatial_sizes
from mindspore.nn.layer._implementation.sizes import sizes


class _ImageTranspose(_Conv):
    """What transposed convolutions of images, and of rows as images of height 1, share."""

    def _prepare(self) -> None:
        self._sides = (self.padding,) * 4 if isinstance(self.padding, int) else self.padding
        self.padding_top, self.padding_bottom, self.padding_left, self.padding_right = self._sides
        self.is_valid, self.is_same, self.is_pad = (self.pad_mode == kind for kind in ("valid", "same", "pad"))
        self.conv2d_transpose = ops.Conv2DTranspose(
            self.in_channels,
            self.kernel_size,
            self.pad_mode,
            self.padding,
            None,
            1,
            self.stride,
            self.dilation,
            self.group,
        )

    def _output_length(self, length: int, axis: int) -> int:
        """How long an axis becomes: 'same' and 'valid' leave no element of the output without a window."""
        step, reach = self.stride[axis], (self.kernel_size[axis] - 1) * self.dilation[axis] + 1
        if self.pad_mode == "same":
            return length * step
        if self.pad_mode == "valid":
            return length * step + max(reach - step, 0)
        return (length - 1) * step + reach - sum(self._sides[2 * axis : 2 * axis + 2])

    def shard(self, strategy: Any) -> Any:  # type: ignore[override]
        """Shard the inputs of the convolution; returns the layer."""
        self.conv2d_transpose.shard(strategy)
        return self

    def _transposed(self, x: Tensor) -> Tensor:
        size = (x.shape[0], self.out_channels, self._output_length(x.shape[2], 0), self._output_length(x.shape[3], 1))
        return self._biased(self.conv2d_transpose(x, self.weight, size))


class Conv2dTranspose(_ImageTranspose):
    """A transposed convolution of images (N, C_in, H, W): the gradient of a convolution, used to enlarge images.

    The weight has shape (C_in, C_out / group, height, width).

    Args:
        in_channels, out_channels: C_in and C_out.
        kernel_size, stride, dilation: an int, or (height, width).
        pad_mode: 'same': the output is ``stride`` times as large, 'valid': no padding, 'pad': ``padding`` is taken away.
        padding: for 'pad', an int for all sides or (top, bottom, left, right).
        output_padding: for 'pad', rows and columns of zeros behind the result; an int or (height, width)
            smaller than stride or dilation.
        group, has_bias, weight_init, bias_init, dtype: as for :class:`Conv2d`.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Conv2dTranspose(3, 8, 4, stride=2, pad_mode="pad", padding=1)(ops.ones((1, 3, 5, 5))).shape)
        (1, 8, 10, 10)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        output_padding: int | tuple[int, int] = 0,
        dilation: int | tuple[int, int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = mstype.float32,
    ):
        owner = type(self).__name__
        kernel, steps, gaps = spatial_sizes(owner, 2, kernel_size, stride, dilation)
        extra = _checked_output_padding(owner, output_padding, pad_mode, steps, gaps)
        super().__init__(in_channels, out_channels, kernel, steps, pad_mode, padding, gaps, group, has_bias, weight_init,
                         bias_init, transposed=True, dtype=dtype)  # fmt: skip
        self.output_padding = output_padding
        self._border = (0, extra[1], 0, extra[0]) if any(extra) else None
        self._prepare()

    def construct(self, x: Tensor) -> Tensor:
        """The transposed convolution of a batch of images."""
        output = self._transposed(x)
        return output if self._border is None else ops.pad(output, self._border)


class Conv1dTranspose(_RowConv, _ImageTranspose):
    """A transposed convolution of rows (N, C_in, L).

    The weight has shape (C_in, C_out / group, 1, length).

    Args:
        kernel_size, stride, padding, dilation: ints; all else as for :class:`Conv2dTranspose`.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Conv1dTranspose(3, 8, 4, stride=2)(ops.ones((1, 3, 5))).shape)
        (1, 8, 10)
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
                         weight_init, bias_init, transposed=True, dtype=dtype)  # fmt: skip
        self._prepare()

    def _convolved(self, x: Tensor) -> Tensor:
        return self._transposed(x)


class Conv3dTranspose(_Conv):
    """A transposed convolution of volumes (N, C_in, D, H, W).

    The weight has shape (C_in, C_out / group, depth, height, width).

    Args:
        kernel_size, stride, dilation, output_padding: an int, or (depth, height, width).
        padding: for pad_mode 'pad', an int for all sides or (head, tail, top, bottom, left, right).
        data_format: 'NCDHW'. All else as for :class:`Conv2dTranspose`.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Conv3dTranspose(2, 4, 3, stride=2)(ops.ones((1, 2, 2, 3, 3))).shape)
        (1, 4, 4, 6, 6)
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
        output_padding: int | tuple[int, int, int] = 0,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = mstype.float32,
    ):
        owner = type(self).__name__
        kernel, steps, gaps = spatial_sizes(owner, 3, kernel_size, stride, dilation)
        extra = _checked_output_padding(owner, output_padding, pad_mode, steps, gaps)
        check_one_of(owner, "data_format", data_format, ("NCDHW",))
        super().__init__(in_channels, out_channels, kernel, steps, pad_mode, padding, gaps, group, has_bias, weight_init,
                         bias_init, data_format, transposed=True, dtype=dtype)  # fmt: skip
        self.output_padding = extra
        self.conv3d_transpose = ops.Conv3DTranspose(in_channels, out_channels, self.kernel_size, 1, pad_mode, self.padding,
                                                    self.stride, self.dilation, group, extra, data_format)  # fmt: skip

    def construct(self, x: Tensor) -> Tensor:
        """The transposed convolution of a batch of volumes."""
        return self._biased(self.conv3d_transpose(x, self.weight))


def _checked_output_padding(
    owner: str, value: Any, pad_mode: str, stride: tuple[int, ...], dilation: tuple[int, ...]
) -> tuple[int, ...]:
    extra = sizes(owner, "output_padding", value, len(stride), low=0)
    if pad_mode != "pad" and any(extra):
        raise refused(
            ValueError,
            f"For '{owner}', the 'output_padding' must be zero when 'pad_mode' is not 'pad', but got {value} and "
            f"{pad_mode!r}.",
        )
    if any(added >= max(step, gap) for added, step, gap in zip(extra, stride, dilation, strict=True)):
        raise refused(
            ValueError,
            f"For '{owner}', the 'output_padding' must be smaller than the stride or the dilation, but got {value}, "
            f"{stride} and {dilation}.",
        )
    return extra
