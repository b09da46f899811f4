"""Questions about devices."""

from __future__ import annotations

from typing import Any, NamedTuple

from mindspore._engine.runtime import context, device_state, devices
from mindspore._utils.checks import check_one_of
from mindspore.hal._targets import TARGETS, check_device, target_of

__all__ = [
    "device_count",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "is_available",
    "is_initialized",
]


class DeviceProperties(NamedTuple):
    """What is known about a device; memory in bytes."""

    name: str
    total_memory: int
    free_memory: int


def device_count(device_target: str | None = None) -> int:
    """How many devices of a kind this process has.

    Examples:
        >>> from mindspore import hal
        >>> hal.device_count("CPU")
        1
    """
    return len(devices.found(target_of("hal.device_count", device_target)))


def is_available(device_target: str) -> bool:
    """Whether there is a device of this kind.

    Examples:
        >>> from mindspore import hal
        >>> hal.is_available("CPU")
        True
    """
    return bool(devices.found(check_one_of("hal.is_available", "device_target", device_target, TARGETS)))


def is_initialized(device_target: str) -> bool:
    """Whether a device of this kind has been used.

    Examples:
        >>> from mindspore import hal
        >>> print(hal.is_initialized("CPU"))
        True
    """
    return context.state.runtime_started and is_available(device_target)


def get_device_name(device_id: int, device_target: str | None = None) -> str:
    """The name of a device's model; 'CPU' for a CPU.

    Examples:
        >>> from mindspore import hal
        >>> print(type(hal.get_device_name(0, "CPU")).__name__)
        str
    """
    target = target_of("hal.get_device_name", device_target)
    number = check_device("hal.get_device_name", device_id, target)
    return target if target == "CPU" else device_state.kinds(target)[number]


def get_device_properties(device_id: int, device_target: str | None = None) -> DeviceProperties | None:
    """What is known about a device; None for a CPU.

    Examples:
        >>> from mindspore import hal
        >>> print(hal.get_device_properties(0, "CPU") is None)
        True
    """
    target = target_of("hal.get_device_properties", device_target)
    number = check_device("hal.get_device_properties", device_id, target)
    if target == "CPU":
        return None
    counters = device_state.memory(target)
    total = counters.get("bytes_limit", 0)
    return DeviceProperties(device_state.kinds(target)[number], total, total - counters.get("bytes_in_use", 0))


def get_device_capability(device_id: int, device_target: str | None = None) -> tuple[int, int] | None:
    """The compute capability of a GPU, such as (8, 0); None for other devices.

    Examples:
        >>> from mindspore import hal
        >>> print(hal.get_device_capability(0, "CPU"))
        None
    """
    target = target_of("hal.get_device_capability", device_target)
    number = check_device("hal.get_device_capability", device_id, target)
    found: Any = device_state.capability(target, number)
    parts = str(found).split(".") if found is not None else []
    return (int(parts[0]), int(parts[1])) if len(parts) == 2 else None


def get_arch_list(device_target: str | None = None) -> list[str] | None:
    """The architectures the package was built for: none in particular, XLA compiles for the device it finds.

    Examples:
        >>> from mindspore import hal
        >>> print(hal.get_arch_list("CPU"))
        None
    """
    target_of("hal.get_arch_list", device_target)
    return None
