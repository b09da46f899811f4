"""What devices say about themselves: their memory, and when they are done."""

from __future__ import annotations

from typing import Any

import jax

from mindspore._engine.base import deferred_checks
from mindspore._engine.runtime import devices
from mindspore._kernels import library


def wait() -> None:
    """Wait until everything that was asked of the devices is computed."""
    jax.effects_barrier()
    jax.block_until_ready([one for one in jax.live_arrays() if not one.is_deleted()])
    deferred_checks.look()


def memory(target: str) -> dict[str, int]:
    """The counters of the first device of a kind, summed by nobody else; empty where XLA keeps none, as on CPUs."""
    found = devices.found(target)
    return dict(found[0].memory_stats() or {}) if found else {}


def live_bytes(target: str) -> int:
    """The bytes of all arrays on devices of a kind, counted one by one: for devices without counters."""
    wanted = set(devices.found(target))
    arrays = [one for one in jax.live_arrays() if not one.is_deleted()]
    return sum(one.nbytes for one in arrays if wanted & set(one.devices()))


def kinds(target: str) -> list[str]:
    """The names of the models of this process's devices of a kind."""
    return [str(one.device_kind) for one in devices.found(target)]


def capability(target: str, number: int) -> Any:
    """The compute capability of a GPU, as XLA tells it; None for others."""
    return getattr(devices.found(target)[number], "compute_capability", None)


def release_memory() -> None:
    """Give memory that was kept for programs to come back to the system."""
    library.release_memory()
