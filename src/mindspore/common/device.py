"""``mindspore.common.device``: where Tensors and Parameters made in a part of the program get their memory."""

from __future__ import annotations

from contextlib import ContextDecorator

from mindspore._engine.base.trace_state import state
from mindspore._utils.checks import check_one_of

__all__ = ["DeviceCtx"]


class DeviceCtx(ContextDecorator):
    """Inside the ``with`` block, or the decorated function, networks are made for a kind of device.

    On ``"meta"`` Parameters are made without data and filled when they are first read: a network can be built to look at
    its shapes, or to load a checkpoint, without memory for initial values. All other devices are left to XLA.

    Args:
        device: 'meta', 'CPU', 'GPU' or 'Ascend'.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> with ms.DeviceCtx("meta"):
        ...     net = nn.Dense(1024, 1024)
        >>> net.weight.has_init, net.weight.shape
        (True, (1024, 1024))
    """

    def __init__(self, device: str):
        self.device = check_one_of("DeviceCtx", "device", device, ("meta", "CPU", "GPU", "Ascend"))

    def __enter__(self) -> DeviceCtx:
        self.before = state.delays_initial_values
        state.delays_initial_values = self.device == "meta"
        return self

    def __exit__(self, *_: object) -> None:
        state.delays_initial_values = self.before
