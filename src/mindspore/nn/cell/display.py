"""How a notebook shows a Cell: its tree, which opens and closes, with the number of Parameters of every part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindspore._utils.notebook import escape, faint

if TYPE_CHECKING:
    from mindspore.nn.cell import Cell

_MOST_LINES = 200  # of one network; the rest is counted
_OPEN_DEPTH = 2  # Cells further inside are closed at first


def cell_html(cell: Cell) -> str:
    """The tree of a Cell. Nothing is computed or compiled."""
    return f"<div>{_tree('', cell, 0, [_MOST_LINES])}</div>"


def _tree(name: str, cell: Cell, depth: int, left: list[int]) -> str:
    left[0] -= 1
    title = _title(name, cell)
    children = list(cell.name_cells().items())
    if not children:
        return f'<div style="margin-left:{_indent(depth)}">{title}</div>'
    parts = []
    for number, (child_name, child) in enumerate(children):
        if left[0] <= 0:
            parts.append(f'<div style="margin-left:1.5em">{faint(f"... and {len(children) - number} more")}</div>')
            break
        parts.append(_tree(child_name, child, depth + 1, left))
    state = " open" if depth < _OPEN_DEPTH else ""
    inside = "".join(parts)
    return (
        f'<details{state} style="margin-left:{_indent(depth)}"><summary style="cursor:pointer">{title}</summary>'
        f"{inside}</details>"
    )


def _indent(depth: int) -> str:
    return "1.5em" if depth else "0"


def _title(name: str, cell: Cell) -> str:
    own = cell.extend_repr()
    kind = f"{type(cell).__name__}({own})" if own and len(own) < 200 and "\n" not in own else type(cell).__name__
    label = f"{escape(name)}: " if name else ""
    amount = _amount(cell)
    return f"{label}<b>{escape(kind)}</b>" + (f" {faint(amount)}" if amount else "")


def _amount(cell: Cell) -> str:
    """The Parameters of a Cell and of those in it, each counted once.

    >>> from mindspore import nn
    >>> _amount(nn.Dense(8, 4))
    '36 parameters'
    """
    parameters = list(cell.get_parameters())
    total = sum(parameter.size for parameter in parameters)
    fixed = total - sum(parameter.size for parameter in parameters if parameter.requires_grad)
    if not total:
        return ""
    return f"{total:,} parameters" + (f", {fixed:,} of them not trainable" if fixed else "")
