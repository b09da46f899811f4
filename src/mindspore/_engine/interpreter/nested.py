"""Equations that stand for a jaxpr of their own."""

from __future__ import annotations

import functools
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr

from mindspore._engine.interpreter import native_calls
from mindspore._engine.interpreter.random_bits import KEYED, generator_call
from mindspore._engine.interpreter.rules import shape_of
from mindspore._kernels.matrices.product import Product, Weights

_INLINE = {"jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "core_call": "call_jaxpr", "remat2": "jaxpr",
           "checkpoint": "jaxpr", "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr"}  # fmt: skip


def inner_jaxpr(equation: Any) -> Any:
    """The jaxpr that an equation stands for."""
    name = equation.primitive.name
    if name in _INLINE:
        found = equation.params[_INLINE[name]]
        return found if hasattr(found, "consts") else ClosedJaxpr(found, ())
    if name == "native":
        if native_calls.runs_directly(equation):
            return None
        return _plain_form(equation.params["kernel"], tuple((shape_of(x), x.aval.dtype) for x in equation.invars))
    return generator_call(equation) if name in KEYED else None


def plain_product(equation: Any) -> Any:
    """The plain form of a product of matrices."""
    if equation.primitive.name != "native" or not isinstance(equation.params["kernel"], (Product, Weights)):
        return None
    return _plain_form(equation.params["kernel"], tuple((shape_of(x), x.aval.dtype) for x in equation.invars))


@functools.lru_cache(512)
def _plain_form(kernel: Any, forms: tuple) -> Any:
    return jax.make_jaxpr(kernel.plain)(*[jax.ShapeDtypeStruct(*form) for form in forms])
