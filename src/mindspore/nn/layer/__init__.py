"""The layers, by the modules old programs import them from."""

from mindspore.nn.layer.container import CellDict, CellList, SequentialCell

__all__ = ["CellDict", "CellList", "SequentialCell"]
