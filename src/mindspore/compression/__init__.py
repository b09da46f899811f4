"""Smaller networks, as MindSpore 1.x makes them: quantization-aware training."""

from mindspore.compression import common, quant

__all__ = ["common", "quant"]
