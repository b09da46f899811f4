"""How a primitive of JAX becomes a function of NumPy arrays: the table of rules, and how one is declared.

A rule takes an equation and returns a function of its operands. What a rule cannot do exactly it refuses (``LeftToXLA``): the
kernel is compiled then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

Function = Callable[..., Any]


class LeftToXLA(Exception):
    """This equation is left to XLA."""


class Rule(NamedTuple):
    """A rule: ``make(equation)`` returns the function."""

    make: Callable[[Any], Function]
    nanoseconds: float  # for one element of the largest operand or result: a constant of the rule, not measured
    elementwise: bool = False  # operands broadcast against each other as NumPy's do
    view: bool = False  # the result may share the operand's memory
    quiet: bool = False  # NumPy never warns about its results


RULES: dict[str, Rule] = {}

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
HALVES = (np.dtype(np.float16), BFLOAT16)
_DTYPES = {
    np.dtype(one) for one in ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
} | {BFLOAT16}


def rule(*names: str, nanoseconds: float = 1.0, **traits: bool) -> Callable[[Function], Function]:
    """Declare the rule of one or several primitives."""

    def declare(make: Function) -> Function:
        for name in names:
            RULES[name] = Rule(make, nanoseconds, **traits)
        return make

    return declare


def dtypes_of(variables: Any) -> list[np.dtype]:
    """The dtypes of an equation's inputs or outputs."""
    return [variable.aval.dtype for variable in variables]


def check_dtypes(variables: Any) -> None:
    """Refuse what NumPy does not compute with: keys, numbers of four and eight bits."""
    for dtype in dtypes_of(variables):
        if dtype not in _DTYPES:
            raise LeftToXLA(f"dtype {dtype}")


def shape_of(variable: Any) -> tuple[int, ...]:
    """The shape of an input or output."""
    return tuple(variable.aval.shape)


def widened(function: Function, equation: Any) -> Function:
    """The function, with operands of 16 bits as float32: NumPy has no arithmetic of its own for them."""
    inputs, (output, *_) = dtypes_of(equation.invars), dtypes_of(equation.outvars)
    if not any(dtype in HALVES for dtype in inputs):
        return function
    narrow = output if output in HALVES else None

    def call(*operands: Any) -> Any:
        result = function(*[x.astype(np.float32) if x.dtype in HALVES else x for x in operands])
        return result if narrow is None else result.astype(narrow)

    return call


def identity(x: Any) -> Any:
    """The operand itself."""
    return x
