"""The handles users hold: Tensor, Parameter, deferred initialization and the initializers."""

import importlib


def __getattr__(name: str) -> object:
    """Names that were in the module of this path, which pickles of earlier versions ask for."""
    if name in ("Tensor", "_rebuild"):
        return getattr(importlib.import_module("mindspore._engine.tensor.tensor"), name)
    raise AttributeError(name)
