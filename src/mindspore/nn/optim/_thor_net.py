"""Exchanges the layers of a network for those that note what ``thor`` needs."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base import version_counter
from mindspore.nn.cell import Cell
from mindspore.nn.layer.basic import Dense
from mindspore.nn.layer.conv import Conv2d
from mindspore.nn.layer.embedding import Embedding
from mindspore.nn.layer.thor_layer import Conv2dThor, DenseThor, EmbeddingThor


def to_thor_layers(net: Cell) -> None:
    """Exchange every Dense, Conv2d and Embedding below ``net``; their Parameters stay the same objects."""
    for _, parent in list(net.cells_and_names()):
        for name, child in list(parent._cells.items()):
            exchanged = _exchanged(child)
            if exchanged is not None:
                parent._put_cell(name, exchanged)
    version_counter.note()


def _exchanged(cell: Any) -> Cell | None:
    """The layer for thor, or None where a layer stays as it is."""
    kind = type(cell)
    if kind is Dense:
        new: Any = DenseThor(cell.in_channels, cell.out_channels, "zeros", "zeros", cell.has_bias)
        new.activation = cell.activation
        shared = ("weight", "bias")
    elif kind is Conv2d and cell.group == 1 and cell.data_format == "NCHW":
        new = Conv2dThor(cell.in_channels, cell.out_channels, cell.kernel_size, cell.stride, cell.pad_mode, cell.padding,
                         cell.dilation, cell.group, cell.has_bias, "zeros", "zeros")  # fmt: skip
        shared = ("weight", "bias")
    elif kind is Embedding:
        new = EmbeddingThor(
            cell.vocab_size, cell.embedding_size, cell.use_one_hot, "zeros", cell.dtype, cell.padding_idx
        )
        shared = ("embedding_table",)
    else:
        return None
    _take_over(new, cell, shared)
    return new


def _take_over(new: Any, old: Any, shared: tuple[str, ...]) -> None:
    """Take over the Parameters, the name prefix and the modes of the old layer."""
    prefix = old._params[shared[0]].name.removesuffix(shared[0])
    for name in shared:
        if old._params.get(name) is not None:
            new._params[name] = old._params[name]
    for name, parameter in new._params.items():
        if parameter is not None and name not in shared:
            parameter.name = prefix + name
    new.set_train(old.training)
    if old._cell_dtype is not None:
        new.to_float(old._cell_dtype)
