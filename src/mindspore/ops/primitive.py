"""``mindspore.ops.primitive``: the base classes of operators."""

from mindspore._engine.compiler import constexpr
from mindspore._engine.primitive import Primitive
from mindspore._ops.custom_primitive import PrimitiveWithCheck, PrimitiveWithInfer, prim_attr_register

__all__ = ["Primitive", "PrimitiveWithCheck", "PrimitiveWithInfer", "constexpr", "prim_attr_register"]
