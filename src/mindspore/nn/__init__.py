"""Networks: Cell and what is built from it."""

from typing import TYPE_CHECKING

from mindspore._utils.checks import unknown_attribute as _unknown_attribute
from mindspore.nn import cell, layer
from mindspore.nn.cell import Cell
from mindspore.nn.layer import CellDict, CellList, SequentialCell

__all__ = ["Cell", "CellDict", "CellList", "SequentialCell", "cell", "layer"]


if not TYPE_CHECKING:  # a type checker finds misspelled names by itself

    def __getattr__(name: str) -> object:
        raise _unknown_attribute(__name__, name, __all__)
