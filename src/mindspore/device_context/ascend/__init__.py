"""Ascend devices."""

from mindspore.device_context.ascend import op_debug, op_precision, op_tuning
from mindspore.device_context.ascend.device import device_count, is_available

__all__ = ["device_count", "is_available", "op_debug", "op_precision", "op_tuning"]
