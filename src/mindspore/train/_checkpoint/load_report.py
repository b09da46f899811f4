"""What a load did, in words and as a table: missing, unexpected and mismatched Parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

_MOST_ROWS = 40


class Row(NamedTuple):
    """A Parameter that was not loaded as it is, with its state in network and file."""

    name: str
    state: str
    in_network: str
    in_file: str


def described(value: Any) -> str:
    """Shape and dtype of a Parameter, or what else it is.

    >>> described("text"), described(None)
    ('text', '-')
    """
    if value is None:
        return "-"
    return f"{tuple(value.shape)} {value.dtype}" if hasattr(value, "shape") else "text"


def table(rows: Sequence[Row], most: int = _MOST_ROWS) -> str:
    """Rows under each other, and how many more there are.

    >>> print(table([Row("fc.bias", "missing", "(3,) Float32", "-")]))
    Parameter   state     network        given
    fc.bias     missing   (3,) Float32   -
    """
    shown = [Row("Parameter", "state", "network", "given"), *rows[:most]]
    widths = [max(len(row[column]) for row in shown) for column in range(len(Row._fields))]
    lines = ["   ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in shown]
    left = len(rows) - most
    return "\n".join([*lines, f"... and {left} more"] if left > 0 else lines)
