"""Functions of layers by PyTorch's names and arguments."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.dtype import DType
from mindspore.common.tensor import Tensor
from mindspore.mint._arranging import flatten
from mindspore.mint._arithmetic import equal as _equal
from mindspore.mint.nn._functional_layers import (
    adaptive_max_pool1d,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    batch_norm,
    conv1d,
    conv2d,
    conv3d,
    embedding,
    linear,
    max_pool2d,
    max_unpool2d,
    pad,
)
