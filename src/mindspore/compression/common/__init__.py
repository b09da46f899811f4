"""What methods of compression share."""

from mindspore.compression.common.constant import QuantDtype

__all__ = ["QuantDtype"]
