"""Modules that are imported when they are first used, where an import at the top would close a cycle or load too much.

Every use is a knot in the layers: ``tests/test_layers.py`` lists them all.
"""

from __future__ import annotations

import importlib
from typing import Any


class deferred:  # noqa: N801 - stands for a module: rewriter = deferred("mindspore._engine.syntax.rewriter")
    """Stands for a module; reading an attribute imports it."""

    def __init__(self, module: str):
        self.__name__ = module

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self.__name__), name)
