"""Inputs that a layer cannot take: errors that name the layer, its argument, what it got, and its path in the network.

Everything here runs only after something has failed; a call that succeeds pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell.arguments import signature_of

CHANNELS = "channels"  # the channel axis: axis 1, or the last axis of NHWC
INDICES = "indices"  # no axis: the input is a Tensor of integers


class Width(NamedTuple):
    """A size that a layer is made for: the argument that fixes it, the axis of the input that must fit."""

    argument: str
    axis: int | str = -1
    input_index: int = 0
    size: Callable[[Any], Any] | None = None  # how to read it, if no attribute has the argument's name


def explain_failure(cell: Any, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Let an error that leaves a Cell say which layer of the network refused what."""
    failure = error.__dict__.get("_refused")
    if failure is None:
        if len(error.args) != 1 or not isinstance(error.args[0], str):
            return
        if not cell._cell_widths and not (_is_a_layer(cell) and error.args[0].startswith("For '")):
            return  # the program's own error
        about_sizes = cell._cell_widths and _is_about_sizes(cell, error)
        misfit = _misfit(cell, signature_of(cell).in_order(args, kwargs)[0]) if about_sizes else None
        words = [misfit, error.args[0] if misfit is None or _is_own_check(error) else None]
        text = " ".join(filter(None, words))
        failure = error.__dict__["_refused"] = _FailurePath(text)
    failure.enter(cell)
    said, break_, more = failure.text.partition("\n")  # the call and lines of the program may follow
    error.args = (f"{said} Cell path: {failure.path}.{break_}{more}",)


def refuse_other_than_tensors(cell: Any, error: AttributeError, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise a TypeError where a layer of this package asked something of an argument that only a Tensor has."""
    if not _is_a_layer(cell) or isinstance(error.obj, Tensor) or not hasattr(Tensor, error.name or ""):
        return
    names = [parameter.name for parameter in signature_of(cell).positional]
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    name = next((name for name, value in given.items() if value is error.obj), None)
    if name is not None:
        raise refused(
            WrongObject, f"For '{type(cell).__name__}', the '{name}' must be a Tensor, but got {shown(error.obj)}."
        ) from error


def _is_a_layer(cell: Any) -> bool:
    """Whether this package wrote what the Cell computes."""
    module = getattr(type(cell).construct, "__module__", None) or ""
    return module.startswith(("mindspore.nn.", "mindspore.mint."))


def _is_about_sizes(cell: Any, error: Exception) -> bool:
    """Whether sizes may be the reason: not the number of axes, and not in a construct of the program's own."""
    return _is_a_layer(cell) and " dimensions" not in error.args[0]


def _is_own_check(error: Exception) -> bool:
    """Whether a layer raised it: it knows the layout it wants, which an operator does not."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_globals.get("__name__", "").startswith("mindspore.nn.")


class _FailurePath:
    """What was refused, and the way from the Cell that the error has reached down to the layer."""

    def __init__(self, text: str):
        self.text = text
        self.cell: Any = None
        self.names: list[str] = []

    def enter(self, cell: Any) -> None:
        if self.cell is not None:
            found = next(
                (name for name, child in cell.cells_and_names() if child is self.cell), type(self.cell).__name__
            )
            self.names[:0] = [found] if found else []
        self.cell = cell

    @property
    def path(self) -> str:
        return ".".join([type(self.cell).__name__, *self.names])


def _misfit(cell: Any, inputs: tuple[Any, ...]) -> str | None:
    """A message about the first input whose size does not fit the layer; None if all fit."""
    name = type(cell).__name__
    for width in cell._cell_widths:
        given = inputs[width.input_index] if width.input_index < len(inputs) else None
        size = width.size(cell) if width.size is not None else getattr(cell, width.argument, None)
        if not isinstance(given, Tensor) or size is None:
            continue
        if width.axis == INDICES:
            if not given.dtype.is_integer:
                return (
                    f"For '{name}', the input must hold indices, a Tensor of integers: {name}({width.argument}={size}) got dtype "
                    f"{given.dtype}. Convert it with astype(mindspore.int32)."
                )
            continue
        got = _size_of(cell, given.shape, size, width.axis)
        if got is not None and got != size:
            what = "" if isinstance(size, tuple) else " channels" if width.axis == CHANNELS else " features"
            return (
                f"For '{name}', the '{width.argument}' must fit the input: {name}({width.argument}={size}) got {got}{what}, an input of "
                f"shape {given.shape}. Write {width.argument}={got}, or change what comes before it."
            )
    return None


def _size_of(cell: Any, shape: tuple[int, ...], size: Any, axis: int | str) -> Any:
    """The length of the input's axis that the layer checks; None if the input has no such axis."""
    if isinstance(size, tuple):
        return shape[-len(size) :]
    last = "NHWC" in (getattr(cell, "data_format", None), getattr(cell, "format", None))
    index = axis if isinstance(axis, int) else -1 if last else 1
    return shape[index] if -len(shape) <= index < len(shape) else None
