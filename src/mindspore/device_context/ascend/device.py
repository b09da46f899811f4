"""Which devices of the kind 'Ascend' there are."""

from mindspore.hal import device as _device

__all__ = ["device_count", "is_available"]


def device_count() -> int:
    """How many devices of this kind the process has.

    Examples:
        >>> from mindspore.device_context.ascend import device_count, is_available
        >>> (device_count() > 0) == is_available()
        True
    """
    return _device.device_count("Ascend")


def is_available() -> bool:
    """Whether there is a device of this kind.

    Examples:
        >>> from mindspore.device_context import ascend
        >>> ascend.device.is_available()
        False
    """
    return _device.is_available("Ascend")
