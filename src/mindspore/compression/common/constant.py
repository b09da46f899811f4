"""The types that quantization rounds to."""

from mindspore.nn.layer.quant import QuantDtype

__all__ = ["QuantDtype"]
