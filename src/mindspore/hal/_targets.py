"""The kinds of devices a function of ``mindspore.hal`` may be asked about."""

from __future__ import annotations

from typing import Any

from mindspore._engine.runtime import devices
from mindspore._engine.runtime.context import get_context
from mindspore._utils.checks import check_int, check_one_of

TARGETS = ["CPU", "GPU", "Ascend"]


def target_of(owner: str, device_target: str | None) -> str:
    """The kind of device: as requested, else the default device's."""
    if device_target is None:
        return get_context("device_target")
    return check_one_of(owner, "device_target", device_target, TARGETS)


def check_device(owner: str, device_id: Any, target: str) -> int:
    """The number of a device that is there."""
    count = len(devices.found(target))
    if not count:
        raise ValueError(f"For '{owner}', there is no device of the kind '{target}' here.")
    return check_int(owner, "device_id", device_id, low=0, high=count - 1)
