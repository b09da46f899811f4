"""Convolutions over one, two and three spatial axes."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array, Choice, Sizes
from mindspore._engine.operator.registry import op
from mindspore._engine.operator.sharding import Labels
from mindspore._kernels import convolution as native
from mindspore._kernels import library, volumes
from mindspore._kernels.primitive import call, is_portable
from mindspore._ops.declaring.construction import Check, at_construction
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import HALF_PRECISION
from mindspore._ops.declaring.requirements import (
    require,
    require_batch,
    require_choice,
    require_rank,
    require_same_dtype,
)
from mindspore._ops.declaring.windows import (
    Pairs,
    explicit,
    may_be,
    padded_where_open,
    padding_pairs,
    reach,
    spatial,
    symmetric,
    windows_of,
)
from mindspore._ops.linalg.linalg import product


def convolve(x: Any, weight: Any, stride: tuple[int, ...], pairs: Pairs, dilation: tuple[int, ...], groups: int,
             channels_last: bool = False) -> Any:  # fmt: skip
    """Every convolution of the package is executed here."""
    x, pairs = padded_where_open(x, pairs, 0, channels_last)
    if groups == 1 and not channels_last and _is_one_window(x, weight, pairs):
        window = math.prod(x.shape[1:])
        found = product(x.reshape(x.shape[0], window), weight.reshape(weight.shape[0], window), y_turned=True)
        return found.reshape(*found.shape, *[1] * len(stride))
    if x.dtype == np.float32:
        return _convolve_images(x, weight, stride, pairs, dilation, groups, channels_last)
    if x.dtype in HALF_PRECISION and _has_kernels():  # sums of products are float32 in any case
        wide = (x.astype(np.float32), weight.astype(np.float32))
        return _convolve_images(*wide, stride, pairs, dilation, groups, channels_last).astype(x.dtype)
    if x.dtype == np.float64 and not channels_last and _is_known(x) and not _is_usual(stride, dilation, groups):
        return _convolve_by_products(x, weight, stride, pairs, dilation, groups)
    axes = "DHW"[3 - len(stride) :]
    layout = (f"N{axes}C", f"O{axes}I", f"N{axes}C") if channels_last else (f"NC{axes}", f"OI{axes}", f"NC{axes}")
    return lax.conv_general_dilated(x, weight, stride, pairs, rhs_dilation=dilation, feature_group_count=groups,
                                    dimension_numbers=layout)  # fmt: skip


def _has_kernels() -> bool:
    """Whether what is compiled now is for this process's CPU, with kernels for float32."""
    return library.active() and jax.default_backend() == "cpu" and not is_portable()


def _is_known(x: Any) -> bool:
    """Whether no size is left open."""
    return all(isinstance(size, int) for size in x.shape)


def _is_usual(stride: tuple[int, ...], dilation: tuple[int, ...], groups: int) -> bool:
    """Whether XLA has more than a slow loop for images of float64."""
    return len(stride) == 2 and groups == 1 and all(step == 1 for step in (*stride, *dilation))


def _convolve_by_products(x: Any, weight: Any, stride: tuple[int, ...], pairs: Pairs, dilation: tuple[int, ...],
                          groups: int) -> Any:  # fmt: skip
    """A convolution as products of matrices, or where channels do not meet as a sum of slices: see ``_is_usual``."""
    padded = lax.pad(x, jnp.zeros((), x.dtype), [(0, 0, 0), (0, 0, 0), *((*pair, 0) for pair in pairs)])
    kernel, channels = weight.shape[2:], x.shape[1]
    lengths = [(length - reach(size, step)) // jump + 1
               for length, size, step, jump in zip(padded.shape[2:], kernel, dilation, stride, strict=True)]  # fmt: skip
    slices = []
    for place in np.ndindex(*kernel):
        starts = [at * step for at, step in zip(place, dilation, strict=True)]
        ends = [start + (count - 1) * jump + 1 for start, count, jump in zip(starts, lengths, stride, strict=True)]
        slices.append(lax.slice(padded, (0, 0, *starts), (*x.shape[:2], *ends), (1, 1, *stride)))
    rows = weight.reshape(*weight.shape[:2], len(slices))
    if groups == channels:
        spread = [jnp.repeat(part, len(weight) // channels, 1) for part in slices] if len(weight) > channels else slices
        parts = [part * rows[:, 0, k].reshape(-1, *[1] * len(stride)) for k, part in enumerate(spread)]
        return sum(parts[1:], parts[0])
    columns = jnp.stack(slices, 2).reshape(len(x), groups, channels // groups * len(slices), math.prod(lengths))
    found = jnp.einsum("ngkp,gok->ngop", columns, rows.reshape(groups, len(weight) // groups, -1))
    return found.reshape(len(x), len(weight), *lengths)


def _is_one_window(x: Any, weight: Any, pairs: Pairs) -> bool:
    """Whether the kernel covers the whole input, of which no size is left open: then a convolution is a product of matrices."""
    return _is_known(x) and weight.shape[2:] == x.shape[2:] and not any(map(any, pairs))


def _convolve_images(x: Any, weight: Any, stride: tuple[int, ...], pairs: Pairs, dilation: tuple[int, ...], groups: int,
                     channels_last: bool) -> Any:  # fmt: skip
    """A convolution by the native kernel; a sequence is an image of a single row, a volume is made of images."""
    if channels_last:
        x, weight = jnp.moveaxis(x, -1, 1), jnp.moveaxis(weight, -1, 1)
    if len(stride) == 3:
        result = volumes.convolve(x, weight, stride, pairs, dilation, groups)
        return jnp.moveaxis(result, 1, -1) if channels_last else result
    sequence = len(stride) == 1
    if sequence:
        x, weight = x[:, :, None], weight[:, :, None]
        stride, pairs, dilation = (1, *stride), ((0, 0), *pairs), (1, *dilation)
    geometry = native.Geometry(stride, pairs, dilation, groups)
    (result,) = call(native.Convolution(geometry), x, weight)
    result = result[:, :, 0] if sequence else result
    return jnp.moveaxis(result, 1, -1) if channels_last else result


def spatial_shape(array: Any, channels_last: bool) -> tuple[int, ...]:
    return array.shape[1:-1] if channels_last else array.shape[2:]


def _unfit(weight: Any) -> type[Exception]:
    """MindSpore raises different exceptions for images and for volumes."""
    return ValueError if weight.ndim == 5 else RuntimeError


def check_channels(x: Any, weight: Any, groups: int, channels_last: bool = False) -> None:
    """Refuses inputs and weights that do not belong together."""
    require_same_dtype(x=x, weight=weight)
    require(groups >= 1, f"the 'group' must be positive, but got {groups}.")
    channel_axis = -1 if channels_last else 1
    got, wanted = x.shape[channel_axis], weight.shape[channel_axis]
    text = (f"the 'C_in' of 'x' divided by 'group' must be equal to the 'C_in' of 'weight': {wanted}, but got "
            f"'C_in': {got} and 'group': {groups}; shapes {x.shape} and {weight.shape}.")  # fmt: skip
    require(got == wanted * groups, text, _unfit(weight))
    kernel = spatial_shape(weight, channels_last)
    require(all(kernel), f"the 'weight' must have a kernel of at least one element, but got shape {weight.shape}.")
    text = f"the 'group' must divide the number of output channels {weight.shape[0]}, but got {groups}."
    require(weight.shape[0] % groups == 0, text)


def check_lengths(lengths: tuple[int, ...], kernel: tuple[int, ...], pairs: Pairs, dilation: tuple[int, ...]) -> None:
    """Refuses a kernel that does not fit into the padded input."""
    for length, size, pad, step in zip(lengths, kernel, pairs, dilation, strict=True):
        text = (f"the 'x' must be at least as long as the kernel after padding, but got spatial shape {lengths}, "
                f"kernel {kernel}, padding {pairs} and dilation {dilation}.")  # fmt: skip
        require(may_be(length + sum(pad), reach(size, step)), text)


def _functional(x: Any, weight: Any, bias: Any, stride: Any, pad_mode: str, padding: Any, dilation: Any, groups: int,
                count: int) -> Any:  # fmt: skip
    """The functions conv1d, conv2d and conv3d: padding is a number per spatial axis."""
    require_batch("input", x, count + 2)
    require_rank("weight", weight, count + 2)
    check_channels(x, weight, groups)
    lengths, kernel = x.shape[2:], weight.shape[2:]
    steps, dilations = spatial("stride", stride, count), spatial("dilation", dilation, count)
    given = symmetric(spatial("padding", padding, count, least=0))
    pairs = padding_pairs(pad_mode, given, lengths, kernel, steps, dilations)
    check_lengths(lengths, kernel, pairs, dilations)
    result = convolve(x, weight, steps, pairs, dilations, groups)
    return result if bias is None else add_channel_bias(result, bias)


def add_channel_bias(x: Any, bias: Any) -> Any:
    """``x`` plus a bias per channel (axis 1)."""
    wanted = (x.shape[1],)
    require(bias.shape == wanted, f"the 'bias' must have shape {wanted}, one per channel, but got {bias.shape}.")
    require_same_dtype(input=x, bias=bias)
    return x + bias.reshape(-1, *[1] * (x.ndim - 2))


def _reference(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """NumPy's valid convolution with step 1, for the tests."""
    windows = windows_of(x, weight.shape[2:])
    over = (1, *range(x.ndim, windows.ndim))
    return np.moveaxis(np.tensordot(windows, weight, (over, tuple(range(1, weight.ndim)))), -1, 1)


@op(test=lambda t: [t.case(t.normal(2, 2, 7), t.normal(4, 2, 3), expect=_reference),
                    t.case(t.normal(2, 2, 7), t.normal(4, 1, 3), t.normal(4), 2, "same", groups=2)])  # fmt: skip
@accepts("if", "input", "weight")
def conv1d(input: Array, weight: Array, bias: Array | None = None, stride: Any = 1, pad_mode: str = "valid",
           padding: Any = 0, dilation: Any = 1, groups: int = 1):  # fmt: skip
    """A convolution over the last axis of (N, C, L); the weight has shape (C_out, C / groups, kernel).

    Examples:
        >>> from mindspore import ops
        >>> print(ops.conv1d(ops.ones((1, 1, 5)), ops.ones((1, 1, 3))))
        [[[3. 3. 3.]]]
    """
    return _functional(input, weight, bias, stride, pad_mode, padding, dilation, groups, 1)


@op(old={"input": ("inputs", "x"), "groups": ("group",)},
    test=lambda t: [t.case(t.normal(2, 2, 6, 5), t.normal(4, 2, 3, 2), expect=_reference),
                    t.case(t.normal(2, 2, 6, 5), t.normal(4, 1, 3, 3), t.normal(4), (2, 1), "pad", (1, 2), 2,
                           groups=2)])  # fmt: skip
@accepts("if", "input", "weight")
def conv2d(input: Array, weight: Array, bias: Array | None = None, stride: Any = 1, pad_mode: str = "valid",
           padding: Any = 0, dilation: Any = 1, groups: int = 1):  # fmt: skip
    """A convolution over the last two axes of (N, C, H, W); the weight has shape (C_out, C / groups, kh, kw).

    Examples:
        >>> from mindspore import ops
        >>> print(ops.conv2d(ops.ones((1, 1, 3, 3)), ops.ones((1, 1, 3, 3)), pad_mode="same"))
        [[[[4. 6. 4.]
           [6. 9. 6.]
           [4. 6. 4.]]]]
    """
    return _functional(input, weight, bias, stride, pad_mode, padding, dilation, groups, 2)


@op(old={"input": "inputs", "groups": ("group",)},
    test=lambda t: [t.case(t.normal(1, 2, 4, 4, 3), t.normal(3, 2, 2, 2, 2), expect=_reference),
                    t.case(t.normal(1, 2, 4, 4, 3), t.normal(3, 2, 2, 3, 2), None, 2, "same")])  # fmt: skip
@accepts("f", "input", "weight")
def conv3d(input: Array, weight: Array, bias: Array | None = None, stride: Any = 1, pad_mode: str = "valid",
           padding: Any = 0, dilation: Any = 1, groups: int = 1):  # fmt: skip
    """A convolution over the last three axes of (N, C, D, H, W); the weight has shape (C_out, C / groups, kd, kh, kw).

    Examples:
        >>> from mindspore import ops
        >>> print(ops.conv3d(ops.ones((1, 1, 3, 3, 3)), ops.ones((1, 1, 2, 2, 2))).shape)
        (1, 1, 2, 2, 2)
    """
    return _functional(input, weight, bias, stride, pad_mode, padding, dilation, groups, 3)


def check_kernel(weight: Any, out_channel: int, kernel: tuple[int, ...], channels_last: bool = False) -> None:
    """Refuses a weight whose shape differs from the shape given at construction of the Primitive."""
    text = f"the 'out_channel' must be equal to the weight's first axis {weight.shape[0]}, but got {out_channel}."
    require(weight.shape[0] == out_channel, text, _unfit(weight))
    got = spatial_shape(weight, channels_last)
    text = f"the 'kernel_size' must be equal to that of the weight, {got}, but got {kernel}."
    require(got == kernel, text, _unfit(weight))


def _primitive(x: Any, weight: Any, out_channel: int, kernel_size: Any, mode: int, pad_mode: str, pad: Any, stride: Any,
               dilation: Any, group: int, data_format: str, count: int) -> Any:  # fmt: skip
    """The Primitives Conv2D and Conv3D: padding is before and after for each spatial axis."""
    first, last = ("NCHW", "NHWC") if count == 2 else ("NCDHW", "NDHWC")
    require_choice("data_format", data_format, (first, last))
    require(mode == 1, f"the 'mode' must be 1 (cross-correlation), but got {mode}.")
    require_batch("x", x, count + 2)
    require_rank("weight", weight, count + 2)
    channels_last = data_format == last
    kernel = spatial("kernel_size", kernel_size, count)
    check_kernel(weight, out_channel, kernel, channels_last)
    check_channels(x, weight, group, channels_last)
    steps, dilations = spatial("stride", stride, count), spatial("dilation", dilation, count)
    lengths = spatial_shape(x, channels_last)
    pairs = padding_pairs(pad_mode, explicit("pad", pad, count), lengths, kernel, steps, dilations)
    check_lengths(lengths, kernel, pairs, dilations)
    return convolve(x, weight, steps, pairs, dilations, group, channels_last)


def check_attributes(count: int) -> Check:
    """The check of a convolution Primitive's attributes."""

    def check(kernel_size: Any, pad_mode: str, pad: Any, stride: Any, dilation: Any, group: int, out_channel: int = 1,
              **_: Any) -> None:  # fmt: skip
        require(out_channel > 0, f"the 'out_channel' must be positive, but got {out_channel}.")
        require(group > 0, f"the 'group' must be positive, but got {group}.")
        kernel = spatial("kernel_size", kernel_size, count)
        steps, dilations = spatial("stride", stride, count), spatial("dilation", dilation, count)
        padding_pairs(pad_mode, explicit("pad", pad, count), kernel, kernel, steps, dilations)

    return check


def _conv_labels(attributes: dict[str, Any] | None, labels: Labels) -> Labels:
    """Input (n, ci, ...) and weight (co, ci, ...), which share the input channels and the spatial axes."""
    if attributes is None or len(labels) < 2:
        return labels
    x, weight = (["n", "ci"], ["co", "ci"])
    spatial_axes = [f"s{axis}" for axis in range(8)]
    return [[*x, *spatial_axes][: len(labels[0])], [*weight, *spatial_axes][: len(labels[1])], *labels[2:]]


_CONSTRUCTOR = ("out_channel", "kernel_size", "mode", "pad_mode", "pad", "stride", "dilation", "group", "data_format")


@at_construction(check_attributes(2))
@op(primitive="Conv2D", init=_CONSTRUCTOR, public=False, old={"weight": "w"}, sharding=_conv_labels,
    test=lambda t: [t.case(t.normal(2, 2, 6, 5), t.normal(4, 2, 3, 2), 4, (3, 2),
                           expect=lambda x, w, *_: _reference(x, w)),
                    t.case(t.normal(1, 3, 5, 5), t.normal(3, 1, 3, 3), 3, 3, pad_mode="same", stride=2, group=3),
                    t.case(t.normal(1, 5, 5, 2), t.normal(3, 3, 3, 2), 3, 3, pad_mode="pad", pad=(1, 0, 2, 0),
                           data_format="NHWC")])  # fmt: skip
@accepts("if", "x", "weight")
def conv2d_primitive(x: Array, weight: Array, out_channel: int, kernel_size: Sizes, mode: int = 1,
                     pad_mode: str = "valid", pad: Sizes = 0, stride: Sizes = 1, dilation: Sizes = 1, group: int = 1,
                     data_format: Choice = "NCHW"):  # fmt: skip
    """A convolution of images; ``pad`` is an int or (top, bottom, left, right).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Conv2D(out_channel=1, kernel_size=2)(ops.ones((1, 1, 2, 2)), ops.ones((1, 1, 2, 2))))
        [[[[4.]]]]
    """
    return _primitive(x, weight, out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format, 2)


@at_construction(check_attributes(3))
@op(primitive="Conv3D", init=_CONSTRUCTOR, public=False, old={"weight": "w"}, sharding=_conv_labels,
    test=lambda t: [t.case(t.normal(1, 2, 4, 4, 3), t.normal(3, 2, 2, 2, 2), 3, 2,
                           expect=lambda x, w, *_: _reference(x, w)),
                    t.case(t.normal(1, 2, 4, 4, 3), t.normal(3, 2, 2, 2, 2), 3, 2, pad_mode="same",
                           stride=2)])  # fmt: skip
@accepts("f", "x", "weight")
def conv3d_primitive(x: Array, weight: Array, out_channel: int, kernel_size: Sizes, mode: int = 1,
                     pad_mode: str = "valid", pad: Sizes = 0, stride: Sizes = 1, dilation: Sizes = 1, group: int = 1,
                     data_format: Choice = "NCDHW"):  # fmt: skip
    """A convolution of volumes; ``pad`` is an int or (head, tail, top, bottom, left, right).

    Examples:
        >>> from mindspore import ops
        >>> convolution = ops.Conv3D(out_channel=2, kernel_size=2)
        >>> print(convolution(ops.ones((1, 3, 4, 4, 4)), ops.ones((2, 3, 2, 2, 2))).shape)
        (1, 2, 3, 3, 3)
    """
    return _primitive(x, weight, out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format, 3)


@at_construction(check_attributes(2))
@op(primitive="DepthwiseConv2dNative", public=False, old={"weight": "w"}, sharding=_conv_labels,
    init=("channel_multiplier", "kernel_size", "mode", "pad_mode", "pad", "stride", "dilation", "group"),
    test=lambda t: [t.case(t.normal(1, 2, 5, 5), t.normal(1, 2, 3, 3), 1, 3, pad_mode="same")])  # fmt: skip
def depthwise_conv2d_primitive(x: Array, weight: Array, channel_multiplier: int, kernel_size: Any, mode: int = 3,
                               pad_mode: str = "valid", pad: Any = 0, stride: Any = 1, dilation: Any = 1,
                               group: int = 1):  # fmt: skip
    """A convolution of every channel with a kernel of its own; the weight has shape (1, C, kh, kw).

    Examples:
        >>> from mindspore import ops
        >>> convolution = ops.DepthwiseConv2dNative(channel_multiplier=1, kernel_size=(3, 3))
        >>> print(convolution(ops.ones((1, 3, 5, 5)), ops.ones((1, 3, 3, 3))).shape)
        (1, 3, 3, 3)
    """
    require(channel_multiplier == 1, f"the 'channel_multiplier' must be 1, but got {channel_multiplier}.")
    require_batch("x", x, 4)
    require_rank("weight", weight, 4)
    wanted = (1, x.shape[1], *weight.shape[2:])
    require(weight.shape == wanted, f"the 'weight' must have shape {wanted}, but got {weight.shape}.")
    kernels = jnp.swapaxes(weight, 0, 1)
    return _primitive(x, kernels, x.shape[1], kernel_size, 1, pad_mode, pad, stride, dilation, x.shape[1], "NCHW", 2)
