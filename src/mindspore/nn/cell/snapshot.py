"""What a graph has seen of a Cell, and whether the Cell still looks like that."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.pytree import flatten
from mindspore._engine.tensor.tensor import Tensor


class Snapshot:
    """What a graph has seen of a Cell: its members, and the attributes that code in the graph mentions."""

    __slots__ = ("members", "values", "version")

    def __init__(self, version: int, members: list[Any], values: dict[str, Any]):
        self.version = version
        self.members = members
        self.values = values


class Present:
    """A Cell as it is now, to be compared with what a graph has seen."""

    __slots__ = ("cell",)

    def __init__(self, cell: Any):
        self.cell = cell

    def __eq__(self, seen: object) -> bool:
        if not isinstance(seen, Snapshot):
            return NotImplemented
        members = self.cell._cell_members()
        return (
            self.cell._cell_version == seen.version
            and len(members) == len(seen.members)
            and all(a is b for a, b in zip(members, seen.members))
            and all(same(value, self.cell._cell_form_of(name)) for name, value in seen.values.items())
        )

    __hash__ = None  # type: ignore[assignment]


def same(old: Any, new: Any) -> bool:
    """Whether a graph cannot tell the two values apart: Tensors are inputs of it and must be the same objects."""
    if old is new:
        return True
    old_leaves, old_form = flatten(old)
    new_leaves, new_form = flatten(new)
    return old_form == new_form and all(map(_same_leaf, old_leaves, new_leaves))


def _same_leaf(old: Any, new: Any) -> bool:
    if old is new:
        return True
    if isinstance(old, Tensor) or isinstance(new, Tensor) or type(old) is not type(new):
        return False
    try:
        return bool(old == new)
    except Exception:
        return False
