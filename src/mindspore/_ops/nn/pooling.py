"""The largest element and the average of sliding windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.export import is_symbolic_dim

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array, Choice, DType, Sizes
from mindspore._engine.operator.registry import op
from mindspore._kernels import volumes
from mindspore._kernels.largest import largest_of_windows
from mindspore._kernels.pooling import MaxPool
from mindspore._kernels.primitive import call
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import HALF_PRECISION
from mindspore._ops.declaring.requirements import require, require_batch, require_choice, require_float
from mindspore._ops.declaring.windows import (
    Pairs,
    explicit,
    largest,
    may_be,
    output_length,
    padded_where_open,
    padding_pairs,
    reach,
    spatial,
)

_FEW_SLICES = 4  # of a window: more of them are summed up as axes of their own, where windows lie beside each other
_MOST_SLICES = 32  # of a window along an axis: longer ones are left to XLA's own loop


class Windows:
    """Where the windows lie on the spatial axes: lengths of the input, kernel, steps, padding, gaps."""

    def __init__(self, lengths: Sequence[int], kernel: tuple[int, ...], stride: tuple[int, ...], pairs: Pairs,
                 dilation: tuple[int, ...] | None = None, ceil_mode: bool = False):  # fmt: skip
        self.lengths, self.kernel, self.stride, self.given = tuple(lengths), kernel, stride, pairs
        self.dilation = dilation or (1,) * len(kernel)
        rows = zip(self.lengths, kernel, stride, pairs, self.dilation, strict=True)
        self.counts = tuple(output_length(*row, ceil_mode) for row in rows)
        text = (f"the 'kernel_size' must fit into the padded input, but got {kernel} for spatial shape {self.lengths}, "
                f"padding {pairs} and dilation {self.dilation}.")  # fmt: skip
        require(all(may_be(count, 1) for count in self.counts), text)
        self.ceil_mode = ceil_mode
        self.pairs = tuple(map(self._full_padding, range(len(kernel))))

    def _full_padding(self, axis: int) -> tuple[int, int]:
        """Padding with what ceil_mode adds behind."""
        if not self.ceil_mode:
            return self.given[axis]
        before = self.given[axis][0]
        end = (self.counts[axis] - 1) * self.stride[axis] + reach(self.kernel[axis], self.dilation[axis])
        return before, largest(end - before - self.lengths[axis], self.given[axis][1])

    def slide(self, x: Any, start: Any, combine: Any, channels_last: bool = False) -> Any:
        """``reduce_window``: every pooling without indices is executed here, unless a kernel of our own is faster."""

        def full(values: tuple, filler: Any) -> tuple:
            return (filler, *values, filler) if channels_last else (filler, filler, *values)

        x, pairs = padded_where_open(x, self.pairs, start, channels_last)
        return lax.reduce_window(x, start, combine, full(self.kernel, 1), full(self.stride, 1),
                                 full(pairs, (0, 0)), window_dilation=full(self.dilation, 1))  # fmt: skip

    def sums(self, x: Any, channels_last: bool = False) -> Any:
        """The sum of every window without gaps: axis by axis, a sum of slices, which XLA computes in vectors."""
        if self.kernel == self.lengths and not any(map(any, self.pairs)):
            axes = range(1, x.ndim - 1) if channels_last else range(2, x.ndim)
            return x.sum(tuple(axes), keepdims=True)
        apart = self.stride == self.kernel and not any(map(any, self.pairs))
        if (
            apart and not channels_last and max(self.kernel) > _FEW_SLICES
        ):  # windows beside each other: axes of their own
            used = tuple(count * size for count, size in zip(self.counts, self.kernel, strict=True))
            x = x[(..., *(slice(length) for length in used))]
            pairs = [part for pair in zip(self.counts, self.kernel, strict=True) for part in pair]
            return x.reshape(*x.shape[:2], *pairs).sum(tuple(range(3, 3 + len(pairs), 2)))
        if max(self.kernel) > _MOST_SLICES:
            return self.slide(x, np.zeros((), x.dtype), lax.add, channels_last)
        for axis, (size, step, pair, count) in enumerate(
            zip(self.kernel, self.stride, self.pairs, self.counts, strict=True), 1 if channels_last else 2
        ):
            if pair != (0, 0):
                pads = [(*pair, 0) if i == axis else (0, 0, 0) for i in range(x.ndim)]
                x = lax.pad(x, np.zeros((), x.dtype), pads)
            parts = [lax.slice_in_dim(x, i, i + (count - 1) * step + 1, step, axis) for i in range(size)]
            x = sum(parts[1:], parts[0])
        return x

    def positions(self, axis: int) -> np.ndarray:
        """The input position of every element of every window along an axis, shape (windows, kernel)."""
        starts = np.arange(self.counts[axis]) * self.stride[axis] - self.given[axis][0]
        return starts[:, None] + np.arange(self.kernel[axis]) * self.dilation[axis]

    def elements(self, axis: int, with_padding: bool) -> Any:
        """How many elements each window averages over along an axis; padding may count."""
        before, after = self.given[axis] if with_padding else (0, 0)
        if (before, after) == self.pairs[axis]:  # every window lies inside
            return np.array([self.kernel[axis]])
        if is_symbolic_dim(self.lengths[axis]):
            starts = jnp.arange(self.counts[axis]) * self.stride[axis] - self.given[axis][0]
            positions = starts[:, None] + np.arange(self.kernel[axis]) * self.dilation[axis]
            return ((positions >= -before) & (positions < self.lengths[axis] + after)).sum(1)
        positions = self.positions(axis)
        return ((positions >= -before) & (positions < self.lengths[axis] + after)).sum(1)


def lowest(dtype: Any) -> np.ndarray:
    """The lowest value of a dtype: the neutral element of the maximum."""
    return np.array(-np.inf if jnp.issubdtype(dtype, jnp.inexact) else jnp.iinfo(dtype).min, dtype)


def pool_max(x: Any, windows: Windows, channels_last: bool = False) -> Any:
    """The largest element of every window; the first of equal ones takes the gradient."""
    if any(gap != 1 for gap in windows.dilation):  # JAX has no gradient for windows with gaps
        return pool_max_indices(x, [windows.positions(axis) for axis in range(len(windows.kernel))])[0]
    if x.dtype == np.float32 or x.dtype in HALF_PRECISION:
        images = (jnp.moveaxis(x, -1, 1) if channels_last else x).astype(np.float32)
        images, pairs = padded_where_open(images, windows.pairs, -np.inf)
        result = _pool_max_by_kernel(images, windows.kernel, windows.stride, pairs).astype(x.dtype)
        return jnp.moveaxis(result, 1, -1) if channels_last else result
    return windows.slide(x, lowest(x.dtype), lax.max, channels_last)


def _pool_max_by_kernel(x: Any, kernel: tuple[int, ...], stride: tuple[int, ...], pairs: Pairs) -> Any:
    """The same for (N, C, ...): a sequence is an image of a single row, a volume is made of images."""
    if len(kernel) == 3:
        return volumes.largest(x, kernel, stride, pairs)
    if len(kernel) == 1:
        return _pool_max_by_kernel(x[:, :, None], (1, *kernel), (1, *stride), ((0, 0), *pairs))[:, :, 0]
    return call(MaxPool(kernel, stride, pairs), x)[0]


def pool_max_indices(x: Any, positions: Sequence[np.ndarray]) -> tuple[Any, Any]:
    """The first largest element of every window and where it is in the flattened spatial axes.

    ``positions`` has, for each spatial axis of (N, C, ...), the positions of the elements of each window; those outside
    the input count for nothing.
    """
    values, indices = largest_of_windows(x, positions)
    return values, indices.astype(jnp.int64)


def pool_average(x: Any, windows: Windows, with_padding: bool, divisor: int | None = None,
                 channels_last: bool = False) -> Any:  # fmt: skip
    """The average of every window; ``with_padding`` counts padding as elements."""
    require_float("x", x)
    require(
        not divisor or divisor > 0, f"the 'divisor_override' must be greater than or equal to 0, but got {divisor}."
    )
    sums = windows.sums(x, channels_last)
    if divisor:
        return sums / np.asarray(divisor, x.dtype)
    counts = np.ones(())
    for axis in range(len(windows.kernel)):
        counts = counts[..., None] * windows.elements(axis, with_padding)
    return sums / (counts[..., None] if channels_last else counts).astype(x.dtype)


# -- Primitives --------------------------------------------------------------------------------------------------------
def _windows(x: Any, kernel_size: Any, strides: Any, pad_mode: str, data_format: str, pad: Any = 0,
             ceil_mode: bool = False, pad_name: str = "pad") -> tuple[Windows, bool]:  # fmt: skip
    """The windows of a pooling Primitive, and whether channels come last."""
    count = len(data_format) - 2 if isinstance(data_format, str) else x.ndim - 2
    first, last = ("NCHW", "NHWC") if count == 2 else ("NCDHW", "NDHWC")
    require_choice("data_format", data_format, (first, last))
    require_batch("x", x, count + 2)
    channels_last = data_format == last
    lengths = x.shape[1:-1] if channels_last else x.shape[2:]
    kernel, steps = spatial("kernel_size", kernel_size, count), spatial("strides", strides, count)
    pairs = padding_pairs(pad_mode.lower(), explicit(pad_name, pad, count), lengths, kernel, steps, (1,) * count)
    return Windows(lengths, kernel, steps, pairs, ceil_mode=ceil_mode), channels_last


def _check_image_mode(pad_mode: str) -> None:
    require_choice("pad_mode", pad_mode.lower(), ("valid", "same"))


def _check_image_pool(kernel_size: Any, strides: Any, pad_mode: str, data_format: str) -> dict[str, Any]:
    """The check of an image pooling Primitive's attributes."""
    _check_image_mode(pad_mode)
    require_choice("data_format", data_format, ("NCHW", "NHWC"))
    spatial("kernel_size", kernel_size, 2)
    spatial("strides", strides, 2)
    return {"pad_mode": pad_mode.upper()}


def _check_volume_pool(kernel_size: Any, strides: Any, pad_mode: str, pad: Any = 0, pad_list: Any = 0,
                       **_: Any) -> None:  # fmt: skip
    """The check of a volume pooling Primitive's attributes."""
    kernel, steps = spatial("kernel_size", kernel_size, 3), spatial("strides", strides, 3)
    pads = explicit("pad_list", pad_list, 3) if pad_list else explicit("pad", pad, 3)
    padding_pairs(pad_mode.lower(), pads, kernel, kernel, steps, (1, 1, 1))


_OF_1_0 = {"kernel_size": ("ksize",), "pad_mode": ("padding",)}  # as MindSpore 1.0 and 1.1 called them


@at_construction(_check_image_pool)
@op(primitive="MaxPool", init=("kernel_size", "strides", "pad_mode", "data_format"), public=False,
    old={"x": ("input", "input_x"), **_OF_1_0},
    test=lambda t: [t.case(t.normal(2, 3, 4, 6), 2, 2, expect=lambda x, *_: x.reshape(2, 3, 2, 2, 3, 2).max((3, 5))),
                    t.case(t.normal(2, 3, 5, 5), (3, 2), 2, "same"),
                    t.case(t.normal(2, 5, 5, 3), 2, 1, "VALID", "NHWC")])  # fmt: skip
def max_pool_primitive(x: Array, kernel_size: Sizes = 1, strides: Sizes = 1, pad_mode: str = "valid",
                       data_format: Choice = "NCHW"):  # fmt: skip
    """The largest element of every window of an image.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.MaxPool(kernel_size=2, strides=2)(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[4.]]]]
    """
    _check_image_mode(pad_mode)
    return pool_max(x, *_windows(x, kernel_size, strides, pad_mode, data_format))


@at_construction(_check_image_pool)
@op(primitive="AvgPool", init=("kernel_size", "strides", "pad_mode", "data_format"), public=False,
    old={"x": ("input", "input_x"), **_OF_1_0},
    test=lambda t: [t.case(t.normal(2, 3, 4, 6), 2, 2, expect=lambda x, *_: x.reshape(2, 3, 2, 2, 3, 2).mean((3, 5))),
                    t.case(t.normal(2, 3, 5, 5), (3, 2), 2, "same")])  # fmt: skip
def avg_pool_primitive(x: Array, kernel_size: Sizes = 1, strides: Sizes = 1, pad_mode: str = "VALID",
                       data_format: str = "NCHW"):  # fmt: skip
    """The average of every window of an image; with 'same' padding only real elements count.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.AvgPool(kernel_size=2, strides=2)(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[2.5]]]]
    """
    _check_image_mode(pad_mode)
    windows, channels_last = _windows(x, kernel_size, strides, pad_mode, data_format)
    return pool_average(x, windows, with_padding=False, channels_last=channels_last)


@at_construction(_check_volume_pool)
@op(primitive="MaxPool3D", init=("kernel_size", "strides", "pad_mode", "pad_list", "ceil_mode", "data_format"),
    public=False, test=lambda t: [t.case(t.normal(1, 2, 4, 5, 3), 2, 2, "same"),
                                  t.case(t.normal(1, 2, 4, 5, 3), 2, 2, "pad", (1, 1, 0, 0, 0, 1), True)])  # fmt: skip
@accepts("f", "x")
def max_pool3d_primitive(x: Array, kernel_size: Sizes = 1, strides: Sizes = 1, pad_mode: str = "VALID", pad_list: Sizes = 0,
                         ceil_mode: bool | None = None, data_format: Choice = "NCDHW"):  # fmt: skip
    """The largest element of every window of a volume.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.MaxPool3D(2, 2)(ops.arange(8.0).reshape(1, 1, 2, 2, 2)))
        [[[[[7.]]]]]
    """
    windows = _windows(x, kernel_size, strides, pad_mode, data_format, pad_list, bool(ceil_mode), "pad_list")
    return pool_max(x, *windows)


@at_construction(_check_volume_pool)
@op(primitive="AvgPool3D", public=False,
    init=("kernel_size", "strides", "pad_mode", "pad", "ceil_mode", "count_include_pad", "divisor_override",
          "data_format"),
    test=lambda t: [t.case(t.normal(1, 2, 4, 5, 3), 2, 2, "same"),
                    t.case(t.normal(1, 2, 4, 5, 3), 2, 2, "pad", 1, True, False)])  # fmt: skip
@accepts("f", "x")
def avg_pool3d_primitive(x: Array, kernel_size: Sizes = 1, strides: Sizes = 1, pad_mode: str = "valid", pad: Any = 0,
                         ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0,
                         data_format: Choice = "NCDHW"):  # fmt: skip
    """The average of every window of a volume.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.AvgPool3D(2, 2)(ops.arange(8.0).reshape(1, 1, 2, 2, 2)))
        [[[[[3.5]]]]]
    """
    windows, channels_last = _windows(x, kernel_size, strides, pad_mode, data_format, pad, ceil_mode)
    return pool_average(x, windows, count_include_pad, divisor_override, channels_last)


@at_construction(_check_image_pool)
@op(primitive="MaxPoolWithArgmax", init=("kernel_size", "strides", "pad_mode", "data_format"), public=False, old=_OF_1_0,
    test=lambda t: [t.case(t.normal(2, 3, 5, 5), (3, 2), 2, "same")])  # fmt: skip
@accepts("f", "x")
def max_pool_with_argmax(x: Array, kernel_size: Sizes = 1, strides: Sizes = 1, pad_mode: str = "valid",
                         data_format: Choice = "NCHW"):  # fmt: skip
    """The largest element of every window and its index in the flattened (C, H, W).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> largest, index = ops.MaxPoolWithArgmax(2, 2)(Tensor([[[[1.0, 2.0], [4.0, 3.0]]]]))
        >>> print(largest, index)
        [[[[4.]]]] [[[[2]]]]
    """
    _check_image_mode(pad_mode)
    require_choice("data_format", data_format, ("NCHW",))
    windows, _ = _windows(x, kernel_size, strides, pad_mode, data_format)
    values, indices = pool_max_indices(x, [windows.positions(0), windows.positions(1)])
    channels = np.arange(x.shape[1]).reshape(-1, 1, 1) * (x.shape[2] * x.shape[3])
    return values, (indices + channels).astype(jnp.int32)


# -- functions ---------------------------------------------------------------------------------------------------------
def _max_pool(x: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, return_indices: bool,
              ceil_mode: bool, count: int) -> Any:  # fmt: skip
    require_batch("x", x, count + 2)
    kernel = spatial("kernel_size", kernel_size, count)
    steps = kernel if stride is None else spatial("stride", stride, count)
    pad = spatial("padding", padding, count, least=0)
    text = f"the 'padding' must be at most half of the 'kernel_size', but got {pad} and {kernel}."
    require(all(p * 2 <= k for p, k in zip(pad, kernel, strict=True)), text)
    pairs = tuple((p, p) for p in pad)
    windows = Windows(x.shape[2:], kernel, steps, pairs, spatial("dilation", dilation, count), ceil_mode)
    if return_indices:
        return pool_max_indices(x, [windows.positions(axis) for axis in range(count)])
    return pool_max(x, windows)


@op(primitive="MaxPoolWithArgmaxV2", init=("kernel_size", "strides", "pads", "dilation", "ceil_mode", "argmax_type"),
    public=False, test=lambda t: [t.case(t.normal(2, 3, 5, 5), 3, 2, 1)])  # fmt: skip
@accepts("if", "x")
def max_pool_with_argmax_v2(x: Array, kernel_size: Sizes, strides: Sizes | None = None, pads: Sizes = 0, dilation: Sizes = (1, 1),
                            ceil_mode: bool = False, argmax_type: DType = dtypes.int64):  # fmt: skip
    """The largest element of every window and its index in the flattened (H, W).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> output, argmax = ops.MaxPoolWithArgmaxV2(kernel_size=2)(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]))
        >>> print(output, argmax)
        [[[[4.]]]] [[[[3]]]]
    """
    steps = None if strides is None else spatial("strides", strides, 2)
    pairs = spatial("pads", pads, 2, least=0)
    values, indices = _max_pool(x, kernel_size, steps, pairs, dilation, True, ceil_mode, 2)
    return values, indices.astype(argmax_type.np_dtype)


@op(test=lambda t: [t.case(t.normal(2, 3, 4, 6), 2, expect=lambda x, _: x.reshape(2, 3, 2, 2, 3, 2).max((3, 5))),
                    t.case(t.normal(2, 3, 5, 5), 3, 2, 1, 1, True),
                    t.case(t.normal(2, 3, 6, 6), 2, 2, 0, 2, ceil_mode=True)])  # fmt: skip
@accepts("if", "x")
def max_pool2d(x: Array, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0, dilation: Sizes = 1,
               return_indices: bool = False, ceil_mode: bool = False):  # fmt: skip
    """The largest element of every window of (N, C, H, W), and on request its index in the flattened (H, W).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.max_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2))
        [[[[4.]]]]
    """
    return _max_pool(x, kernel_size, stride, padding, dilation, return_indices, ceil_mode, 2)


@op(test=lambda t: [t.case(t.normal(1, 2, 4, 4, 4), 2), t.case(t.normal(1, 2, 5, 4, 4), 3, 2, 1, 1, True, True)])
@accepts("if", "x")
def max_pool3d(x: Array, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0, dilation: Sizes = 1,
               ceil_mode: bool = False, return_indices: bool = False):  # fmt: skip
    """The largest element of every window of (N, C, D, H, W), and on request its index in the flattened (D, H, W).

    Examples:
        >>> from mindspore import ops
        >>> print(ops.max_pool3d(ops.ones((1, 1, 4, 4, 4)), 2).shape)
        (1, 1, 2, 2, 2)
    """
    return _max_pool(x, kernel_size, stride, padding, dilation, return_indices, ceil_mode, 3)


def _avg_pool(x: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool, count_include_pad: bool,
              divisor_override: int, count: int) -> Any:  # fmt: skip
    require_batch("input_x", x, count + 2)
    kernel, steps = spatial("kernel_size", kernel_size, count), spatial("stride", stride, count)
    pairs = explicit("padding", padding, count)
    text = f"the 'padding' must be at most half of the 'kernel_size', but got {padding} and {kernel}."
    require(all(sum(p) <= k for p, k in zip(pairs, kernel, strict=True)), text)
    windows = Windows(x.shape[2:], kernel, steps, pairs, ceil_mode=ceil_mode)
    return pool_average(x, windows, count_include_pad, divisor_override)


@op(test=lambda t: [t.case(t.normal(2, 3, 6), 2, 2, expect=lambda x, *_: x.reshape(2, 3, 3, 2).mean(3)),
                    t.case(t.normal(2, 3, 5), 3, 2, 1, True, False)])  # fmt: skip
@accepts("f", "input_x")
def avg_pool1d(input_x: Array, kernel_size: Sizes = 1, stride: Sizes = 1, padding: Sizes = 0, ceil_mode: bool = False,
               count_include_pad: bool = True):  # fmt: skip
    """The average of every window of (N, C, L); the default step is 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.avg_pool1d(Tensor([[[1.0, 3.0, 5.0]]]), 2))
        [[[2. 4.]]]
    """
    return _avg_pool(input_x, kernel_size, stride, padding, ceil_mode, count_include_pad, 0, 1)


@op(test=lambda t: [t.case(t.normal(2, 3, 4, 6), 2, 2, expect=lambda x, *_: x.reshape(2, 3, 2, 2, 3, 2).mean((3, 5))),
                    t.case(t.normal(2, 3, 5, 5), 3, 2, 1, True, False)])  # fmt: skip
@accepts("f", "input_x")
def avg_pool2d(input_x: Array, kernel_size: Sizes = 1, stride: Sizes = 1, padding: Sizes = 0, ceil_mode: bool = False,
               count_include_pad: bool = True, divisor_override: int = 0):  # fmt: skip
    """The average of every window of (N, C, H, W); the default step is 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.avg_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2))
        [[[[2.5]]]]
    """
    return _avg_pool(input_x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, 2)


@op(test=lambda t: [t.case(t.normal(1, 2, 4, 4, 4), 2, 2), t.case(t.normal(1, 2, 5, 4, 4), 3, 2, 1, True, False)])
@accepts("f", "input_x")
def avg_pool3d(input_x: Array, kernel_size: Sizes = 1, stride: Sizes = 1, padding: Sizes = 0, ceil_mode: bool = False,
               count_include_pad: bool = True, divisor_override: int = 0):  # fmt: skip
    """The average of every window of (N, C, D, H, W); the default step is 1.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.avg_pool3d(ops.ones((1, 1, 4, 4, 4)), 2, 2).shape)
        (1, 1, 2, 2, 2)
    """
    return _avg_pool(input_x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, 3)
