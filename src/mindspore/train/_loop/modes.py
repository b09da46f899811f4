"""Training and inference mode of a network that several Models have, one of them in training."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mindspore.nn.cell import Cell

if TYPE_CHECKING:
    from mindspore.train.model import Model

_training: list[Model] = []  # the Models whose loops run now


@contextmanager
def in_training(model: Model) -> Iterator[None]:
    """While this Model trains."""
    _training.append(model)
    try:
        yield
    finally:
        _training.remove(model)


@contextmanager
def restored_for_others(model: Model, network: Cell) -> Iterator[None]:
    """A callback may evaluate what is trained by a Model of its own: afterwards the layers are in the modes they were in."""
    if all(other is model for other in _training):
        yield
        return
    modes = [(cell, cell.training) for _, cell in network.cells_and_names()]
    try:
        yield
    finally:
        for cell, mode in modes:  # parents first: what this sets below them is set once more
            if cell.training != mode:
                cell.set_train(mode)
