"""Training: mixed precision and loss scales."""

from mindspore.train import amp, loss_scale_manager
from mindspore.train.amp import auto_mixed_precision, build_train_network, custom_mixed_precision
from mindspore.train.loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager

__all__ = [
    "DynamicLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "amp",
    "auto_mixed_precision",
    "build_train_network",
    "custom_mixed_precision",
    "loss_scale_manager",
]
