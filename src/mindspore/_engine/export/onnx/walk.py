"""Convert a jaxpr in order: inline calls, fold constants, convert the rest."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax.extend.core import Literal

from mindspore._engine.export import plainer_matrix, plainer_special  # noqa: F401 - declare their forms
from mindspore._engine.export.onnx.builder import Builder, Unsupported, Value, converters, is_known
from mindspore._engine.export.plainer import plainer_form
from mindspore._utils.folders import PACKAGE

_CALLS = {"jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "core_call": "call_jaxpr", "remat": "jaxpr",
          "checkpoint": "jaxpr", "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr",
          "custom_lin": "call_jaxpr"}  # fmt: skip
_SAME = {
    "stop_gradient",
    "copy",
    "copy_p",
    "optimization_barrier",
    "sharding_constraint",
    "device_put",
    "reduce_precision",
}
_LARGEST_FOLDED = 1 << 16  # elements; larger constants are not folded
_OURS = (PACKAGE, f"{Path(jax.__file__).parent}{os.sep}")  # this library and JAX


class Findings:
    """Unsupported primitives with reason and source line, counted."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, str, str], int] = {}
        self.callers: list[str] = []  # source lines of the enclosing inlined calls

    def add(self, equation: Any, reason: str) -> None:
        line = next((line for line in [*self.callers, line_of(equation)] if line), "")
        key = (equation.primitive.name, reason, line)
        self.counts[key] = self.counts.get(key, 0) + 1

    def text(self) -> str:
        lines = []
        for (primitive, reason, line), count in self.counts.items():
            lines.append(f"  {primitive} ({count} x){': ' + reason if reason else ''}{', at ' + line if line else ''}")
        return "\n".join(lines)


def line_of(equation: Any) -> str:
    """The line of user code that an equation comes from."""
    traceback = equation.source_info.traceback
    for frame in traceback.frames if traceback is not None else ():
        name = frame.file_name
        if not name.startswith(("<", *_OURS)):
            return f"{name}:{frame.line_num}"
    return ""


def convert(
    builder: Builder, jaxpr: Any, consts: Sequence[Any], inputs: Sequence[Value], findings: Findings
) -> list[Value]:
    """Convert an open jaxpr; returns its results as values of the builder's graph."""
    values: dict[Any, Value] = dict(zip(jaxpr.invars, inputs, strict=True))
    values.update((var, Value(array=np.asarray(c))) for var, c in zip(jaxpr.constvars, consts, strict=True))

    def read(var: Any) -> Value:
        if not isinstance(var, Literal):
            return values[var]
        aval: Any = var.aval
        return Value(array=np.asarray(var.val, aval.dtype))

    for equation in jaxpr.eqns:
        results = _converted(builder, equation, [read(var) for var in equation.invars], findings)
        values.update(zip(equation.outvars, results, strict=True))
    return [read(var) for var in jaxpr.outvars]


def _converted(builder: Builder, equation: Any, inputs: list[Value], findings: Findings) -> list[Value]:
    name = equation.primitive.name
    if name in _SAME:
        return inputs
    if name in _CALLS:
        return _inlined(builder, equation, equation.params[_CALLS[name]], inputs, findings)
    if name == "native":  # a custom call: convert its portable form
        avals = [var.aval for var in equation.invars]
        return _inlined(builder, equation, jax.make_jaxpr(equation.params["kernel"].plain)(*avals), inputs, findings)
    folded = _folded(equation, inputs)
    if folded is not None:
        return folded
    try:
        if name not in converters:
            raise Unsupported("")
        converter = converters[name]
        if getattr(converter, "has_graphs", False):
            found = converter(builder, equation, findings, *inputs)
        else:
            found = converter(builder, equation, *inputs)
    except Unsupported as error:
        plain = plainer_form(equation)
        if plain is not None:
            return _inlined(builder, equation, plain, inputs, findings)
        findings.add(equation, str(error))
        found = [builder.fresh("missing") for _ in equation.outvars]
    found = [found] if isinstance(found, (str, Value)) else found
    return [result if isinstance(result, Value) else Value(result) for result in found]


def _inlined(builder: Builder, equation: Any, inner: Any, inputs: list[Value], findings: Findings) -> list[Value]:
    findings.callers.append(line_of(equation))
    try:
        return convert(builder, getattr(inner, "jaxpr", inner), getattr(inner, "consts", ()), inputs, findings)
    finally:
        findings.callers.pop()


def _folded(equation: Any, inputs: list[Value]) -> list[Value] | None:
    """Constant folding: the results, if all operands are known and the results small."""
    if equation.primitive.name in ("broadcast_in_dim", "scan", "while", "cond") or equation.effects:
        return None
    if any(value.array is None for value in inputs):
        return None
    shapes = [var.aval.shape for var in equation.outvars]
    if not all(is_known(size) for shape in shapes for size in shape):
        return None
    if sum(int(np.prod(shape)) for shape in shapes) > _LARGEST_FOLDED or "dim" in equation.params:
        return None
    try:
        with jax.ensure_compile_time_eval():
            results = equation.primitive.bind(*[value.array for value in inputs], **equation.params)
            results = results if equation.primitive.multiple_results else [results]
            return [Value(array=np.asarray(result)) for result in results]
    except Exception:  # not evaluable eagerly: convert instead
        return None
