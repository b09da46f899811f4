"""``summary``: a network as a table of its layers, their output shapes and their Parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mindspore._engine.base.dtype import DType, float32
from mindspore._engine.graph.shape_probe import observe
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import notebook
from mindspore._utils.checks import check_bool, check_positive_int, shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell import Cell

__all__ = ["ModelSummary"]  # 'summary' goes by mindspore.summary: mindspore.train.summary is a package of its own

_HEADINGS = ("Layer", "Type", "Output shape", "Parameters", "Trainable")


@dataclass(frozen=True)
class LayerRow:
    """A line: a Cell that ran (or is there, when no input was given). Parameters are its own, not its children's."""

    path: str
    kind: str
    depth: int
    output_shapes: tuple[tuple[int, ...], ...]
    parameters: int
    trainable: int
    repeated: bool  # its Parameters were counted in a row above
    is_leaf: bool


@dataclass(frozen=True, repr=False)
class ModelSummary:
    """What ``summary`` found; its text is the table.

    >>> from mindspore import nn
    >>> summary(nn.Dense(8, 4), show=False)
    <summary of Dense: 1 layer, 36 parameters; print() shows the table>
    """

    name: str
    rows: list[LayerRow]
    total_parameters: int
    trainable_parameters: int
    parameter_bytes: int
    activation_bytes: int | None  # None when no input was given
    depth: int | None = None
    _shown_in: list[int] = field(default_factory=list, compare=False)  # cells of a notebook, by their numbers

    def __repr__(self) -> str:
        layers = f"{len(self.rows)} layer{'s' if len(self.rows) != 1 else ''}"
        return f"<summary of {self.name}: {layers}, {self.total_parameters:,} parameters; print() shows the table>"

    def _repr_html_(self) -> str:
        remarks = "<br>".join(map(notebook.faint, self._totals()))
        return f"<div><b>{notebook.escape(self.name)}</b>{notebook.table(_HEADINGS, self._lines())}{remarks}</div>"

    def _show(self) -> None:
        """Print the table; in a notebook as its output, which a cell that ends with the summary does not show again."""
        shell = notebook.shell()
        if shell is not None:
            self._shown_in.append(shell.execution_count)
        if notebook.shows_html():
            notebook.show({"text/plain": str(self), "text/html": self._repr_html_()})
        else:
            print(self)

    def _ipython_display_(self) -> None:
        if notebook.shell().execution_count not in self._shown_in:
            notebook.show({"text/plain": str(self), "text/html": self._repr_html_()})

    def _lines(self) -> list[tuple[str, ...]]:
        return [_cells_of(row) for row in self.rows if self.depth is None or row.depth <= self.depth]

    def __str__(self) -> str:
        lines = [_HEADINGS, *self._lines()]
        widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADINGS))]
        rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
        table = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]
        return "\n".join([self.name, rule, table[0], rule, *table[1:], rule, *self._totals()])

    def _totals(self) -> list[str]:
        fixed = self.total_parameters - self.trainable_parameters
        lines = [
            f"Parameters: {self.total_parameters:,} ({self.trainable_parameters:,} trainable, {fixed:,} not)",
            f"Memory of Parameters: {_amount(self.parameter_bytes)}",
        ]
        if self.activation_bytes is not None:
            lines.append(f"Memory of layer outputs, forward: about {_amount(self.activation_bytes)}")
        return lines


def summary(
    network: Cell, *inputs: Any, dtype: DType | None = None, depth: int | None = None, show: bool = True
) -> ModelSummary:
    """Print a table of a network's layers, and return it.

    Shapes are found without computing anything, and the network stays as it is.

    Args:
        network: the Cell.
        inputs: one per argument of the network: a shape as a tuple or list, or a Tensor or array. With none the table lists
            the Cells without output shapes.
        dtype: the dtype of inputs given by their shape; float32 by default.
        depth: how deep inside the network the table goes; None for all the way. Totals always cover everything.
        show: whether to print.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.train.model_summary import summary
        >>> net = nn.SequentialCell(nn.Dense(8, 4), nn.ReLU(), nn.Dense(4, 2))
        >>> found = summary(net, (16, 8))
        SequentialCell
        --------------------------------------------------------------
        Layer      Type            Output shape  Parameters  Trainable
        --------------------------------------------------------------
        (network)  SequentialCell  (16, 2)       -
          0        Dense           (16, 4)       36          yes
          1        ReLU            (16, 4)       -
          2        Dense           (16, 2)       10          yes
        --------------------------------------------------------------
        Parameters: 46 (46 trainable, 0 not)
        Memory of Parameters: 184 B
        Memory of layer outputs, forward: about 640 B
        >>> found.total_parameters
        46
    """
    if not isinstance(network, Cell):
        raise refused(WrongObject, f"For 'summary', the 'network' must be a Cell, but got {shown(network)}.")
    check_bool("summary", "show", show)
    if depth is not None:
        check_positive_int("summary", "depth", depth)
    arguments = [_argument(value, dtype or float32) for value in _separate(inputs)]
    found = _described(network, arguments, depth)
    if show:
        found._show()
    return found


def _separate(inputs: tuple) -> Sequence[Any]:
    """A single list of shapes stands for several inputs."""
    if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)) and inputs[0]:
        first = inputs[0]
        if all(isinstance(item, (list, tuple, Tensor, np.ndarray)) for item in first):
            return first
    return inputs


def _argument(value: Any, dtype: DType) -> Any:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray):
        return Tensor(value)
    is_shape = isinstance(value, (tuple, list)) and all(
        isinstance(length, int) and not isinstance(length, bool) and length > 0 for length in value
    )
    if not is_shape:
        raise refused(
            TypeError,
            "For 'summary', every input must be a shape of positive ints, such as (1, 3, 224, 224), a Tensor or an array, "
            f"but got {shown(value)}.",
        )
    return Tensor(shape=tuple(value), dtype=dtype, init="zeros")  # never filled: only its form is looked at


def _described(network: Cell, arguments: list[Any], depth: int | None) -> ModelSummary:
    counted: set[int] = set()
    rows = []
    activation_bytes = 0
    if arguments:
        calls = observe(network, arguments).calls
        parents = {call.path.rpartition(".")[0] for call in calls if call.path}
        for call in calls:
            is_leaf = call.path not in parents
            shapes = tuple(tuple(shape) for shape, _ in call.outputs)
            rows.append(_row(call.path, call.cell, call.depth, shapes, is_leaf, counted))
            if is_leaf:
                activation_bytes += sum(math.prod(shape) * dtype.np_dtype.itemsize for shape, dtype in call.outputs)
    else:
        for path, cell in network.cells_and_names():
            level = path.count(".") + 1 if path else 0
            rows.append(_row(path, cell, level, (), not cell.name_cells(), counted))
    parameters = list(network.get_parameters())
    return ModelSummary(
        type(network).__name__,
        rows,
        sum(parameter.size for parameter in parameters),
        sum(parameter.size for parameter in parameters if parameter.requires_grad),
        sum(parameter.size * parameter.dtype.np_dtype.itemsize for parameter in parameters),
        activation_bytes if arguments else None,
        depth,
    )


def _row(path: str, cell: Cell, depth: int, shapes: tuple, is_leaf: bool, counted: set[int]) -> LayerRow:
    own = [parameter for parameter in cell._params.values() if parameter is not None]
    fresh = [parameter for parameter in own if id(parameter) not in counted]
    counted.update(map(id, own))
    trainable = sum(parameter.size for parameter in fresh if parameter.requires_grad)
    repeated = bool(own) and not fresh
    return LayerRow(
        path,
        type(cell).__name__,
        depth,
        shapes,
        sum(parameter.size for parameter in fresh),
        trainable,
        repeated,
        is_leaf,
    )


def _cells_of(row: LayerRow) -> tuple[str, ...]:
    name = row.path.rpartition(".")[2] or "(network)"
    shapes = ", ".join(f"({', '.join(map(str, shape))})" for shape in row.output_shapes)
    if row.repeated:
        return ("  " * row.depth + name, row.kind, shapes, "(as above)", "")
    amount = f"{row.parameters:,}" if row.parameters else "-"
    known = {0: "no", row.parameters: "yes"}.get(row.trainable, "in part") if row.parameters else ""
    return ("  " * row.depth + name, row.kind, shapes, amount, known)


def _amount(count: int) -> str:
    """Bytes in words.

    >>> _amount(1500), _amount(44_426 * 4)
    ('1.5 KB', '177.7 KB')
    """
    size = float(count)
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1000:
            return f"{size:.1f} {unit}" if unit != "B" else f"{count} B"
        size /= 1000
    return f"{size:.1f} TB"
