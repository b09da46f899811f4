"""What stands where MindSpore has a part of its own implementation that ours does without: it says so when it is used.

Looking a stand-in up, importing it, comparing, printing and pickling it are no uses; calling it, making one and asking it for
a member are.
"""

from __future__ import annotations

import builtins
import enum
import importlib
import json
from typing import Any, NoReturn


class NoCounterpart(NotImplementedError, AttributeError):
    """A part of MindSpore's implementation was used that has no counterpart; for ``hasattr``, a member that is not there."""


def _refuse(path: str) -> NoReturn:
    raise NoCounterpart(
        f"'{path}' is a part of MindSpore's own implementation, which is another one here: XLA executes the public API. "
        "Use mindspore.ops, mindspore.nn or mindspore.train instead."
    )


def function(module: str, name: str) -> Any:
    """A function that refuses to be called."""

    def refuse(*_: Any, **__: Any) -> NoReturn:
        _refuse(f"{module}.{name}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__module__ = module
    return refuse


class _ClassOfStandIns(type):
    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        _refuse(f"{cls.__module__}.{cls.__qualname__}.{name}")


def class_(module: str, name: str) -> Any:
    """A class that can be inherited from and refuses to be made."""

    def refuse(*_: Any, **__: Any) -> NoReturn:
        _refuse(f"{module}.{name}")

    return _ClassOfStandIns(name, (), {"__init__": refuse, "__module__": module, "__doc__": None})


class _StandIn:
    """An object that refuses to be used."""

    def __init__(self, module: str, name: str):
        self.__dict__.update(__module__=module, __name__=name)

    def __repr__(self) -> str:
        return f"<{self.__module__}.{self.__name__}>"

    def __reduce__(self) -> Any:
        return _named, (self.__module__, self.__name__)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"{self!r} has no attribute {name!r}")
        self._refuse()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        _refuse(f"{self.__module__}.{self.__name__}")

    __call__ = __getitem__ = __setitem__ = __delitem__ = __contains__ = __iter__ = __len__ = __bool__ = _refuse
    __enter__ = __exit__ = _refuse


def _named(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def object_(module: str, name: str) -> Any:
    """An object, say a table of operators, that refuses to be used."""
    return _StandIn(module, name)


def exception(module: str, name: str, base: str) -> Any:
    """A class of errors that can be raised and caught."""
    return type(name, (getattr(builtins, base),), {"__module__": module})


def enumeration(module: str, name: str, members: str) -> Any:
    """An enumeration with its members, given as JSON."""
    return enum.Enum(name, json.loads(members), module=module)
