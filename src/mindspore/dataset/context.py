"""``mindspore.context`` under the name by which some programs reach it. Pipelines do not load it: it brings XLA with it."""

from mindspore.context import (
    GRAPH_MODE,
    PYNATIVE_MODE,
    ParallelMode,
    get_auto_parallel_context,
    get_context,
    set_auto_parallel_context,
    set_context,
)

__all__ = [
    "GRAPH_MODE",
    "PYNATIVE_MODE",
    "ParallelMode",
    "get_auto_parallel_context",
    "get_context",
    "set_auto_parallel_context",
    "set_context",
]
