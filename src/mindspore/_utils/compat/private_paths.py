"""Names and modules inside MindSpore that libraries import: found where ours are, by the facts of
``recorded_names.py``.

Public modules hold what they are for. A name that MindSpore's module of the same path happens to have too, say ``Tensor`` in
``nn.layer.conv``, is looked up when it is asked for; so are the modules that are nothing but such names here. A part of
MindSpore's own implementation, which ours does without, can be imported and says so when it is used.
"""

from __future__ import annotations

import functools
import importlib
import json
import sys
from collections.abc import Callable
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any

from mindspore._utils.compat import stand_ins
from mindspore._utils.compat.recorded_names import earlier_names, kernel_names, private_names


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


_KERNELS = "mindspore.ops._op_impl."
_PUBLIC = ("mindspore", "mindspore.amp")  # show what they are for
_PACKAGES = (
    "mindspore.common.dynamic_shape",
    "mindspore.mint.optim",
    "mindspore.nn.sparse",
    "mindspore.rewrite.node",
    "mindspore.rewrite.symbol_tree",
    "mindspore.run_check",
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
        if not fullname.startswith("mindspore.") or not _is_recorded(fullname):
            return None
        return spec_from_loader(fullname, _Made(), is_package=fullname in _packages())


class _Made(Loader):
    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        parent, _, name = module.__name__.rpartition(".")
        if not isinstance(vars(sys.modules[parent]).get(name, sys), ModuleType):
            sys.modules[parent].__class__ = _KeepingFunctions
        extend(module)
        vars(module)["__dir__"] = lambda: sorted({*vars(module), *_names(module.__name__)})


class _KeepingFunctions(ModuleType):
    """A package with functions named as its modules: importing these leaves the functions in their places."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, ModuleType) or isinstance(vars(self).get(name, value), ModuleType):
            super().__setattr__(name, value)


looked_up: set[tuple[str, str]] = set()  # names that modules keep since somebody asked
_asked: set[tuple[str, str]] = set()  # names that are being looked up: modules may ask each other


def _facts(module: str) -> dict[str, str]:
    """What is recorded about a module, by where its names are found."""
    return _table(module).get(module, {})


def _table(module: str) -> dict[str, dict[str, str]]:
    if f"{module}.".startswith(_KERNELS):
        return kernel_names()
    return private_names()


def _is_recorded(module: str) -> bool:
    return module in _table(module) or module in earlier_names()


@functools.cache
def _packages() -> set[str]:
    """The modules that have inner ones."""
    recorded = [*private_names(), *kernel_names(), *earlier_names()]
    return {parent for module in recorded for parent in [module.rpartition(".")[0]]}


def _names(module: str) -> list[str]:
    return [entry.partition("=")[0] for names in _facts(module).values() for entry in names.split()]


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
        if name == "__all__" and module.__name__ not in _PUBLIC:  # for ``from module import *``
            listed = _facts(module.__name__).get("listed", "").split()
            return listed or sorted(
                {one for one in {*vars(module), *_names(module.__name__)} if not one.startswith("_")}
            )
        if (module.__name__, name) in _asked:
            raise missing
        for source, names in (*_facts(module.__name__).items(), *earlier_names().get(module.__name__, {}).items()):
            for entry in names.split() if source != "listed" else ():
                shown, _, meant = entry.partition("=")
                if shown == name:
                    _asked.add((module.__name__, name))
                    try:
                        found = vars(module)[name] = _found(module.__name__, source, shown, meant)
                    finally:
                        _asked.discard((module.__name__, name))
                    looked_up.add((module.__name__, name))
                    return found
        raise missing

    return find


def _found(module: str, source: str, name: str, meant: str) -> Any:
    if source == "module":
        return importlib.import_module(meant or f"{module}.{name}")
    if source == "value":
        return json.loads(meant)
    if source == "primitive":
        return getattr(importlib.import_module("mindspore.ops.operations"), meant)()
    if source in _STAND_INS:
        return getattr(stand_ins, _STAND_INS[source])(
            module, name, *([meant] if source in ("enumeration", "exception") else [])
        )
    return getattr(importlib.import_module(source), meant or name)


_STAND_INS = {
    "function": "function",
    "class": "class_",
    "object": "object_",
    "enumeration": "enumeration",
    "exception": "exception",
}


def extend(module: ModuleType) -> None:
    """Let a module look names up that it does not have."""
    vars(module)["__getattr__"] = _finder(module, vars(module).get("__getattr__"))


def install() -> None:
    """Have these names and modules found from now on."""
    if not any(isinstance(finder, AbsentModules) for finder in sys.meta_path):
        sys.meta_path.insert(0, PresentModules())
        sys.meta_path.append(AbsentModules())
