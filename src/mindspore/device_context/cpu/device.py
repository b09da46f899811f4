"""Which devices of the kind 'CPU' there are."""

from mindspore.hal import device as _device

__all__ = ["device_count", "is_available"]


def device_count() -> int:
    """How many devices of this kind the process has.

    Examples:
        >>> from mindspore.device_context.cpu import device_count, is_available
        >>> (device_count() > 0) == is_available()
        True
    """
    return _device.device_count("CPU")


def is_available() -> bool:
    """Whether there is a device of this kind.

    Examples:
        >>> from mindspore.device_context import cpu
        >>> cpu.device.is_available()
        True
    """
    return _device.is_available("CPU")
