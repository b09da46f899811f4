"""A table of things by name, as the registries of MindSpore's modules are used."""

from __future__ import annotations

from typing import Any


class NameRegistry(dict[str, Any]):
    """Names and what was registered under them.

    >>> registry = NameRegistry("operators")
    >>> registry.register("one", 1)
    >>> registry.get("one")
    1
    """

    def __init__(self, what: str):
        super().__init__()
        self._what = what

    def register(self, obj_str: str, obj: Any) -> None:
        """Put something under a name."""
        if not isinstance(obj_str, str):
            raise TypeError(f"For '{self._what}', the name must be str, but got {type(obj_str).__name__}.")
        self[obj_str] = obj

    def get(self, obj_str: str, default: Any = None) -> Any:  # type: ignore[override]
        """What stands under a name; an error if nothing does and no default is given."""
        if obj_str not in self and default is None:
            raise AttributeError(f"Nothing is registered under the name {obj_str!r} among '{self._what}'.")
        return super().get(obj_str, default)
