"""Layers by PyTorch's names, arguments and defaults."""

from mindspore._utils.documented import claim as _claim
from mindspore.mint.nn import functional
from mindspore.mint.nn._applied import (
    ELU,
    GELU,
    GLU,
    SELU,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    Hardtanh,
    KLDivLoss,
    LogSigmoid,
    Mish,
    NLLLoss,
    PixelShuffle,
    ReLU6,
    SiLU,
    SmoothL1Loss,
    Threshold,
    UpsamplingBilinear2d,
    UpsamplingNearest2d,
    ZeroPad1d,
    ZeroPad3d,
)
from mindspore.mint.nn._renamed import (
    BCELoss,
    ConstantPad1d,
    ConstantPad2d,
    ConstantPad3d,
    CosineEmbeddingLoss,
    Flatten,
    MaxUnpool2d,
    MSELoss,
    ReflectionPad1d,
    ReflectionPad2d,
    ReflectionPad3d,
    ReplicationPad1d,
    ReplicationPad2d,
    ReplicationPad3d,
    Sigmoid,
    Tanh,
    Upsample,
    ZeroPad2d,
)
from mindspore.mint.nn._sized_pool import AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveMaxPool1d
from mindspore.mint.nn._weighted import (
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose2d,
    GroupNorm,
    SyncBatchNorm,
)
from mindspore.nn import (
    AdaptiveAvgPool3d,
    AdaptiveMaxPool2d,
    Cell,
    Identity,
    L1Loss,
    Linear,
    SoftMarginLoss,
)
from mindspore.nn.layer.activation import HShrink as Hardshrink
from mindspore.nn.layer.activation import HSigmoid as Hardsigmoid
from mindspore.nn.layer.activation import HSwish as Hardswish
from mindspore.nn.layer.activation import LogSoftmaxExt as LogSoftmax
from mindspore.nn.layer.activation import PReLUExt as PReLU
from mindspore.nn.layer.activation import ReLU
from mindspore.nn.layer.activation import SoftmaxExt as Softmax
from mindspore.nn.layer.activation import SoftShrink as Softshrink
from mindspore.nn.layer.basic import Dropout2dExt as Dropout2d
from mindspore.nn.layer.basic import DropoutExt as Dropout
from mindspore.nn.layer.basic import Fold
from mindspore.nn.layer.basic import UnfoldExt as Unfold
from mindspore.nn.layer.embedding import EmbeddingExt as Embedding
from mindspore.nn.layer.normalization import LayerNormExt as LayerNorm
from mindspore.nn.layer.pooling import AvgPool1dExt as AvgPool1d
from mindspore.nn.layer.pooling import AvgPool2dExt as AvgPool2d
from mindspore.nn.layer.pooling import AvgPool3dExt as AvgPool3d
from mindspore.nn.layer.pooling import MaxPool2dExt as MaxPool2d

__all__ = [
    "ELU",
    "GELU",
    "GLU",
    "SELU",
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "BCELoss",
    "BCEWithLogitsLoss",
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "Cell",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose2d",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "Dropout",
    "Dropout2d",
    "Embedding",
    "Flatten",
    "Fold",
    "GroupNorm",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "Identity",
    "KLDivLoss",
    "L1Loss",
    "LayerNorm",
    "Linear",
    "LogSigmoid",
    "LogSoftmax",
    "MSELoss",
    "MaxPool2d",
    "MaxUnpool2d",
    "Mish",
    "NLLLoss",
    "PReLU",
    "PixelShuffle",
    "ReLU",
    "ReLU6",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "SiLU",
    "Sigmoid",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "Softmax",
    "Softshrink",
    "SyncBatchNorm",
    "Tanh",
    "Threshold",
    "Unfold",
    "Upsample",
    "UpsamplingBilinear2d",
    "UpsamplingNearest2d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
    "functional",
]

_claim(__name__)
