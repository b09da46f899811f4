"""The base of layers that have no arguments."""

from __future__ import annotations

from mindspore.nn.cell import Cell


class PlainCell(Cell):
    """A layer without arguments: those of Cell are not taken for it, so that ``nn.Tril(1)`` is an error."""

    def __init__(self) -> None:
        super().__init__()
