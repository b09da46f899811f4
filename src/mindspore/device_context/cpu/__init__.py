"""CPUs."""

from mindspore.device_context.cpu import op_tuning
from mindspore.device_context.cpu.device import device_count, is_available

__all__ = ["device_count", "is_available", "op_tuning"]
