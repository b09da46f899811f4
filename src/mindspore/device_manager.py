"""``mindspore.device_manager``: the device and how it computes."""

from __future__ import annotations

from typing import NamedTuple

from mindspore._engine.runtime.context import get_context, set_context, set_device
from mindspore._utils.checks import check_bool

__all__ = ["get_current_device", "set_deterministic", "set_device"]


class CurrentDevice(NamedTuple):
    """A kind of device and its number."""

    device_target: str
    device_id: int


def get_current_device() -> CurrentDevice:
    """The device operators run on.

    Examples:
        >>> import mindspore as ms
        >>> ms.get_current_device().device_target == ms.get_context("device_target")
        True
    """
    return CurrentDevice(get_context("device_target"), get_context("device_id"))


def set_deterministic(deterministic: bool) -> None:
    """Whether the same inputs must give exactly the same results in every run; XLA's kernels do so on CPU anyway.

    Examples:
        >>> import mindspore as ms
        >>> ms.set_deterministic(True)
        >>> ms.get_context("deterministic")
        'ON'
        >>> ms.set_deterministic(False)
    """
    check_bool("set_deterministic", "deterministic", deterministic)
    set_context(deterministic="ON" if deterministic else "OFF")
