"""Profiling: how long the operations of a program take."""

from typing import TYPE_CHECKING

from mindspore._utils.checks import unknown_attribute as _unknown_attribute
from mindspore._utils.documented import claim as _claim
from mindspore.profiler import constant, profiling
from mindspore.profiler.constant import AicoreMetrics, ExportType, HostSystem, ProfilerActivity, ProfilerLevel
from mindspore.profiler.dynamic import DynamicProfilerMonitor
from mindspore.profiler.envprofiler import EnvProfiler
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
    "DynamicProfilerMonitor",
    "EnvProfiler",
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

if not TYPE_CHECKING:  # to a type checker an unknown name stays an error

    def __getattr__(name: str) -> object:
        raise _unknown_attribute("mindspore.profiler", name, __all__)


_claim(__name__)
