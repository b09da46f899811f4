"""Networks: Cell and what is built from it."""

from mindspore.nn.cell import Cell

__all__ = ["Cell"]
