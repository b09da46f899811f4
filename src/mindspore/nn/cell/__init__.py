"""Cell, the building block of networks. See README.md in this folder."""

from mindspore.nn.cell.cell import Cell

__all__ = ["Cell"]
