"""Cells and Parameters in plain lists: a network does not look into them, so they are neither trained nor saved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from mindspore._engine.tensor.parameter import Parameter, ParameterTuple
from mindspore._utils import log

_INSTEAD = {list: "nn.CellList([...])", tuple: "nn.CellList([...])", dict: "nn.CellDict({...})"}
_empty: list[Any] = [None, ""]  # the last list of Parameters that was empty, and why it is


class Lost(NamedTuple):
    """An attribute whose members do not belong to the network."""

    owner: Any
    name: str
    number: int
    kind: str  # Cells or Parameters

    def __str__(self) -> str:
        owner, held = type(self.owner).__name__, self.owner.__dict__[self.name]
        kind = type(held)
        instead = "ParameterTuple([...])" if self.kind == "Parameters" else _INSTEAD[kind]
        return (
            f"{owner}.{self.name} is a plain {kind.__name__} with {self.number} {self.kind} that do not belong to the network: they "
            f"are not trained, saved or loaded. Write self.{self.name} = {instead}."
        )


def lost_members(root: Any) -> Iterator[Lost]:
    """What a network holds in plain lists, tuples and dicts, and nowhere else."""
    cells = [cell for _, cell in root.cells_and_names()]
    known = {id(member) for member in (*cells, *(param for cell in cells for param in cell._params.values()))}
    for cell in cells:
        if type(cell).__module__.startswith("mindspore.") or not cell._cell_lists_are_looked_at:
            continue
        for name, held in cell.__dict__.items():
            if type(held) not in _INSTEAD or name.startswith("_"):
                continue
            missing = [member for member in _members(held) if id(member) not in known]
            weights = [member for member in missing if isinstance(member, Parameter)]
            layers = [
                member for member in missing if hasattr(type(member), "get_parameters") and any(member.get_parameters())
            ]
            if layers or weights:
                yield Lost(cell, name, len(layers or weights), "Cells" if layers else "Parameters")


def _members(held: Any) -> Iterator[Any]:
    for member in held.values() if isinstance(held, dict) else held:
        if isinstance(member, (list, tuple, dict)) and not isinstance(member, ParameterTuple):
            yield from _members(member)
        else:
            yield member


def warn_of_lost_members(root: Any) -> None:
    """Say once for every such attribute that its members are not found."""
    for lost in lost_members(root):
        log.advise(("lost members", type(lost.owner), lost.name), str(lost))


def note_empty(cell: Any, found: list[Any]) -> None:
    """A Cell was asked for the Parameters to train, and has none: an optimizer that gets this list can say why."""
    _empty[:] = [found, _reason(cell)]


def why_empty(parameters: Any) -> str:
    """Why an optimizer got no Parameters, as far as it is known."""
    return f" {_empty[1]}" if parameters is _empty[0] else ""


def _reason(cell: Any) -> str:
    lost = next(lost_members(cell), None)
    if lost is not None:
        return str(lost)
    count = sum(1 for _ in cell.get_parameters())
    if count:
        return f"All {count} Parameters of {type(cell).__name__} have requires_grad=False."
    return f"{type(cell).__name__} has no Parameters: layers belong to it when they are assigned to attributes in __init__."
