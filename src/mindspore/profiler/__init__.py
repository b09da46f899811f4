"""Profiling: how long the operations of a program take."""

from mindspore.profiler import constant, profiling
from mindspore.profiler.constant import AicoreMetrics, ExportType, HostSystem, ProfilerActivity, ProfilerLevel
from mindspore.profiler.mstx import mstx
from mindspore.profiler.profiling import (
    ExperimentalConfig,
    Profiler,
    profile,
    tensorboard_trace_handler,
)
from mindspore.profiler.profiling import ExperimentalConfig as _ExperimentalConfig
from mindspore.profiler.schedule import ProfilerAction, schedule

__all__ = [
    "AicoreMetrics",
    "ExperimentalConfig",
    "ExportType",
    "HostSystem",
    "Profiler",
    "ProfilerAction",
    "ProfilerActivity",
    "ProfilerLevel",
    "_ExperimentalConfig",
    "constant",
    "mstx",
    "profile",
    "profiling",
    "schedule",
    "tensorboard_trace_handler",
]
