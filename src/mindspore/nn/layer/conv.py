"""Convolution layers."""

from __future__ import annotations

from mindspore.nn.layer._implementation.conv_base import _check_input_3d as _check_input_3d  # programs import it
from mindspore.nn.layer._implementation.conv_base import _Conv as _Conv  # programs derive from it
from mindspore.nn.layer._implementation.conv_forward import Conv1d, Conv2d, Conv3d
from mindspore.nn.layer._implementation.conv_transposed import Conv1dTranspose, Conv2dTranspose, Conv3dTranspose

__all__ = ["Conv1d", "Conv1dTranspose", "Conv2d", "Conv2dTranspose", "Conv3d", "Conv3dTranspose"]
