"""A cost model: how much a program with symbolic sizes computes at given sizes, and how much it costs to compile.

Both follow from its equations alone, so that the same program always gets the same buckets.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import jax
from jax.export import is_symbolic_dim

from mindspore._engine.base import open_sizes

# Measured on a CPU: 4e10 operations a second; a compilation takes 0.25 s and 2 ms for each equation. Padding pays off
# if 40 calls take less than that.
_ALWAYS, _FOR_EACH = 2.5e8, 2e6
_INNER = ("jaxpr", "call_jaxpr", "fun_jaxpr", "body_jaxpr", "cond_jaxpr", "branches")


class ProgramCost:
    """The equations of a program, those inside of loops and calls included, with how often they run."""

    def __init__(self, closed: Any):
        self.steps: list[tuple[Any, list[Any]]] = []
        self._collect(closed.jaxpr, [])

    def _collect(self, jaxpr: Any, times: list[Any]) -> None:
        for equation in jaxpr.eqns:
            inner = _programs_in(equation)
            repeated = [*times, equation.params["length"]] if equation.primitive.name == "scan" else times
            for one in inner:
                self._collect(getattr(one, "jaxpr", one), repeated)
            if not inner:
                self.steps.append((equation, times))

    def operations(self, lengths: Mapping[str, int]) -> float:
        """Additions, multiplications and so on at these lengths."""
        known: dict[Any, int] = {}

        def value(size: Any) -> int:
            if not is_symbolic_dim(size):
                return size
            if size not in known:
                known[size] = open_sizes.value_of(size, lengths)
            return known[size]

        return float(sum(math.prod(map(value, times)) * _work(step, value) for step, times in self.steps))

    @property
    def allowed(self) -> float:
        """Operations of one call that are worth less than a compilation."""
        return _ALWAYS + _FOR_EACH * len(self.steps)


def _programs_in(equation: Any) -> list[Any]:
    if equation.primitive.name == "native":
        forms = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype) for v in equation.invars]
        return [jax.jit(equation.params["kernel"].plain).trace(*forms).jaxpr]
    found: list[Any] = []
    for name in _INNER:
        value = equation.params.get(name, ())
        found += value if isinstance(value, (tuple, list)) else [value]
    return found


def _work(equation: Any, value: Any) -> int:
    results = sum(math.prod(map(value, v.aval.shape)) for v in equation.outvars)
    name = equation.primitive.name
    if name == "dot_general":
        (summed, _), _ = equation.params["dimension_numbers"]
        return 2 * results * math.prod(value(equation.invars[0].aval.shape[axis]) for axis in summed)
    if name == "conv_general_dilated":
        weight = equation.invars[1].aval.shape
        return 2 * results * math.prod(map(value, weight)) // weight[equation.params["dimension_numbers"].rhs_spec[0]]
    taken = sum(math.prod(map(value, getattr(v.aval, "shape", ()))) for v in equation.invars)
    return results + taken if name.startswith(("reduce", "cum", "arg")) else results
