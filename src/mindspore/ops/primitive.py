"""``mindspore.ops.primitive``: the base classes of operators."""

from __future__ import annotations

from enum import IntEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mindspore._engine.graph.jit import constexpr
from mindspore._engine.operator.primitive import Primitive
from mindspore._ops.functional.custom_primitive import (
    PrimitiveWithCheck,
    PrimitiveWithInfer,
    prim_arg_register,
    prim_attr_register,
)

__all__ = [
    "Primitive",
    "PrimitiveFunction_",
    "PrimitiveWithCheck",
    "PrimitiveWithInfer",
    "Primitive_",
    "_primexpr",
    "_run_op",
    "constexpr",
    "prim_arg_register",
    "prim_attr_register",
    "prim_type",
]

Primitive_ = PrimitiveFunction_ = Primitive  # the classes of MindSpore's compiled part


class prim_type(IntEnum):  # noqa: N801 - MindSpore's name
    """Where a Primitive's form and its computation come from."""

    unknown = 0
    builtin = 1
    py_infer_shape = 2
    user_custom = 3
    py_infer_check = 4


# A function of shapes and other constants of a graph; MindSpore runs it while it compiles, as constexpr is run here.
_primexpr = constexpr


def _run_op(obj: Primitive, op_name: str, args: tuple) -> Any:
    """Call a Primitive with a tuple of inputs.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> from mindspore.ops.primitive import _run_op
        >>> print(_run_op(ops.Add(), "Add", (Tensor(1.0), Tensor(2.0))))
        3.0
    """
    call: Any = obj
    return call(*args)


def jit_context() -> None:
    """The context of MindSpore's own just-in-time compiler while it runs: None, as graphs here are traced."""


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name == "Layout":  # a layer above, so only when asked
            return import_module("mindspore.parallel.shard").Layout
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
