"""The losses, under the name of the module that programs import them from."""

from __future__ import annotations

from mindspore.nn.loss._base import LossBase, _Loss
from mindspore.nn.loss._classes import (
    CrossEntropyLoss,
    FocalLoss,
    NLLLoss,
    SampledSoftmaxLoss,
    SoftmaxCrossEntropyWithLogits,
)
from mindspore.nn.loss._distances import HuberLoss, L1Loss, L1LossExt, MAELoss, MSELoss, RMSELoss, SmoothL1Loss
from mindspore.nn.loss._margins import (
    CosineEmbeddingLoss,
    HingeEmbeddingLoss,
    MarginRankingLoss,
    MultilabelMarginLoss,
    MultiLabelSoftMarginLoss,
    MultiMarginLoss,
    SoftMarginLoss,
    TripletMarginLoss,
    TripletMarginWithDistanceLoss,
)
from mindspore.nn.loss._overlap import DiceLoss, MultiClassDiceLoss
from mindspore.nn.loss._probabilities import BCELoss, BCEWithLogitsLoss, GaussianNLLLoss, KLDivLoss, PoissonNLLLoss
from mindspore.nn.loss._sequences import CTCLoss

Loss = _Loss  # an old name; not published, because nn.Loss is the metric

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CTCLoss",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "DiceLoss",
    "FocalLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "L1LossExt",
    "LossBase",
    "MAELoss",
    "MSELoss",
    "MarginRankingLoss",
    "MultiClassDiceLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "MultilabelMarginLoss",
    "NLLLoss",
    "PoissonNLLLoss",
    "RMSELoss",
    "SampledSoftmaxLoss",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "SoftmaxCrossEntropyWithLogits",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]
