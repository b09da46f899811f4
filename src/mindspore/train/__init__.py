"""Training: mixed precision, loss scales, checkpoints."""

from mindspore.train import amp, loss_scale_manager, serialization
from mindspore.train.amp import auto_mixed_precision, build_train_network, custom_mixed_precision
from mindspore.train.loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from mindspore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

__all__ = [
    "DynamicLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "amp",
    "auto_mixed_precision",
    "build_train_network",
    "custom_mixed_precision",
    "load_checkpoint",
    "load_param_into_net",
    "loss_scale_manager",
    "save_checkpoint",
    "serialization",
]
