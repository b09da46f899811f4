"""The bilinear layer."""

from __future__ import annotations

from mindspore.nn.layer._implementation.dense import BiDense

__all__ = ["BiDense"]
