"""How much memory of a device is used.

XLA counts on accelerators. A CPU keeps no counters: what is allocated is then counted array by array when asked, and the
highest amount is the highest that was ever asked about.
"""

from __future__ import annotations

import gc

from mindspore._engine.runtime import device_state
from mindspore._engine.tensor.buffers import host_bytes
from mindspore._utils import log
from mindspore.hal._targets import target_of

__all__ = [
    "empty_cache",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "reset_max_memory_allocated",
    "reset_max_memory_reserved",
    "reset_peak_memory_stats",
]

_highest: dict[str, int] = {}  # by kind of device, for those without counters


def memory_allocated(device_target: str | None = None) -> int:
    """The bytes that arrays take now.

    Examples:
        >>> from mindspore import Tensor, hal
        >>> before = hal.memory_allocated()
        >>> x = Tensor([1.0, 2.0, 3.0])
        >>> hal.memory_allocated() - before
        12
    """
    target = target_of("hal.memory_allocated", device_target)
    counters = device_state.memory(target)
    used = counters["bytes_in_use"] if "bytes_in_use" in counters else device_state.live_bytes(target) + host_bytes()
    _highest[target] = max(_highest.get(target, 0), used)
    return used


def max_memory_allocated(device_target: str | None = None) -> int:
    """The most bytes that arrays took so far.

    Examples:
        >>> from mindspore import Tensor, hal
        >>> x = Tensor([1.0, 2.0]) + 1
        >>> hal.max_memory_allocated() >= 8
        True
    """
    target = target_of("hal.max_memory_allocated", device_target)
    used = memory_allocated(target)
    return max(device_state.memory(target).get("peak_bytes_in_use", 0), _highest[target], used)


def memory_reserved(device_target: str | None = None) -> int:
    """The bytes XLA has taken from the device, used or not.

    Examples:
        >>> from mindspore import hal
        >>> hal.memory_reserved() >= 0
        True
    """
    target = target_of("hal.memory_reserved", device_target)
    return max(device_state.memory(target).get("bytes_reserved", 0), memory_allocated(target))


def max_memory_reserved(device_target: str | None = None) -> int:
    """The most bytes XLA has taken from the device so far.

    Examples:
        >>> from mindspore import hal
        >>> hal.max_memory_reserved() >= hal.memory_allocated()
        True
    """
    target = target_of("hal.max_memory_reserved", device_target)
    return max(device_state.memory(target).get("peak_bytes_reserved", 0), max_memory_allocated(target))


def memory_stats(device_target: str | None = None) -> dict[str, int]:
    """All counters.

    Examples:
        >>> from mindspore import hal
        >>> sorted(hal.memory_stats())[:2]
        ['max_allocated_memory', 'max_reserved_memory']
    """
    target = target_of("hal.memory_stats", device_target)
    reserved, allocated = memory_reserved(target), memory_allocated(target)
    return {
        "total_reserved_memory": reserved,
        "total_allocated_memory": allocated,
        "total_idle_memory": reserved - allocated,
        "max_reserved_memory": max_memory_reserved(target),
        "max_allocated_memory": max_memory_allocated(target),
        **device_state.memory(target),
    }


def memory_summary(device_target: str | None = None) -> str:
    """The counters as a table.

    Examples:
        >>> from mindspore import hal
        >>> "reserved" in hal.memory_summary().lower()
        True
    """
    stats = memory_stats(device_target)
    rows = [
        ("Reserved memory", stats["total_reserved_memory"]),
        ("Allocated memory", stats["total_allocated_memory"]),
        ("Idle memory", stats["total_idle_memory"]),
        ("Max reserved memory", stats["max_reserved_memory"]),
        ("Max allocated memory", stats["max_allocated_memory"]),
    ]
    lines = [f"| {name:<20} | {_amount(count):>12} |" for name, count in rows]
    rule = "|" + "=" * (len(lines[0]) - 2) + "|"
    return "\n".join([rule, f"|{'Memory summary':^{len(rule) - 2}}|", rule, *lines, rule, ""])


def _amount(count: int) -> str:
    for unit in ("B", "KB", "MB"):
        if count < 10_000:
            return f"{count} {unit}"
        count //= 1024
    return f"{count} GB"


def empty_cache() -> None:
    """Give back the memory of what nobody holds any more.

    Examples:
        >>> from mindspore import runtime
        >>> runtime.empty_cache()
    """
    gc.collect()
    device_state.release_memory()


def reset_peak_memory_stats(device_target: str | None = None) -> None:
    """Forget the highest amounts so far, where they are counted here; XLA's own counters cannot be set back.

    Examples:
        >>> from mindspore import hal
        >>> hal.reset_peak_memory_stats()
        >>> hal.max_memory_allocated() >= 0
        True
    """
    target = target_of("hal.reset_peak_memory_stats", device_target)
    _highest.pop(target, None)
    if "peak_bytes_in_use" in device_state.memory(target):
        log.once("hal peaks", "XLA's highest amount of memory cannot be set back: it is that of the whole program.")


def reset_max_memory_allocated(device_target: str | None = None) -> None:
    """See :func:`reset_peak_memory_stats`.

    Examples:
        >>> from mindspore import hal
        >>> hal.reset_max_memory_allocated()
        >>> hal.max_memory_allocated() >= 0
        True
    """
    reset_peak_memory_stats(device_target)


def reset_max_memory_reserved(device_target: str | None = None) -> None:
    """See :func:`reset_peak_memory_stats`.

    Examples:
        >>> from mindspore import hal
        >>> hal.reset_max_memory_reserved()
        >>> hal.max_memory_reserved() >= 0
        True
    """
    reset_peak_memory_stats(device_target)
