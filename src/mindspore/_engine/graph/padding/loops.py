"""Loops and branches inside a program with symbolic sizes; see ``rules``.

Inner jaxprs are converted like the outer one. A scan over a padded axis runs to its limit and keeps its carry beyond the
axis' size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax
from jax.export import is_symbolic_dim

from mindspore._engine.base.open_sizes import NotPadded
from mindspore._engine.graph.padding.rules import shape_of
from mindspore._engine.graph.padding.values import Layout, Lengths, Padded, layout_of

Evaluate = Callable[[Any, Sequence[Any], list[Padded], Lengths], list[Padded]]
Axes = list[tuple[Layout, ...]]


class _Inner:
    """A program inside an equation, as a function of arrays with known layouts."""

    def __init__(self, closed: Any, evaluate: Evaluate, lengths: Lengths):
        self.jaxpr, self.constants = closed.jaxpr, closed.consts
        self.evaluate, self.lengths = evaluate, lengths
        self.layouts: Axes = []  # of the results, known once it was traced

    def __call__(self, arrays: Sequence[Any], axes: Axes) -> list[Any]:
        given = [Padded(array, layout, self.lengths) for array, layout in zip(arrays, axes, strict=True)]
        found = self.evaluate(self.jaxpr, self.constants, given, self.lengths)
        found = [one.settled(shape_of(v)) for one, v in zip(found, self.jaxpr.outvars, strict=True)]
        self.layouts = [one.axes for one in found]
        return [one.array for one in found]


def _axes(operands: Sequence[Padded]) -> Axes:
    return [one.axes for one in operands]


def _require_same(found: Axes, expected: Axes) -> None:
    if found != expected:
        raise NotPadded("a loop or branch changes how an open axis is filled")


def scan(equation: Any, operands: list[Padded], lengths: Lengths, evaluate: Evaluate) -> list[Padded]:
    """A loop with as many steps as an axis has elements."""
    parameters = equation.params
    operands = [one.settled(shape_of(v)) for one, v in zip(operands, equation.invars, strict=True)]
    first, second = parameters["num_consts"], parameters["num_consts"] + parameters["num_carry"]
    fixed, carried, given = operands[:first], operands[first:second], operands[second:]
    steps = parameters["length"]
    if any(one.axes[0] != layout_of(steps) for one in given):
        raise NotPadded("a loop over an axis made of several")
    inner = _Inner(parameters["jaxpr"], evaluate, lengths)
    axes = [*_axes(fixed), *_axes(carried), *[one.axes[1:] for one in given]]
    is_open = is_symbolic_dim(steps)
    end = lengths.now(steps)

    def step(state: list[Any], each: tuple[Any, list[Any]]) -> tuple[list[Any], list[Any]]:
        iteration, parts = each
        found = inner([*[one.array for one in fixed], *state, *parts], axes)
        new, results = found[: len(carried)], found[len(carried) :]
        _require_same(inner.layouts[: len(carried)], _axes(carried))
        if is_open:
            new = [jnp.where(iteration < end, after, before) for after, before in zip(new, state, strict=True)]
        return new, results

    iterations = jnp.arange(lengths.limit(steps))
    last, results = lax.scan(
        step, [one.array for one in carried], (iterations, [one.array for one in given]), reverse=parameters["reverse"]
    )
    layouts = [*_axes(carried), *[(layout_of(steps), *axes) for axes in inner.layouts[len(carried) :]]]
    return [Padded(array, axes, lengths) for array, axes in zip([*last, *results], layouts, strict=True)]


def loop(equation: Any, operands: list[Padded], lengths: Lengths, evaluate: Evaluate) -> list[Padded]:
    """A loop that ends by a condition."""
    parameters = equation.params
    operands = [one.settled(shape_of(v)) for one, v in zip(operands, equation.invars, strict=True)]
    first, second = parameters["cond_nconsts"], parameters["cond_nconsts"] + parameters["body_nconsts"]
    asked, fixed, carried = operands[:first], operands[first:second], operands[second:]
    goes_on = _Inner(parameters["cond_jaxpr"], evaluate, lengths)
    body = _Inner(parameters["body_jaxpr"], evaluate, lengths)

    def condition(state: list[Any]) -> Any:
        return goes_on([*[one.array for one in asked], *state], [*_axes(asked), *_axes(carried)])[0]

    def step(state: list[Any]) -> list[Any]:
        found = body([*[one.array for one in fixed], *state], [*_axes(fixed), *_axes(carried)])
        _require_same(body.layouts, _axes(carried))
        return found

    last = lax.while_loop(condition, step, [one.array for one in carried])
    return [Padded(array, one.axes, lengths) for array, one in zip(last, carried, strict=True)]


def branch(equation: Any, operands: list[Padded], lengths: Lengths, evaluate: Evaluate) -> list[Padded]:
    """One program of several, chosen by the first operand."""
    operands = [one.settled(shape_of(v)) for one, v in zip(operands, equation.invars, strict=True)]
    number, *given = operands
    inners = [_Inner(closed, evaluate, lengths) for closed in equation.params["branches"]]
    ways = [lambda *arrays, inner=inner: inner(arrays, _axes(given)) for inner in inners]
    found = lax.switch(number.array, ways, *[one.array for one in given])
    for inner in inners[1:]:
        _require_same(inner.layouts, inners[0].layouts)
    return [Padded(array, axes, lengths) for array, axes in zip(found, inners[0].layouts, strict=True)]


LOOPS = {"scan": scan, "while": loop, "cond": branch}
