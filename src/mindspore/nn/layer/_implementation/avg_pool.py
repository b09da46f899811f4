"""The average of sliding windows, and their p-norm."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_int, check_type
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer._implementation.pool_base import _PoolNd
from mindspore.nn.layer._implementation.sizes import both_sides


class _AvgPool(_PoolNd):
    """The average of every window: with options as that of a volume, without as that of an image."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any,
        pad_mode: str,
        padding: Any,
        ceil_mode: bool,
        count_include_pad: bool,
        divisor_override: int | None = None,
        data_format: str = "NCHW",
    ):
        super().__init__(kernel_size, stride, pad_mode, data_format)
        owner = self.cls_name
        check_bool(owner, "ceil_mode", ceil_mode)
        check_bool(owner, "count_include_pad", count_include_pad)
        if divisor_override is not None:
            check_int(owner, "divisor_override", divisor_override, low=1)
        pads = self._padded_axes(padding)
        options = any(pads) or self.pad_mode == "PAD" or ceil_mode
        self.is_expand = self.spatial < 3 and (options or not count_include_pad or divisor_override is not None)
        kernel, steps = map(self._all_axes, (self.kernel_size, self.stride))
        if self.spatial < 3 and not self.is_expand:
            self.avg_pool: Any = ops.AvgPool(kernel, steps, self.pad_mode, self.format)
            return
        flat = (1,) * (3 - len(kernel))
        self.avg_pool = ops.AvgPool3D(
            flat + kernel,
            flat + steps,
            pad_mode.lower(),
            both_sides((0,) * len(flat) + pads),
            ceil_mode,
            count_include_pad,
            divisor_override or 0,
        )

    def _pooled(self, x: Tensor) -> Tensor:
        return self._in_nchw(self._as_volume, x) if self.is_expand else self.avg_pool(x)

    def _as_volume(self, x: Tensor) -> Tensor:
        return ops.squeeze(self.avg_pool(ops.expand_dims(x, 2)), 2)


@primitives(
    expand=ops.ExpandDims,
    squeeze=lambda _: ops.Squeeze(2),
    reduce_mean=lambda _: ops.ReduceMean(keep_dims=True),
    slice=ops.Slice,
    shape=ops.Shape,
)
class AvgPool1d(_AvgPool):
    """The average of every window of (N, C, L) or (C, L).

    Args:
        kernel_size, stride, padding: ints; all as for :class:`AvgPool2d`.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.AvgPool1d(2, 2)(Tensor([[1.0, 2.0, 3.0, 4.0]])))
        [[1.5 3.5]]
    """

    spatial = 1

    def __init__(
        self,
        kernel_size: int = 1,
        stride: int = 1,
        pad_mode: str = "valid",
        padding: int = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ):
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad)

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments; without options as those of an image of height 1."""
        kernel_size, stride = (
            value if self.is_expand else self._all_axes(value) for value in (self.kernel_size, self.stride)
        )
        return f"kernel_size={kernel_size}, stride={stride}, pad_mode={self.pad_mode}"


class AvgPool2d(_AvgPool):
    """The average of every window of (N, C, H, W) or (C, H, W).

    Args:
        kernel_size: height and width of the windows, an int or a pair.
        stride: the step between windows, an int or a pair; 1 by default.
        pad_mode: 'valid' does not pad, 'same' pads so that the output has H / stride rounded up (and only real elements
            count), 'pad' pads by ``padding``.
        padding: for 'pad', an int or (height, width), at most half of the kernel.
        ceil_mode: whether windows may hang over the end.
        count_include_pad: whether padding counts as elements of value 0.
        divisor_override: what sums are divided by instead of the number of elements.
        data_format: 'NCHW', or 'NHWC' for channels last.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.AvgPool2d(2, 2)(Tensor([[[1.0, 2.0], [3.0, 4.0]]])))
        [[[2.5]]]
    """

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
        data_format: str = "NCHW",
    ):
        super().__init__(
            kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor_override, data_format
        )


class AvgPool3d(_AvgPool):
    """The average of every window of (N, C, D, H, W) or (C, D, H, W).

    Args:
        kernel_size, stride, padding: an int, or (depth, height, width); all as for :class:`AvgPool2d`.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.AvgPool3d(2, 2)(ops.ones((1, 3, 4, 4, 4))).shape)
        (1, 3, 2, 2, 2)
    """

    spatial = 3

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ):
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor_override)


class _AvgPoolExt(Cell):
    """The average of every window; the step is the kernel's size by default."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding
        self.ceil_mode = check_bool(self.cls_name, "ceil_mode", ceil_mode)
        self.count_include_pad = check_bool(self.cls_name, "count_include_pad", count_include_pad)
        self._step = kernel_size if stride is None else stride
        self._pads = both_sides(tuple(padding)) if isinstance(padding, (tuple, list)) else padding


class AvgPool1dExt(_AvgPoolExt):
    """The average of every window of (N, C, L); the step is the kernel's size by default.

    Args:
        kernel_size, stride, padding: ints.
        ceil_mode, count_include_pad: as for :class:`AvgPool2d`.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.AvgPool1dExt(2)(Tensor([[[1.0, 2.0, 3.0, 4.0]]])))
        [[[1.5 3.5]]]
    """

    def construct(self, input: Tensor) -> Tensor:
        """The averages."""
        return ops.avg_pool1d(input, self.kernel_size, self._step, self._pads, self.ceil_mode, self.count_include_pad)


class AvgPool2dExt(_AvgPoolExt):
    """The average of every window of (N, C, H, W); the step is the kernel's size by default.

    Args:
        kernel_size, stride, padding: an int, or (height, width).
        ceil_mode, count_include_pad, divisor_override: as for :class:`AvgPool2d`.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.AvgPool2dExt(2)(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[2.5]]]]
    """

    _pool: Any = staticmethod(ops.avg_pool2d)

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ):
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)
        self.divisor_override = divisor_override

    def construct(self, input: Tensor) -> Tensor:
        """The averages."""
        return self._pool(
            input, self.kernel_size, self._step, self._pads, self.ceil_mode, self.count_include_pad,
            self.divisor_override or 0,
        )  # fmt: skip


class AvgPool3dExt(AvgPool2dExt):
    """The average of every window of (N, C, D, H, W); the step is the kernel's size by default.

    Args:
        kernel_size, stride, padding: an int, or (depth, height, width).
        ceil_mode, count_include_pad, divisor_override: as for :class:`AvgPool2d`.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.AvgPool3dExt(2)(ops.ones((1, 1, 4, 4, 4))).shape)
        (1, 1, 2, 2, 2)
    """

    _pool = staticmethod(ops.avg_pool3d)


class _LPPool(Cell):
    """The p-norm of every window."""

    _pool: Any  # the operator

    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False):
        super().__init__()
        self.norm_type = check_type(self.cls_name, "norm_type", norm_type, (int, float))
        self.kernel_size, self.stride = kernel_size, stride
        self.ceil_mode = check_bool(self.cls_name, "ceil_mode", ceil_mode)

    def construct(self, x: Tensor) -> Tensor:
        """The norms."""
        return self._pool(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class LPPool1d(_LPPool):
    """The ``norm_type``-norm of every window of (N, C, L) or (C, L).

    Args:
        norm_type: the power p in ``sum(x ** p) ** (1 / p)``, not 0.
        kernel_size, stride: ints; the step is the kernel's size by default.
        ceil_mode: whether windows may hang over the end.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.LPPool1d(2, 2)(Tensor([[[3.0, 4.0]]])))
        [[[5.]]]
    """

    _pool = staticmethod(ops.lp_pool1d)


class LPPool2d(_LPPool):
    """The ``norm_type``-norm of every window of (N, C, H, W).

    Args:
        norm_type: the power p in ``sum(x ** p) ** (1 / p)``, not 0.
        kernel_size, stride: an int, or (height, width); the step is the kernel's size by default.
        ceil_mode: whether windows may hang over the end.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.LPPool2d(2, 2)(Tensor([[[[3.0, 0.0], [0.0, 4.0]]]])))
        [[[[5.]]]]
    """

    _pool = staticmethod(ops.lp_pool2d)
