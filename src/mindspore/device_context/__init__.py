"""Settings of the kinds of devices: which are there, and how operators are computed on them."""

from mindspore.device_context import ascend, cpu, gpu

__all__ = ["ascend", "cpu", "gpu"]
