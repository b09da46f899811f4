"""The fields that Cell itself keeps in an object's ``__dict__``: each is declared once, with its initial value.

Programs reach into some of them (``net._cells``, ``net._params``), so they are plain attributes under MindSpore's names.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

# -- present from the start: how each initial value is made -----------------------------------------------------------
_INITIAL: dict[str, Callable[[], Any]] = {
    # the tree
    "_params": OrderedDict, "_cells": OrderedDict, "_primitives": OrderedDict, "_param_prefix": str, "_create_time": time.time_ns,
    # buffers and state dicts
    "_buffers": dict, "_unsaved_buffers": set,
    "_state_dict_hooks": lambda: {when: {} for when in ("save", "saved", "load", "loaded")},
    # modes and flags
    "_flags": dict, "_phase": lambda: "train", "_requires_grad": bool, "training": bool, "last_change": str,
    # hooks
    "_forward_pre_hook": OrderedDict, "_forward_hook": OrderedDict, "_backward_hook": OrderedDict,
    "_backward_pre_hook": OrderedDict,
    # what calls and graphs know
    "_cell_held": dict, "_cell_version": int, "_cell_called": bool, "_cell_dtype": lambda: None,
    "_cell_mixed": lambda: None, "_cell_converts": int,
}  # fmt: skip
# -- there once somebody needs them -----------------------------------------------------------------------------------
_LATER = ("_auto_prefix", "_numbered", "_example_inputs", "_cell_inside", "_parameter_hooks", "_saved_tensors")
# Compiled graphs and recordings belong to a single object: they are kept out of copies and pickles.
NOT_COPIED = ("_cell_graphs", "_compiled_functions", "_recorded", "_cell_held", "_cell_traced")
# What calls note on the way: a graph does not depend on it.
NOT_IN_DIGEST = frozenset(
    (*NOT_COPIED, "_create_time", "last_change", "_cell_version", "_cell_called", "_cell_inside", "_numbered")
)
OWN_FIELDS = frozenset((*_INITIAL, *_LATER, *NOT_COPIED))  # attributes that are a Cell's own, not the program's


def initial_fields(auto_prefix: bool) -> dict[str, Any]:
    """The fields of a new Cell."""
    return {"_auto_prefix": auto_prefix, "cell_type": None, **{name: make() for name, make in _INITIAL.items()}}
