"""Names of the Parameters inside containers, as MindSpore's checkpoints have them.

A container does not know its path in the network: it takes it from the names of the Parameters already inside. So members
added to an empty container are named by their keys alone, ``0.weight``, whatever the container's path is.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple


class KeyPosition(NamedTuple):
    """Where the keys of a container stand in the names of the Parameters below it."""

    prefix: str  # the prefix before the key, with its dot
    position: int  # which of the parts between dots the key is


def key_position(cells: Mapping[str, Any]) -> KeyPosition:
    """Found in the first Parameters of the first two members that have any.

    The key of the first member may occur more than once in its names (``0.blocks.0.w``). The position is the first where the second
    member has its own key; without a second member, or such a position, it is the last occurrence.
    """
    named = ((key, _first_name(cell)) for key, cell in cells.items() if cell is not None)
    found = list(islice(((key, name.split(".")) for key, name in named if name is not None), 2))
    if not found:
        return KeyPosition("", 0)
    (key, parts), *others = found
    indices = [index for index, part in enumerate(parts) if part == key]
    both = [index for index in indices if others and others[0][1][index : index + 1] == [others[0][0]]]
    if not indices:
        return KeyPosition("", 0)
    position = both[0] if both else indices[-1]
    return KeyPosition("".join(f"{part}." for part in parts[:position]), position)


def give_key(cell: Any, position: KeyPosition, key: str) -> None:
    """Let the names of a member's Parameters have this key; what stands behind it stays."""
    for _, parameter in cell.parameters_and_names():
        behind = parameter.name.split(".")[position.position + 1 :]
        parameter.name = f"{position.prefix}{key}.{'.'.join(behind)}"


def _first_name(cell: Any) -> str | None:
    for _, parameter in cell.parameters_and_names():
        return parameter.name
    return None


def _get_prefix_and_index(cells: Mapping[str, Any]) -> tuple[str, int]:
    """The same, of a mapping of Cells, as libraries ask for it."""
    return key_position(cells).prefix, key_position(cells).position


def _valid_index(cell_num: int, index: int, op_name: str | None = None) -> int:
    """An index of a list of Cells, counted from the front.

    >>> _valid_index(3, -1)
    2
    """
    owner = f"For '{op_name}', the" if op_name else "The"
    if not isinstance(index, int) or isinstance(index, bool):
        raise TypeError(f"{owner} type of 'index' must be int, but got {type(index).__name__}.")
    if not -cell_num <= index < cell_num:
        raise IndexError(f"{owner} value of 'index' must be in [{-cell_num}, {cell_num}), but got {index}.")
    return index % cell_num


def _valid_cell(cell: Any, op_name: str | None = None) -> bool:
    """Whether something is a Cell; TypeError if not."""
    if not any(base.__qualname__ == "Cell" and base.__module__ == "mindspore.nn.cell" for base in type(cell).__mro__):
        owner = f"For '{op_name}', each" if op_name else "Each"
        raise TypeError(f"{owner} cell must be subclass of Cell, but got {type(cell).__name__}.")
    return True
