"""Model ensembles for ``vmap``: Cells of one structure, run as the first Cell with the stacked Parameters of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke

_stack = Kernel("Stack", lambda *tensors: jnp.stack(tensors))
_unstack = Kernel("Unstack", lambda stacked: tuple(stacked[i] for i in range(stacked.shape[0])))


class Ensemble:
    """The Cells of a ``vmap`` over models."""

    def __init__(self, cells: Sequence[Any]):
        self.cells = tuple(cells)
        if len(self.cells) < 2 or not all(hasattr(cell, "get_parameters") for cell in self.cells):
            raise RuntimeError(
                "For 'vmap', when 'fn' is a 'CellList', it must hold at least two Cells, but got "
                f"{[type(cell).__name__ for cell in self.cells]}. A single Cell is given by itself."
            )
        self.parameters = [tuple(cell.get_parameters()) for cell in self.cells]
        forms = [[(tuple(p.shape), p.dtype) for p in parameters] for parameters in self.parameters]
        for index, form in enumerate(forms):
            if form != forms[0] or type(self.cells[index]) is not type(self.cells[0]):
                raise RuntimeError(
                    "For 'vmap', the Cells of a 'CellList' must have the same structure, but Cell "
                    f"{index} ({type(self.cells[index]).__name__}, Parameters {form}) differs from Cell 0 "
                    f"({type(self.cells[0]).__name__}, Parameters {forms[0]})."
                )

    def check_size(self, size: int | None) -> None:
        if size not in (None, len(self.cells)):
            raise ValueError(
                f"For 'vmap', the size of the mapped axes ('axis_size') must be the number of Cells in the 'CellList', "
                f"{len(self.cells)}, but got {size}. To give every Cell the same input, write in_axes=None."
            )

    def stacked(self) -> list[Tensor]:
        """The Parameters of all Cells, stacked along a new leading axis."""
        return [run(_stack, list(same)) for same in zip(*self.parameters, strict=True)]

    def call(self, slices: Sequence[Tensor], args: tuple, kwargs: dict[str, Any]) -> tuple[Any, dict[int, Tensor]]:
        """Call one Cell with these Parameters: its results, and the Parameters it assigned, by index."""
        first = self.parameters[0]
        with Scope(dict(zip(first, slices, strict=True))) as scope:
            results = invoke.invoke(self.cells[0], args, kwargs)
            written = {i: Tensor.linked(p._value, p._link) for i, p in enumerate(first) if p in scope.writes}
        return results, written

    def assign(self, index: int, stacked: Tensor) -> None:
        """Unstack the new value of a Parameter and assign each Cell its own."""
        for parameters, value in zip(self.parameters, run(_unstack, [stacked]), strict=True):
            parameters[index]._become(value)
