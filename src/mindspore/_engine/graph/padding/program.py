"""Converts a program with symbolic sizes to one on arrays that are padded to fixed sizes.

Its equations are interpreted by the rules of ``rules``, ``layout``, ``windows`` and ``loops``. The actual sizes are inputs,
so that one executable serves all sizes up to its limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import jax
from jax.export import is_symbolic_dim

from mindspore._engine.base.open_sizes import NotPadded, is_open, mentions_open
from mindspore._engine.graph.padding import layout, rules, windows
from mindspore._engine.graph.padding.loops import LOOPS
from mindspore._engine.graph.padding.rules import ELEMENTWISE, bind, elementwise, shape_of
from mindspore._engine.graph.padding.values import Layout, Lengths, Padded, layout_of
from mindspore._kernels.primitive import call

_RULES = rules.RULES | layout.RULES | windows.RULES
_CALLS = frozenset(
    ("jit", "pjit", "closed_call", "core_call", "custom_jvp_call", "custom_vjp_call", "remat", "checkpoint")
)


class PaddedProgram:
    """A function ``(sizes, *inputs) -> outputs`` of filled arrays; ``layouts`` of the outputs are known once it was traced."""

    def __init__(self, closed: Any, limits: Mapping[str, int]):
        self.closed, self.limits = closed, dict(limits)
        self.layouts: list[tuple[Layout, ...]] = []

    def __call__(self, sizes: Sequence[Any], *inputs: Any) -> list[Any]:
        lengths = Lengths(self.limits, dict(zip(self.limits, sizes, strict=True)))
        jaxpr = self.closed.jaxpr
        given = [
            Padded(array, [layout_of(size) for size in shape_of(variable)], lengths)
            for array, variable in zip(inputs, jaxpr.invars, strict=True)
        ]
        outputs = _evaluate(jaxpr, self.closed.consts, given, lengths)
        outputs = [one.settled(shape_of(v)) for one, v in zip(outputs, jaxpr.outvars, strict=True)]
        self.layouts = [one.axes for one in outputs]
        return [one.array for one in outputs]

    def shapes(self) -> list[tuple[int, ...]]:
        """Of the inputs, filled."""
        lengths = Lengths(self.limits, self.limits)
        return [lengths.shape(shape_of(variable)) for variable in self.closed.jaxpr.invars]


def _evaluate(jaxpr: Any, constants: Sequence[Any], inputs: list[Padded], lengths: Lengths) -> list[Padded]:
    known: dict[Any, Padded] = dict(zip(jaxpr.invars, inputs, strict=True))
    for variable, value in zip(jaxpr.constvars, constants, strict=True):
        known[variable] = _constant(value, variable, lengths)

    def read(variable: Any) -> Padded:
        return _constant(variable.val, variable, lengths) if hasattr(variable, "val") else known[variable]

    for equation in _needed(jaxpr):
        results = _run(equation, [read(v) for v in equation.invars], lengths)
        known.update(zip(equation.outvars, results, strict=True))
    return [read(v) for v in jaxpr.outvars]


def _needed(jaxpr: Any) -> list[Any]:
    """The equations that the results depend on."""
    live, found = set(map(id, jaxpr.outvars)), []
    for equation in reversed(jaxpr.eqns):
        if equation.effects or any(id(v) in live for v in equation.outvars):
            live.update(map(id, equation.invars))
            found.append(equation)
    return found[::-1]


def _constant(value: Any, variable: Any, lengths: Lengths) -> Padded:
    return Padded(value, [layout_of(size) for size in shape_of(variable)], lengths)


def _run(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    name = equation.primitive.name
    if name in _CALLS:
        inner = next(equation.params[key] for key in ("jaxpr", "call_jaxpr", "fun_jaxpr") if key in equation.params)
        return _evaluate(getattr(inner, "jaxpr", inner), getattr(inner, "consts", ()), operands, lengths)
    if not _takes_part(equation):
        arrays = bind(equation, [one.array for one in operands])
        return [
            Padded(array, [layout_of(n) for n in shape_of(v)], lengths) for array, v in zip(arrays, equation.outvars)
        ]
    if name in ELEMENTWISE:
        return elementwise(equation, operands, lengths)
    if name in LOOPS:
        return LOOPS[name](equation, operands, lengths, _evaluate)
    if name == "native":
        return _native(equation, operands, lengths)
    if name not in _RULES:
        raise NotPadded(f"'{name}' over an open axis")
    return _RULES[name](equation, operands, lengths)


def _takes_part(equation: Any) -> bool:
    """Whether a symbolic size occurs in an equation."""
    if any(is_open(getattr(v.aval, "shape", ())) for v in (*equation.invars, *equation.outvars)):
        return True
    for value in equation.params.values():
        for one in value if isinstance(value, (tuple, list)) else (value,):
            if is_symbolic_dim(one) or ((hasattr(one, "eqns") or hasattr(one, "jaxpr")) and mentions_open(one)):
                return True
    return False


def _native(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    """A kernel of our own: itself if it can ignore padding, else its plain form."""
    kernel, variables = equation.params["kernel"], equation.invars
    settled = [one.settled(shape_of(v)) for one, v in zip(operands, variables, strict=True)]
    apart = all(one.axes == tuple(map(layout_of, shape_of(v))) for one, v in zip(settled, variables, strict=True))
    if apart and (stopped := kernel.stopped([one.array for one in settled], lengths.now(shape_of(variables[0])[0]))):
        arrays = call(stopped[0], *stopped[1])
        forms = [tuple(map(layout_of, shape_of(v))) for v in equation.outvars]
        return [Padded(array, axes, lengths) for array, axes in zip(arrays, forms, strict=True)]
    first, *others = settled
    if not kernel.by_example or first.filled != [0] or any(one.filled for one in others):
        forms = [jax.ShapeDtypeStruct(shape_of(v), v.aval.dtype) for v in variables]
        plain = jax.jit(kernel.plain).trace(*forms).jaxpr
        return _evaluate(plain.jaxpr, plain.consts, operands, lengths)
    arrays = bind(equation, [first.array, *[one.array for one in others]])
    return [
        Padded(array, [first.axes[0], *map(layout_of, shape_of(variable)[1:])], lengths)
        for array, variable in zip(arrays, equation.outvars, strict=True)
    ]
