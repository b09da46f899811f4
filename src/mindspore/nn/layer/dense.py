"""The bilinear layer."""

from __future__ import annotations

from mindspore.nn.layer._dense import BiDense

__all__ = ["BiDense"]
