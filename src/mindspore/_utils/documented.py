"""Public classes and functions say that they come from MindSpore's documented modules, wherever they are written here.

Pickles, printed forms, documents and libraries depend on it: ``nn.Dense`` is ``mindspore.nn.layer.basic.Dense``. Every
public package ends with ``claim(__name__)``, which looks its names up in :mod:`mindspore._utils.documents.documented_modules`.
"""

from __future__ import annotations

import inspect
import os
import sys
import types
from typing import Any

from mindspore._utils.documents import complete
from mindspore._utils.documents.documented_modules import DOCUMENTED

_written: dict[Any, str] = {}  # what was renamed -> the module it is written in
_FOLDER = os.path.dirname(os.path.dirname(__file__))
_settled: set[Any] = set()  # what has its documented module, and does not get another


def written_in(thing: Any) -> str:
    """The module in which a class or function is written, which need not be its ``__module__``.

    >>> from mindspore import nn
    >>> nn.Dense.__module__, written_in(nn.Dense)
    ('mindspore.nn.layer.basic', 'mindspore.nn.layer._implementation.dense')
    """
    return _written.get(thing) or getattr(thing, "__module__", None) or ""


def claim(package: str, *also: str) -> None:
    """Give what a public package shows its documented module; what has none and is private becomes the package's own.

    Args:
        package: the package, loaded to its end.
        also: further packages of MindSpore whose names are found in this package.
    """
    names = vars(sys.modules[package])
    public = names.get("__all__", names)
    documented: dict[str, str] = {}
    for module in (package, *also):
        for home, listed in DOCUMENTED.get(module, {}).items():
            if _exists(home):
                for name in listed.split():
                    documented.setdefault(name, home)
    second = []
    for name, home in documented.items():
        thing = names.get(name)
        if _is_ours(thing) and thing not in _settled:
            if thing.__qualname__ == name:
                _settle(thing, home)
            elif "." not in thing.__qualname__:
                second.append((name, thing, home))
    for name, thing, home in second:  # only where no package documents it by its own name
        if thing not in _settled:
            thing.__name__ = thing.__qualname__ = name
            _settle(thing, home)
    for name, thing in list(names.items()):
        shown = name in public and not name.startswith("_") and _is_ours(thing) and thing.__qualname__ == name
        if shown and "._" in thing.__module__ and thing not in _settled:
            _move(thing, package)
        if name in public and not name.startswith("_") and _is_ours(thing):
            complete(thing, name=name)


def _exists(module: str) -> bool:
    """Whether a module can be imported, without importing it."""
    path = os.path.join(_FOLDER, *module.split(".")[1:])
    return module in sys.modules or os.path.isfile(path + ".py") or os.path.isfile(os.path.join(path, "__init__.py"))


def _is_ours(thing: Any) -> bool:
    return isinstance(thing, (type, types.FunctionType)) and (thing.__module__ or "").startswith("mindspore.")


def _settle(thing: Any, home: str) -> None:
    _settled.add(thing)
    _move(thing, home)
    if home in sys.modules:  # it may lack what is written on top of it: mindspore.nn.cell.GraphCell
        vars(sys.modules[home]).setdefault(thing.__qualname__, thing)


def _move(thing: Any, home: str) -> None:
    if thing.__module__ != home:
        _written.setdefault(thing, thing.__module__)
        line = vars(thing).get("__firstlineno__")  # Python 3.13 drops it with the module
        thing.__module__ = home
        if line is not None:
            thing.__firstlineno__ = line


_file_of = inspect.getfile


def _getfile(thing: Any) -> str:
    """``inspect.getfile``, which takes a class to stand in the file of the module it names: ``??`` would not find it."""
    module = sys.modules.get(_written[thing]) if isinstance(thing, type) and thing in _written else None
    return getattr(module, "__file__", None) or _file_of(thing)


inspect.getfile = _getfile
