"""Gradients of communication: they follow from the operators; others may be registered."""

from __future__ import annotations

from mindspore._engine.autodiff.local_norm import squared_norm
from mindspore._engine.runtime.parallel_context import get_auto_parallel_context
from mindspore._engine.tensor.parameter import Parameter
from mindspore.ops._grad_experimental.grad_base import bprop_getters as bprop_getters


def get_squared_device_local_norm_param() -> Parameter:
    """The Parameter that sums up the squares of this device's gradients; the program sets it to 0 after every step.

    >>> get_squared_device_local_norm_param()
    Traceback (most recent call last):
    ...
    ValueError: The parallel config 'dump_device_local_norm' must be True, but it is False...
    """
    if not get_auto_parallel_context("dump_device_local_norm"):
        raise ValueError(
            "The parallel config 'dump_device_local_norm' must be True, but it is False. Write "
            "set_auto_parallel_context(dump_device_local_norm=True) first."
        )
    return squared_norm()
