"""Cell, the building block of networks. See README.md in this folder."""

from mindspore.nn.cell.cell import Cell
from mindspore.nn.cell.graph_kernel import GraphKernel

__all__ = ["Cell", "GraphKernel"]
