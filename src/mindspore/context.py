"""``mindspore.context``: where programs of every version set the mode and the device.

>>> from mindspore import context
>>> context.set_context(mode=context.GRAPH_MODE, device_target="CPU")
>>> context.get_context("device_target")
'CPU'
"""

from __future__ import annotations

from mindspore._c_expression._context import MSContext as _Context
from mindspore._engine.runtime.context import (
    COMPATIBLE,
    DEBUG,
    GRAPH_MODE,
    LAX,
    PYNATIVE_MODE,
    RELEASE,
    STRICT,
    ParallelMode,
    get_auto_parallel_context,
    get_context,
    get_ps_context,
    reset_auto_parallel_context,
    reset_context,
    reset_ps_context,
    set_auto_parallel_context,
    set_context,
    set_device,
    set_ps_context,
)
from mindspore._engine.runtime.offload_context import get_offload_context, set_offload_context
from mindspore._utils.documented import claim as _claim

__all__ = [
    "COMPATIBLE",
    "DEBUG",
    "GRAPH_MODE",
    "K_CONTEXT",
    "LAX",
    "PYNATIVE_MODE",
    "RELEASE",
    "STRICT",
    "ParallelMode",
    "get_auto_parallel_context",
    "get_context",
    "get_offload_context",
    "get_ps_context",
    "reset_auto_parallel_context",
    "reset_context",
    "reset_ps_context",
    "set_auto_parallel_context",
    "set_context",
    "set_device",
    "set_offload_context",
    "set_ps_context",
]

K_CONTEXT = _Context.get_instance()


def _get_mode() -> int:
    """The mode: GRAPH_MODE or PYNATIVE_MODE."""
    return get_context("mode")


_claim(__name__)
