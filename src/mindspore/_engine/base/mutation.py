"""Mutation targets: Python state that a trace may change - attributes, contents of containers, closure variables.

A trace runs user code several times, sometimes only to probe it. Before a target is mutated, the scope records its value,
and restores it at the end.
"""

from __future__ import annotations

import types
from collections import deque
from typing import Any

import numpy as np

CHANGING = (list, dict, set, deque, bytearray)  # containers whose contents are restored
MISSING = type("Missing", (), {"__repr__": lambda self: "nothing"})()


class Attribute:
    """An attribute of an object."""

    __slots__ = ("key", "name", "owner")

    def __init__(self, owner: Any, name: str):
        self.owner = owner
        self.name = name
        self.key = (id(owner), name)

    def read(self) -> Any:
        members = getattr(self.owner, "__dict__", None)
        return getattr(self.owner, self.name, MISSING) if members is None else members.get(self.name, MISSING)

    def write(self, value: Any) -> None:
        members = getattr(self.owner, "__dict__", None)
        if isinstance(self.owner, type):
            delattr(self.owner, self.name) if value is MISSING else setattr(self.owner, self.name, value)
        elif members is None:
            if value is not MISSING:
                object.__setattr__(self.owner, self.name, value)
            elif hasattr(self.owner, self.name):
                object.__delattr__(self.owner, self.name)
        elif value is MISSING:
            members.pop(self.name, None)
        else:
            members[self.name] = value

    def __str__(self) -> str:
        return f"{type(self.owner).__name__}.{self.name}"


class Contents:
    """The contents of a list, dict, set, deque, bytearray or NumPy array."""

    __slots__ = ("key", "owner")

    def __init__(self, owner: Any):
        self.owner = owner
        self.key = (id(owner), None)

    def read(self) -> Any:
        return self.owner.copy()

    def write(self, value: Any) -> None:
        if isinstance(self.owner, (list, bytearray)):
            self.owner[:] = value
            return
        if isinstance(self.owner, np.ndarray):
            self.owner[...] = value
            return
        self.owner.clear()
        if isinstance(self.owner, deque):
            self.owner.extend(value)
        else:
            self.owner.update(value)

    def __str__(self) -> str:
        return f"a {type(self.owner).__name__}"


class ClosureVariable:
    """A variable that functions share: one assigns it by ``nonlocal``."""

    __slots__ = ("key", "name", "owner")

    def __init__(self, owner: types.CellType, name: str):
        self.owner = owner
        self.name = name
        self.key = (id(owner), "cell")

    def read(self) -> Any:
        return MISSING if self.owner == types.CellType() else self.owner.cell_contents

    def write(self, value: Any) -> None:
        if value is not MISSING:
            self.owner.cell_contents = value
        elif self.owner != types.CellType():
            del self.owner.cell_contents

    def __str__(self) -> str:
        return self.name


MutationTarget = Attribute | Contents | ClosureVariable
