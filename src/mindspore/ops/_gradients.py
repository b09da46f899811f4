"""Gradient primitives by name, declared at the first lookup."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from mindspore._engine.operator.registry import GRADIENTS, Declarations

_MARKS = ("Grad", "Backprop", "ConcatOffset", "RefToEmbed")


def gradient_primitive(name: str) -> type | None:
    """The gradient primitive of this name, or None if there is none.

    >>> gradient_primitive("ReluGrad")
    <class 'mindspore.ops.auto_generate.gen_ops_prim.ReluGrad'>
    >>> gradient_primitive("ReLU")
    """
    return _declared().primitives.get(name) if any(mark in name for mark in _MARKS) else None


def gradient_function(name: str) -> Callable[..., Any] | None:
    """The function of a gradient primitive, or None if there is none.

    >>> gradient_function("selu_grad").__name__
    'selu_grad'
    """
    return _declared().functions.get(name) if name.endswith(("_grad", "_grad_ext")) else None


def _declared() -> Declarations:
    import_module("mindspore.ops.operations._grad_ops")  # which declares them and says where they belong
    return GRADIENTS
