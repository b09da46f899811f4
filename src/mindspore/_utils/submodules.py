"""The modules of a package: those loaded when first asked for, and the names that all of them publish."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from types import ModuleType


def submodule(package: str, name: str) -> ModuleType | None:
    """The module ``name`` of a package, or None if it has none.

    >>> submodule("mindspore.ops.function", "nn_func")
    <module 'mindspore.ops.function.nn_func' ...>
    >>> submodule("mindspore.ops.function", "relu")
    """
    if name.startswith("__") or importlib.util.find_spec(f"{package}.{name}") is None:
        return None
    return importlib.import_module(f"{package}.{name}")


def published(package: str, own: str, sources: str) -> list[str]:
    """The ``__all__`` of a package: ``own`` names, and those of its modules ``sources``; both separated by spaces.

    Its modules themselves are not among them: ``from mindspore.train import *`` must not hide a program's own ``model``.

    >>> importlib.import_module("mindspore.nn.loss.loss").__name__
    'mindspore.nn.loss.loss'
    >>> names = published("mindspore.nn.loss", "loss", "loss")
    >>> "L1Loss" in names, "loss" in names
    (True, False)
    """
    modules = [sys.modules[f"{package}.{source}"] for source in sources.split()]
    names = {*own.split(), *(name for module in modules for name in module.__all__)}
    values = vars(sys.modules[package])
    return sorted(name for name in names if not _is_module_of(package, values.get(name)))


def _is_module_of(package: str, value: object) -> bool:
    return isinstance(value, ModuleType) and value.__name__.startswith(f"{package}.")


@functools.cache
def can_be_imported(name: str) -> bool:
    """Whether another process would find the top-level module of this name, too."""
    if name in ("__main__", "mindspore") or name in sys.builtin_module_names:
        return True
    return any(finder.find_spec(name, None) is not None for finder in sys.meta_path if hasattr(finder, "find_spec"))
