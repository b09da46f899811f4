"""Pooling layers."""

from __future__ import annotations

from mindspore.nn.layer._implementation.avg_pool import (
    AvgPool1d,
    AvgPool1dExt,
    AvgPool2d,
    AvgPool2dExt,
    AvgPool3d,
    AvgPool3dExt,
    LPPool1d,
    LPPool2d,
)
from mindspore.nn.layer._implementation.max_pool import (
    MaxPool1d,
    MaxPool2d,
    MaxPool2dExt,
    MaxPool3d,
    MaxUnpool1d,
    MaxUnpool2d,
    MaxUnpool3d,
)
from mindspore.nn.layer._implementation.pool_base import _PoolNd as _PoolNd  # programs derive from it
from mindspore.nn.layer._implementation.sized_pool import (
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AdaptiveAvgPool3d,
    AdaptiveMaxPool1d,
    AdaptiveMaxPool2d,
    AdaptiveMaxPool3d,
    FractionalMaxPool2d,
    FractionalMaxPool3d,
)

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
    "AvgPool1d",
    "AvgPool1dExt",
    "AvgPool2d",
    "AvgPool2dExt",
    "AvgPool3d",
    "AvgPool3dExt",
    "FractionalMaxPool2d",
    "FractionalMaxPool3d",
    "LPPool1d",
    "LPPool2d",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool2dExt",
    "MaxPool3d",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
]
