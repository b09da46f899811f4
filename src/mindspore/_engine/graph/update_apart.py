"""A training step of several processes as two programs: one that communicates, and one that updates Parameters in place.

A program that fails has lost its donated inputs, and one that communicates fails when another process is lost. So the
update, which follows the last collective, is a program of its own: it starts when all have answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
from jax.extend.core import Literal, jaxprs_in_params

from mindspore._engine.execution import process_program
from mindspore._engine.execution.process_program import AXIS, Ranks, Together
from mindspore._engine.graph.kept_forward import needed_steps, program_of
from mindspore._engine.runtime import memory_guard


class UpdateStep(NamedTuple):
    """The equations of a traced step, from the view of one process."""

    equations: Sequence[Any]
    inputs: Sequence[Any]
    outputs: Sequence[Any]
    constants: dict[Any, Any]


class Parts(NamedTuple):
    """What the two programs compute, take and give; inputs and outputs by their indices in the step."""

    first: list[Any]  # equations
    second: list[Any]
    crossing: list[Any]  # values that the second program needs of the first
    early: list[int]  # outputs of the first
    late: list[int]  # outputs of the second
    taken: list[int]  # inputs of the second
    donated: tuple[int, ...]  # those that it overwrites


class UpdateApart:
    """The two programs, called as one with this process's arrays."""

    def __init__(self, name: str, step: UpdateStep, parts: Parts, ranks: Ranks):
        self.name, self.parts, self.donated = name, parts, parts.donated
        self.known: dict[int, tuple[Any, Any]] = {}  # see Together
        crossing, outputs = parts.crossing, step.outputs
        taken = [step.inputs[index] for index in parts.taken]
        given = [*(outputs[index] for index in parts.early), *crossing]
        reused = [len(crossing) + parts.taken.index(index) for index in parts.donated]
        self.first = _together(parts.first, step.inputs, step.constants, given, ranks)
        late = [outputs[index] for index in parts.late]
        self.second = _together(parts.second, [*crossing, *taken], step.constants, late, ranks, reused)
        self.needed = memory_guard.needs(self.second.program)

    def __call__(self, *values: Any) -> list[Any]:
        early = len(self.parts.early)
        self.first.known = self.known
        found = self.first(*values)
        with process_program.names_the_lost():
            jax.block_until_ready(found)
        if self.needed:
            memory_guard.reserve(self.name, self.needed, values)
        self.second.known = self.known | self.first.known
        updated = self.second(*found[early:], *[values[index] for index in self.parts.taken])
        # the values passed between the programs are released
        kept = {id(array): self.first.known[id(array)] for array in found[:early]}
        self.known, self.first.known, self.second.known = kept | self.second.known, {}, {}
        results = dict(zip([*self.parts.early, *self.parts.late], [*found[:early], *updated], strict=True))
        return [results[index] for index in range(len(results))]

    def cost_analysis(self) -> dict[str, float]:
        """XLA's cost analysis of this process's programs."""
        first, second = self.first.cost_analysis(), self.second.cost_analysis()
        return {name: first.get(name, 0.0) + second.get(name, 0.0) for name in first | second}


def compile(name: str, traced: Any, reused: Sequence[int], results: dict[int, int], ranks: Ranks) -> UpdateApart | None:
    """The two programs of a traced step; None if it does not communicate, or nothing can be overwritten behind that.

    Args:
        name: the step's, for messages.
        reused: the indices of inputs worth overwriting.
        results: the index of the output that is stored in each input that is written.
    """
    step = _of_one_process(traced) if reused else None
    parts = None if step is None else divided(step, {index: results[index] for index in reused})
    return None if step is None or parts is None else UpdateApart(name, step, parts, ranks)


def divided(step: UpdateStep, writes: dict[int, int]) -> Parts | None:
    """Sort the equations; ``writes``: index of an input -> index of the output that is stored in it."""
    made = {var: equation for equation in step.equations for var in equation.outvars}
    collectives = [equation for equation in step.equations if _communicates(equation)]
    second = _behind(step, collectives, [step.outputs[index] for index in writes.values()], made)
    late = [index for index, var in enumerate(step.outputs) if _is_made_in(second, var, made)]
    donated = tuple(index for index, result in writes.items() if result in late)
    if not donated:
        return None
    update = [equation for equation in step.equations if id(equation) in second]
    read = dict.fromkeys(var for equation in update for var in equation.invars if not isinstance(var, Literal))
    return Parts(
        [equation for equation in step.equations if id(equation) not in second],
        update,
        [var for var in read if var in made and id(made[var]) not in second],
        [index for index in range(len(step.outputs)) if index not in late],
        late,
        [index for index, var in enumerate(step.inputs) if var in read or index in donated],
        donated,
    )


def _behind(step: UpdateStep, collectives: Sequence[Any], written: Sequence[Any], made: dict) -> set[int]:
    """Equations of the update: written values depend on them, they on a collective, and no collective on them.

    And what only these need, if it is computed from inputs alone.
    """
    before = set(map(id, needed_steps(step.equations, [v for one in collectives for v in one.outvars], made)))
    after = {id(one) for one in collectives}
    alone = set()  # computed from inputs alone
    for equation in step.equations:
        makers = {id(made[var]) for var in equation.invars if not isinstance(var, Literal) and var in made}
        if makers & after:
            after.add(id(equation))
        if makers <= alone and not equation.effects:
            alone.add(id(equation))
    leading = {id(equation) for equation in needed_steps(step.equations, written, made)}
    found = (leading & after) - before
    for equation in step.equations:  # what is computed from an update follows it
        if any(_is_made_in(found, var, made) for var in equation.invars):
            found.add(id(equation))
    elsewhere = {var for var in step.outputs if not isinstance(var, Literal)}
    for equation in reversed(step.equations):
        if id(equation) in alone - before and elsewhere.isdisjoint(equation.outvars):
            found.add(id(equation))
        if id(equation) not in found:
            elsewhere.update(var for var in equation.invars if not isinstance(var, Literal))
    return found


def _is_made_in(equations: set[int], var: Any, made: dict) -> bool:
    return not isinstance(var, Literal) and var in made and id(made[var]) in equations


def _communicates(equation: Any) -> bool:
    """Whether a collective is in this equation, at whatever depth."""
    for name in ("axes", "axis_name"):
        axes = equation.params.get(name, ())
        if AXIS in (axes if isinstance(axes, (tuple, list)) else (axes,)) and equation.primitive.name != "axis_index":
            return True
    return any(_communicates(inner) for jaxpr in jaxprs_in_params(equation.params) for inner in jaxpr.eqns)


def _of_one_process(traced: Any) -> UpdateStep | None:
    """The step inside of the ``shard_map``; None if there is more around it."""
    outer = traced.jaxpr.jaxpr
    if len(outer.eqns) != 1 or outer.eqns[0].primitive.name != "shard_map":
        return None
    mapped = outer.eqns[0]
    inner, given = mapped.params["jaxpr"], dict(zip(outer.constvars, traced.jaxpr.consts, strict=True))
    names = {var: own for var, own in zip(mapped.invars, inner.invars, strict=True) if not isinstance(var, Literal)}
    if list(outer.outvars) != list(mapped.outvars) or not set(outer.invars) <= names.keys() or inner.constvars:
        return None
    constants = {own: var.val for var, own in zip(mapped.invars, inner.invars, strict=True) if isinstance(var, Literal)}
    constants.update({names[var]: value for var, value in given.items() if var in names})
    return UpdateStep(inner.eqns, [names[var] for var in outer.invars], inner.outvars, constants)


def _together(
    equations: Sequence[Any], inputs: Sequence[Any], constants: dict, outputs: Sequence[Any], ranks: Ranks,
    reused: Sequence[int] = (),
) -> Together:  # fmt: skip
    program = program_of(equations, inputs, constants, outputs)
    traced = process_program.traced_forms(program, [var.aval for var in inputs], ranks, reused)
    return Together(traced.lower().compile(), ranks)
