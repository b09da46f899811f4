"""Backward as one compiled program.

Walking back over a tape runs one executable per recorded operator. When all steps of the tape are operators (no hook, no
custom ``bprop``) and nobody records the walk itself, nothing can look at what happens in between: the whole walk is
compiled as one program, kept by the shape of the tape, and called with what the operators saved. The forward pass
stays one call per operator, so that it can be printed, stepped through and changed at will.

Compiling takes longer than one walk, so it is done where the same tape comes again and again: at once for gradients of
Parameters, and for others when they have come a few times.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax

from mindspore._engine.base.kernel import gradient_sum
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.cotangents import walk
from mindspore._engine.execution.process_program import NeedsProcesses
from mindspore._engine.execution.tape import KernelNode, LeafNode
from mindspore._engine.runtime.context import state as context
from mindspore._utils import log

if TYPE_CHECKING:
    from mindspore._engine.execution.tape import Link, Node
    from mindspore._engine.tensor.tensor import Tensor

FEWEST = 2  # operators for which a program is worth compiling
MOST = 200  # a long tape takes seconds to compile, and the calls between its operators matter little
WALKS = 8  # before a tape is compiled that need not come again
PLANS_OF_ONE_KIND, PLANS = 16, 512  # tapes that look different every time are not compiled over and over
LARGEST = 1 << 29  # bytes: a program holds all that was saved until its end; the walk lets go of it step by step

# One step is (kernel, its inputs' numbers, its parents, its outputs' count); a leaf is (None, (), (), 1). A parent is
# (step, output), or None for an input without a gradient.
Step = tuple[Any, tuple[int, ...], tuple[Any, ...], int]
TapePlan = tuple[tuple[Step, ...], tuple[tuple[int, int], ...], tuple[int, ...]]

_programs: dict[TapePlan, Any] = {}  # None where walking is better
_kinds: dict[Any, int] = {}
_walked: dict[TapePlan, int] = {}


def backward(
    nodes: Sequence[Node], seeds: Sequence[tuple[Link, Tensor]], leaves: Sequence[LeafNode], often: bool
) -> list | None:
    """The gradient of each leaf (None where nothing leads to it) as arrays; None in all if the tape must be walked.

    ``often``: the same tape will come many times, as in training.
    """
    if not FEWEST <= len(nodes) - len(leaves) <= MOST or state.scope is not None or context.pynative_synchronize:
        return None
    described = _describe(nodes, seeds, leaves)
    if described is None:
        return None
    plan, values = described
    try:
        program = _programs[plan]
    except KeyError:
        program = _new_program(plan, values) if often or _comes_again(plan) else None
    if program is None:
        return None
    try:
        return program(*values, *[seed._value for _, seed in seeds])  # one by one: JAX walks lists slowly
    except NeedsProcesses:  # which a program of this process alone cannot meet
        _programs[plan] = None
    except Exception as error:  # the walk says which operator failed
        _programs[plan] = None
        log.once(("backward", plan), f"A backward pass runs step by step: as one program it fails ({error}).", log.INFO)
    return None


def _describe(nodes: Sequence[Node], seeds: Sequence, leaves: Sequence[LeafNode]) -> tuple[TapePlan, list] | None:
    """How the tape is built, and the arrays its operators saved, each once."""
    places: dict[Node, int] = {}
    numbers: dict[int, int] = {}  # id of an array -> its place in values
    values: list[Any] = []
    steps: list[Step] = []
    for place, node in enumerate(nodes):
        places[node] = place
        if node.__class__ is LeafNode and node.parents[0] is None:
            steps.append(_LEAF)
            continue
        if node.__class__ is not KernelNode:
            return None
        taken = []
        for value in node.inputs:  # type: ignore[attr-defined]
            number = numbers.get(id(value))
            if number is None:
                number = len(values)
                values.append(value)
                if isinstance(value, jax.Array):  # a Python number may be the same object by chance
                    numbers[id(value)] = number
            taken.append(number)
        parents = tuple([None if p is None or p[0] not in places else (places[p[0]], p[1]) for p in node.parents])
        steps.append((node.kernel, tuple(taken), parents, node.outputs))  # type: ignore[attr-defined]
    starts = tuple([(places[link[0]], link[1]) for link, _ in seeds])
    return (tuple(steps), starts, tuple([places[leaf] for leaf in leaves])), values


_LEAF: Step = (None, (), (), 1)


def _comes_again(plan: TapePlan) -> bool:
    """Whether this tape was walked often enough."""
    if len(_walked) >= PLANS:
        _walked.clear()
    _walked[plan] = _walked.get(plan, 0) + 1
    return _walked[plan] > WALKS


def _new_program(plan: TapePlan, values: Sequence[Any]) -> Any:
    steps, starts, leaves = plan
    kind = (steps[starts[0][0]][0], len(starts), len(leaves)) if starts else None
    _kinds[kind] = _kinds.get(kind, 0) + 1
    if _kinds[kind] > PLANS_OF_ONE_KIND:
        return None
    if len(_programs) >= PLANS:
        _programs.clear()
        _kinds.clear()
    large = sum(getattr(value, "nbytes", 0) for value in values) > LARGEST

    count = len(values)

    def backward(*given: Any) -> list[Any]:
        return _walk(plan, given[:count], given[count:])

    program = _programs[plan] = None if large else jax.jit(backward)
    return program


def _walk(plan: TapePlan, values: Sequence[Any], seeds: Sequence[Any]) -> list[Any]:
    """The walk on traced arrays, steps and parents by their places in the plan."""
    steps, starts, leaves = plan

    def pull(place: int, cotangents: list[Any]) -> list[Any]:
        kernel, taken, parents, _ = steps[place]
        if kernel is None:
            return []
        wanted = tuple([parent is not None for parent in parents])
        given = tuple([one is not None for one in cotangents])
        inputs = [values[number] for number in taken]
        gradients = iter(kernel.vjp(wanted, given).jitted(*inputs, *[one for one in cotangents if one is not None]))
        return [next(gradients) if want else None for want in wanted]

    found = walk(
        range(len(steps) - 1, -1, -1), zip(starts, seeds, strict=True), set(leaves),
        outputs_of=lambda place: steps[place][3], parents_of=lambda place: steps[place][2], pull=pull,
        add=gradient_sum.jitted,
    )  # fmt: skip
    return [found.get(leaf) for leaf in leaves]
