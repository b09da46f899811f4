"""Whose code something is: the program's, the package's, or another library's."""

from __future__ import annotations

import inspect
import os
import sys
from typing import Any

from mindspore import nn, ops
from mindspore.ops import functional

_subtree_black_list: list[type] = [nn.CellList, nn.SequentialCell]  # programs add classes that are to stay whole


def is_subtree(cls_inst: Any) -> bool:
    """Whether a Cell is the program's own, and its ``construct`` can be looked into.

    >>> is_subtree(nn.ReLU())
    False
    """
    own = isinstance(cls_inst, nn.Cell) and not type(cls_inst).__module__.startswith("mindspore.")
    return own and not isinstance(cls_inst, tuple(_subtree_black_list))


def is_functional(func_name: str) -> bool:
    """Whether a name is one of an operator's functions.

    >>> is_functional("relu"), is_functional("my_function")
    (True, False)
    """
    return get_functional(func_name) is not None


def get_functional(func_name: str) -> Any:
    """The function of an operator, or None."""
    return getattr(functional, func_name, None) or getattr(ops, func_name, None)


def is_ms_function(func_obj: Any) -> bool:
    """Whether a function is the package's own.

    >>> is_ms_function(ops.relu), is_ms_function(len)
    (True, False)
    """
    return (getattr(func_obj, "__module__", None) or "").startswith("mindspore.")


def is_third_party(func_obj: Any) -> bool:
    """Whether a function belongs to an installed library, and is not the program's own."""
    if is_ms_function(func_obj) or not inspect.isroutine(func_obj) or inspect.isbuiltin(func_obj):
        return True
    module = sys.modules.get(func_obj.__module__)
    path = os.path.realpath(getattr(module, "__file__", None) or "")
    installed = [os.path.realpath(os.path.dirname(file)) for file in (os.__file__,)]
    return "site-packages" in path or any(path.startswith(folder + os.sep) for folder in installed)


def get_top_level_module_path(module_path: str) -> str:
    """The folder of the outermost package around a file; the file itself where there is none."""
    folder, found = os.path.dirname(module_path), module_path
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        found, folder = folder, os.path.dirname(folder)
    return found
