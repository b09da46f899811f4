"""Run the calls of ``form_cases`` on a MindSpore and tell the kind of each result, eagerly and compiled."""

from __future__ import annotations

import functools
import importlib
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from tools.oracle.execute import define, public_names


def inputs(ms: Any) -> dict[str, Any]:
    random = np.random.RandomState(0)
    index = random.randint(0, 2, (2, 3, 4))
    values = {
        "x": random.randn(2, 3, 4).astype("float32"), "y": random.rand(2, 3, 4).astype("float32") + 0.5,
        "m": random.randn(3, 3).astype("float32"), "v": random.randn(4).astype("float32"),
        "n": random.randint(-5, 6, (2, 3, 4)).astype("int32"), "b": random.rand(2, 3, 4) > 0.5,
        "i": index.astype("int32"), "j": index.astype("int64"), "k": np.array([1, 0]), "s": np.array(0.5, "float32"),
        "r": random.randn(5, 4).astype("float32"), "z": (random.randn(2, 3) + 1j).astype("complex64"),
    }  # fmt: skip
    return {name: ms.Tensor(value) for name, value in values.items()}


def kind_of(result: Any, ms: Any) -> str:
    """``float32 (2, 3)`` of a Tensor, ``(..., ...)`` of several, the type's name of anything else."""
    if isinstance(result, (tuple, list)):
        name = "" if isinstance(result, tuple) else "list"
        return f"{name}({'; '.join(kind_of(part, ms) for part in result)})"
    if isinstance(result, ms.Tensor):
        shape = ",".join(map(str, result.shape))
        return f"{str(result.dtype).lower()}[{shape}]"
    return type(result).__name__


def _attempt(function: Callable[..., Any], ms: Any) -> str:
    try:
        return kind_of(function(*inputs(ms).values()), ms)
    except Exception as error:
        return type(error).__name__


@functools.cache
def _module(ms: Any) -> types.ModuleType:
    """The names of the calls as a module: real MindSpore's compiler looks globals up in the function's module."""
    module = sys.modules["form_calls"] = types.ModuleType("form_calls")
    vars(module).update(public_names(ms), mint=importlib.import_module(f"{ms.__name__}.mint"))
    return module


def kinds(ms: Any, call: str) -> tuple[str, str]:
    """The kinds of a call's result: eagerly, and in a compiled function."""
    source = f"def call({', '.join(inputs(ms))}):\n    return {call}\n"
    function = define(source, "call", vars(_module(ms)))
    function.__module__ = "form_calls"
    return _attempt(function, ms), _attempt(ms.jit(function), ms)
