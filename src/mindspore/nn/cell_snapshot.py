"""What a graph has seen of a Cell, and whether the Cell still looks like that."""

from __future__ import annotations

import dis
import inspect
from typing import Any

from mindspore._engine.structure import flatten
from mindspore._engine.tensor import Tensor


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


def mentioned(root: Any) -> set[str]:
    """Every attribute name that a method of a Cell in this trace reads."""
    count, names = root.__dict__.get("mentioned", (0, set()))
    if count != len(root.cells):
        names = set().union(*(names_in_methods(cls) for cls in {type(cell) for cell in root.cells}))
        root.__dict__["mentioned"] = (len(root.cells), names)
    return names


def names_in_methods(cls: type) -> frozenset[str]:
    """Every attribute name the methods of a class read, apart from those of __init__ and of Cell itself."""
    found = cls.__dict__.get("_mentioned_names")
    if found is None:
        names: set[str] = {"construct"}
        for owner in cls.__mro__:
            if owner.__module__.startswith("mindspore.nn.cell"):
                break
            for name, member in vars(owner).items():
                function = getattr(member, "function", getattr(member, "fget", member))  # a jitted method, a property
                if name != "__init__" and inspect.isfunction(function):
                    names |= _attributes_in(function.__code__)
        found = frozenset(names)
        cls._mentioned_names = found  # type: ignore[attr-defined]
    return found


def _attributes_in(code: Any) -> set[str]:
    names = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_ATTR", "LOAD_METHOD")}
    names |= {c for c in code.co_consts if isinstance(c, str) and c.isidentifier()}  # getattr(self, "name")
    for constant in code.co_consts:
        if inspect.iscode(constant):
            names |= _attributes_in(constant)
    return names


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
