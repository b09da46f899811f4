"""Kernels of our own, called on arrays of NumPy as compiled programs call them."""

from __future__ import annotations

from typing import Any

from mindspore._engine.interpreter.rules import rule
from mindspore._kernels import direct


def runs_directly(equation: Any) -> bool:
    """Whether an equation is a kernel that needs no plain form."""
    return equation.primitive.name == "native" and _function(equation) is not None


def _function(equation: Any) -> Any:
    inputs, outputs = ([variable.aval for variable in side] for side in (equation.invars, equation.outvars))
    return direct.function_of(equation.params["kernel"], inputs, outputs)


@rule("native", nanoseconds=0.04, quiet=True)
def _native(equation: Any) -> Any:
    return _function(equation)
