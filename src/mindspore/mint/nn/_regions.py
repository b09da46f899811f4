"""Convolution, pooling and padding by PyTorch's argument names and defaults."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.operator.checked import check_tensors
from mindspore._ops.image.resize import interpolate_ext
from mindspore.common.tensor import Tensor


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``input @ weight.T + bias``.

    >>> print(linear(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])))
    [[11.]]
    """
    check_tensors("linear", weight=weight)
    product = ops.matmul(input, weight.swapaxes(0, 1) if weight.ndim == 2 else weight)
    return product if bias is None else product + bias


def _pad_mode(padding: Any) -> tuple[str, Any]:
    """The pair (pad_mode, padding) of ``ops``."""
    if isinstance(padding, str):
        return padding, 0
    numbers = padding if isinstance(padding, (tuple, list)) else (padding,)
    return ("pad", padding) if any(numbers) else ("valid", 0)


def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0,
           dilation: Any = 1, groups: int = 1) -> Tensor:  # fmt: skip
    """Convolution along a single spatial axis; ``padding`` is a number, 'valid' or 'same'.

    >>> conv1d(Tensor([[[1.0, 2.0, 3.0]]]), Tensor([[[1.0, 1.0]]])).shape
    (1, 1, 2)
    """
    return ops.conv1d(input, weight, bias, stride, *_pad_mode(padding), dilation, groups)


def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0,
           dilation: Any = 1, groups: int = 1) -> Tensor:  # fmt: skip
    """Convolution along two axes; ``padding`` is a number or two, 'valid' or 'same'.

    >>> conv2d(Tensor([[[[1.0, 2.0, 3.0]]]]), Tensor([[[[1.0, 1.0]]]]), padding=(0, 1)).shape
    (1, 1, 1, 4)
    """
    return ops.conv2d(input, weight, bias, stride, *_pad_mode(padding), dilation, groups)


def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0,
           dilation: Any = 1, groups: int = 1) -> Tensor:  # fmt: skip
    """Convolution along three axes; ``padding`` is a number or three, 'valid' or 'same'.

    >>> conv3d(Tensor([[[[[1.0, 2.0, 3.0]]]]]), Tensor([[[[[1.0, 1.0]]]]])).shape
    (1, 1, 1, 1, 2)
    """
    return ops.conv3d(input, weight, bias, stride, *_pad_mode(padding), dilation, groups)


def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    """Convolution along the first axis of an input of (time, batch, channels).

    >>> conv_tbc(Tensor([[[1.0]], [[2.0]]]), Tensor([[[3.0]]]), Tensor([0.0])).shape
    (2, 1, 1)
    """
    kernel = ops.permute(weight, (2, 1, 0))
    return ops.permute(conv1d(ops.permute(input, (1, 2, 0)), kernel, bias, 1, pad), (2, 0, 1))


def _only(owner: str, name: str, value: Any) -> Any:
    """The length along the one axis, given by itself or as a tuple of one."""
    if not isinstance(value, (tuple, list)):
        return value
    if len(value) != 1:
        raise ValueError(f"For '{owner}', the '{name}' must be an int or a tuple of one, but got {value!r}.")
    return value[0]


def avg_pool1d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
               count_include_pad: bool = True) -> Tensor:  # fmt: skip
    """The mean of each window.

    >>> print(avg_pool1d(Tensor([[[1.0, 3.0]]]), 2))
    [[[2.]]]
    """
    size, step, edge = (
        _only("avg_pool1d", name, value)
        for name, value in (("kernel_size", kernel_size), ("stride", stride), ("padding", padding))
    )
    return ops.avg_pool1d(input, size, step if step is not None else size, edge, ceil_mode, count_include_pad)


def avg_pool2d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
               count_include_pad: bool = True, divisor_override: int | None = None) -> Tensor:  # fmt: skip
    """The mean of each window.

    >>> print(avg_pool2d(Tensor([[[[1.0, 3.0]]]]), (1, 2)))
    [[[[2.]]]]
    """
    step = stride if stride is not None else kernel_size
    return ops.avg_pool2d(input, kernel_size, step, padding, ceil_mode, count_include_pad, divisor_override or 0)


def avg_pool3d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
               count_include_pad: bool = True, divisor_override: int | None = None) -> Tensor:  # fmt: skip
    """The mean of each window.

    >>> print(avg_pool3d(Tensor([[[[[1.0, 3.0]]]]]), (1, 1, 2)))
    [[[[[2.]]]]]
    """
    step = stride if stride is not None else kernel_size
    return ops.avg_pool3d(input, kernel_size, step, padding, ceil_mode, count_include_pad, divisor_override or 0)


def max_pool2d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
               ceil_mode: bool = False, return_indices: bool = False) -> Any:  # fmt: skip
    """The largest element of each window, if wanted with its index.

    >>> print(max_pool2d(Tensor([[[[1.0, 3.0]]]]), (1, 2)))
    [[[[3.]]]]
    """
    return ops.max_pool2d(input, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def max_unpool2d(input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0,
                 output_size: Any = None) -> Tensor:  # fmt: skip
    """The inverse of :func:`max_pool2d`: its elements at their indices, zeros elsewhere.

    >>> print(max_unpool2d(Tensor([[[[3.0]]]]), Tensor([[[[1]]]]), (1, 2)))
    [[[[0. 3.]]]]
    """
    return ops.max_unpool2d(input, indices, kernel_size, stride, padding, output_size)


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest element of each of ``output_size`` parts, if wanted with its index.

    >>> print(adaptive_max_pool1d(Tensor([[[1.0, 3.0, 2.0, 0.0]]]), 2))
    [[[3. 2.]]]
    """
    check_tensors("adaptive_max_pool1d", input=input)
    length = _only("adaptive_max_pool1d", "output_size", output_size)
    found = ops.adaptive_max_pool2d(input.expand_dims(-2), (1, length), return_indices)
    return tuple(part.squeeze(-2) for part in found) if return_indices else found.squeeze(-2)


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The mean of each of the parts of three axes.

    >>> adaptive_avg_pool3d(Tensor([[[[[1.0, 3.0]]]]]), 1).shape
    (1, 1, 1, 1, 1)
    """
    return ops.adaptive_avg_pool3d(input, output_size)


def batch_norm(input: Tensor, running_mean: Tensor, running_var: Tensor, weight: Tensor | None = None,
               bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5) -> Tensor:  # fmt: skip
    """Each channel normalized, by the statistics given or, in training, by its own.

    >>> print(batch_norm(Tensor([[2.0]]), Tensor([1.0]), Tensor([1.0]), eps=1e-12))
    [[1.]]
    """
    return ops.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """Wider at both ends of the last axes.

    >>> print(pad(Tensor([1.0]), (1, 2)))
    [0. 1. 0. 0.]
    """
    if not isinstance(pad, (tuple, list, Tensor)):
        got = f"{pad!r} of type {type(pad).__name__}"
        raise TypeError(f"For 'pad', the 'pad' must be a tuple or list of ints, but got {got}.")
    return ops.pad(input, tuple(pad), mode, value)


def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Channels spread over a larger image.

    >>> pixel_shuffle(Tensor([[[[1.0]]] * 4]).reshape(1, 4, 1, 1), 2).shape
    (1, 1, 2, 2)
    """
    return ops.pixel_shuffle(input, upscale_factor)


def upsample(input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
             align_corners: bool | None = None) -> Tensor:  # fmt: skip
    """An image of another size.

    >>> upsample(Tensor([[[[1.0]]]]), size=(2, 2)).shape
    (1, 1, 2, 2)
    """
    return interpolate(input, size, scale_factor, mode, align_corners)


def interpolate(input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
                align_corners: bool | None = None, recompute_scale_factor: bool | None = None) -> Tensor:  # fmt: skip
    """An image of another size; a single number applies to all axes.

    Raises:
        TypeError: If `input` is not a Tensor.
        TypeError: If `size` has none of its types.
        ValueError: If `mode` is none of the words that it can be.
        ValueError: If `size` is out of range.
        ValueError: If `scale_factor` is out of range.

    >>> interpolate(Tensor([[[[1.0]]]]), scale_factor=2.0).shape
    (1, 1, 2, 2)
    """
    check_tensors("interpolate", input=input)
    return interpolate_ext(input, size, scale_factor, mode, align_corners, recompute_scale_factor)
