"""Rules for branches and loops: functions of the file, as MindSpore writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.export.mindir.builder import (
    FunctionForm,
    GraphValue,
    PrimitiveBuilder,
    TensorForm,
    WithoutPrimitive,
    form_of,
    rule,
)

NESTED = frozenset({"cond", "while", "scan"})
_LONGEST = 512  # steps of a scan that is written out


def _entered(
    builder: PrimitiveBuilder, title: str, values: Sequence[GraphValue]
) -> tuple[PrimitiveBuilder, list[GraphValue]]:
    """A function of the file with an input for each value."""
    inner = builder.inner(title)
    return inner, [GraphValue(one.form, inner.add_input(f"input_{i}", one.form)) for i, one in enumerate(values)]


def _finish(inner: PrimitiveBuilder, results: Sequence[GraphValue]) -> None:
    """A function returns one tensor, or a tuple."""
    forms = tuple(one.form for one in results)
    if len(results) == 1:
        inner.function.output = inner.name_of(results[0])
        inner.function.form = forms[0]
        return
    inner.function.output = inner.node("MakeTuple", [inner.name_of(one) for one in results], forms)
    inner.function.form = forms


def _results(builder: PrimitiveBuilder, name: str, forms: Sequence[TensorForm]) -> list[GraphValue]:
    return [GraphValue(forms[0], name)] if len(forms) == 1 else list(builder.parts(name, forms))


@rule("cond")
def branched(
    walk: Any, builder: PrimitiveBuilder, equation: Any, index: GraphValue, *operands: GraphValue
) -> list[GraphValue]:
    branches = equation.params["branches"]
    if len(branches) != 2:
        raise WithoutPrimitive("of more than two ways")
    forms = [form_of(var.aval) for var in equation.outvars]
    if index.array is not None:
        return walk.closed(builder, branches[int(index.array)], operands)
    condition = builder.cast(index, np.bool_)
    partials: list[str] = []
    names: list[str] = []
    for title, branch in (("true", branches[1]), ("false", branches[0])):
        inner, inputs = _entered(builder, title, operands)
        _finish(inner, walk.closed(inner, branch, inputs))
        given = [inner.function.name, *[builder.name_of(one) for one in operands]]
        names.append(inner.function.name)
        partials.append(builder.node("Partial", given, FunctionForm((inner.function.name,))))
    chosen = builder.node("Switch", [builder.name_of(condition), *partials], FunctionForm(tuple(names)))
    form: Any = forms[0] if len(forms) == 1 else tuple(forms)
    return _results(builder, builder.apply(chosen, [], form), forms)


@rule("while")
def repeated(walk: Any, builder: PrimitiveBuilder, equation: Any, *operands: GraphValue) -> list[GraphValue]:
    """A function that ends in a call of itself, as long as its condition holds."""
    parameters = equation.params
    test_count, body_count = parameters["cond_nconsts"], parameters["body_nconsts"]
    forms = [form_of(var.aval) for var in equation.outvars]
    form: Any = forms[0] if len(forms) == 1 else tuple(forms)
    head, inputs = _entered(builder, "loop", operands)
    carry = inputs[test_count + body_count :]
    (condition,) = walk.closed(head, parameters["cond_jaxpr"], [*inputs[:test_count], *carry])
    body, given = _entered(head, "body", inputs)
    results = walk.closed(body, parameters["body_jaxpr"], given[test_count:])
    again = [*given[: test_count + body_count], *results]
    body.function.output = body.apply(head.function.name, [body.name_of(one) for one in again], form)
    body.function.form = form
    after, last = _entered(head, "after", carry)
    _finish(after, last)
    ways = [
        head.node(
            "Partial",
            [one.function.name, *[head.name_of(value) for value in values]],
            FunctionForm((one.function.name,)),
        )
        for one, values in ((body, inputs), (after, carry))
    ]
    names = (body.function.name, after.function.name)
    chosen = head.node("Switch", [head.name_of(condition), *ways], FunctionForm(names))
    head.function.output, head.function.form = head.apply(chosen, [], form), form
    return _results(builder, builder.apply(head.function.name, [builder.name_of(one) for one in operands], form), forms)


@rule("scan")
def scanned(walk: Any, builder: PrimitiveBuilder, equation: Any, *operands: GraphValue) -> list[GraphValue]:
    """The steps one after the other."""
    parameters = equation.params
    constants, carried, length = parameters["num_consts"], parameters["num_carry"], parameters["length"]
    if not isinstance(length, int) or length > _LONGEST:
        raise WithoutPrimitive(f"of more than {_LONGEST} steps")
    shared, carry, rows = (
        operands[:constants],
        list(operands[constants : constants + carried]),
        operands[constants + carried :],
    )
    found: dict[int, list[GraphValue]] = {}
    order = range(length - 1, -1, -1) if parameters["reverse"] else range(length)
    for step in order:
        inputs = [_row(builder, one, step) for one in rows]
        results = walk.closed(builder, parameters["jaxpr"], [*shared, *carry, *inputs])
        carry, found[step] = results[:carried], results[carried:]
    forms = [form_of(var.aval) for var in equation.outvars[carried:]]
    stacked = [_stack(builder, [found[step][i] for step in range(length)], form) for i, form in enumerate(forms)]
    return [*carry, *stacked]


def _row(builder: PrimitiveBuilder, value: GraphValue, step: int) -> GraphValue:
    if value.array is not None:
        return builder.known(value.array[step])
    form = TensorForm(value.shape[1:], value.dtype)
    begin, end = [step, *[0] * len(form.shape)], [step + 1, *form.shape]
    if value.shape[0] == 1:
        return builder.reshape(value, form.shape)
    return builder.strided(value, begin, end, [1] * len(end), form, dropped=1)


def _stack(builder: PrimitiveBuilder, values: list[GraphValue], form: TensorForm) -> GraphValue:
    return builder.call("Stack", tuple(values), form=form, axis=0, num=len(values), N=len(values))
