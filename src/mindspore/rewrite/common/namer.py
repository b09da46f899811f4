"""Names that are not taken yet."""

from __future__ import annotations

import functools
from typing import Any


class Namer:
    """Gives each name once; after that with a number behind it.

    >>> namer = Namer()
    >>> [namer.get_name(name) for name in ("x", "x", "y", "x")]
    ['x', 'x_1', 'y', 'x_2']
    """

    def __init__(self) -> None:
        self._given: dict[str, int] = {}  # how often each was asked for

    def add_name(self, name: str) -> None:
        """A name that is taken already."""
        self._given.setdefault(name, 1)

    def get_name(self, origin_name: str) -> str:
        """The name itself, or the next with a number that is free."""
        if origin_name not in self._given:
            self._given[origin_name] = 1
            return origin_name
        while True:
            name = f"{origin_name}_{self._given[origin_name]}"
            self._given[origin_name] += 1
            if name not in self._given:
                self._given[name] = 1
                return name


class TargetNamer(Namer):
    """Names of variables."""

    def get_unique_name(self, origin_name: str) -> str:
        """A name that no variable has."""
        return self.get_name(origin_name)


class NodeNamer(Namer):
    """Names of nodes."""

    def get_name(self, node_or_name: Any) -> str:  # type: ignore[override]
        """A name like that of the node, or like this one."""
        return super().get_name(node_or_name if isinstance(node_or_name, str) else node_or_name.get_name())


class ClassNamer(Namer):
    """Names of the classes that networks are written out as."""

    @classmethod
    @functools.cache
    def instance(cls) -> ClassNamer:
        """The namer of this process."""
        return cls()

    def get_name(self, origin_name: str) -> str:
        """``NetOpt`` for the class ``Net``."""
        return super().get_name(f"{origin_name}Opt")

    def add_name(self, name: str) -> None:
        """A class that was written out already."""
        super().add_name(f"{name}Opt")


class FunctionNamer(Namer):
    """Names of functions that networks are written out with."""

    @classmethod
    @functools.cache
    def instance(cls) -> FunctionNamer:
        """The namer of this process."""
        return cls()
