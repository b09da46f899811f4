"""A Cell of a CellList chosen by a Tensor inside a graph: the graph holds all of them and runs one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import ops
from mindspore._engine.syntax.operators import if_exp
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell


class ChosenCell:
    """What ``cells[index]`` is in a graph if the index is a Tensor: something to call."""

    def __init__(self, index: Tensor, cells: Sequence[Cell]):
        if not index.dtype.is_integer or index.size != 1:
            raise refused(
                TypeError,
                "For 'CellList', a Tensor as 'index' must have one element of an integer dtype, but got shape "
                f"{index.shape}, dtype {index.dtype}.",
            )
        self.cells = cells
        positions = ops.arange(len(cells))  # the look-up refuses what lies outside
        self.position = positions[index.reshape(())]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        def from_index(at: int) -> Any:
            if at == len(self.cells) - 1:
                return self.cells[at](*args, **kwargs)
            return if_exp(
                self.position == at,
                lambda: self.cells[at](*args, **kwargs),
                lambda: from_index(at + 1),
                "the output of the chosen Cell",
            )

        return from_index(0)
