"""``mindspore.device_manager``: the device and how it computes."""

from __future__ import annotations

from mindspore._engine.context import set_context, set_device
from mindspore._utils.checks import check_bool

__all__ = ["set_deterministic", "set_device"]


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
