"""Places of Python's own state that a trace may change: an attribute of an object, the contents of a list, dict or set.

A trace runs the program's code several times and sometimes for nothing. Before it changes such a place the scope notes
what is there, and puts it back at the end.
"""

from __future__ import annotations

from collections import deque
from typing import Any

CHANGING = (list, dict, set, deque)  # containers whose contents are put back
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
        if members is None:
            if value is MISSING:
                object.__delattr__(self.owner, self.name)
            else:
                object.__setattr__(self.owner, self.name, value)
        elif value is MISSING:
            members.pop(self.name, None)
        else:
            members[self.name] = value

    def __str__(self) -> str:
        return f"{type(self.owner).__name__}.{self.name}"


class Contents:
    """What a list, dict, set or deque holds."""

    __slots__ = ("key", "owner")

    def __init__(self, owner: Any):
        self.owner = owner
        self.key = (id(owner), None)

    def read(self) -> Any:
        return self.owner.copy()

    def write(self, value: Any) -> None:
        if isinstance(self.owner, list):
            self.owner[:] = value
            return
        self.owner.clear()
        if isinstance(self.owner, deque):
            self.owner.extend(value)
        else:
            self.owner.update(value)

    def __str__(self) -> str:
        return f"a {type(self.owner).__name__}"


MutationTarget = Attribute | Contents
