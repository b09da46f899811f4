"""Choices of a profiler. Those about Ascend's own counters are accepted everywhere and change nothing."""

from __future__ import annotations

from enum import Enum

__all__ = ["AicoreMetrics", "ExportType", "HostSystem", "ProfilerActivity", "ProfilerLevel"]


class ProfilerLevel(Enum):
    """How much is recorded on Ascend.

    Examples:
        >>> from mindspore.profiler import ProfilerLevel
        >>> [one.name for one in ProfilerLevel]
        ['LevelNone', 'Level0', 'Level1', 'Level2']
    """

    LevelNone = "LevelNone"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


class ProfilerActivity(Enum):
    """Whose work is recorded. XLA records host and devices together.

    Examples:
        >>> from mindspore.profiler import ProfilerActivity
        >>> [one.name for one in ProfilerActivity]
        ['CPU', 'NPU', 'GPU']
    """

    CPU = "CPU"
    NPU = "NPU"
    GPU = "GPU"


class AicoreMetrics(Enum):
    """Counters of Ascend's cores.

    Examples:
        >>> from mindspore.profiler import AicoreMetrics
        >>> AicoreMetrics.PipeUtilization.value
        'PipeUtilization'
    """

    AiCoreNone = "None"
    ArithmeticUtilization = "ArithmeticUtilization"
    PipeUtilization = "PipeUtilization"
    Memory = "Memory"
    MemoryL0 = "MemoryL0"
    ResourceConflictRatio = "ResourceConflictRatio"
    MemoryUB = "MemoryUB"
    L2Cache = "L2Cache"
    MemoryAccess = "MemoryAccess"


class ExportType(Enum):
    """Forms of results; here always a trace and a text.

    Examples:
        >>> from mindspore.profiler import ExportType
        >>> [one.name for one in ExportType]
        ['Text', 'Db']
    """

    Text = "text"
    Db = "db"


class HostSystem(Enum):
    """Parts of the host that Ascend's tools can watch.

    Examples:
        >>> from mindspore.profiler import HostSystem
        >>> [one.name for one in HostSystem]
        ['CPU', 'MEM', 'DISK', 'NETWORK', 'OSRT']
    """

    CPU = "cpu"
    MEM = "mem"
    DISK = "disk"
    NETWORK = "network"
    OSRT = "osrt"
