"""MindSpore's device names and the XLA platforms behind them. A query initialises XLA's backends; the import does not.

>>> from mindspore._engine.runtime import devices
>>> devices.name_of("cuda"), devices.name_of("tpu"), devices.name_of("cpu")
('GPU', 'Ascend', 'CPU')
"""

from __future__ import annotations

from typing import Any

import jax

from mindspore._engine.cluster import process_group

TARGETS = ("CPU", "GPU", "Ascend", "Davinci")

_PLATFORMS = {"CPU": ("cpu",), "GPU": ("gpu", "cuda", "rocm"), "Ascend": ("npu", "tpu")}


def name_of(platform: str) -> str:
    """MindSpore's name for an XLA platform; an accelerator that is no GPU maps to "Ascend", which programs know."""
    return next((target for target, platforms in _PLATFORMS.items() if platform.lower() in platforms), "Ascend")


def found(target: str) -> list[Any]:
    """This process's devices of a target; empty if there are none."""
    process_group.connect()
    for platform in _PLATFORMS[target]:
        try:
            return jax.local_devices(backend=platform)
        except RuntimeError:  # the platform is not installed or has no device
            continue
    default = jax.local_devices()
    return default if name_of(default[0].platform) == target else []


def best_available() -> str:
    """The target of XLA's default backend: an accelerator if there is one."""
    process_group.connect()
    return name_of(jax.local_devices()[0].platform)


def available() -> list[str]:
    """All targets with a device."""
    return [target for target in _PLATFORMS if found(target)]
