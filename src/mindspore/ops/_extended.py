"""Names that only MindSpore's own modules of functions have: ``glu_ext`` is ``mint``'s, ``uniform_`` a method."""

from __future__ import annotations

from importlib import import_module

from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.generated.declare import GENERATED
from mindspore.ops import _function_steps, function, operations
from mindspore.ops._gradients import gradient_function

_SUFFIX = "_ext"


def extended(name: str) -> object:
    """What a module such as ``mindspore.ops.function.nn_func`` calls by this name."""
    if found := gradient_function(name):
        return found
    if name in vars(_function_steps):
        return vars(_function_steps)[name]
    if name.endswith(_SUFFIX) and not hasattr(function, name):
        short = name.removesuffix(_SUFFIX)
        for names in (vars(import_module("mindspore.mint.nn.functional")), vars(import_module("mindspore.mint"))):
            if short in names:  # of a layer above, so only when asked
                return names[short]
        return getattr(function, short)
    if name.endswith("_") and not name.startswith("_") and not hasattr(function, name) and hasattr(Tensor, name):
        return getattr(Tensor, name)
    return getattr(function, name)


def operation(name: str) -> object:
    """What a module such as ``mindspore.ops.operations.nn_ops`` calls by this name: it also has generated primitives."""
    if not hasattr(operations, name):
        generated = import_module("mindspore.ops.auto_generate._names").primitive(name)  # it needs this module
        if generated is not None:
            return generated
        if name in GENERATED.primitives:  # one that only this module has
            return GENERATED.primitives[name]
        if (found := import_module("mindspore.ops._composed_primitives").composed(name)) is not None:
            return found
    return getattr(operations, name)
