"""Names and modules inside MindSpore that libraries import: found where ours are, by the facts of ``private_names.py``.

Public modules hold what they are for. A name that MindSpore's module of the same path happens to have too, say ``Tensor`` in
``nn.layer.conv``, is looked up when it is asked for; so are the modules that are nothing but such names here. A part of
MindSpore's own implementation, which ours does without, can be imported and says so when it is used.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any, NoReturn


class PresentModules(MetaPathFinder):
    """Finds the modules that are here as usual, and lets them find further names; asked first."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if not fullname.startswith("mindspore.") or ("._" in fullname and fullname.startswith(_OWN)):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader.__class__ is SourceFileLoader:
            spec.loader = _Extended(spec.loader.name, spec.loader.path)  # type: ignore[union-attr]
        return spec


_OWN = (
    "mindspore._engine",
    "mindspore._ops",
    "mindspore._utils",
    "mindspore._kernels",
)  # rooms that MindSpore does not have


_PACKAGES = (
    "mindspore.common.dynamic_shape",
    "mindspore.mint.optim",
    "mindspore.nn.sparse",
    "mindspore.rewrite.node",
    "mindspore.rewrite.symbol_tree",
)  # there, and modules here


class _Extended(SourceFileLoader):
    """A module that looks names up that it does not have."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        if module.__name__ in _PACKAGES:
            vars(module).setdefault("__path__", [])
        extend(module)


class AbsentModules(MetaPathFinder):
    """Finds modules that are nothing but names found elsewhere; asked last."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if not fullname.startswith("mindspore.") or fullname not in _facts():
            return None
        parent, _, name = fullname.rpartition(".")
        if not isinstance(vars(sys.modules[parent]).get(name, sys), ModuleType):
            return None  # a function of that name is there: importing the module would take its place
        inner = any(other.startswith(f"{fullname}.") for other in _facts())
        return spec_from_loader(fullname, _Made(), is_package=inner)


class _Made(Loader):
    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        extend(module)


_asked: set[tuple[str, str]] = set()  # names that are being looked up: modules may ask each other


def _facts() -> dict[str, dict[str, str]]:
    return importlib.import_module("mindspore._utils.compat.private_names").PRIVATE_NAMES


def _finder(module: ModuleType, own: Callable[[str], Any] | None) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module: its own first."""

    def find(name: str) -> Any:
        if own is not None:
            try:
                return own(name)
            except (AttributeError, ImportError) as error:
                missing: Exception = error
        else:
            missing = AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        if name.startswith("__") or (module.__name__, name) in _asked:
            raise missing
        for source, listed in _facts().get(module.__name__, {}).items():
            for entry in listed.split():
                shown, _, meant = entry.partition("=")
                if shown == name:
                    _asked.add((module.__name__, name))
                    try:
                        found = vars(module)[name] = _found(module.__name__, source, shown, meant or shown)
                    finally:
                        _asked.discard((module.__name__, name))
                    return found
        raise missing

    return find


def _found(module: str, source: str, name: str, meant: str) -> Any:
    if source == "module":
        return importlib.import_module(meant)
    if source == "value":
        return json.loads(meant)
    if source == "primitive":
        return getattr(importlib.import_module("mindspore.ops.operations"), meant)()
    if source in ("function", "class"):
        return _without_counterpart(f"{module}.{name}", name, source == "class")
    return getattr(importlib.import_module(source), meant)


def _without_counterpart(path: str, name: str, is_class: bool) -> Any:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError(
            f"'{path}' is a part of MindSpore's own implementation, which is another one here: XLA executes the public API. "
            "Use mindspore.ops, mindspore.nn or mindspore.train instead."
        )

    if is_class:
        return type(name, (), {"__init__": refuse, "__module__": path.rpartition(".")[0], "__doc__": refuse.__doc__})
    refuse.__name__ = refuse.__qualname__ = name
    refuse.__module__ = path.rpartition(".")[0]
    return refuse


def extend(module: ModuleType) -> None:
    """Let a module look names up that it does not have."""
    vars(module)["__getattr__"] = _finder(module, vars(module).get("__getattr__"))


def install() -> None:
    """Have these names and modules found from now on."""
    if not any(isinstance(finder, AbsentModules) for finder in sys.meta_path):
        sys.meta_path.insert(0, PresentModules())
        sys.meta_path.append(AbsentModules())
