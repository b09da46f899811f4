"""Memory statistics of devices, and the barrier that waits for them."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import jax

from mindspore._engine.base import deferred_checks
from mindspore._engine.runtime import devices
from mindspore._kernels import library


def wait() -> None:
    """Block until all dispatched computations and effects are done; then raise deferred check failures."""
    jax.effects_barrier()
    jax.block_until_ready([array for array in jax.live_arrays() if not array.is_deleted()])
    deferred_checks.look()


def memory(target: str) -> dict[str, int]:
    """XLA's memory statistics of the first such device; empty on CPU."""
    found = devices.found(target)
    return dict(found[0].memory_stats() or {}) if found else {}


def live_bytes(target: str) -> int:
    """The bytes of all live arrays on such devices: for platforms without memory statistics."""
    wanted = set(devices.found(target))
    arrays = [array for array in jax.live_arrays() if not array.is_deleted()]
    return sum(array.nbytes for array in arrays if wanted & set(array.devices()))


def kinds(target: str) -> list[str]:
    """The hardware model of each local device of a target."""
    return [str(device.device_kind) for device in devices.found(target)]


def capability(target: str, number: int) -> Any:
    """The CUDA compute capability that XLA reports; None for other platforms."""
    return getattr(devices.found(target)[number], "compute_capability", None)


def release_memory() -> None:
    """Return the native library's cached buffers to the operating system."""
    library.release_memory()


def trim_heap() -> None:
    """Return free pages of the C heap to the operating system.

    Compiling a large graph takes hundreds of megabytes in small blocks on several threads. glibc keeps the pages of blocks that
    were freed, so that the first call would come on top of them.
    """
    _malloc_trim()(0)


@functools.cache
def _malloc_trim() -> Callable[[int], object]:
    """glibc's; nothing where the C library has none."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return lambda _: None
