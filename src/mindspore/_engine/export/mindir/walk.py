"""Convert a jaxpr of marked calls in order: operators to their primitives, all else by the rules for JAX's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import Literal

from mindspore._engine.export import plainer_matrix, plainer_special  # noqa: F401 - declare their forms
from mindspore._engine.export.mindir import elementwise, flow, matrix, operators, shaping, windows  # noqa: F401 - declare their rules
from mindspore._engine.export.mindir.builder import (
    GraphValue,
    PrimitiveBuilder,
    WithoutPrimitive,
    form_of,
    is_open,
    known_shape,
    rules,
)
from mindspore._engine.export.mindir.marked_calls import MarkedCalls
from mindspore._engine.export.onnx.walk import _CALLS, _SAME, Findings, line_of
from mindspore._engine.export.plainer import plainer_form

_LARGEST_FOLDED = 1 << 16  # elements


class Walk:
    """One conversion: the kernels behind the calls, and what has no form."""

    def __init__(self, calls: MarkedCalls):
        self.calls = calls
        self.findings = Findings()
        self.operator = ""  # the operator whose body is converted

    def convert(
        self, builder: PrimitiveBuilder, jaxpr: Any, consts: Sequence[Any], inputs: Sequence[GraphValue]
    ) -> list[GraphValue]:
        """The results of an open jaxpr as values of the builder's function."""
        values: dict[Any, GraphValue] = dict(zip(jaxpr.invars, inputs, strict=True))
        values.update((var, builder.known(np.asarray(c))) for var, c in zip(jaxpr.constvars, consts, strict=True))

        def read(var: Any) -> GraphValue:
            if isinstance(var, Literal):
                aval: Any = var.aval
                return builder.known(np.asarray(var.val, aval.dtype))
            return values[var]

        for equation in jaxpr.eqns:
            results = self.equation(builder, equation, [read(var) for var in equation.invars])
            values.update(zip(equation.outvars, results, strict=True))
        return [read(var) for var in jaxpr.outvars]

    def closed(self, builder: PrimitiveBuilder, closed: Any, inputs: Sequence[GraphValue]) -> list[GraphValue]:
        return self.convert(builder, getattr(closed, "jaxpr", closed), getattr(closed, "consts", ()), inputs)

    def equation(self, builder: PrimitiveBuilder, equation: Any, inputs: list[GraphValue]) -> list[GraphValue]:
        name = equation.primitive.name
        if name in _SAME:
            return inputs
        folded = _folded(equation, inputs)
        if folded is not None:
            return [builder.known(one) for one in folded]
        empty = [form_of(var.aval) for var in equation.outvars]
        if not equation.effects and all(0 in form.shape and not is_open(form.shape) for form in empty):
            return [builder.known(np.zeros(known_shape(form.shape), form.dtype)) for form in empty]
        if name == "select_n" and inputs[0].array is not None and not inputs[0].shape:
            return [inputs[1 + int(inputs[0].array)]]
        if name in _CALLS:
            return self._called(builder, equation, inputs)
        if name == "native":  # a custom call: its portable form
            avals = [var.aval for var in equation.invars]
            return self.closed(builder, jax.make_jaxpr(equation.params["kernel"].plain)(*avals), inputs)
        before = len(builder.function.nodes)
        try:
            if name not in rules:
                raise WithoutPrimitive("")
            found = rules[name](builder, equation, *inputs) if name not in flow.NESTED else rules[name](self, builder, equation, *inputs)  # fmt: skip
        except WithoutPrimitive as error:
            plain = plainer_form(equation)
            if plain is not None:
                builder.take_back(before)
                return self._inlined(builder, equation, plain, inputs)
            self.findings.add(equation, f"{error}{f' in {self.operator}' if self.operator else ''}".strip())
            return [GraphValue(form_of(var.aval), "missing") for var in equation.outvars]
        return [found] if isinstance(found, GraphValue) else list(found)

    def _called(self, builder: PrimitiveBuilder, equation: Any, inputs: list[GraphValue]) -> list[GraphValue]:
        """An operator as its primitive where MindSpore has it, else what it is made of."""
        kernel = self.calls.kernel_of(equation.params.get("name", ""))
        forms = [form_of(var.aval) for var in equation.outvars]
        declared = getattr(getattr(kernel, "function", None), "declared", None)
        if declared is not None:
            before = len(builder.function.nodes)
            try:
                return operators.emitted(builder, declared, inputs, forms)
            except WithoutPrimitive:
                builder.take_back(before)
        outer = self.operator
        self.operator = outer if declared is None else declared[0].title
        try:
            return self._inlined(builder, equation, equation.params[_CALLS[equation.primitive.name]], inputs)
        finally:
            self.operator = outer

    def _inlined(
        self, builder: PrimitiveBuilder, equation: Any, inner: Any, inputs: list[GraphValue]
    ) -> list[GraphValue]:
        self.findings.callers.append(line_of(equation))
        try:
            return self.closed(builder, inner, inputs)
        finally:
            self.findings.callers.pop()


def _folded(equation: Any, inputs: list[GraphValue]) -> list[np.ndarray] | None:
    """The results, where all operands are known and the results small."""
    if equation.effects or any(value.array is None for value in inputs) or not _closed(equation):
        return None
    shapes = [var.aval.shape for var in equation.outvars]
    if not all(isinstance(size, int) for shape in shapes for size in shape):
        return None
    if sum(int(np.prod(shape)) for shape in shapes) > _LARGEST_FOLDED:
        return None
    try:
        with jax.ensure_compile_time_eval():
            results = equation.primitive.bind(*[value.array for value in inputs], **equation.params)
            results = results if equation.primitive.multiple_results else [results]
            return [np.asarray(result) for result in results]
    except Exception:  # not evaluable now: converted instead
        return None


def _closed(equation: Any) -> bool:
    """Whether a call without operands is a constant: random numbers and open sizes are none."""
    return equation.primitive.name not in ("scan", "while", "cond", "dim_as_value", "random_bits")
