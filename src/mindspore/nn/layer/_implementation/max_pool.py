"""The largest element of sliding windows."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_int
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer._implementation.pool_base import _PoolNd


class _MaxPool(_PoolNd):
    """The largest element of every window: 'pad' has all options, 'valid' and 'same' have none."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any,
        pad_mode: str,
        padding: Any,
        dilation: Any,
        return_indices: bool,
        ceil_mode: bool,
        data_format: str = "NCHW",
    ):
        super().__init__(kernel_size, stride, pad_mode, data_format)
        owner = self.cls_name
        self.return_indices = check_bool(owner, "return_indices", return_indices)
        self.ceil_mode = check_bool(owner, "ceil_mode", ceil_mode)
        self.padding = self._pool_sizes("padding", padding, 0)
        self.dilation = self._pool_sizes("dilation", dilation)
        self.use_pad = self.pad_mode == "PAD"
        defaults = padding == 0 and dilation == 1 and not return_indices and not ceil_mode
        if not self.use_pad and not defaults:
            raise refused(
                ValueError,
                f"For '{owner}', the 'padding', 'dilation', 'return_indices' and 'ceil_mode' must have their default values "
                f"when 'pad_mode' is not 'pad', but got pad_mode: {pad_mode!r}, padding: {padding}, dilation: {dilation}, "
                f"return_indices: {return_indices}, ceil_mode: {ceil_mode}.",
            )
        self._kernel, self._steps = self._all_axes(self.kernel_size), self._all_axes(self.stride)
        self._pads = self._padded_axes(self.padding)
        self._gaps = self._all_axes(self.dilation)
        if not self.use_pad:
            self.max_pool = self._primitive()

    def _primitive(self) -> Any:
        return ops.MaxPool(self._kernel, self._steps, self.pad_mode, self.format)

    def _pooled(self, x: Tensor) -> Any:
        return self._in_nchw(self._with_options, x) if self.use_pad else self.max_pool(x)

    def _with_options(self, x: Tensor) -> Any:
        pool = ops.max_pool3d if self.spatial == 3 else ops.max_pool2d
        return pool(x, self._kernel, self._steps, self._pads, self._gaps, ceil_mode=self.ceil_mode,
                    return_indices=self.return_indices)  # fmt: skip


@primitives(
    expand=ops.ExpandDims,
    squeeze=lambda _: ops.Squeeze(2),
    reduce_mean=lambda _: ops.ReduceMean(keep_dims=True),
    shape=ops.Shape,
)
class MaxPool1d(_MaxPool):
    """The largest element of every window of (N, C, L) or (C, L).

    Args:
        kernel_size, stride, padding, dilation: ints; all as for :class:`MaxPool2d`.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MaxPool1d(2, 2)(Tensor([[1.0, 2.0, 3.0, 4.0]])))
        [[2. 4.]]
    """

    spatial = 1

    def __init__(
        self,
        kernel_size: int = 1,
        stride: int = 1,
        pad_mode: str = "valid",
        padding: int = 0,
        dilation: int = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ):
        check_int("MaxPool1d", "kernel_size", kernel_size)
        check_int("MaxPool1d", "stride", stride)
        super().__init__(kernel_size, stride, pad_mode, padding, dilation, return_indices, ceil_mode)

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments: those of an image, with options of a volume."""
        lead = (1,) if self.use_pad else ()
        return f"kernel_size={lead + self._kernel}, stride={lead + self._steps}, pad_mode={self.pad_mode}"


class MaxPool2d(_MaxPool):
    """The largest element of every window of (N, C, H, W) or (C, H, W).

    Args:
        kernel_size: height and width of the windows, an int or a pair.
        stride: the step between windows, an int or a pair; 1 by default.
        pad_mode: 'valid' does not pad, 'same' pads so that the output has H / stride rounded up, 'pad' pads by ``padding``.
        padding: for 'pad', an int or (height, width), at most half of the kernel.
        dilation: for 'pad', the gap between the elements of a window.
        return_indices: for 'pad', whether to return also where the largest elements are in the flattened plane.
        ceil_mode: for 'pad', whether windows may hang over the end.
        data_format: 'NCHW', or 'NHWC' for channels last.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MaxPool2d(2, 2)(Tensor([[[1.0, 2.0], [3.0, 4.0]]])))
        [[[4.]]]
    """

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
    ):
        super().__init__(kernel_size, stride, pad_mode, padding, dilation, return_indices, ceil_mode, data_format)


class MaxPool3d(_MaxPool):
    """The largest element of every window of (N, C, D, H, W) or (C, D, H, W).

    Args:
        kernel_size, stride, padding, dilation: an int, or (depth, height, width); all as for :class:`MaxPool2d`.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.MaxPool3d(2, 2)(ops.ones((1, 3, 4, 4, 4))).shape)
        (1, 3, 2, 2, 2)
    """

    spatial = 3

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ):
        super().__init__(kernel_size, stride, pad_mode, padding, dilation, return_indices, ceil_mode)

    def _primitive(self) -> Any:
        return ops.MaxPool3D(self._kernel, self._steps, self.pad_mode)


class MaxPool2dExt(Cell):
    """The largest element of every window of (N, C, H, W); the step is the kernel's size by default.

    Args:
        kernel_size, stride, padding, dilation: an int, or (height, width).
        return_indices: whether to return also where the largest elements are in the flattened plane.
        ceil_mode: whether windows may hang over the end.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MaxPool2dExt(2)(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[4.]]]]
    """

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ):
        super().__init__()
        self.kernel_size, self.stride, self.padding, self.dilation = kernel_size, stride, padding, dilation
        self.return_indices = check_bool("MaxPool2dExt", "return_indices", return_indices)
        self.ceil_mode = check_bool("MaxPool2dExt", "ceil_mode", ceil_mode)

    def construct(self, input: Tensor) -> Tensor:
        """The largest elements, on request with their indices."""
        return ops.max_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.return_indices, self.ceil_mode
        )


class _MaxUnpool(Cell):
    """Unpooling: elements at the indices that pooling returned, zeros elsewhere."""

    _unpool: Any  # the operator

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None or stride == 0 else stride
        self.padding = padding

    def construct(self, x: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        """The elements scattered to their indices."""
        return self._unpool(x, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool1d(_MaxUnpool):
    """Elements of (N, C, L) put back to where :class:`MaxPool1d` found them, zeros elsewhere.

    Args:
        kernel_size, stride, padding: those of the pooling; the step is the kernel's size by default.

    Inputs:
        - **x**: the pooled elements.
        - **indices**: their flat indices.
        - **output_size**: shape of the result, where pooling does not determine it.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MaxUnpool1d(2)(Tensor([[[5.0, 7.0]]]), Tensor([[[1, 2]]])))
        [[[0. 5. 7. 0.]]]
    """

    _unpool = staticmethod(ops.max_unpool1d)


class MaxUnpool2d(_MaxUnpool):
    """Elements of (N, C, H, W) put back to where :class:`MaxPool2d` found them, zeros elsewhere.

    Arguments and inputs are those of :class:`MaxUnpool1d`.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MaxUnpool2d(2)(Tensor([[[[5.0]]]]), Tensor([[[[3]]]])))
        [[[[0. 0.]
           [0. 5.]]]]
    """

    _unpool = staticmethod(ops.max_unpool2d)


class MaxUnpool3d(_MaxUnpool):
    """Elements of (N, C, D, H, W) put back to where :class:`MaxPool3d` found them, zeros elsewhere.

    Arguments and inputs are those of :class:`MaxUnpool1d`.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MaxUnpool3d(2)(Tensor([[[[[5.0]]]]]), Tensor([[[[[7]]]]])).shape)
        (1, 1, 2, 2, 2)
    """

    _unpool = staticmethod(ops.max_unpool3d)
