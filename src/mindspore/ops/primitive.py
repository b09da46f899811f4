"""``mindspore.ops.primitive``: the base classes of operators."""

from __future__ import annotations

from typing import Any

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
    "PrimitiveWithCheck",
    "PrimitiveWithInfer",
    "_primexpr",
    "_run_op",
    "constexpr",
    "prim_arg_register",
    "prim_attr_register",
]

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
