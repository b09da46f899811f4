"""Convolution layers."""

from __future__ import annotations

from mindspore.nn.layer._implementation.conv_base import _check_input_3d as _check_input_3d  # programs import it
from mindspore.nn.layer._implementation.conv_base import _Conv as _Conv  # programs derive from it
from mindspore.nn.layer._implementation.conv_forward import Conv1d, Conv2d, Conv3d
from mindspore.nn.layer._implementation.conv_transposed import Conv1dTranspose, Conv2dTranspose, Conv3dTranspose

__all__ = ["Conv1d", "Conv1dTranspose", "Conv2d", "Conv2dTranspose", "Conv3d", "Conv3dTranspose"]


def _deconv_output_length(is_valid: bool, is_same: bool, is_pad: bool, input_length: int, filter_size: int,
                          stride_size: int, dilation_size: int, padding: int) -> int:  # fmt: skip
    """The length of a transposed convolution's output along one axis.

    >>> _deconv_output_length(False, True, False, 5, 3, 2, 1, 0)
    10
    """
    extent = filter_size + (filter_size - 1) * (dilation_size - 1)
    length = input_length * stride_size
    if is_valid:
        return length + max(extent - stride_size, 0)
    return length - stride_size + extent - padding if is_pad else length if is_same else 0
