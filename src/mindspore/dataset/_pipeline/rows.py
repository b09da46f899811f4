"""Lazy rows: their source, their indices, and the steps still to be applied.

A stage of a pipeline hands on `Rows`: which samples of which origin, in which order, and the steps still to be applied to
them. Shuffling, taking, skipping and batching only rearrange indices; the data are fetched and computed, block by block, by a
worker when they are needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

# A column of several rows: an array whose first axis is the rows, or a list with one value per row.
Column = Any
Columns = dict[str, Column]


class Origin(Protocol):
    """Where rows come from."""

    def fetch(self, ids: np.ndarray) -> Columns:
        """The columns of these rows, in this order."""
        ...

    def describe(self, identity: int) -> str:
        """What to call a row in an error message."""
        ...


class Step(Protocol):
    """A computation on rows."""

    def apply(self, columns: Columns, rows: Rows) -> Columns:
        """The columns after it."""
        ...


class Rows:
    """Some rows of an origin, and the steps to be applied to them.

    tickets: a number for each row that no other row of the run has; random transforms draw from it.
    """

    __slots__ = ("ids", "origin", "steps", "tickets")

    def __init__(self, origin: Origin, ids: np.ndarray, tickets: np.ndarray, steps: tuple[Step, ...] = ()):
        self.origin = origin
        self.ids = ids
        self.tickets = tickets
        self.steps = steps

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, index: Any) -> Rows:
        """Some of the rows, by slice or positions."""
        return Rows(self.origin, self.ids[index], self.tickets[index], self.steps)

    def then(self, step: Step) -> Rows:
        """The same rows with one more step."""
        return Rows(self.origin, self.ids, self.tickets, (*self.steps, step))

    def compute(self) -> Columns:
        """Fetch the rows and apply the steps."""
        columns = self.origin.fetch(self.ids)
        for step in self.steps:
            columns = step.apply(columns, self)
        return columns

    def describe(self, position: int) -> str:
        """What to call one of the rows in an error message."""
        return self.origin.describe(int(self.ids[position]))


class MemoryOrigin:
    """Rows that are already there."""

    def __init__(self, columns: Columns, first: int = 0):
        self.columns = columns
        self.first = first

    def fetch(self, ids: np.ndarray) -> Columns:
        """The columns of these rows."""
        return {name: select(column, ids) for name, column in self.columns.items()}

    def describe(self, identity: int) -> str:
        """The number of the row."""
        return f"row {self.first + identity}"

    def narrow(self, ids: np.ndarray) -> Rows:
        """These rows without the others."""
        return Rows(MemoryOrigin(self.fetch(ids), self.first), np.arange(len(ids)), ids)


class JoinedOrigin:
    """Rows of several origins behind each other."""

    def __init__(self, parts: Sequence[Rows]):
        self.parts = list(parts)
        self.starts = np.cumsum([0, *(len(part) for part in self.parts)])

    def fetch(self, ids: np.ndarray) -> Columns:
        """The columns of these rows, each computed by its own part."""
        owners = np.searchsorted(self.starts, ids, side="right") - 1
        names: list[str] = []
        collected: dict[str, list[Any]] = {}
        for owner in np.unique(owners):
            positions = np.flatnonzero(owners == owner)
            columns = self.parts[owner].take(ids[positions] - self.starts[owner]).compute()
            if not names:
                names = list(columns)
                collected = {name: [None] * len(ids) for name in names}
            if list(columns) != names:
                raise RuntimeError(
                    f"Datasets that follow each other must have the same columns, but got {names} and {list(columns)}."
                )
            for name, column in columns.items():
                for position, value in zip(positions.tolist(), each(column), strict=True):
                    collected[name][position] = value
        return collected  # type: ignore[return-value]

    def narrow(self, ids: np.ndarray) -> Rows:
        """These rows, each part without the others."""
        owners = np.searchsorted(self.starts, ids, side="right") - 1
        parts, positions = [], np.empty(len(ids), np.int64)
        total = 0
        for owner in np.unique(owners):
            here = np.flatnonzero(owners == owner)
            parts.append(slim(self.parts[owner].take(ids[here] - self.starts[owner])))
            positions[here] = total + np.arange(len(here))
            total += len(here)
        return Rows(JoinedOrigin(parts), positions, ids)

    def describe(self, identity: int) -> str:
        """As the part calls it."""
        owner = int(np.searchsorted(self.starts, identity, side="right")) - 1
        return self.parts[owner].describe(identity - int(self.starts[owner]))


def slim(rows: Rows) -> Rows:
    """The same rows, holding nothing but what they need: for the way to another process."""
    narrow = getattr(rows.origin, "narrow", None)
    if narrow is None:
        return rows
    small = narrow(rows.ids)
    return Rows(small.origin, small.ids, rows.tickets, rows.steps)


def select(column: Column, ids: np.ndarray) -> Column:
    """Some rows of a column."""
    return column[ids] if isinstance(column, np.ndarray) else [column[position] for position in ids.tolist()]


def value_at(column: Column, position: int) -> Any:
    """A row of a column; numbers stay arrays without axes."""
    return column[position, ...] if isinstance(column, np.ndarray) else column[position]


def each(column: Column) -> Iterator[Any]:
    """The rows of a column."""
    if isinstance(column, np.ndarray) and column.ndim == 1:
        return (column[position, ...] for position in range(len(column)))
    return iter(column)


def arranged(names: Sequence[str], inputs: Sequence[str], outputs: Sequence[str]) -> list[str]:
    """The columns after an operation: each result in the position of its input, or all in front when there are more or fewer.

    >>> arranged(["a", "b"], ["b"], ["x"]), arranged(["a", "b"], ["b"], ["x", "y"])
    (['a', 'x'], ['x', 'y', 'a'])
    """
    if len(inputs) != len(outputs):
        others = [name for name in names if name not in inputs]
        return [name for name in outputs if name not in others] + others
    renamed = dict(zip(inputs, outputs, strict=True))
    return [renamed.get(name, name) for name in names if name in renamed or name not in outputs]


def join(parts: Sequence[Rows]) -> Rows:
    """Concatenate rows."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    tickets = np.concatenate([part.tickets for part in parts])
    if all(part.origin is first.origin and part.steps == first.steps for part in parts):
        return Rows(first.origin, np.concatenate([part.ids for part in parts]), tickets, first.steps)
    return Rows(JoinedOrigin(parts), np.arange(len(tickets)), tickets)
