"""Modules of a package that are loaded when first asked for."""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType


def submodule(package: str, name: str) -> ModuleType | None:
    """The module ``name`` of a package, or None if it has none.

    >>> submodule("mindspore.ops.function", "nn_func")
    <module 'mindspore.ops.function.nn_func' ...>
    >>> submodule("mindspore.ops.function", "relu")
    """
    if name.startswith("_") or importlib.util.find_spec(f"{package}.{name}") is None:
        return None
    return importlib.import_module(f"{package}.{name}")
